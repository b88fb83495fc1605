//! Texts made wrong, as `tests/mutations.py` makes them, and with odd pieces put in.

use crate::random::Random;

const MEN: &[u8] = b"pnbrqkPNBRQK";
const ALPHABET: &[u8] = b"pnbrqkPNBRQK12345678/ -wKQkqabcdefgh";
const NOT_ASCII: [&str; 10] =
    ["é", "\u{212a}", "٥", "𝟗", "²", "\u{a0}", "\u{85}", "\u{3000}", "\u{feff}", "８"];

/// What a change of one letter seldom writes.
const ODD: [&str; 62] = [
    "+5",
    "-0",
    "1_0",
    "_1",
    "1__0",
    "005",
    "00",
    "3+3",
    "+0+0",
    "1.5",
    "12a",
    "-1",
    "65535",
    "65536",
    "4294967296",
    "99999999999999999999",
    "0",
    "٥",
    "1٥",
    "𝟗",
    "²",
    "--",
    "-",
    "KKkk",
    "KQkqKQkq",
    "qkQK",
    "kqKQ",
    "HAha",
    "GCgc",
    "KB",
    "Q",
    "q",
    "A",
    "K",
    "E",
    "KBQk",
    "KQk",
    "-KQ",
    "X",
    "~",
    "Q~",
    "K~",
    "44",
    "0",
    "9",
    "_",
    "\u{a0}",
    "\u{3000}",
    "\u{85}",
    "\x1c",
    "\u{feff}",
    "\t",
    "  ",
    "\r\n",
    "a3",
    "e33",
    "E3",
    "[Qp]",
    "[]",
    "/Q",
    "/",
    "bm e4;",
];

const BLANKS: [&str; 12] =
    ["_", "_", "\t", "  ", "\n", "\r\n", " \t", "\u{a0}", "\u{3000}", "\u{feff}", "\x0b", "\x1f"];

const OPERATIONS: [&str; 8] = [
    "bm e4;",
    "hmvc 5; fmvn 30;",
    "fmvn 0;",
    "hmvc 65536;",
    "id \"a; b\";",
    "c0 1 2; am Nf3 Ke2; id \"x\";",
    "bm",
    ";",
];

/// Changes `text` once.
pub(crate) fn once(text: &mut Vec<u8>, random: &mut Random, seeds: &[Vec<u8>]) {
    if text.is_empty() {
        text.push(b'x');
    }
    let at = random.below(text.len());
    match random.below(20) {
        0 => drop(text.remove(at)),
        1 => text.insert(at, text[at]),
        2 => {
            let other = random.below(text.len());
            text.swap(at, other);
        }
        3 => text[at] = *random.choose(ALPHABET),
        4 => text.insert(at, *random.choose(ALPHABET)),
        5 => scribble(text, at, random),
        6..=9 => change_man(text, random),
        10 | 11 => splice(text, random, seeds),
        12 => move_target(text, random),
        13 | 14 => turn_board(text, random),
        15 => other_turn(text),
        16 => split_digit(text, random),
        17 => other_blanks(text, random),
        18 => add_operations(text, random),
        _ => put_odd(text, random),
    }
}

fn scribble(text: &mut Vec<u8>, at: usize, random: &mut Random) {
    match random.below(4) {
        0 => drop(text.splice(at..=at, random.choose(&NOT_ASCII).bytes())),
        1 => text[at] = random.below(256) as u8,
        _ => text[at] = 1 + random.below(127) as u8,
    }
}

fn change_man(text: &mut [u8], random: &mut Random) {
    let men = text.iter().filter(|letter| MEN.contains(letter)).count();
    if men > 0 {
        let chosen = random.below(men);
        if let Some(man) = text.iter_mut().filter(|letter| MEN.contains(letter)).nth(chosen) {
            *man = *random.choose(MEN);
        }
    }
}

fn fields(text: &[u8]) -> Vec<&[u8]> {
    text.split(|&letter| letter == b' ').collect()
}

fn splice(text: &mut Vec<u8>, random: &mut Random, seeds: &[Vec<u8>]) {
    let donor = fields(random.choose::<Vec<u8>>(seeds));
    let mut own = fields(text);
    let at = random.below(own.len().min(donor.len()));
    own[at] = donor[at];
    *text = own.join(&b' ');
}

fn move_target(text: &mut Vec<u8>, random: &mut Random) {
    let target = [*random.choose(b"abcdefgh"), *random.choose(b"33666124578")];
    let mut own = fields(text);
    if own.len() > 3 {
        own[3] = &target;
        *text = own.join(&b' ');
    }
}

fn other_turn(text: &mut Vec<u8>) {
    let mut own = fields(text);
    if own.len() > 1 {
        own[1] = if own[1] == b"w" { b"b" } else { b"w" };
        *text = own.join(&b' ');
    }
}

fn turn_board(text: &mut [u8], random: &mut Random) {
    let end = text.iter().position(|&letter| letter == b' ').unwrap_or(text.len());
    let (board, _) = text.split_at_mut(end);
    match random.below(3) {
        0 => board.reverse(),
        1 => {
            let mut ranks: Vec<&[u8]> = board.split(|&letter| letter == b'/').collect();
            ranks.reverse();
            let turned = ranks.join(&b'/');
            board.copy_from_slice(&turned);
        }
        _ => {
            for letter in board.iter_mut().filter(|letter| letter.is_ascii_alphabetic()) {
                *letter ^= 0x20;
            }
        }
    }
}

fn put_odd(text: &mut Vec<u8>, random: &mut Random) {
    let odd = random.choose(&ODD).as_bytes();
    let mut own = fields(text);
    let at = random.below(own.len());
    let longer = [own[at], odd].concat();
    match random.below(5) {
        0 => own.insert(at, odd),
        1 | 2 => own[at] = odd,
        3 => own[at] = &longer,
        _ => own.truncate(at),
    }
    *text = own.join(&b' ');
}

/// Writes one digit as two with the same sum.
fn split_digit(text: &mut Vec<u8>, random: &mut Random) {
    let digits: Vec<usize> =
        (0..text.len()).filter(|&at| (b'2'..=b'8').contains(&text[at])).collect();
    if !digits.is_empty() {
        let at = *random.choose(&digits);
        let first = 1 + random.below(usize::from(text[at] - b'1')) as u8;
        text[at] -= first;
        text.insert(at, b'0' + first);
    }
}

/// Parts the fields, or surrounds the text, with something else than a space.
fn other_blanks(text: &mut Vec<u8>, random: &mut Random) {
    let blank = random.choose(&BLANKS).as_bytes();
    match random.below(5) {
        0 | 1 => *text = fields(text).join(blank),
        2 => text.extend_from_slice(blank),
        3 => drop(text.splice(..0, blank.iter().copied())),
        _ => {
            let at = random.below(text.len() + 1);
            text.splice(at..at, blank.iter().copied());
        }
    }
}

/// Gives EPD operations in place of the counters.
fn add_operations(text: &mut Vec<u8>, random: &mut Random) {
    let operations = random.choose(&OPERATIONS).as_bytes();
    let mut own = fields(text);
    own.truncate(4);
    own.push(operations);
    *text = own.join(&b' ');
}
