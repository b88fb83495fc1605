//! What other programs accept: one judge per program.
//!
//! A row that the fast path reads needs only the judgement of its position. Any other row goes to
//! the program's own reader, which accepts syntax that fenpack refuses and refuses syntax that
//! fenpack repairs. The rules were found by running and reading the released programs; each module
//! names its version and what it does not model. No code of theirs is here.

mod chess_js;
mod python_chess;
mod setup;
mod shakmaty;
mod stockfish;

use crate::position::{Board, Position};

/// A program whose acceptance is predicted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Profile {
    /// python-chess 1.11.2: `chess.Board(fen, chess960=…).is_valid()`.
    PythonChess,
    /// shakmaty 0.30.1: `Fen::from_ascii`, then `Chess::from_setup` in the castling mode.
    Shakmaty,
    /// Stockfish of August 2026: `Position::set` returns no error.
    Stockfish,
    /// chess.js 1.4.0: `validateFen`.
    ChessJs,
}

impl Profile {
    /// Every program.
    pub const ALL: [Profile; 4] =
        [Self::PythonChess, Self::Shakmaty, Self::Stockfish, Self::ChessJs];

    /// The name by which the program is chosen.
    pub const fn name(self) -> &'static str {
        match self {
            Self::PythonChess => "python-chess",
            Self::Shakmaty => "shakmaty",
            Self::Stockfish => "stockfish",
            Self::ChessJs => "chess.js",
        }
    }

    /// Whether the program accepts `text`.
    pub fn accepts(self, text: &[u8], chess960: bool) -> bool {
        let accepted = match self {
            Self::PythonChess => python_chess::accepts(text, chess960),
            Self::Shakmaty => shakmaty::accepts(text, chess960),
            Self::Stockfish => stockfish::accepts(text),
            Self::ChessJs => chess_js::accepts(text),
        };
        accepted.unwrap_or(false)
    }

    /// Whether the program accepts the FEN of `position`, its rights spelled by the X-FEN rule.
    #[inline(always)]
    pub fn accepts_position(self, position: &Position, board: &Board, chess960: bool) -> bool {
        match self {
            Self::PythonChess => python_chess::accepts_position(position, board, chess960),
            Self::Shakmaty => shakmaty::accepts_position(position, board, chess960),
            Self::Stockfish => stockfish::accepts_position(position, board),
            Self::ChessJs => chess_js::accepts_position(position, board),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    fn accepting(text: &str) -> Vec<&'static str> {
        let accepting = Profile::ALL.into_iter().filter(|p| p.accepts(text.as_bytes(), false));
        accepting.map(Profile::name).collect()
    }

    #[test]
    fn each_reads_what_it_reads() {
        assert_eq!(accepting(START), ["python-chess", "shakmaty", "stockfish", "chess.js"]);
        assert_eq!(
            accepting(&START.replace(" 0 1", "")),
            ["python-chess", "shakmaty", "stockfish"]
        );
        assert_eq!(accepting(&START.replace(' ', "_")), ["shakmaty"]);
        assert_eq!(accepting(&START.replace(' ', "\u{a0}")), ["python-chess", "chess.js"]);
        assert_eq!(accepting(&START.replace("/8/8/", "/44/8/")), ["shakmaty", "stockfish"]);
        assert_eq!(
            accepting(&START.replace(" 0 1", " 1_0 1")),
            ["python-chess", "stockfish", "chess.js"]
        );
        assert!(accepting("").is_empty());
        assert!(accepting("\u{ff}").is_empty());
    }

    #[test]
    fn each_judges_what_it_judges() {
        let kings = "8/8/8/8/8/8/5kK1/8 w - - 0 1";
        assert_eq!(accepting(kings), ["chess.js"]);
        let knights = "8/8/N7/2k5/N7/8/8/3K4 b - - 0 1";
        assert_eq!(accepting(knights), ["python-chess", "stockfish", "chess.js"]);
        let lone = "4k3/8/8/8/8/8/8/4K3 w Q - 0 1";
        assert_eq!(accepting(lone), ["python-chess", "stockfish", "chess.js"]);
        let queens = "4k3/8/8/8/8/8/PPPPPPPP/QQQQKQQQ w - - 0 1";
        assert_eq!(accepting(queens), ["python-chess", "chess.js"]);
        let bishops = "4k3/8/8/8/8/8/PPPPPPPP/1B1BK3 w - - 0 1";
        assert_eq!(accepting(bishops), ["python-chess", "stockfish", "chess.js"]);
    }
}
