//! A counter as Python's `int` reads it.

/// The zeros of the scripts that have decimal digits (Unicode 14); nine more follow each.
const ZEROS: [u32; 66] = [
    0x30, 0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66,
    0xde6, 0xe50, 0xed0, 0xf20, 0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90,
    0x1b50, 0x1bb0, 0x1c40, 0x1c50, 0xa620, 0xa8d0, 0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0, 0xff10,
    0x104a0, 0x10d30, 0x11066, 0x110f0, 0x11136, 0x111d0, 0x112f0, 0x11450, 0x114d0, 0x11650,
    0x116c0, 0x11730, 0x118e0, 0x11950, 0x11c50, 0x11d50, 0x11da0, 0x16a60, 0x16ac0, 0x16b50,
    0x1d7ce, 0x1d7d8, 0x1d7e2, 0x1d7ec, 0x1d7f6, 0x1e140, 0x1e2f0, 0x1e950, 0x1fbf0,
];

/// Python refuses longer numbers.
const MOST_DIGITS: usize = 4300;

/// The number that `text` writes, in plain decimal; `None` if it writes none or a negative one.
///
/// Python takes a sign, single underscores between digits, and digits of every script.
pub fn read(text: &str) -> Option<String> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let mut number = String::new();
    for group in digits.split('_') {
        if group.is_empty() {
            return None;
        }
        for letter in group.chars() {
            number.push(char::from_digit(value(letter)?, 10)?);
        }
    }
    if number.len() > MOST_DIGITS {
        return None;
    }
    let number = number.trim_start_matches('0');
    match number {
        "" => Some("0".to_owned()),
        _ if negative => None,
        _ => Some(number.to_owned()),
    }
}

fn value(digit: char) -> Option<u32> {
    let code = u32::from(digit);
    let zero = ZEROS.iter().rev().find(|&&zero| zero <= code)?;
    (code - zero < 10).then_some(code - zero)
}
