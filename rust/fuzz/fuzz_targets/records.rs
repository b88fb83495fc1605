//! A record of another program is refused, or read as a position that is written as it was read.
#![no_main]

use fenpack_core::planes::State;
use fenpack_core::records::{
    BinaryFen, Compressed, Fault, PackedBoards, read_binary, read_compressed, read_packed_board,
};
use fenpack_core::rows::Encode;
use fenpack_core::{EnPassant, Position};
use fenpack_fuzz::{GAMES, encode};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|record: &[u8]| {
    for chess960 in GAMES {
        let state = State { en_passant: EnPassant::Valid, chess960 };
        let binary = |record: &[u8]| read_binary(record, chess960);
        if let Some(position) = read(binary(record)) {
            let mut again = Vec::new();
            BinaryFen { state, with_variant: true }.write(&position, &mut again);
            assert_eq!(read(binary(&again)), Some(state.of(&position)));
        }
        if let Some(record) = record.first_chunk() {
            let read = |record: &_| read_compressed(record, chess960);
            is_written_again(record, read, &Compressed(state), state);
        }
        if let Some(record) = record.first_chunk() {
            let read = |record: &_| read_packed_board(record, chess960);
            is_written_again(record, read, &PackedBoards(state), state);
        }
    }
});

/// A position that was read is one.
fn read(result: Result<Position, Fault>) -> Option<Position> {
    if let Err(fault) = result {
        assert!(!fault.to_string().is_empty());
    }
    let position = result.ok()?;
    assert_eq!(Position::from_bytes(&position.to_bytes()), Ok(position));
    Some(position)
}

/// Reads `record`, and what `writer` makes of its position: the same with the `state` that counts.
fn is_written_again<const SIZE: usize>(
    record: &[u8; SIZE],
    read_one: impl Fn(&[u8; SIZE]) -> Result<Position, Fault>,
    writer: &impl Encode<Cell = u8>,
    state: State,
) {
    let Some(position) = read(read_one(record)) else { return };
    let (again, refused) = encode(writer, &position, &[]);
    assert_eq!(refused, None);
    let again = again.first_chunk().expect("a whole record");
    assert_eq!(read(read_one(again)), Some(state.of(&position)));
}
