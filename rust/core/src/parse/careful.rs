//! The careful parser: character by character, every departure from the standard named.

use std::ops::Range;

use super::finding::{Field, Finding, Sink};
use super::{Dialect, Known, Reading};
use crate::castling;
use crate::position::{BLACK_TO_MOVE, Board, CHESS960, COUNTERS_ABSENT, Position};
use crate::problem::*;
use crate::square;

/// Reads `text`, telling `sink` every finding.
pub(super) fn read(text: &[u8], dialect: Dialect, chess960: bool, sink: &mut impl Sink) -> Reading {
    let mut position = Position::EMPTY;
    position.flags = u8::from(chess960) * CHESS960;
    let mut reader = Reader { text, chess960, position, problems: 0, refused: false, sink };
    let known = reader.row(dialect);
    Reading { position: reader.position, problems: reader.problems, known }
}

struct Reader<'a, S> {
    text: &'a [u8],
    chess960: bool,
    position: Position,
    problems: Problems,
    refused: bool,
    sink: &'a mut S,
}

/// More fields than these are only counted.
const FIELDS: usize = 8;

/// The fields of a FEN, in order.
const NAMED: [Field; 6] = [
    Field::Placement,
    Field::Turn,
    Field::Castling,
    Field::EnPassant,
    Field::Halfmove,
    Field::Fullmove,
];

/// The fields of a row, in order.
struct Fields {
    spans: [Range<usize>; FIELDS],
    count: usize,
}

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

fn is_printable(byte: u8) -> bool {
    matches!(byte, 0x20..=0x7e)
}

fn is_number(text: &[u8]) -> bool {
    !text.is_empty() && text.iter().all(u8::is_ascii_digit)
}

/// The check counters of three-check, `3+3`.
fn is_check_counters(text: &[u8]) -> bool {
    let mut halves = text.splitn(2, |&byte| byte == b'+');
    halves.next().is_some_and(is_number) && halves.next().is_some_and(is_number)
}

/// Whether a byte stands in a string operand: between double quotes, where a backslash takes its
/// meaning from the quote behind it.
#[derive(Default)]
struct Quoted {
    inside: bool,
    escaped: bool,
}

impl Quoted {
    /// Goes on after `byte`.
    fn after(&mut self, byte: u8) {
        self.inside ^= byte == b'"' && !self.escaped;
        self.escaped = self.inside && byte == b'\\' && !self.escaped;
    }
}

impl<S: Sink> Reader<'_, S> {
    /// Notes something that is repaired or only worth knowing.
    fn note(&mut self, problem: Problems, field: Field, span: Range<usize>) {
        self.tell(Finding { problem, field, span, rank: None, count: 0 });
    }

    /// Notes something that makes the row unreadable.
    fn refuse(&mut self, problem: Problems, field: Field, span: Range<usize>) {
        self.refused = true;
        self.note(problem, field, span);
    }

    fn tell(&mut self, finding: Finding) {
        self.problems |= finding.problem;
        self.sink.note(finding);
    }

    fn row(&mut self, dialect: Dialect) -> Known {
        let body = self.body();
        if body.is_empty() {
            self.refuse(EMPTY, Field::Text, 0..self.text.len());
            return Known::Nothing;
        }
        self.characters(body.clone());
        let fields = self.split(body.clone());
        for (&field, span) in NAMED.iter().zip(&fields.spans).take(fields.count) {
            self.sink.field(field, span.clone());
        }
        let board_known = self.placement(fields.spans[0].clone(), dialect);
        let turn_known = if dialect == Dialect::Placement {
            self.position.flags |= COUNTERS_ABSENT;
            if fields.count > 1 {
                self.field_count(body, fields.count, true);
            }
            true
        } else {
            self.state(&fields, body, board_known)
        };
        match (board_known, turn_known) {
            (false, _) => Known::Nothing,
            (true, false) => Known::Board,
            (true, true) if self.refused => Known::Turn,
            (true, true) => Known::Position,
        }
    }

    /// The text without a byte order mark and surrounding blanks.
    fn body(&self) -> Range<usize> {
        let text = self.text;
        let marked = if text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
        let mut body = marked..text.len();
        while body.start < body.end && is_blank(text[body.start]) {
            body.start += 1;
        }
        while body.start < body.end && is_blank(text[body.end - 1]) {
            body.end -= 1;
        }
        body
    }

    /// Looks for bytes that no field may hold.
    fn characters(&mut self, body: Range<usize>) {
        let strange = |&i: &usize| !is_printable(self.text[i]) && !is_blank(self.text[i]);
        if let Some(first) = body.clone().find(strange) {
            self.refuse(NON_ASCII, Field::Text, first..first + 1);
        }
    }

    /// Splits the row at runs of blanks, or at underscores where there is no blank.
    fn split(&mut self, body: Range<usize>) -> Fields {
        let text = self.text;
        let underscores = !text[body.clone()].iter().any(|&byte| is_blank(byte))
            && text[body.clone()].contains(&b'_');
        let separates = |byte: u8| if underscores { byte == b'_' } else { is_blank(byte) };
        let mut fields = Fields { spans: std::array::from_fn(|_| body.end..body.end), count: 0 };
        let mut odd = None;
        if body.len() < text.len() {
            odd = Some(if body.start > 0 { 0..body.start } else { body.end..text.len() });
        }
        let (mut start, mut quoted) = (body.start, Quoted::default());
        while start < body.end && separates(text[start]) {
            start += 1;
        }
        while start < body.end {
            let mut end = start;
            while end < body.end && !separates(text[end]) {
                quoted.after(text[end]);
                end += 1;
            }
            if fields.count < FIELDS {
                fields.spans[fields.count] = start..end;
            }
            fields.count += 1;
            start = end;
            while start < body.end && separates(text[start]) {
                start += 1;
            }
            let plain = start == body.end || (start == end + 1 && text[end] == b' ');
            if !plain && !quoted.inside {
                odd = odd.or(Some(end..start));
            }
        }
        if let Some(span) = odd {
            self.note(WHITESPACE, Field::Text, span);
        }
        fields
    }

    fn field_count(&mut self, span: Range<usize>, count: usize, refused: bool) {
        self.refused |= refused;
        self.tell(Finding { problem: FIELD_COUNT, field: Field::Text, span, rank: None, count });
    }

    /// Reads the piece placement; whether the board is known.
    fn placement(&mut self, field: Range<usize>, dialect: Dialect) -> bool {
        let refused_before = self.refused;
        self.refused = false;
        let text = &self.text[..field.end];
        let mut board = field.clone();
        if let Some(at) = text[field.clone()].iter().position(|&byte| byte == b'[') {
            self.refuse(VARIANT_SYNTAX, Field::Placement, field.start + at..field.end);
            board.end = field.start + at;
        }
        let dashes = dialect == Dialect::Placement && !text[board.clone()].contains(&b'/');
        let separator = if dashes { b'-' } else { b'/' };
        let count = text[board.clone()].split(|&byte| byte == separator).count();
        let mut start = board.start;
        for (i, part) in text[board].split(|&byte| byte == separator).enumerate() {
            let span = start..start + part.len();
            start = span.end + 1;
            if i == 8 && count == 9 && part.iter().all(|&byte| piece_code(byte).is_some()) {
                self.refuse(VARIANT_SYNTAX, Field::Placement, span);
            } else if i < 8 {
                self.rank(i as u8, span);
            }
        }
        if count != 8 && self.problems & VARIANT_SYNTAX == 0 {
            self.refused = true;
            let span = field;
            self.tell(Finding {
                problem: RANK_COUNT,
                field: Field::Placement,
                span,
                rank: None,
                count,
            });
        }
        let known = !self.refused;
        self.refused |= refused_before;
        known
    }

    /// Reads rank `8 - index` of the placement.
    fn rank(&mut self, index: u8, span: Range<usize>) {
        let rank = Some(8 - index);
        let (mut file, mut readable, mut previous_digit, mut adjacent) = (0, true, false, false);
        for i in span.clone() {
            let byte = self.text[i];
            if let Some(code) = piece_code(byte) {
                if file < 8 {
                    self.put((7 - index) * 8 + file as u8, code, byte.is_ascii_lowercase());
                }
                file += 1;
            } else if matches!(byte, b'1'..=b'8') {
                adjacent |= previous_digit;
                file += usize::from(byte - b'0');
            } else {
                readable = false;
                let (problem, field, span) = match byte {
                    b'~' => (VARIANT_SYNTAX, Field::Placement, i..i + 1),
                    _ if !is_printable(byte) => (NON_ASCII, Field::Text, i..i + 1),
                    _ => (BAD_PIECE_CHAR, Field::Placement, i..i + 1),
                };
                self.refused = true;
                if problem != NON_ASCII {
                    self.tell(Finding { problem, field, span, rank, count: 0 });
                }
            }
            previous_digit = matches!(byte, b'1'..=b'8');
        }
        if readable && file != 8 {
            self.refused = true;
            let (problem, field, span) = (RANK_WIDTH, Field::Placement, span.clone());
            self.tell(Finding { problem, field, span, rank, count: file });
        }
        if adjacent {
            let (problem, field) = (ADJACENT_DIGITS, Field::Placement);
            self.tell(Finding { problem, field, span, rank, count: 0 });
        }
    }

    fn put(&mut self, square: u8, code: u64, black: bool) {
        for (i, plane) in self.position.code.iter_mut().enumerate() {
            *plane |= (code >> i & 1) << square;
        }
        self.position.black |= u64::from(black) << square;
    }

    /// Reads the fields after the placement; whether the side to move is known.
    fn state(&mut self, fields: &Fields, body: Range<usize>, board_known: bool) -> bool {
        let field = |i: usize| (i < fields.count).then(|| fields.spans[i].clone());
        let turn_known = field(1).is_some_and(|span| self.turn(span));
        if let Some(span) = field(2) {
            self.castling(span, board_known);
        }
        if let Some(span) = field(3) {
            self.en_passant(span);
        }
        if let Some(tail) = field(4)
            && self.text[tail.start..body.end].contains(&b';')
        {
            self.operations(fields, tail.start..body.end);
            return turn_known;
        }
        if field(4).is_some_and(|span| is_check_counters(&self.text[span])) {
            self.refuse(VARIANT_SYNTAX, Field::Halfmove, fields.spans[4].clone());
            if fields.count > 7 {
                self.field_count(body, fields.count, true);
            }
            return turn_known;
        }
        let halfmove = field(4).and_then(|span| self.counter(span, Field::Halfmove, BAD_HALFMOVE));
        let fullmove = field(5).and_then(|span| self.counter(span, Field::Fullmove, BAD_FULLMOVE));
        if halfmove.is_none() || fullmove.is_none() {
            self.position.flags |= COUNTERS_ABSENT;
        }
        self.position.halfmove = halfmove.unwrap_or(0);
        self.position.fullmove = fullmove.unwrap_or(1);
        if let Some(span) = field(6)
            && self.text[span.clone()].strip_prefix(b"+").is_some_and(is_check_counters)
        {
            self.refuse(VARIANT_SYNTAX, Field::Operations, span);
        }
        if fields.count != 6 {
            self.field_count(body, fields.count, !matches!(fields.count, 4 | 5));
        }
        turn_known
    }

    fn turn(&mut self, span: Range<usize>) -> bool {
        let turn = &self.text[span.clone()];
        if turn.eq_ignore_ascii_case(b"b") {
            self.position.flags |= BLACK_TO_MOVE;
        }
        match turn {
            b"w" | b"b" => true,
            b"W" | b"B" => {
                self.note(BAD_TURN, Field::Turn, span);
                true
            }
            _ => {
                self.refuse(BAD_TURN, Field::Turn, span);
                false
            }
        }
    }

    fn castling(&mut self, span: Range<usize>, board_known: bool) {
        let text = self.text;
        if &text[span.clone()] == b"-" {
            return;
        }
        let board = Board::of(&self.position);
        if let Some(bad) = span.clone().find(|&i| castling::resolve(text[i], &board).is_none()) {
            self.refuse(BAD_CASTLING_CHARS, Field::Castling, bad..bad + 1);
            return;
        }
        if !board_known {
            return;
        }
        let mut rights = [0u8; 2];
        let mut last = (0, u8::MAX);
        let (mut unordered, mut repeated) = (false, false);
        for i in span.clone() {
            let Some(letter) = castling::resolve(text[i], &board) else { continue };
            let here = (letter.side, letter.file);
            unordered |= here.0 < last.0 || (here.0 == last.0 && here.1 > last.1);
            last = here;
            repeated |= rights[letter.side] & letter.file != 0;
            rights[letter.side] |= letter.file;
            if letter.shredder {
                self.note(CASTLING_SHREDDER, Field::Castling, i..i + 1);
            }
            if letter.ambiguous && self.chess960 {
                self.note(CASTLING_AMBIGUOUS, Field::Castling, i..i + 1);
            }
        }
        if unordered {
            self.note(CASTLING_ORDER, Field::Castling, span.clone());
        }
        if rights.iter().any(|files| files.count_ones() > 2) {
            self.refuse(CASTLING_DUPLICATE, Field::Castling, span);
        } else {
            self.position.castling = rights;
            if repeated {
                self.note(CASTLING_DUPLICATE, Field::Castling, span);
            }
        }
    }

    fn en_passant(&mut self, span: Range<usize>) {
        let target = match self.text[span.clone()] {
            [b'-'] => Some(square::NONE),
            [file, rank] => square::parse([file, rank]),
            _ => None,
        };
        self.position.en_passant = target.unwrap_or(square::NONE);
        if target.is_none() {
            self.refuse(BAD_EP_SYNTAX, Field::EnPassant, span);
        }
    }

    fn counter(&mut self, span: Range<usize>, field: Field, bad: Problems) -> Option<u16> {
        let digits = &self.text[span.clone()];
        if !is_number(digits) {
            self.refuse(bad, field, span);
            return None;
        }
        if digits.len() > 1 && digits[0] == b'0' {
            self.note(COUNTER_FORMAT, field, span.clone());
        }
        let value = digits.iter().try_fold(0u16, |value, digit| {
            value.checked_mul(10)?.checked_add(u16::from(digit - b'0'))
        });
        match value {
            None => self.refuse(COUNTER_OVERFLOW, field, span),
            Some(0) if field == Field::Fullmove => self.note(FULLMOVE_ZERO, field, span),
            Some(_) => {}
        }
        value
    }

    /// Reads what follows the fourth field of an EPD record: counters written as in a FEN, then
    /// operations, of which `hmvc` and `fmvn` are counters too.
    fn operations(&mut self, fields: &Fields, tail: Range<usize>) {
        self.note(EPD_OPERATIONS, Field::Operations, tail.clone());
        let (mut halfmove, mut fullmove) = (None, None);
        let mut start = tail.start;
        for i in 4..fields.count.min(6) {
            let mut span = fields.spans[i].clone();
            if !self.text[span.start].is_ascii_digit() {
                break;
            }
            if self.text[span.end - 1] == b';' {
                span.end -= 1;
            }
            start = span.end;
            if i == 4 {
                halfmove = self.counter(span, Field::Halfmove, BAD_HALFMOVE);
            } else {
                fullmove = self.counter(span, Field::Fullmove, BAD_FULLMOVE);
            }
        }
        let mut quoted = Quoted::default();
        let mut operation = start;
        for i in start..tail.end {
            let byte = self.text[i];
            quoted.after(byte);
            if (byte == b';' && !quoted.inside) || i + 1 == tail.end {
                let end = if byte == b';' { i } else { i + 1 };
                if let Some(operand) = self.operand(operation..end, b"hmvc") {
                    halfmove = self.counter(operand, Field::Halfmove, BAD_HALFMOVE);
                }
                if let Some(operand) = self.operand(operation..end, b"fmvn") {
                    fullmove = self.counter(operand, Field::Fullmove, BAD_FULLMOVE);
                }
                operation = i + 1;
            }
        }
        if halfmove.is_none() || fullmove.is_none() {
            self.position.flags |= COUNTERS_ABSENT;
        }
        self.position.halfmove = halfmove.unwrap_or(0);
        self.position.fullmove = fullmove.unwrap_or(1);
    }

    /// The operands of the operation in `span` if its opcode is `opcode`, without blanks around.
    fn operand(&self, span: Range<usize>, opcode: &[u8]) -> Option<Range<usize>> {
        let trimmed = |span: Range<usize>| {
            let text = &self.text[span.clone()];
            let start = text.iter().take_while(|&&byte| is_blank(byte)).count();
            let end = text[start..].iter().rev().take_while(|&&byte| is_blank(byte)).count();
            span.start + start..span.end - end
        };
        let operation = trimmed(span);
        let rest = self.text[operation.clone()].strip_prefix(opcode)?;
        rest.first()
            .is_none_or(|&byte| is_blank(byte))
            .then(|| trimmed(operation.start + opcode.len()..operation.end))
    }
}

/// The code of a piece letter of either colour.
fn piece_code(letter: u8) -> Option<u64> {
    b"PNBRQK".iter().position(|&piece| piece == letter.to_ascii_uppercase()).map(|i| i as u64 + 1)
}
