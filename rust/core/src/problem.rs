//! The one table of problem codes: bit, name, severity and rule.
//!
//! Bit values are frozen once released. Bit 63 stays free, so that the same 64 bits read as a
//! signed integer are never negative.

/// A set of problem codes, one bit each.
pub type Problems = u64;

/// How much a problem matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// The text departs from the PGN standard's FEN.
    Syntax,
    /// The position cannot be played.
    Illegal,
    /// The position can be played but no game from the start array reaches it.
    Unreachable,
    /// A hint about data quality.
    Suspicious,
}

impl Severity {
    /// All severities, the gravest first.
    pub const ALL: [Severity; 4] =
        [Self::Syntax, Self::Illegal, Self::Unreachable, Self::Suspicious];

    /// The lower-case name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Syntax => "syntax",
            Self::Illegal => "illegal",
            Self::Unreachable => "unreachable",
            Self::Suspicious => "suspicious",
        }
    }

    /// All codes of this severity.
    pub const fn mask(self) -> Problems {
        let mut mask = 0;
        let mut i = 0;
        while i < TABLE.len() {
            if TABLE[i].severity as u8 == self as u8 {
                mask |= TABLE[i].bit;
            }
            i += 1;
        }
        mask
    }
}

/// One problem code.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The code's bit.
    pub bit: Problems,
    /// The code's name, lower case.
    pub name: &'static str,
    /// How much it matters.
    pub severity: Severity,
    /// The rule in one sentence.
    pub rule: &'static str,
}

macro_rules! table {
    ($($severity:ident { $($constant:ident $name:literal $rule:literal)+ })+) => {
        table!(@bits 0; $($($constant $rule)+)+);

        /// Every code, in the order of its bit.
        pub static TABLE: [Entry; COUNT] = [
            $($(Entry {
                bit: $constant,
                name: $name,
                severity: Severity::$severity,
                rule: $rule,
            },)+)+
        ];
    };
    (@bits $bit:expr; $constant:ident $rule:literal $($rest:tt)*) => {
        #[doc = $rule]
        pub const $constant: Problems = 1 << ($bit);
        table!(@bits $bit + 1; $($rest)*);
    };
    (@bits $bit:expr;) => {
        /// The number of codes.
        pub const COUNT: usize = $bit;
    };
}

table! {
    Syntax {
        EMPTY "empty" "The text has no non-blank byte."
        NON_ASCII "non_ascii" "A byte lies outside printable ASCII."
        WHITESPACE "whitespace" "Fields are not separated by exactly one space, or the text has blanks, tabs, line ends, a byte order mark or underscores around or between them."
        FIELD_COUNT "field_count" "The text has not exactly six fields."
        EPD_OPERATIONS "epd_operations" "EPD operations follow the four position fields."
        VARIANT_SYNTAX "variant_syntax" "The text uses the notation of a chess variant: `~`, a pocket, or check counters."
        RANK_COUNT "rank_count" "The piece placement has not exactly eight ranks."
        RANK_WIDTH "rank_width" "A rank does not sum to eight squares."
        BAD_PIECE_CHAR "bad_piece_char" "The piece placement holds a character that is neither a piece letter, a digit 1-8 nor a slash."
        ADJACENT_DIGITS "adjacent_digits" "Two digits stand side by side in a rank."
        BAD_TURN "bad_turn" "The side to move is neither `w` nor `b`."
        BAD_CASTLING_CHARS "bad_castling_chars" "The castling field is neither `-` nor made of castling letters."
        CASTLING_ORDER "castling_order" "The castling letters are not in the order K Q k q."
        CASTLING_DUPLICATE "castling_duplicate" "A castling right is given twice, or a side has more than two."
        BAD_EP_SYNTAX "bad_ep_syntax" "The en passant field is neither `-` nor a lower-case square name."
        BAD_HALFMOVE "bad_halfmove" "The halfmove clock is not a plain decimal number."
        BAD_FULLMOVE "bad_fullmove" "The fullmove number is not a plain decimal number."
        COUNTER_FORMAT "counter_format" "A counter has a leading zero."
        COUNTER_OVERFLOW "counter_overflow" "A counter is above 65535."
        FULLMOVE_ZERO "fullmove_zero" "The fullmove number is 0; the first move is number 1."
    }
    Illegal {
        BOARD_EMPTY "board_empty" "There is no man on the board."
        NO_WHITE_KING "no_white_king" "White has no king."
        NO_BLACK_KING "no_black_king" "Black has no king."
        EXTRA_WHITE_KING "extra_white_king" "White has more than one king."
        EXTRA_BLACK_KING "extra_black_king" "Black has more than one king."
        PAWN_ON_BACK_RANK "pawn_on_back_rank" "A pawn stands on the first or the eighth rank."
        OPPOSITE_CHECK "opposite_check" "The side to move attacks the other king."
        KINGS_ADJACENT "kings_adjacent" "The kings stand on neighbouring squares."
        WHITE_PAWNS_GT_8 "white_pawns_gt_8" "White has more than eight pawns."
        BLACK_PAWNS_GT_8 "black_pawns_gt_8" "Black has more than eight pawns."
        WHITE_MEN_GT_16 "white_men_gt_16" "White has more than sixteen men."
        BLACK_MEN_GT_16 "black_men_gt_16" "Black has more than sixteen men."
        CASTLING_IMPOSSIBLE "castling_impossible" "A castling right has no king on the back rank or no own rook there on its side of the king."
        CASTLING_NEEDS_960 "castling_needs_960" "A castling right is impossible in standard chess but holds in Chess960."
        EP_WRONG_RANK "ep_wrong_rank" "The en passant square is not on rank 6 with White to move or rank 3 with Black to move."
        EP_NO_PAWN "ep_no_pawn" "No pawn that has just moved two squares stands in front of the en passant square."
        EP_OCCUPIED "ep_occupied" "The en passant square, or the square the pawn came from, is not empty."
        TOO_MANY_CHECKERS "too_many_checkers" "More than two men give check."
        IMPOSSIBLE_CHECK "impossible_check" "No single move can have given this check."
    }
    Unreachable {
        PROMOTION_EXCESS_WHITE "promotion_excess_white" "White has more promoted men than missing pawns."
        PROMOTION_EXCESS_BLACK "promotion_excess_black" "Black has more promoted men than missing pawns."
        PAWN_STRUCTURE "pawn_structure" "The pawns of a side cannot come from eight different files."
        PAWN_CAPTURES "pawn_captures" "The pawns of a side need more captures than the other side has lost men."
        PAWN_OPPOSITION "pawn_opposition" "Too few captures were made for so many pawns and promotions to have passed each other."
        CAGED_BISHOP "caged_bishop" "A bishop stands on its own back rank behind pawns that it cannot have passed."
        HOME_BISHOP_EXCESS "home_bishop_excess" "A bishop must be promoted because its home square was never left, and too few pawns are missing."
        DOUBLE_CHECK_PAIR "double_check_pair" "Two men of these kinds never give check together."
        NO_LAST_MOVE "no_last_move" "No last move can have led to this check."
        EP_PUSH_IMPOSSIBLE "ep_push_impossible" "Before the double pawn push the king of the side to move was in check already."
        EP_CLOCK_NONZERO "ep_clock_nonzero" "The halfmove clock is not 0 right after a double pawn push."
        CLOCK_EXCEEDS_GAME "clock_exceeds_game" "The halfmove clock counts more plies than the game has had."
        START_WRONG_TURN "start_wrong_turn" "The men that left home cannot have moved so that it is this side's turn."
    }
    Suspicious {
        EP_NOT_CAPTURABLE "ep_not_capturable" "No pawn stands beside the pawn that just moved two squares."
        EP_NOT_LEGAL "ep_not_legal" "A pawn stands beside the pushed pawn but every en passant capture leaves the king in check."
        HALFMOVE_GT_100 "halfmove_gt_100" "The halfmove clock is beyond the fifty-move rule."
        HALFMOVE_GT_150 "halfmove_gt_150" "The halfmove clock is beyond the seventy-five-move rule."
        FULLMOVE_GT_9999 "fullmove_gt_9999" "The fullmove number is above 9999."
        CAPTURES_EXCEED_GAME "captures_exceed_game" "More men are missing than plies were played."
        CLOCK_CONTRADICTS_CHECK "clock_contradicts_check" "Only a pawn move or a capture can have given this check, but the halfmove clock is not 0."
        LOOKS_ROTATED "looks_rotated" "The board looks turned by 180 degrees."
        LOOKS_MIRRORED "looks_mirrored" "The ranks look reversed, or the colours swapped."
        CASTLING_SHREDDER "castling_shredder" "A castling right is written by file though it names no inner rook, the one thing X-FEN writes so."
        CASTLING_AMBIGUOUS "castling_ambiguous" "K or Q is written while a second own rook stands on that side of the king."
    }
}

/// Every code of severity syntax.
pub const SYNTAX: Problems = Severity::Syntax.mask();
/// Every code of severity illegal.
pub const ILLEGAL: Problems = Severity::Illegal.mask();
/// Every code of severity unreachable.
pub const UNREACHABLE: Problems = Severity::Unreachable.mask();
/// Every code of severity suspicious.
pub const SUSPICIOUS: Problems = Severity::Suspicious.mask();

/// The entries of the codes set in `problems`, lowest bit first.
pub fn entries(problems: Problems) -> impl Iterator<Item = &'static Entry> {
    TABLE.iter().filter(move |entry| problems & entry.bit != 0)
}

/// `bit` if `condition` holds, without a branch.
#[inline(always)]
pub(crate) const fn flag(condition: bool, bit: Problems) -> Problems {
    (condition as u64) * bit
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_follow_the_order_of_the_table() {
        for (i, entry) in TABLE.iter().enumerate() {
            assert_eq!(entry.bit, 1 << i, "{}", entry.name);
        }
        assert_eq!(COUNT, 63, "bit 63 stays free");
        assert_eq!(SYNTAX | ILLEGAL | UNREACHABLE | SUSPICIOUS, u64::MAX >> 1);
    }
}
