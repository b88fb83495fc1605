"""A verdict in words on a data set, by thresholds that stand in one table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fenpack.audit import Audit

__all__ = ["THRESHOLDS", "Statement", "judge", "number", "share"]

Tone = Literal["good", "note", "bad"]


@dataclass(frozen=True, slots=True)
class Threshold:
    """A share from which something is said."""

    value: float
    meaning: str


THRESHOLDS = {
    "one_kind": Threshold(
        0.99, "share of rows from which a data set is called of one kind (fields, castling)"
    ),
    "exceptions": Threshold(
        0.01, "share below which rows of another kind are called exceptions, not a mixture"
    ),
    "stub": Threshold(0.9, "share of counters `0 1` from which they are called a stub"),
    "chess960": Threshold(
        0.9, "share of rows with rights that hold in Chess960 only from which it is Chess960"
    ),
    "always": Threshold(
        0.5, "share of superfluous en passant squares from which the convention is `always`"
    ),
    "turned": Threshold(
        0.01, "share of boards that look rotated or mirrored from which more than chance is said"
    ),
}


@dataclass(frozen=True, slots=True)
class Statement:
    """One thing that the counts show.

    Attributes
    ----------
    topic : str
        What it is about.
    short : str
        A word or two, for a heading.
    sentence : str
        The finding with its numbers.
    tone : {"good", "note", "bad"}
        Whether it calls for action.
    """

    topic: str
    short: str
    sentence: str
    tone: Tone = "note"


def number(count: int) -> str:
    """Write a count with separators."""
    return f"{count:,}"


def share(part: int, whole: int) -> str:
    """Write a share in per cent; 0 % and 100 % only if they are exact."""
    if whole == 0:
        return "none"
    percent = 100 * part / whole
    if part == 0 or part == whole:
        return f"{percent:.0f} %"
    if percent < 0.01:
        return "below 0.01 %"
    if percent > 99.99:
        return "above 99.99 %"
    if percent < 1 or percent > 99:
        return f"{percent:.2f} %"
    return f"{percent:.1f} %"


def judge(audit: Audit) -> tuple[Statement, ...]:
    """Say what kind of data set the counts of `audit` show."""
    return tuple(_statements(audit))


def _statements(audit: Audit) -> Iterator[Statement]:
    rows = audit.rows - audit.nulls
    if rows == 0:
        yield Statement("rows", "nothing to judge", "there is no row that is not null")
        return
    yield _readable(audit, rows)
    if audit.readable == 0:
        return
    if audit.texts:
        yield _fields(audit)
    yield _counters(audit)
    yield _chess(audit)
    yield _en_passant(audit)
    yield _possible(audit, rows)
    yield _turned(audit, rows)
    yield _duplicates(audit)


def _readable(audit: Audit, rows: int) -> Statement:
    unread = rows - audit.readable
    if unread == 0:
        return Statement("rows", "all readable", f"all {number(rows)} rows can be read", "good")
    return Statement(
        "rows",
        f"{share(unread, rows)} unreadable",
        f"{number(unread)} of {number(rows)} rows ({share(unread, rows)}) cannot be read",
        "bad",
    )


_SHAPES = {
    "six": ("six fields", "FEN with all six fields"),
    "five": ("five fields", "FEN without the fullmove number"),
    "four": ("four fields", "four fields, FEN without counters or EPD without operations"),
    "epd_operations": ("EPD", "EPD with operations"),
}


def _fields(audit: Audit) -> Statement:
    whole = audit.texts
    shape, most = max(audit.fields.items(), key=lambda item: item[1])
    short, words = _SHAPES[shape]
    if most == whole:
        return Statement("fields", short, f"{words} in every readable row")
    others = ", ".join(
        f"{_SHAPES[name][0]} in {number(count)}"
        for name, count in audit.fields.items()
        if count and name != shape
    )
    if most / whole >= THRESHOLDS["one_kind"].value:
        return Statement("fields", short, f"{words}, with exceptions: {others}")
    return Statement(
        "fields",
        "mixed fields",
        f"a mixture: {short} in {number(most)} ({share(most, whole)}), {others}",
        "bad",
    )


def _counters(audit: Audit) -> Statement:
    whole, counters = audit.readable, audit.counters
    given = whole - counters["missing"]
    odd = [
        f"{number(counters[name])} {words}"
        for name, words in (
            ("fullmove_0", "with fullmove number 0"),
            ("halfmove_gt_100", "with a halfmove clock above 100"),
        )
        if counters[name]
    ]
    tail = f"; {', '.join(odd)}" if odd else ""
    if given == 0:
        return Statement("counters", "no counters", "no row gives both counters")
    missing = f", and {number(counters['missing'])} rows lack one or both"
    missing = missing if counters["missing"] else ""
    stub = counters["stub"]
    if stub / given >= THRESHOLDS["stub"].value:
        words = f"`0 1` in {share(stub, given)} of the rows that give them, so they tell nothing"
        return Statement("counters", "stub counters", f"{words}{missing}{tail}")
    words = f"`0 1` in {share(stub, given)} of the rows that give them{missing}{tail}"
    return Statement("counters", "odd counters" if odd else "counters given", words)


def _chess(audit: Audit) -> Statement:
    standard, only_960 = audit.geometry["standard"], audit.geometry["chess960"]
    impossible = audit.geometry["impossible"]
    tail = f"; {number(impossible)} rows give a right that holds nowhere" if impossible else ""
    tone: Tone = "bad" if impossible else "note"
    holding = standard + only_960
    if holding == 0:
        words = "no row gives castling rights that hold, so standard and Chess960 look the same"
        return Statement("chess", "no castling rights", words + tail, tone)
    counted = (
        f"{number(only_960)} of {number(holding)} rows with rights ({share(only_960, holding)})"
    )
    if only_960 == 0:
        words = f"standard chess: all {number(holding)} rows with rights hold in it"
        if audit.chess960:
            words += ", though they were audited as Chess960"
        return Statement("chess", "standard chess", words + tail, tone)
    fraction = only_960 / holding
    if fraction >= THRESHOLDS["chess960"].value:
        words = f"Chess960: the rights of {counted} hold in it only"
        if not audit.chess960:
            words += "; audited as standard chess, so audit it with chess960 to see the rest"
            tone = "bad"
        return Statement("chess", "Chess960", words + tail, tone)
    if fraction < THRESHOLDS["exceptions"].value:
        words = f"standard chess, but the rights of {counted} hold in Chess960 only"
        return Statement("chess", "standard chess", words + tail, "bad")
    words = (
        f"a mixture of standard chess and Chess960: the rights of {counted} hold in Chess960 only"
    )
    return Statement("chess", "standard and Chess960 mixed", words + tail, "bad")


def _en_passant(audit: Audit) -> Statement:
    counts = audit.en_passant
    legal, pseudo, idle = counts["legal"], counts["pseudo_legal"], counts["superfluous"]
    invalid = counts["invalid"]
    possible = legal + pseudo + idle
    tail = f"; {number(invalid)} more squares are invalid" if invalid else ""
    tone: Tone = "bad" if invalid else "note"
    if possible == 0:
        if invalid:
            words = f"all {number(invalid)} en passant squares are invalid"
            return Statement("en passant", "invalid en passant", words, "bad")
        words = (
            "no en passant square is given; whether one is missing cannot be known from a position"
        )
        return Statement("en passant", "no en passant squares", words)
    given = f"of {number(possible)} possible squares"
    if idle / possible >= THRESHOLDS["always"].value:
        words = (
            f"a square after every double push (the PGN standard): {given}, {number(idle)} "
            f"({share(idle, possible)}) have no pawn beside"
        )
        return Statement("en passant", "en passant: always", words + tail, tone)
    if idle / possible >= THRESHOLDS["exceptions"].value:
        words = (
            f"conventions mixed: {given}, {number(idle)} ({share(idle, possible)}) have no pawn"
            " beside"
        )
        return Statement("en passant", "en passant: mixed", words + tail, "bad")
    exceptions = f", but {number(idle)} have no pawn beside" if idle else ""
    if pseudo:
        words = (
            f"a square where a pawn stands beside (X-FEN): {given}, {number(legal)} allow a legal "
            f"capture and {number(pseudo)} only a pseudo-legal one{exceptions}"
        )
        return Statement("en passant", "en passant: X-FEN", words + tail, tone)
    words = (
        f"a square only where a capture is legal: {given}, {number(legal)} allow one{exceptions}; "
        "X-FEN would look the same where no capture is pinned"
    )
    return Statement("en passant", "en passant: legal only", words + tail, tone)


def _possible(audit: Audit, rows: int) -> Statement:
    illegal, unreachable = audit.severities["illegal"], audit.severities["unreachable"]
    if illegal == unreachable == 0:
        return Statement(
            "positions", "no impossible row found", "no row is proved impossible", "good"
        )
    words = (
        f"{number(illegal)} rows ({share(illegal, rows)}) cannot be played, "
        f"{number(unreachable)} ({share(unreachable, rows)}) cannot come from a game"
    )
    if audit.geometry["chess960"] and not audit.chess960:
        words += ", by the rules of standard chess, under which Chess960 rows were judged too"
    impossible = audit.grades["illegal"] + audit.grades["unreachable"]
    return Statement("positions", f"{share(impossible, rows)} impossible", words, "bad")


def _turned(audit: Audit, rows: int) -> Statement:
    if audit.turned == 0:
        return Statement("orientation", "none looks turned", "no board looks rotated or mirrored")
    counted = (
        f"{number(audit.turned)} boards ({share(audit.turned, rows)}) look rotated or mirrored"
    )
    if audit.turned / rows < THRESHOLDS["turned"].value:
        return Statement("orientation", "few look turned", f"{counted}, which chance may explain")
    return Statement(
        "orientation",
        f"{share(audit.turned, rows)} look turned",
        counted + ", a hint, no proof",
        "bad",
    )


_CAUSES = {
    "text": "repeat a text",
    "fields": "differ only after the fourth field or by blanks around",
    "position": (
        "differ only in spelling, in en passant squares without a legal capture or in rights that"
        " do not hold"
    ),
}
_NEAR = {
    "board_side_rights": "a legal en passant square",
    "board_side": "castling rights",
    "board": "the side to move",
}


def _duplicates(audit: Audit) -> Statement:
    rows, distinct = audit.readable, {rung.name: rung.distinct for rung in audit.ladder}
    about = "" if all(rung.exact for rung in audit.ladder) else "about "
    lost = {
        name: before - after
        for (name, after), before in zip(distinct.items(), (rows, *distinct.values()), strict=False)
    }
    repeated = rows - distinct["position"]
    words = f"{about}{number(repeated)} of {number(rows)} readable rows ({share(repeated, rows)})"
    words += " repeat a position"
    causes = [f"{number(lost[name])} {cause}" for name, cause in _CAUSES.items() if lost.get(name)]
    if causes and len(distinct) == len(_CAUSES) + len(_NEAR):
        words += f": {', '.join(causes)}"
    near = [f"{number(lost[name])} in {what}" for name, what in _NEAR.items() if lost[name]]
    if near:
        words += f"; of the distinct positions some differ from another only: {', '.join(near)}"
    short = f"{share(repeated, rows)} duplicates" if repeated else "no duplicates"
    return Statement("duplicates", short, words, "note" if repeated else "good")
