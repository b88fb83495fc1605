"""Problem codes, their names, and what is wrong with one FEN in words."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntFlag
from functools import cache
from typing import Any

import numpy as np
import pyarrow as pa

from fenpack import _native
from fenpack.notebook import diagnosis_html
from fenpack.sentences import Catalogue, catalogue, printable
from fenpack.sound import sound

__all__ = ["Diagnosis", "FenError", "Finding", "Problem", "explain", "problem_names"]


class Problem(IntFlag):
    """Problem codes as bits of a uint64; the rule of each is `Problem.rule`.

    The four severities are masks: ``SYNTAX`` (the text departs from the PGN standard),
    ``ILLEGAL`` (the position cannot be played), ``UNREACHABLE`` (no game leads to it) and
    ``SUSPICIOUS`` (a hint about data quality). Bit values are frozen once released; bit 63 is
    never used, so the bits read the same as int64.

    Three more masks name the codes by which a program refuses a position: ``PYTHON_CHESS`` (the
    same as ``ILLEGAL``), ``SHAKMATY`` and ``STOCKFISH``. They are near enough to filter the result
    of `validate` with; what a program makes of a text, and its exceptions, only
    ``is_valid(profile=...)`` tells: python-chess overlooks a lone Q right without a rook and checks
    by two knights, pawns or kings, and Stockfish counts bishops whatever their squares' colour.
    """

    # syntax
    EMPTY = 1 << 0
    NON_ASCII = 1 << 1
    WHITESPACE = 1 << 2
    FIELD_COUNT = 1 << 3
    EPD_OPERATIONS = 1 << 4
    VARIANT_SYNTAX = 1 << 5
    RANK_COUNT = 1 << 6
    RANK_WIDTH = 1 << 7
    BAD_PIECE_CHAR = 1 << 8
    ADJACENT_DIGITS = 1 << 9
    BAD_TURN = 1 << 10
    BAD_CASTLING_CHARS = 1 << 11
    CASTLING_ORDER = 1 << 12
    CASTLING_DUPLICATE = 1 << 13
    BAD_EP_SYNTAX = 1 << 14
    BAD_HALFMOVE = 1 << 15
    BAD_FULLMOVE = 1 << 16
    COUNTER_FORMAT = 1 << 17
    COUNTER_OVERFLOW = 1 << 18
    FULLMOVE_ZERO = 1 << 19

    # illegal
    BOARD_EMPTY = 1 << 20
    NO_WHITE_KING = 1 << 21
    NO_BLACK_KING = 1 << 22
    EXTRA_WHITE_KING = 1 << 23
    EXTRA_BLACK_KING = 1 << 24
    PAWN_ON_BACK_RANK = 1 << 25
    OPPOSITE_CHECK = 1 << 26
    KINGS_ADJACENT = 1 << 27
    WHITE_PAWNS_GT_8 = 1 << 28
    BLACK_PAWNS_GT_8 = 1 << 29
    WHITE_MEN_GT_16 = 1 << 30
    BLACK_MEN_GT_16 = 1 << 31
    CASTLING_IMPOSSIBLE = 1 << 32
    CASTLING_NEEDS_960 = 1 << 33
    EP_WRONG_RANK = 1 << 34
    EP_NO_PAWN = 1 << 35
    EP_OCCUPIED = 1 << 36
    TOO_MANY_CHECKERS = 1 << 37
    IMPOSSIBLE_CHECK = 1 << 38

    # unreachable
    PROMOTION_EXCESS_WHITE = 1 << 39
    PROMOTION_EXCESS_BLACK = 1 << 40
    PAWN_STRUCTURE = 1 << 41
    PAWN_CAPTURES = 1 << 42
    PAWN_OPPOSITION = 1 << 43
    CAGED_BISHOP = 1 << 44
    HOME_BISHOP_EXCESS = 1 << 45
    DOUBLE_CHECK_PAIR = 1 << 46
    NO_LAST_MOVE = 1 << 47
    EP_PUSH_IMPOSSIBLE = 1 << 48
    EP_CLOCK_NONZERO = 1 << 49
    CLOCK_EXCEEDS_GAME = 1 << 50
    START_WRONG_TURN = 1 << 51

    # suspicious
    EP_NOT_CAPTURABLE = 1 << 52
    EP_NOT_LEGAL = 1 << 53
    HALFMOVE_GT_100 = 1 << 54
    HALFMOVE_GT_150 = 1 << 55
    FULLMOVE_GT_9999 = 1 << 56
    CAPTURES_EXCEED_GAME = 1 << 57
    CLOCK_CONTRADICTS_CHECK = 1 << 58
    LOOKS_ROTATED = 1 << 59
    LOOKS_MIRRORED = 1 << 60
    CASTLING_SHREDDER = 1 << 61
    CASTLING_AMBIGUOUS = 1 << 62

    # severities
    SYNTAX = (1 << 20) - (1 << 0)
    ILLEGAL = (1 << 39) - (1 << 20)
    UNREACHABLE = (1 << 52) - (1 << 39)
    SUSPICIOUS = (1 << 63) - (1 << 52)

    # what programs refuse
    PYTHON_CHESS = ILLEGAL
    SHAKMATY = ILLEGAL | PROMOTION_EXCESS_WHITE | PROMOTION_EXCESS_BLACK
    STOCKFISH = (
        BOARD_EMPTY
        | NO_WHITE_KING
        | NO_BLACK_KING
        | EXTRA_WHITE_KING
        | EXTRA_BLACK_KING
        | PAWN_ON_BACK_RANK
        | OPPOSITE_CHECK
        | KINGS_ADJACENT
        | WHITE_PAWNS_GT_8
        | BLACK_PAWNS_GT_8
        | WHITE_MEN_GT_16
        | BLACK_MEN_GT_16
        | EP_WRONG_RANK
        | PROMOTION_EXCESS_WHITE
        | PROMOTION_EXCESS_BLACK
    )

    @property
    def severity(self) -> str:
        """Severity of a single code: syntax, illegal, unreachable or suspicious."""
        return _entry(self)[1]

    @property
    def rule(self) -> str:
        """Rule of a single code in one sentence."""
        return _entry(self)[2]


@cache
def _table() -> list[tuple[str, str, str]]:
    return _native.problem_table()


def _entry(problem: Problem) -> tuple[str, str, str]:
    if problem.bit_count() != 1:
        raise ValueError(f"{problem!r} is not a single code")
    return _table()[problem.bit_length() - 1]


def problem_names(problems: Any) -> pa.ListArray | pa.ChunkedArray:
    """Spell out the problem codes of each row.

    Parameters
    ----------
    problems : column of uint64
        As `validate` returns it, or the same numbers in a numpy array or a list.

    Returns
    -------
    ListArray or ChunkedArray of list<dictionary<int8, string>>
        The names of the bits of each row, lowest bit first; empty for 0, null for null.

    Raises
    ------
    ValueError
        If a row has a bit beyond the known codes.
    TypeError
        If `problems` is not a column of uint64.

    Examples
    --------
    >>> import fenpack as fp
    >>> fp.problem_names(fp.validate(["", None])).to_pylist()
    [['empty'], None]
    """
    if isinstance(problems, np.ndarray | list | tuple):
        try:
            problems = pa.array(problems, pa.uint64())
        except (pa.ArrowException, OverflowError, TypeError) as error:
            raise TypeError(f"problems must be a column of uint64: {error}") from None
    if isinstance(problems, pa.Array | pa.ChunkedArray):
        sound(problems, "problems")
    return _native.problem_names(problems)


@dataclass(frozen=True, slots=True)
class Finding:
    """One problem of one FEN and where it shows.

    Attributes
    ----------
    problem : Problem
        The code.
    field : str
        ``placement``, ``turn``, ``castling``, ``en_passant``, ``halfmove``, ``fullmove``,
        ``operations`` (what follows the last field) or ``text`` (the whole).
    span : tuple of int
        First byte and the byte after the last, in the UTF-8 text.
    rank : int or None
        The rank at fault, 1 to 8.
    squares : tuple of str
        The squares that show the problem, a1 first.
    sentence : str
        What is wrong.
    repair : str or None
        What the lenient reading does about it, or None if nothing is safe.
    advice : str
        What a person can do about it.
    """

    problem: Problem
    field: str
    span: tuple[int, int]
    rank: int | None
    squares: tuple[str, ...]
    sentence: str
    repair: str | None
    advice: str

    @property
    def code(self) -> str:
        """Name of the code in lower case, as `problem_names` gives it."""
        return _entry(self.problem)[0]


@dataclass(frozen=True)
class Diagnosis:
    """All that is wrong with one FEN; `print` it, or look at it in a notebook.

    Attributes
    ----------
    fen : str
        The text.
    problems : Problem
        All codes, as `validate` gives them.
    readable : bool
        Whether the text can be read, if need be with the safe repairs.
    findings : tuple of Finding
        Every problem, in the order of the text.
    repaired : str or None
        The text with the safe repairs made, if there are any to make.
    language : str
        The language of the sentences.
    text : bytes
        The text as it was read; the spans of the findings count its bytes.
    """

    fen: str
    problems: Problem
    readable: bool
    findings: tuple[Finding, ...] = field(repr=False)
    repaired: str | None
    language: str = "en"
    text: bytes = field(default=b"", repr=False)

    @property
    def legal(self) -> bool:
        """Whether `is_valid` accepts the text at level ``legal``."""
        return self.readable and not self.problems & Problem.ILLEGAL

    @property
    def squares(self) -> tuple[str, ...]:
        """The squares that show any of the problems."""
        return tuple(sorted({square for finding in self.findings for square in finding.squares}))

    def remedies(self) -> list[tuple[Finding, str]]:
        """Pair each finding with its repair or advice, in words; with "" if the next has the same.

        Returns
        -------
        list of tuple of Finding and str
            As many as there are findings.
        """
        words = catalogue(self.language)
        said = [
            f"{words.word('repair')}: {finding.repair}"
            if finding.repair
            else f"{words.word('advice')}: {finding.advice}"
            for finding in self.findings
        ]
        return [
            (finding, "" if said[i + 1 : i + 2] == [remedy] else remedy)
            for i, (finding, remedy) in enumerate(zip(self.findings, said, strict=True))
        ]

    def __str__(self) -> str:
        words = catalogue(self.language)
        lines = [words.left_to_right(printable(self.fen, most=200))]
        if not self.findings:
            lines.append(f"  {words.word('nothing_wrong')}")
        for finding, remedy in self.remedies():
            severity = words.word(finding.problem.severity)
            code = words.left_to_right(f"({finding.code})")
            lines.append(f"  {severity}: {finding.sentence} {code}")
            if remedy:
                lines.append(f"    {remedy}")
        if self.repaired is not None:
            lines.append(f"  {words.word('repaired')}: {words.left_to_right(self.repaired)}")
        elif not self.readable:
            lines.append(f"  {words.word('unreadable')}")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        return diagnosis_html(self)

    def as_dict(self) -> dict[str, Any]:
        """Give plain data for JSON.

        Returns
        -------
        dict
            ``fen``, ``readable``, ``legal``, ``repaired``, and ``findings``, a list of dicts with
            ``code``, ``severity`` and the attributes of `Finding`.
        """
        return {
            "fen": self.fen,
            "readable": self.readable,
            "legal": self.legal,
            "repaired": self.repaired,
            "findings": [
                {
                    "code": finding.code,
                    "severity": finding.problem.severity,
                    "field": finding.field,
                    "span": list(finding.span),
                    "rank": finding.rank,
                    "squares": list(finding.squares),
                    "sentence": finding.sentence,
                    "repair": finding.repair,
                    "advice": finding.advice,
                }
                for finding in self.findings
            ],
        }


class FenError(ValueError):
    """A row that cannot be read.

    Attributes
    ----------
    row : int
        Its number in the column, counted over all chunks.
    fen : str
        Its text.
    offset : int
        The byte of the text where the first reason shows.
    diagnosis : Diagnosis
        All reasons.
    column : str or None
        The argument whose row it is, where a function takes several columns.
    """

    def __init__(
        self,
        row: int,
        diagnosis: Diagnosis,
        reasons: tuple[Finding, ...],
        column: str | None = None,
    ) -> None:
        self.row = row
        self.column = column
        self.fen = diagnosis.fen
        self.diagnosis = diagnosis
        self.offset = min((finding.span[0] for finding in reasons), default=0)
        shown = printable(self.fen, most=120)
        sentences = "; ".join(dict.fromkeys(finding.sentence for finding in reasons[:4]))
        self._reasons = reasons
        where = f"row {row}" if column is None else f"{column} row {row}"
        super().__init__(f"{where}, byte {self.offset}, `{shown}`: {sentences}")

    def __reduce__(self) -> tuple[Any, ...]:
        return FenError, (self.row, self.diagnosis, self._reasons, self.column)

    def at(self, row: int) -> FenError:
        """Give the same error of another row: where a column is a part of a larger one.

        Parameters
        ----------
        row : int
            Its number in the larger column.

        Returns
        -------
        FenError
            A new one.
        """
        return FenError(row, self.diagnosis, self._reasons, self.column)

    def of(self, column: str) -> FenError:
        """Give the same error of the argument called `column`.

        Parameters
        ----------
        column : str
            The name of the argument.

        Returns
        -------
        FenError
            A new one.
        """
        return FenError(self.row, self.diagnosis, self._reasons, column)

    @classmethod
    def for_row(cls, row: int, text: bytes, *, dialect: str, chess960: bool) -> FenError:
        """Explain why `dialect` refuses the `text` of `row`.

        Parameters
        ----------
        row : int
            Its number in the column.
        text : bytes
            What stands there.
        dialect : {"lenient", "fen", "placement"}
            As for `parse`.
        chess960 : bool
            As for `parse`.

        Returns
        -------
        FenError
            With the reasons that count in the dialect.
        """
        fen = text.decode("utf-8", "surrogateescape")
        diagnosis = _diagnose(fen, text, dialect=dialect, chess960=chess960, language="en")
        grave = Problem.SYNTAX
        if dialect == "fen":
            grave |= Problem.CASTLING_SHREDDER | Problem.CASTLING_NEEDS_960 | Problem.EP_WRONG_RANK
        if not diagnosis.readable:
            grave &= ~_always_repaired()
        reasons = tuple(finding for finding in diagnosis.findings if finding.problem & grave)
        return cls(row, diagnosis, reasons or diagnosis.findings)


@cache
def _always_repaired() -> Problem:
    """Find the codes that never make a row unreadable by themselves."""
    return (
        Problem.WHITESPACE
        | Problem.EPD_OPERATIONS
        | Problem.ADJACENT_DIGITS
        | Problem.CASTLING_ORDER
        | Problem.COUNTER_FORMAT
        | Problem.FULLMOVE_ZERO
    )


def explain(fen: str, *, chess960: bool = False, language: str = "en") -> Diagnosis:
    """Say what is wrong with one FEN, where, and how to mend it.

    Parameters
    ----------
    fen : str
        One text; for columns there is `validate`.
    chess960 : bool
        Judge castling rights by the rules of Chess960.
    language : {"en", "ar", "he", "hi", "ta"}
        The language of the sentences: English, Arabic, Hebrew, Hindi or Tamil.

    Returns
    -------
    Diagnosis
        Every problem with its field, rank or squares, and a sentence.

    Raises
    ------
    TypeError
        If `fen` is not a string.
    ValueError
        If there are no sentences in `language`.

    Examples
    --------
    >>> import fenpack as fp
    >>> print(fp.explain("4k3/8/8/8/8/8/5PPPP/4K3 w - - 0 1"))
    4k3/8/8/8/8/8/5PPPP/4K3 w - - 0 1
      syntax: rank 2 `5PPPP` has 9 squares instead of 8 (rank_width)
        advice: write 8 ranks of 8 squares, from rank 8 down to rank 1, with `/` between them
      cannot be read; no safe repair
    """
    if not isinstance(fen, str):
        raise TypeError(
            f"fen must be one str, got {type(fen).__name__}; for columns there is validate"
        )
    text = fen.encode("utf-8", "surrogatepass")
    return _diagnose(fen, text, dialect="lenient", chess960=chess960, language=language)


def _diagnose(fen: str, text: bytes, *, dialect: str, chess960: bool, language: str) -> Diagnosis:
    words = catalogue(language)
    problems, readable, places, repaired = _native.diagnose(text, dialect, chess960)
    findings = tuple(_finding(text, words, readable, *place) for place in places)
    return Diagnosis(fen, Problem(problems), readable, findings, repaired, language, text)


def _finding(
    text: bytes,
    words: Catalogue,
    readable: bool,
    bit: int,
    field: str,
    start: int,
    end: int,
    rank: int | None,
    count: int,
    squares: int,
) -> Finding:
    problem = Problem(bit)
    code = _entry(problem)[0]
    names = tuple(
        "abcdefgh"[square % 8] + "12345678"[square // 8]
        for square in range(64)
        if squares >> square & 1
    )
    sentence = words.sentence(
        code,
        text=text[start:end],
        rank=rank,
        count=count,
        squares=names,
        start=start,
        byte=text[start] if start < len(text) else 0,
    )
    repair = words.repair(code) if readable else None
    return Finding(problem, field, (start, end), rank, names, sentence, repair, words.advice(code))
