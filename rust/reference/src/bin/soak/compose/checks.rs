//! Checks from several men at once.

use fenpack_reference::Setup;
use fenpack_reference::board::Role;

use super::{LINES, add, add_kings, add_men, anywhere, man, squares};
use crate::random::Random;

const LEAPS: [(i8, i8); 8] =
    [(-2, -1), (-2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2), (2, -1), (2, 1)];

/// A king of the side to move with one to four men that would attack it.
pub(super) fn give(setup: &mut Setup, random: &mut Random) {
    let king = anywhere(random);
    let other = setup.turn.other();
    setup.board.put(king, man(setup.turn, Role::King));
    for _ in 0..1 + random.below(4) {
        let role =
            *random.choose(&[Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen]);
        let from = match role {
            Role::Pawn => king.step(*random.choose(&[-1, 1]), -other.forward()),
            Role::Knight => {
                let (files, ranks) = *random.choose(&LEAPS);
                king.step(files, ranks)
            }
            _ => {
                let lines: Vec<(i8, i8)> = LINES
                    .into_iter()
                    .filter(|(files, ranks)| match role {
                        Role::Bishop => files * ranks != 0,
                        Role::Rook => files * ranks == 0,
                        _ => true,
                    })
                    .collect();
                let (files, ranks) = *random.choose(&lines);
                let far = 1 + random.below(7) as i8;
                king.step(files * far, ranks * far)
            }
        };
        if let Some(from) = from {
            add(&mut setup.board, from, other, role);
        }
    }
    add_men(&mut setup.board, random, 4);
    add_kings(&mut setup.board, random);
    if random.percent(30) {
        squares::push(setup, random);
    }
}
