//! Positions to FEN text.

use crate::castling::BackRank;
use crate::position::{BLACK, Board, Position, WHITE};
use crate::square;

/// How castling rights are spelled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Castling {
    /// `K` and `Q` for the outermost rooks, the file letter otherwise.
    #[default]
    Xfen,
    /// Always the rook's file letter.
    Shredder,
}

/// What becomes of the two counters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Counters {
    /// As they are.
    #[default]
    Keep,
    /// Written as `0 1`.
    Reset,
    /// Left out: four fields.
    Drop,
}

/// The longest text of a position, with room to spare.
pub const MAX_LENGTH: usize = 112;

/// A small buffer on the stack, so that a row is appended to a column in one go.
struct Line {
    bytes: [u8; MAX_LENGTH],
    len: usize,
}

impl Line {
    #[inline(always)]
    fn push(&mut self, byte: u8) {
        self.bytes[self.len] = byte;
        self.len += 1;
    }

    #[inline(always)]
    fn number(&mut self, mut value: u16) {
        let mut digits = [0; 5];
        let mut start = digits.len();
        loop {
            start -= 1;
            digits[start] = b'0' + (value % 10) as u8;
            value /= 10;
            if value == 0 {
                break;
            }
        }
        for &digit in &digits[start..] {
            self.push(digit);
        }
    }

    fn placement(&mut self, position: &Position) {
        for rank in (0..8).rev() {
            let mut empty = 0;
            for file in 0..8 {
                match position.letter(rank * 8 + file) {
                    Some(letter) => {
                        if empty > 0 {
                            self.push(b'0' + empty);
                            empty = 0;
                        }
                        self.push(letter);
                    }
                    None => empty += 1,
                }
            }
            if empty > 0 {
                self.push(b'0' + empty);
            }
            if rank > 0 {
                self.push(b'/');
            }
        }
    }

    fn castling(&mut self, position: &Position, style: Castling) {
        let [white, black] = position.castling;
        if white | black == 0 {
            self.push(b'-');
            return;
        }
        let board = Board::of(position);
        for side in [WHITE, BLACK] {
            let [k, q] = BackRank::of(&board, side).xfen();
            for file in (0..8).rev() {
                let right = 1 << file;
                if position.castling[side] & right == 0 {
                    continue;
                }
                let letter = match style {
                    Castling::Xfen if right == k => b'K',
                    Castling::Xfen if right == q => b'Q',
                    _ => b'A' + file,
                };
                self.push(letter | (side as u8) << 5);
            }
        }
    }

    /// Everything after the placement, with its leading space.
    fn tail(&mut self, position: &Position, castling: Castling, counters: Counters) {
        self.push(b' ');
        self.push(if position.side_to_move() == WHITE { b'w' } else { b'b' });
        self.push(b' ');
        self.castling(position, castling);
        self.push(b' ');
        if position.en_passant == square::NONE {
            self.push(b'-');
        } else {
            for byte in square::name(position.en_passant) {
                self.push(byte);
            }
        }
        let (halfmove, fullmove) = match counters {
            Counters::Keep => (position.halfmove, position.fullmove),
            Counters::Reset => (0, 1),
            Counters::Drop => return,
        };
        self.push(b' ');
        self.number(halfmove);
        self.push(b' ');
        self.number(fullmove);
    }
}

/// Appends the FEN of `position` exactly as it is to `out`.
pub fn write(position: &Position, castling: Castling, counters: Counters, out: &mut Vec<u8>) {
    let mut line = Line { bytes: [0; MAX_LENGTH], len: 0 };
    line.placement(position);
    line.tail(position, castling, counters);
    out.extend_from_slice(&line.bytes[..line.len]);
}

/// Appends the FEN of `position`, whose placement field is known to be `placement`, to `out`.
#[inline]
pub fn write_after(
    placement: &[u8],
    position: &Position,
    castling: Castling,
    counters: Counters,
    out: &mut Vec<u8>,
) {
    out.extend_from_slice(placement);
    let mut line = Line { bytes: [0; MAX_LENGTH], len: 0 };
    line.tail(position, castling, counters);
    out.extend_from_slice(&line.bytes[..line.len]);
}
