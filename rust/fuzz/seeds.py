"""Write the seed corpora: one file for each quirk, named after it.

Run with fenpack installed: ``python rust/fuzz/seeds.py``. What fuzzing added stays.
"""

from __future__ import annotations

import struct
from pathlib import Path

import fenpack as fp
from fenpack import records

CORPUS = Path(__file__).parent / "corpus"

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
ROOKS = "r3k2r/8/8/8/8/8/8/R3K2R"
INNER = "rr2k2r/8/8/8/8/8/8/RR2K2R"

#: Readable texts.
READABLE = {
    "start": f"{START} w KQkq - 0 1",
    "superfluous_target": "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
    "real_target": "rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3",
    "target_rank_clears_twice": "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1",
    "target_second_capturer_blocks": "8/8/8/8/k1pPp2R/8/8/3K4 b - d3 0 1",
    "target_pinned_on_file": "4k3/8/8/8/3Pp3/8/8/3KR3 b - d3 0 1",
    "target_pinned_on_line_of_capture": "8/8/1k6/8/3pP3/8/5B2/4K3 b - e3 0 1",
    "target_takes_checker": "8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1",
    "target_does_not_help": "8/8/8/8/3Pp3/8/R6k/K7 b - d3 0 37",
    "target_beside_impossible_check": "4k3/8/5N2/8/2pP4/8/8/4K3 b - d3 0 1",
    "target_push_opens_check": "8/8/7k/8/4pP2/8/8/2B1K3 b - f3 0 1",
    "target_origin_occupied": "4k3/8/8/8/3pP3/8/4N3/4K3 b - e3 0 1",
    "target_occupied": "4k3/8/8/8/3pP3/4N3/8/4K3 b - e3 0 30",
    "target_without_pawn": "rnbqkb1r/ppp3pp/3p1n2/3P4/8/2P5/PP3PPP/RNBQKB1R w KQkq e6 0 1",
    "target_on_wrong_rank": "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq a1 0 1",
    "target_edge_file_clock_runs": "4k3/8/8/pP6/8/8/8/4K3 w - a6 9 60",
    "four_fields": f"{START} w KQkq -",
    "five_fields": f"{START} w KQkq - 0",
    "operations_with_clocks": f"{START} w KQkq - hmvc 3; fmvn 7;",
    "operations_with_string": f'{START} w KQkq - bm Nf3; id "a; \\"b\\"  c";',
    "operations_after_counters": f"{START} w KQkq - 3 7; ce 25;",
    "blank_first": f" {START} w KQkq - 0 1",
    "blanks": f"{START}  w KQkq   - 0 1",
    "tab": f"{START}\tw KQkq - 0 1",
    "carriage_return": f"{START} w KQkq - 0 1\r\n",
    "byte_order_mark": f"\ufeff{START} w KQkq - 0 1",
    "underscores": f"{START}_w_KQkq_-_0_1",
    "capital_turn": f"{START} W KQkq - 0 1",
    "adjacent_digits": "rnbqkbnr/pppppppp/44/11111111/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "castling_shredder": f"{ROOKS} w HAha - 0 30",
    "castling_order": f"{ROOKS} w qkQK - 0 30",
    "castling_twice": f"{ROOKS} w KKkk - 0 30",
    "castling_mixed": f"{ROOKS} w KAkq - 0 30",
    "castling_on_the_king": f"{ROOKS} w E - 0 30",
    "castling_inner_rooks": f"{INNER} w KBkb - 0 30",
    "castling_outer_rooks": f"{INNER} w KQkq - 0 30",
    "castling_without_rook": "r3k2r/8/8/8/8/8/8/4K3 w KQkq - 0 1",
    "castling_king_moved": "3k4/8/8/8/8/8/8/R2K3R w KQ - 0 30",
    "castling_enemy_rook": "4k3/8/8/8/8/8/8/R3K2r w KQ - 0 30",
    "castling_king_on_a1": "6k1/8/8/8/8/8/8/K6R w K - 0 30",
    "chess960": "nrbkqbrn/pppppppp/8/8/8/8/PPPPPPPP/NRBKQBRN w GBgb - 0 1",
    "leading_zeros": "4k3/8/8/8/8/8/4P3/4K3 w - - 005 0050",
    "largest_counters": "4k3/8/8/8/8/8/4P3/4K3 w - - 65535 65535",
    "fullmove_zero": "4k3/8/8/8/8/8/4P3/4K3 w - - 5 0",
    "clock_150": "4k3/8/8/8/8/8/4P3/4K3 w - - 151 10000",
    "clock_exceeds_game": "5rk1/8/8/8/8/8/8/4KR2 b - - 10 5",
    "longest": "1n1n1n1n/n1n1n1n1/1n1n1n1n/n1n1n1n1/1N1N1N1N/N1N1N1N1/1N1N1N1N/N1N1N1N1"
    " w HAha e3 65535 65535",
    "empty_board": "8/8/8/8/8/8/8/8 b - - 5 40",
    "no_white_king": "4k3/8/8/8/8/8/8/8 b - - 0 1",
    "full_of_kings": "/".join(
        ["kkkkkkkk", "pppppppp"] + ["QqRrBbNn"] * 4 + ["PPPPPPPP", "KKKKKKKK"]
    )
    + " w KQkq a6 0 1",
    "kings_touch": "8/8/8/8/8/8/5kK1/8 w - - 0 1",
    "triple_check": "1k1q1r2/8/8/6n1/8/5Kq1/8/8 w - - 0 1",
    "checkers_aligned": "8/8/8/8/8/4K3/8/R3k2R b - - 0 1",
    "check_by_two_knights": "8/8/N7/2k5/N7/8/8/3K4 b - - 0 1",
    "check_by_unmoved_pawn": "8/8/8/8/8/1k6/2P5/6K1 b - - 0 60",
    "check_by_pawn_clock_runs": "8/8/8/8/5k2/4P3/8/6K1 b - - 2 60",
    "pawn_on_back_rank": "4k3/8/8/8/8/8/8/p3K3 b - - 0 60",
    "seventeen_men": "rnbqkbnr/pppppppp/8/3q4/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 30",
    "seven_queens": "4k3/8/8/8/8/8/PPPPPPPP/QQQQKQQQ w - - 0 1",
    "two_light_bishops": "4k3/8/8/8/8/8/PPPPPPPP/1B1BK3 w - - 0 1",
    "pawn_captures": "rnbqkbnr/pppppppp/8/8/8/2P5/P1PPPPPP/RNBQKBNR w KQkq - 0 5",
    "caged_bishop": "8/4K1k1/8/8/8/8/1P6/B7 w - - 0 1",
    "bishop_out_of_cage": "rnbqkbnr/pppppppp/8/8/8/B7/PPPPPPPP/RN1QKBNR w KQkq - 0 3",
    "start_black_to_move": f"{START} b KQkq - 4 5",
    "knights_parity": "rnbqkbnr/pppppppp/8/8/8/2N5/PPPPPPPP/R1BQKBNR w KQkq - 3 3",
    "upside_down": "RNBKQBNR/PPPPPPPP/8/8/8/8/pppppppp/rnbkqbnr w - - 0 1",
}

#: Other texts: a placement, and what cannot be read.
OTHERS = {
    "empty": "",
    "blank": "  ",
    "placement": START,
    "placement_dashes": START.replace("/", "-"),
    "placement_picture": START.replace("/", "-") + ".png",
    "placement_64": "....k......................p........................P.......K..R",
    "no_break_spaces": f"{START} w KQkq - 0 1".replace(" ", "\N{NO-BREAK SPACE}"),
    "kelvin_sign": "4\N{KELVIN SIGN}3/8/8/8/8/8/8/4k3 b - - 0 30",
    "nul_for_castling": f"{START} w \0 - 0 1",
    "pocket": f"{START}[QPn] w KQkq - 0 1",
    "pocket_ninth_rank": f"{START}/QPn w KQkq - 0 1",
    "three_check": f"{START} w KQkq - 3+3 0 1",
    "three_check_last": f"{START} w KQkq - 0 1 +0+0",
    "promoted_mark": "4k3/8/8/3Q~4/8/8/8/4K3 b - - 0 30",
    "seven_fields": f"{START} w KQkq - 0 1 0",
    "rank_too_short": "rnbqkbnr/pppppp1/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "rank_too_long": "rnbqkbnr/ppppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "nine_ranks": "rnbqkbnr/pppppppp/8/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "zero_in_rank": "4k3/p0p6/8/8/8/8/8/4K3 w - - 0 30",
    "three_rights": f"{INNER} w KBQk - 0 30",
    "two_dashes": f"{ROOKS} w -- - 0 30",
    "target_capital": "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq E3 0 1",
    "target_cut": "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e",
    "counter_plus": "4k3/8/8/8/8/8/4P3/4K3 w - - +5 39",
    "counter_underscore": "4k3/8/8/8/8/8/4P3/4K3 w - - 1_0 39",
    "counter_too_large": "4k3/8/8/8/8/8/4P3/4K3 w - - 65536 9",
}


def write(target: str, name: str, seed: bytes) -> None:
    """Write one seed."""
    folder = CORPUS / target
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(seed)


def texts() -> None:
    """Write texts, and columns of several."""
    for name, text in (READABLE | OTHERS).items():
        write("texts", name, text.encode())
    column = [READABLE[name] for name in ("start", "four_fields", "longest", "real_target")]
    write("texts", "column", "\n".join([*column, "", "nonsense", column[0]]).encode())


def positions() -> None:
    """Write positions, each before a game of its own, and bytes that are none."""
    packed = dict(zip(READABLE, fp.parse(list(READABLE.values())).storage.to_pylist(), strict=True))
    for number, (name, position) in enumerate(packed.items()):
        # The choices of options go round; a layout with history sees the next positions.
        options = bytes((number >> shift) % 12 for shift in range(9)) + b"\2"
        earlier = packed["real_target"] + packed["superfluous_target"]
        write("position", name, position + options + earlier)
    write("position", "sevens", b"\xff" * 40)
    write("position", "black_nothing", bytes(24) + b"\1" + bytes(15))
    write("position", "flags", bytes(32) + b"\xff\x40" + bytes(6))
    write("position", "target_65", bytes(33) + b"\x41" + bytes(6))


def other_records() -> None:
    """Write records of other programs."""
    quirks = [
        *("start", "real_target", "chess960", "castling_inner_rooks", "fullmove_zero"),
        *("largest_counters", "full_of_kings", "no_white_king", "start_black_to_move"),
    ]
    for name in quirks:
        fens = [READABLE[name]]
        binary = records.to_binary_fen(fens, variant="keep")
        write("records", f"{name}.binary", binary[0].as_py())
    write("records", "long_number.binary", bytes(8) + b"\xff" * 12 + b"\1\0")
    write("records", "variant.binary", bytes(8) + b"\0\0\7")


def scores() -> None:
    """Write cases of the decoder: options, a palette of floats, half a byte for each score."""
    plain = [0.0, 4.0, *(0.5 * entry for entry in range(14))]
    odd = [0.0, 4.0, 1e-45, 1e-38, 3e38, -3e38, -0.0, float("inf"), float("-inf"), float("nan")]
    palettes = {"plain": plain, "odd": odd + plain[: 16 - len(odd)]}
    boards = ["start", "kings_touch", "full_of_kings", "seven_queens", "empty_board"]
    for number, name in enumerate(boards):
        entries = [0] * 832
        for square, man in enumerate(board(READABLE[name])):
            entries[13 * square + man] = 1
            entries[13 * square + (square + number) % 13] ^= square % 5 * 2
        halves = zip(entries[::2], entries[1::2], strict=True)
        row = bytes(low | high << 4 for low, high in halves)
        for kind in range(5):
            options = bytearray(13)
            options[0] = number
            options[4] = kind
            options[9] = kind % 3
            rules = bytes([kind, (kind + number) % 3 if number > 2 else 0])
            palette = struct.pack("<16f", *palettes["odd" if number == kind else "plain"])
            scaled = bytes([kind in (1, 2, 3)])
            write("decode", f"{name}_{kind}", rules + bytes(20) + options + palette + scaled + row)


def board(fen: str) -> list[int]:
    """Give the class of each square, a1 first."""
    return [int(token) for token in fp.tokens([fen])[0]]


if __name__ == "__main__":
    texts()
    positions()
    other_records()
    scores()
