//! A board of 64 squares, and what attacks what on it.

use crate::Rules;

/// White or Black.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Colour {
    White,
    Black,
}

impl Colour {
    /// Both.
    pub const BOTH: [Colour; 2] = [Colour::White, Colour::Black];

    /// The other one.
    pub fn other(self) -> Colour {
        match self {
            Colour::White => Colour::Black,
            Colour::Black => Colour::White,
        }
    }

    /// The rank that the side's men stand on at first.
    pub fn back_rank(self) -> i8 {
        match self {
            Colour::White => 0,
            Colour::Black => 7,
        }
    }

    /// By how many ranks its pawns step.
    pub fn forward(self) -> i8 {
        match self {
            Colour::White => 1,
            Colour::Black => -1,
        }
    }
}

/// What a man is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Role {
    Pawn,
    Knight,
    Bishop,
    Rook,
    Queen,
    King,
}

/// A man on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Man {
    /// Whose it is.
    pub colour: Colour,
    /// What it is.
    pub role: Role,
    /// Whether a `~` marks it as promoted.
    pub promoted: bool,
}

/// A square by its file and rank, each from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Square {
    pub file: i8,
    pub rank: i8,
}

impl Square {
    /// The square on `file` and `rank`.
    pub fn new(file: i8, rank: i8) -> Square {
        Square { file, rank }
    }

    /// The square so many files and ranks away, if it is on the board.
    pub fn step(self, files: i8, ranks: i8) -> Option<Square> {
        let (file, rank) = (self.file + files, self.rank + ranks);
        ((0..8).contains(&file) && (0..8).contains(&rank)).then_some(Square { file, rank })
    }

    /// Its place on the way from a1 along the ranks to h8.
    pub fn index(self) -> usize {
        self.rank as usize * 8 + self.file as usize
    }

    /// Its name, as `e4`.
    pub fn name(self) -> String {
        let letter = char::from(b'a' + self.file as u8);
        format!("{letter}{}", self.rank + 1)
    }
}

/// What stands where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Board {
    squares: [Option<Man>; 64],
}

impl Board {
    /// No man anywhere.
    pub const EMPTY: Board = Board { squares: [None; 64] };

    /// What stands on `square`.
    pub fn at(&self, square: Square) -> Option<Man> {
        self.squares[square.index()]
    }

    /// Puts `man`, or nothing, on `square`.
    pub fn put(&mut self, square: Square, man: Option<Man>) {
        self.squares[square.index()] = man;
    }

    /// Every man with its square, from a1 to h8.
    pub fn men(&self) -> impl Iterator<Item = (Square, Man)> + '_ {
        self.squares.iter().enumerate().filter_map(|(index, man)| {
            man.map(|man| (Square::new(index as i8 % 8, index as i8 / 8), man))
        })
    }

    /// How many men there are of each colour and role.
    pub fn counts(&self) -> [[usize; 6]; 2] {
        let mut counts = [[0; 6]; 2];
        for (_, man) in self.men() {
            counts[man.colour as usize][man.role as usize] += 1;
        }
        counts
    }

    /// The kings of `colour`.
    pub fn kings(&self, colour: Colour) -> impl Iterator<Item = (Square, Man)> + '_ {
        self.men().filter(move |(_, man)| man.colour == colour && man.role == Role::King)
    }

    /// Whether a man of `colour` and `role` stands on `square`.
    pub fn is(&self, square: Square, colour: Colour, role: Role) -> bool {
        self.at(square).is_some_and(|man| man.colour == colour && man.role == role)
    }

    /// The king that checks and rights of `colour` are judged by. A promoted one is none.
    pub fn king(&self, colour: Colour, rules: Rules) -> Option<Square> {
        let (mut found, mut last) = (0, None);
        for (square, man) in self.kings(colour) {
            found += 1;
            if !man.promoted {
                last = Some(square);
            }
        }
        last.filter(|_| found == 1 || !rules.only_king)
    }

    /// The men of `by` that attack `target`.
    pub fn attackers(
        &self,
        target: Square,
        by: Colour,
    ) -> impl Iterator<Item = (Square, Man)> + '_ {
        self.men().filter(move |&(from, man)| man.colour == by && self.attacks(man, from, target))
    }

    /// Whether `man` on `from` attacks `to`.
    fn attacks(&self, man: Man, from: Square, to: Square) -> bool {
        let (files, ranks) = (to.file - from.file, to.rank - from.rank);
        let straight = (files == 0) != (ranks == 0);
        let diagonal = files != 0 && files.abs() == ranks.abs();
        match man.role {
            Role::Pawn => files.abs() == 1 && ranks == man.colour.forward(),
            Role::Knight => (files * ranks).abs() == 2,
            Role::Bishop => diagonal && self.is_clear(from, to),
            Role::Rook => straight && self.is_clear(from, to),
            Role::Queen => (straight || diagonal) && self.is_clear(from, to),
            Role::King => files.abs().max(ranks.abs()) == 1,
        }
    }

    /// Whether nothing stands between two squares of one line.
    fn is_clear(&self, from: Square, to: Square) -> bool {
        let (files, ranks) = ((to.file - from.file).signum(), (to.rank - from.rank).signum());
        let mut square = Square::new(from.file + files, from.rank + ranks);
        while square != to {
            if self.at(square).is_some() {
                return false;
            }
            square = Square::new(square.file + files, square.rank + ranks);
        }
        true
    }
}
