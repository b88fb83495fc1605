//! Where fenpack departs from python-chess 1.11.2 on purpose.

/// Which side of each stated difference a verdict takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// A side with several kings has no king that checks or rights are judged by; otherwise its
    /// king is the last one from a1 to h8.
    pub only_king: bool,
    /// A `Q` or `q` is a right even where the side has no rook on its back rank.
    pub lone_queenside: bool,
    /// Two men that only check by moving cannot give check together.
    pub two_steppers: bool,
}

impl Rules {
    /// python-chess 1.11.2.
    pub const PYTHON_CHESS: Rules =
        Rules { only_king: false, lone_queenside: false, two_steppers: false };
    /// fenpack.
    pub const FENPACK: Rules = Rules { only_king: true, lone_queenside: true, two_steppers: true };

    /// Every difference by name, with python-chess's side of it and fenpack's otherwise.
    pub const DIFFERENCES: [(&'static str, Rules); 3] = [
        ("several kings", Rules { only_king: false, ..Rules::FENPACK }),
        ("lone queenside right", Rules { lone_queenside: false, ..Rules::FENPACK }),
        ("two steppers", Rules { two_steppers: false, ..Rules::FENPACK }),
    ];
}
