//! Castling rights that may hold.

use fenpack_reference::Setup;
use fenpack_reference::board::{Colour, Role, Square};

use super::{RIGHTS, add, add_kings, add_men, man};
use crate::random::Random;

/// Kings and rooks on the back ranks, and letters that mostly name them.
pub(super) fn give(setup: &mut Setup, random: &mut Random) {
    let mut field = String::new();
    for colour in Colour::BOTH {
        let rank = colour.back_rank();
        let king = if random.percent(60) { 4 } else { random.below(8) as i8 };
        let off = random.percent(5);
        setup.board.put(
            Square::new(king, if off { random.below(8) as i8 } else { rank }),
            man(colour, Role::King),
        );
        let mut letters = String::new();
        for _ in 0..random.below(4) {
            let file = *random.choose(&[0, 0, 0, 7, 7, 7, 1, 2, 3, 5, 6]);
            let owner = if random.percent(4) { colour.other() } else { colour };
            add(&mut setup.board, Square::new(file, rank), owner, Role::Rook);
            let letter = match random.below(6) {
                0 => char::from(b'A' + file as u8),
                1 => *random.choose(&['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'K', 'Q']),
                _ if file > king => 'K',
                _ => 'Q',
            };
            letters.push(if colour == Colour::White {
                letter
            } else {
                letter.to_ascii_lowercase()
            });
        }
        if !random.percent(3) {
            letters.truncate(2);
        }
        field.push_str(&letters);
    }
    setup.castling = if field.is_empty() { "-".to_owned() } else { field };
    if random.percent(5) {
        setup.castling = random.choose(&RIGHTS).to_string();
    }
    let most = *random.choose(&[0, 2, 8]);
    add_men(&mut setup.board, random, most);
    add_kings(&mut setup.board, random);
}
