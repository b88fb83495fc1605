"""The extension module: Arrow columns in and out of the Rust core."""

from collections.abc import Sequence
from typing import Any, ClassVar, Final, final

__all__ = [
    "Audit",
    "Decoder",
    "Deduplicator",
    "__version__",
    "accepts",
    "as_pyarrow",
    "canonicalize",
    "check_positions",
    "decode_flags",
    "decode_statuses",
    "diagnose",
    "encode_bitboards",
    "encode_features",
    "encode_planes",
    "encode_records",
    "encode_tokens",
    "format",
    "get_num_threads",
    "holds_positions",
    "identity",
    "instruction_sets",
    "is_duplicate",
    "is_valid",
    "key",
    "layouts",
    "limit_threads",
    "parse",
    "problem_names",
    "problem_table",
    "read_binary_fens",
    "read_bitboards",
    "read_placements",
    "read_planes",
    "read_records",
    "read_tokens",
    "release_build",
    "repair",
    "set_num_threads",
    "survey",
    "tally",
    "unique",
    "validate",
    "write_binary_fens",
    "zobrist",
]

__version__: Final[str]
release_build: Final[bool]

def validate(x: Any, chess960: bool) -> Any: ...
def survey(x: Any, level: str, strict: bool, chess960: bool) -> tuple[Any, Any]: ...
def is_valid(x: Any, level: str, strict: bool, chess960: bool) -> Any: ...
def accepts(x: Any, profile: str, chess960: bool) -> Any: ...
def as_pyarrow(x: Any, name: str) -> Any: ...
def holds_positions(x: Any, name: str) -> bool: ...
def parse(
    fens: Any, dialect: str, chess960: bool, find_refused: bool
) -> tuple[Any, tuple[int, bytes] | None]: ...
def canonicalize(
    fens: Any, en_passant: str, castling: str, counters: str, chess960: bool
) -> Any: ...
def repair(fens: Any, chess960: bool) -> Any: ...
def key(x: Any, bits: int, chess960: bool) -> Any: ...
def zobrist(x: Any, chess960: bool) -> Any: ...
def identity(x: Any, by: str, chess960: bool) -> Any: ...
def is_duplicate(x: Any, keep: str | None, chess960: bool, hash_bits: int = 64) -> Any: ...
def unique(x: Any, chess960: bool, hash_bits: int = 64) -> tuple[Any, Any, Any]: ...
def format(positions: Any, en_passant: str, castling: str, counters: str) -> Any: ...
def check_positions(positions: Any) -> None: ...
def diagnose(
    text: bytes, dialect: str, chess960: bool
) -> tuple[int, bool, list[tuple[int, str, int, int, int | None, int, int]], str | None]: ...
def problem_names(problems: Any) -> Any: ...
def problem_table() -> list[tuple[str, str, str]]: ...
def tally(problems: Any) -> list[tuple[int, int, int]]: ...
def read_placements(texts: Any) -> tuple[Any, Any]: ...
def decode_flags() -> list[str]: ...
def decode_statuses() -> list[str]: ...
def layouts() -> list[tuple[str, int, str, str, bool, bool, list[tuple[int, int, str]]]]: ...
def encode_bitboards(
    x: Any,
    history: Sequence[Any],
    choice: tuple[str, str, str],
    state: tuple[str, bool],
    fill: str,
    blank: bool,
    room: Any,
) -> tuple[int, bytes | None, str | None] | None: ...
def encode_planes(
    x: Any,
    history: Sequence[Any],
    choice: tuple[str, str, str],
    state: tuple[str, bool],
    fill: str,
    channels: str,
    dtype: str,
    blank: bool,
    room: Any,
) -> tuple[int, bytes | None, str | None] | None: ...
def encode_tokens(
    x: Any,
    vocabulary: str,
    perspective: str,
    squares: str,
    state: tuple[str, bool],
    dtype: str,
    blank: bool,
    room: Any,
) -> tuple[int, bytes | None, str | None] | None: ...
def encode_features(
    x: Any, features: str, perspective: str, blank: bool, room: Any
) -> tuple[int, bytes | None, str | None] | None: ...
def read_bitboards(
    bitboards: Any, choice: tuple[str, str, str], state: tuple[str, bool], black_to_move: Any
) -> Any: ...
def read_planes(
    planes: Any,
    choice: tuple[str, str, str],
    state: tuple[str, bool],
    channels: str,
    dtype: str,
    black_to_move: Any,
) -> Any: ...
def read_tokens(
    tokens: Any,
    vocabulary: str,
    perspective: str,
    squares: str,
    state: tuple[str, bool],
    dtype: str,
    black_to_move: Any,
) -> Any: ...
def encode_records(
    x: Any, record: str, state: tuple[str, bool], blank: bool, room: Any
) -> tuple[int, bytes | None, str | None] | None: ...
def read_records(records: Any, record: str, chess960: bool) -> Any: ...
def write_binary_fens(x: Any, state: tuple[str, bool], variant: str) -> Any: ...
def read_binary_fens(fens: Any, chess960: bool) -> Any: ...
def set_num_threads(threads: int, /) -> None: ...
def get_num_threads() -> int: ...
def limit_threads(threads: int) -> int: ...
def instruction_sets() -> list[str]: ...

@final
class Audit:
    EXACT: ClassVar[int]
    ERROR: ClassVar[float]
    def __new__(cls, chess960: bool, examples: int, source: int, exact: int = ...) -> Audit: ...
    def feed(self, x: Any) -> None: ...
    def merge(self, other: Audit) -> None: ...
    def totals(self) -> dict[str, int]: ...
    def habits(self) -> dict[str, list[tuple[str, int]]]: ...
    def men(self) -> list[int]: ...
    def problems(self) -> list[tuple[int, int, list[tuple[int, int, bytes]]]]: ...
    def ladder(self) -> list[tuple[str, int, bool]]: ...

@final
class Decoder:
    def __new__(
        cls,
        kind: str,
        places: list[list[int]],
        others: bool,
        empty: str,
        constant: float,
        turnings: list[int],
        rules: str,
        promotion_penalty: float,
        temperature: float,
        eps: float,
        usual: list[list[float]],
        prior: list[list[float]] | None,
        prior_weight: float,
        min_score: float,
        castling: tuple[int, int],
        threshold: float | None,
    ) -> Decoder: ...
    def decode(
        self,
        scores: Any,
        rows: int,
        stride: int,
        known: Any = None,
        turns: Any = None,
        castling: Any = None,
        allowed: Any = None,
    ) -> tuple[Any, tuple[int, int, int | None] | None]: ...

@final
class Deduplicator:
    def __new__(
        cls,
        by: str,
        keep: str,
        chess960: bool,
        counts: bool,
        unreadable: str,
        budget: int,
        directory: Any,
        hash_bits: int = 64,
    ) -> Deduplicator: ...
    def feed(self, x: Any) -> None: ...
    def finish(self) -> None: ...
    def kept(self, start: int, length: int) -> Any: ...
    def counts(self, start: int, length: int) -> Any: ...
    def report(self) -> tuple[int, int, int | None, list[tuple[str, int]], int]: ...
