//! Positions as sequences of tokens, and back.

use std::fmt;
use std::marker::PhantomData;

use crate::bitboard::squares;
use crate::castling::BackRank;
use crate::parse;
use crate::perspective::{Perspective, Turn};
use crate::planes::expand::classes;
use crate::planes::{Expand, Squares, State};
use crate::position::{BLACK, BLACK_TO_MOVE, Board, CHESS960, COUNTERS_ABSENT, Position, WHITE};
use crate::rows::Encode;
use crate::square;
use crate::unheld::Unheld;

/// What the tokens of a sequence mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vocabulary {
    /// 64 squares: 0 empty, 1-6 P N B R Q K of the lower side, 7-12 of the upper.
    Squares {
        /// Whose board is shown.
        perspective: Perspective,
        /// Which square comes first.
        squares: Squares,
    },
    /// 77 characters of a FEN, as searchless_chess spells it.
    Searchless,
    /// 64 squares from a8, turn and four castling rights, as chess-transformers numbers them.
    ChessTransformers,
}

impl Vocabulary {
    /// The length of a sequence.
    pub const fn length(self) -> usize {
        match self {
            Self::Squares { .. } => 64,
            Self::Searchless => 77,
            Self::ChessTransformers => 69,
        }
    }
}

/// The characters of [`Vocabulary::Searchless`] in the order of their ids.
const CHARACTERS: &[u8; 31] = b"0123456789abcdefghpnrkqPBNRQKw.";

/// The id of a character.
const fn id(character: u8) -> u8 {
    let mut id = 0;
    while id < CHARACTERS.len() {
        if CHARACTERS[id] == character {
            return id as u8;
        }
        id += 1;
    }
    u8::MAX
}

static SEARCHLESS_IDS: [u8; 128] = {
    let mut ids = [u8::MAX; 128];
    let mut character = 0;
    while character < 128 {
        ids[character] = id(character as u8);
        character += 1;
    }
    ids
};

/// The characters of [`Vocabulary::ChessTransformers`] in the order of their ids; `,` is the en
/// passant square.
const MEN: &[u8; 14] = b".,PpRrNnBbQqKk";

/// The ids of P N B R Q K, to which a black man adds 1.
const TRANSFORMERS_IDS: [u8; 6] = [2, 6, 8, 4, 10, 12];
const TARGET: u8 = 1;

/// How positions become tokens of `T`.
#[derive(Clone, Copy, Debug)]
pub struct Tokens<T> {
    /// What they mean.
    pub vocabulary: Vocabulary,
    /// What of the state counts.
    pub state: State,
    token: PhantomData<T>,
}

impl<T> Tokens<T> {
    /// Tokens of `vocabulary`.
    pub const fn new(vocabulary: Vocabulary, state: State) -> Self {
        Self { vocabulary, state, token: PhantomData }
    }
}

/// A number wide enough for every token.
pub trait Token: Copy + Send + Sync + From<u8> {
    /// The token 0.
    const ZERO: Self;
}

impl Token for u8 {
    const ZERO: Self = 0;
}

impl Token for i32 {
    const ZERO: Self = 0;
}

impl Token for i64 {
    const ZERO: Self = 0;
}

impl<T: Token> Encode for Tokens<T> {
    type Cell = T;
    const BLANK: T = T::ZERO;

    fn width(&self) -> usize {
        self.vocabulary.length()
    }

    #[inline(always)]
    fn encode<X: Expand>(
        &self,
        isa: X,
        position: &Position,
        _: &[Option<Position>],
        out: &mut [T],
    ) -> Result<(), Unheld> {
        let mut tokens = [0; 77];
        match self.vocabulary {
            Vocabulary::Squares { perspective, squares } => {
                let turn = perspective.turn(position.side_to_move());
                let ([c0, c1, c2], upper) = turn.planes(position);
                let code = [squares.set(c0), squares.set(c1), squares.set(c2)];
                tokens[..64].copy_from_slice(&classes(isa, code, squares.set(upper)));
            }
            Vocabulary::Searchless => searchless(isa, &self.state.of(position), &mut tokens)?,
            Vocabulary::ChessTransformers => transformers(&self.state.of(position), &mut tokens),
        }
        // Lengths that are known become vectors.
        if let Some((squares, rest)) = out.split_first_chunk_mut::<64>() {
            for (out, token) in squares.iter_mut().zip(&tokens[..64]) {
                *out = (*token).into();
            }
            for (out, token) in rest.iter_mut().zip(&tokens[64..]) {
                *out = (*token).into();
            }
        }
        Ok(())
    }
}

#[inline(always)]
fn searchless<X: Expand>(isa: X, position: &Position, tokens: &mut [u8; 77]) -> Result<(), Unheld> {
    const LIMIT: u16 = 999;
    const LETTERS: [u8; 13] = {
        let mut ids = [0; 13];
        let mut class = 0;
        while class < 13 {
            ids[class] = id(b".PNBRQKpnbrqk"[class]);
            class += 1;
        }
        ids
    };
    let code = position.code.map(u64::swap_bytes);
    let classes = classes(isa, code, position.black.swap_bytes());
    for (token, class) in tokens[1..65].iter_mut().zip(classes) {
        *token = LETTERS[class as usize];
    }
    let mut text = [b'.'; 12];
    let castling = castling_letters(position)?;
    text[..4].copy_from_slice(&castling);
    if position.en_passant != square::NONE {
        text[4..6].copy_from_slice(&square::name(position.en_passant));
    }
    let counters = [("halfmove clock", position.halfmove), ("fullmove number", position.fullmove)];
    for ((name, value), place) in counters.into_iter().zip(text[6..].chunks_exact_mut(3)) {
        if value > LIMIT {
            return Err(Unheld::Number { name, value: value.into(), limit: LIMIT.into() });
        }
        decimal(value, place);
    }
    let turn = if position.side_to_move() == WHITE { b'w' } else { b'b' };
    tokens[0] = SEARCHLESS_IDS[usize::from(turn)];
    for (token, character) in tokens[65..].iter_mut().zip(text) {
        *token = SEARCHLESS_IDS[usize::from(character)];
    }
    Ok(())
}

/// Writes `value` to the left of `place`.
fn decimal(value: u16, place: &mut [u8]) {
    let digits = [value / 100, value / 10 % 10, value % 10].map(|digit| b'0' + digit as u8);
    let leading = usize::from(value < 100) + usize::from(value < 10);
    place[..3 - leading].copy_from_slice(&digits[leading..]);
}

/// The letters KQkq of the canonical `position`, to the left of four places.
fn castling_letters(position: &Position) -> Result<[u8; 4], Unheld> {
    let mut letters = [b'.'; 4];
    let mut len = 0;
    if position.castling != [0; 2] {
        let board = Board::of(position);
        for side in [WHITE, BLACK] {
            let named = BackRank::of(&board, side).xfen();
            if position.castling[side] & !(named[0] | named[1]) != 0 {
                return Err(Unheld::InnerRook);
            }
            for (file, letter) in named.into_iter().zip(*b"KQ") {
                if position.castling[side] & file != 0 {
                    letters[len] = letter | (side as u8) << 5;
                    len += 1;
                }
            }
        }
    }
    Ok(letters)
}

fn transformers(position: &Position, tokens: &mut [u8; 77]) {
    let board = Board::of(position);
    let roles = [board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings];
    for (role, id) in roles.into_iter().zip(TRANSFORMERS_IDS) {
        for square in squares(role) {
            let black = (position.black >> square & 1) as u8;
            tokens[usize::from(square ^ 56)] = id + black;
        }
    }
    if position.en_passant != square::NONE {
        tokens[usize::from(position.en_passant ^ 56)] = TARGET;
    }
    tokens[64] = u8::from(position.side_to_move() == WHITE);
    for side in [WHITE, BLACK] {
        let back = BackRank::of(&board, side);
        let rights = position.castling[side];
        // The h-side right is that of a rook above the king; KQkq names both rooks or neither.
        let [kingside, queenside] = back.wings(rights);
        tokens[65 + 2 * side] = u8::from(kingside);
        tokens[66 + 2 * side] = u8::from(queenside);
    }
}

/// Why tokens are no position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A token that means nothing in its place.
    Token {
        /// Its place.
        place: usize,
        /// The token.
        token: i64,
        /// The largest that is allowed there.
        limit: u8,
    },
    /// A token that does not belong in its place.
    Character {
        /// Its place.
        place: usize,
        /// What it spells.
        character: u8,
    },
    /// The tokens spell no FEN.
    Unreadable,
    /// More than one en passant square.
    EnPassant,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Token { place, token, limit } => {
                write!(f, "token {place} is {token}, 0 to {limit} are allowed")
            }
            Self::Character { place, character } => {
                write!(
                    f,
                    "token {place} spells {:?}, which is not allowed there",
                    character as char
                )
            }
            Self::Unreadable => write!(f, "the tokens spell no FEN"),
            Self::EnPassant => write!(f, "more than one en passant square"),
        }
    }
}

/// The position that `tokens` of `vocabulary` spell; `black_to_move` where they do not say.
///
/// # Errors
/// Why they spell none.
///
/// # Panics
/// If there are not [`Vocabulary::length`] tokens.
pub fn read(
    vocabulary: Vocabulary,
    tokens: &[i64],
    black_to_move: bool,
    state: State,
) -> Result<Position, Fault> {
    let largest = match vocabulary {
        Vocabulary::Squares { .. } => |_| 12,
        Vocabulary::Searchless => |_| CHARACTERS.len() as u8 - 1,
        Vocabulary::ChessTransformers => |place| if place < 64 { MEN.len() as u8 - 1 } else { 1 },
    };
    let mut checked = [0; 77];
    for (place, (&token, slot)) in tokens.iter().zip(&mut checked).enumerate() {
        let limit = largest(place);
        *slot = u8::try_from(token).ok().filter(|&token| token <= limit).ok_or(Fault::Token {
            place,
            token,
            limit,
        })?;
    }
    match vocabulary {
        Vocabulary::Squares { perspective, squares } => {
            let side = if black_to_move { BLACK } else { WHITE };
            let mut position = Position { flags: COUNTERS_ABSENT, ..Position::EMPTY };
            if black_to_move {
                position.flags |= BLACK_TO_MOVE;
            }
            place_classes(&checked[..64], squares, perspective.turn(side), &mut position);
            Ok(with_game(position, state))
        }
        Vocabulary::Searchless => read_searchless(&checked, state),
        Vocabulary::ChessTransformers => read_transformers(&checked, state),
    }
}

fn with_game(mut position: Position, state: State) -> Position {
    position.flags |= if state.chess960 { CHESS960 } else { 0 };
    position
}

fn place_classes(classes: &[u8], order: Squares, turn: Turn, position: &mut Position) {
    let mut upper = 0;
    for (place, &class) in classes.iter().enumerate() {
        let square = turn.set(order.set(1 << place));
        let code = if class > 6 { class - 6 } else { class };
        for (bit, plane) in position.code.iter_mut().enumerate() {
            *plane |= if code >> bit & 1 == 1 { square } else { 0 };
        }
        upper |= if class > 6 { square } else { 0 };
    }
    position.black = if turn.swaps() { position.occupied() & !upper } else { upper };
}

fn read_searchless(ids: &[u8; 77], state: State) -> Result<Position, Fault> {
    let mut text = Vec::with_capacity(96);
    let character = |place: usize| CHARACTERS[usize::from(ids[place])];
    for place in 1..65 {
        match character(place) {
            b'.' => text.push(b'1'),
            letter if b"pnrkqbPBNRQK".contains(&letter) => text.push(letter),
            character => return Err(Fault::Character { place, character }),
        }
        if place % 8 == 0 && place < 64 {
            text.push(b'/');
        }
    }
    for (field, places) in [0..1, 65..69, 69..71, 71..74, 74..77].into_iter().enumerate() {
        text.push(b' ');
        let (begin, mut padded) = (text.len(), false);
        for place in places {
            match character(place) {
                b'.' => padded = true,
                character if padded => return Err(Fault::Character { place, character }),
                character => text.push(character),
            }
        }
        if text.len() == begin && (field == 1 || field == 2) {
            text.push(b'-');
        }
    }
    parse::careful(&text, state.chess960).position().copied().ok_or(Fault::Unreadable)
}

fn read_transformers(ids: &[u8; 77], state: State) -> Result<Position, Fault> {
    let mut position = Position { flags: COUNTERS_ABSENT, ..Position::EMPTY };
    let mut classes = [0; 64];
    for (place, (&id, class)) in ids.iter().zip(&mut classes).enumerate() {
        if id == TARGET {
            if position.en_passant != square::NONE {
                return Err(Fault::EnPassant);
            }
            position.en_passant = place as u8 ^ 56;
        } else if let Some(role) = TRANSFORMERS_IDS.iter().position(|&white| white == id & !1) {
            *class = role as u8 + 1 + 6 * (id & 1);
        }
    }
    place_classes(&classes, Squares::A8, Turn::None, &mut position);
    if ids[64] == 0 {
        position.flags |= BLACK_TO_MOVE;
    }
    let board = Board::of(&position);
    for side in [WHITE, BLACK] {
        let named = BackRank::of(&board, side).xfen();
        for (wing, file) in named.into_iter().enumerate() {
            position.castling[side] |= if ids[65 + 2 * side + wing] == 1 { file } else { 0 };
        }
    }
    Ok(with_game(position, state))
}
