"""Rows made to break a reader."""

import pytest

from fenpack import Problem
from texts import START

PLACEMENT = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
KB, MB = 1_000, 1_000_000

# Unreadable bytes and one problem that they must have.
HOSTILE = {
    "nul": (b"\0", Problem.NON_ASCII),
    "nul before": (b"\0" + START.encode(), Problem.NON_ASCII),
    "nul after": (START.encode() + b"\0", Problem.NON_ASCII),
    "nul for a blank": (START.replace(" ", "\0").encode(), Problem.NON_ASCII),
    "nul for an empty square": (START.replace("8", "\0", 1).encode(), Problem.NON_ASCII),
    "nul for a turn": (START.replace(" w ", " \0 ").encode(), Problem.BAD_TURN),
    "nul for the last right": (START.replace("KQkq", "KQk\0").encode(), Problem.NON_ASCII),
    "nul after the rights": (START.replace("KQkq", "KQ\0").encode(), Problem.NON_ASCII),
    "nul for no right": (START.replace("KQkq", "\0").encode(), Problem.NON_ASCII),
    "nul after no right": (START.replace("KQkq", "-\0").encode(), Problem.NON_ASCII),
    "nuls": (b"\0" * 56, Problem.NON_ASCII),
    "byte 0x80": (b"\x80", Problem.NON_ASCII),
    "byte 0xff": (b"\xff", Problem.NON_ASCII),
    "bytes 0xff": (b"\xff" * 200, Problem.NON_ASCII),
    "cut UTF-8": (START.encode() + b"\xe2\x99", Problem.NON_ASCII),
    "overlong slash": (START.encode().replace(b"/", b"\xc0\xaf"), Problem.NON_ASCII),
    "encoded surrogate": (b"\xed\xa0\x80" + START.encode(), Problem.NON_ASCII),
    "UTF-16": (START.encode("utf-16"), Problem.NON_ASCII),
    "high bit set": (bytes(byte | 0x80 for byte in START.encode()), Problem.NON_ASCII),
    "chess symbols": (START.replace("K", "\N{WHITE CHESS KING}").encode(), Problem.NON_ASCII),
    "wide digits": (START.replace("8", "\N{FULLWIDTH DIGIT EIGHT}").encode(), Problem.NON_ASCII),
    "delete": (START.encode() + b"\x7f", Problem.NON_ASCII),
    "byte order mark": (b"\xef\xbb\xbf", Problem.EMPTY),
    "nothing": (b"", Problem.EMPTY),
    "blank": (b" ", Problem.EMPTY),
    "10 kB of blanks": (b" " * (10 * KB), Problem.EMPTY),
    "10 kB of line ends": (b"\r\n" * (5 * KB), Problem.EMPTY),
    "a slash": (b"/", Problem.RANK_COUNT),
    "seven slashes": (b"/" * 7, Problem.RANK_WIDTH),
    "eight slashes": (b"/" * 8, Problem.VARIANT_SYNTAX),
    "63 slashes": (b"/" * 63, Problem.RANK_COUNT),
    "64 slashes": (b"/" * 64, Problem.RANK_COUNT),
    "65 slashes": (b"/" * 65, Problem.RANK_COUNT),
    "10 kB of slashes": (b"/" * (10 * KB), Problem.RANK_COUNT),
    "slashes for a placement": (b"/" * 7 + b" w - - 0 1", Problem.RANK_WIDTH),
    "10 kB of digits": (b"8" * (10 * KB), Problem.RANK_WIDTH),
    "10 kB of ones": (b"1" * (10 * KB), Problem.RANK_WIDTH),
    "10 kB of zeros": (b"0" * (10 * KB), Problem.BAD_PIECE_CHAR),
    "10 kB of kings": (b"K" * (10 * KB), Problem.RANK_WIDTH),
    "10 kB of ranks": (b"8/" * (5 * KB), Problem.RANK_COUNT),
    "10 kB of dashes": (b"-" * (10 * KB), Problem.BAD_PIECE_CHAR),
    "10 kB of fields": (b"w " * (5 * KB), Problem.FIELD_COUNT),
    "10 kB of FEN": (START.encode() * 200, Problem.FIELD_COUNT),
    "10 kB of braces": (b"{}" * (5 * KB), Problem.BAD_PIECE_CHAR),
    "10 kB of percent signs": (b"%s" * (5 * KB), Problem.BAD_PIECE_CHAR),
    "10 kB turn": (f"{PLACEMENT} {'w' * 10 * KB} - - 0 1".encode(), Problem.BAD_TURN),
    "10 kB castling": (f"{PLACEMENT} w {'-' * 10 * KB} - 0 1".encode(), Problem.BAD_CASTLING_CHARS),
    "10 kB en passant": (f"{PLACEMENT} w - {'e3' * 5 * KB} 0 1".encode(), Problem.BAD_EP_SYNTAX),
    "10 kB halfmove": (f"{PLACEMENT} w - - {'9' * 10 * KB} 1".encode(), Problem.COUNTER_OVERFLOW),
    "10 kB fullmove": (f"{PLACEMENT} w - - 0 {'9' * 10 * KB}".encode(), Problem.COUNTER_OVERFLOW),
    "2**16": (f"{PLACEMENT} w - - 65536 1".encode(), Problem.COUNTER_OVERFLOW),
    "2**32": (f"{PLACEMENT} w - - 0 4294967296".encode(), Problem.COUNTER_OVERFLOW),
    "2**64 + 1": (f"{PLACEMENT} w - - 0 18446744073709551617".encode(), Problem.COUNTER_OVERFLOW),
    "minus one": (f"{PLACEMENT} w - - -1 1".encode(), Problem.BAD_HALFMOVE),
    "10 MB of slashes": (b"/" * (10 * MB), Problem.RANK_COUNT),
    "10 MB of nuls": (b"\0" * (10 * MB), Problem.NON_ASCII),
    "10 MB of blanks": (b" " * (10 * MB), Problem.EMPTY),
    "10 MB of ranks": (b"8/" * (5 * MB), Problem.RANK_COUNT),
    "10 MB of 0xff": (b"\xff" * (10 * MB), Problem.NON_ASCII),
    "10 MB after a FEN": (START.encode() + b" x" * (5 * MB), Problem.FIELD_COUNT),
}
hostile = pytest.mark.parametrize(("text", "problem"), HOSTILE.values(), ids=HOSTILE)

# Readable, but not what a FEN looks like.
ODD_BUT_READABLE = {
    "10 kB of blanks before": " " * 10 * KB + START,
    "10 kB of blanks after": START + " " * 10 * KB,
    "10 kB between fields": START.replace(" ", " " * 2 * KB),
    "10 kB of zeros before a number": f"{PLACEMENT} w KQkq - {'0' * 10 * KB} 1",
    "10 kB of line ends": START + "\r\n" * 5 * KB,
    "10 kB of rights": f"{PLACEMENT} w {'KQkq' * 3 * KB} - 0 1",
    "10 MB of blanks": START + " " * 10 * MB,
    "64 ones": "/".join(["1" * 8] * 8) + " w - - 0 1",
    "byte order mark": "\N{BYTE ORDER MARK}" + START,
    "10 kB of operations": f"{PLACEMENT} w KQkq - " + 'c0 "x";' * KB,
}
