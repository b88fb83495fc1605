"""What a whole data set is like: problems, habits of spelling, distinct positions, a verdict."""

from __future__ import annotations

from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fenpack import _native
from fenpack.inputs import Column, as_arrow
from fenpack.problems import Problem
from fenpack.verdict import Statement, judge, number, share

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Audit", "Example", "Rung", "audit"]


@dataclass(frozen=True, slots=True)
class Example:
    """A row that has a problem.

    Attributes
    ----------
    source : str
        The file it is from, or ``""`` for a column.
    row : int
        Its number there, from 0.
    fen : str
        Its text, fit to print; long texts are cut.
    """

    source: str
    row: int
    fen: str

    @property
    def place(self) -> str:
        """Where it is, in words."""
        return f"{self.source} row {self.row}".lstrip()


@dataclass(frozen=True, slots=True)
class Rung:
    """Distinct readable rows at one level of normalization.

    Attributes
    ----------
    name : str
        ``text``: the rows as they are. ``fields``: their first four fields. ``position``: what
        the FIDE rules compare, the board, the side to move, the castling rights that hold and
        the en passant square if a capture is legal. ``board_side_rights``, ``board_side``,
        ``board``: as they say.
    distinct : int
        How many there are.
    exact : bool
        Whether that is a count, or an estimate with a standard error of 0.41 %.
    """

    name: str
    distinct: int
    exact: bool


@dataclass(frozen=True)
class Audit:
    """What an audit found; `print` it, or let a notebook draw it.

    Attributes
    ----------
    name : str
        The file or files, or ``column``.
    chess960 : bool
        Whether castling was judged as in Chess960.
    rows, nulls, readable, valid : int
        All rows; those that are null, that can be read, and that have no illegal code.
    turned : int
        Rows that look rotated or mirrored.
    texts : int
        Readable rows that came as text, not as packed positions.
    counts : dict of Problem to int
        Rows with each code.
    examples : dict of Problem to tuple of Example
        The first rows with each code; each has a ``source`` (the file, or ``""``), a ``row``
        (from 0) and its text ``fen``, cut to be printed.
    grades : dict of str to int
        Rows that are not null by the worst thing about them: ``unreadable``, ``illegal``,
        ``unreachable``, ``repaired`` (syntax), ``suspicious``, ``clean``.
    severities : dict of str to int
        Rows with a code of each severity.
    fields : dict of str to int
        Readable texts with ``four``, ``five`` or ``six`` fields or ``epd_operations``.
    castling : dict of str to int
        Readable texts whose castling field is ``none`` (``-``), has only the letters ``kqkq``,
        also the file letters of inner rooks (``xfen``), or others (``shredder``).
    geometry : dict of str to int
        Readable rows that give no right (``none``), or whose rights all hold in ``standard``
        chess, all in ``chess960`` only, or not all anywhere (``impossible``).
    rights : dict of str to int
        Readable rows where the right K, Q, k, q holds, and where ``none`` does.
    en_passant : dict of str to int
        Readable rows with no square (``none``); one where a capture is ``legal``; one where a
        pawn stands beside but no capture is legal (``pseudo_legal``); one where no pawn does
        (``superfluous``); one that no double push can have left (``invalid``).
    counters : dict of str to int
        Readable rows whose counters are ``missing`` (one or both), ``fullmove_0``,
        ``halfmove_gt_100``, the ``stub`` ``0 1``, or ``ordinary``; the first that applies.
    side_to_move : dict of str to int
        Readable rows with ``white`` and with ``black`` to move.
    men : tuple of int
        Readable rows with 0 to 64 men.
    ladder : tuple of Rung
        Distinct readable rows, from the text to the board; packed positions have no text rungs.
        Each has a ``name``, the count ``distinct``, and whether it is ``exact`` or an estimate
        with a standard error of 0.41 %.
    files : tuple of Audit
        The same for each file, if there are several.
    """

    name: str
    chess960: bool
    rows: int
    nulls: int
    readable: int
    valid: int
    turned: int
    texts: int
    counts: dict[Problem, int]
    examples: dict[Problem, tuple[Example, ...]] = field(repr=False)
    grades: dict[str, int]
    severities: dict[str, int]
    fields: dict[str, int]
    castling: dict[str, int]
    geometry: dict[str, int]
    rights: dict[str, int]
    en_passant: dict[str, int]
    counters: dict[str, int]
    side_to_move: dict[str, int]
    men: tuple[int, ...] = field(repr=False)
    ladder: tuple[Rung, ...]
    files: tuple[Audit, ...] = field(default=(), repr=False)

    @classmethod
    def of(
        cls,
        counted: _native.Audit,
        name: str,
        *,
        sources: Sequence[str] = ("",),
        chess960: bool = False,
        files: tuple[Audit, ...] = (),
    ) -> Audit:
        """Take the counts of `counted`, whose examples are from `sources`.

        Parameters
        ----------
        counted : fenpack._native.Audit
            What the extension counted.
        name : str
            What was audited.
        sources : sequence of str
            The files, as the examples number them.
        chess960 : bool
            Whether castling was judged as in Chess960.
        files : tuple of Audit
            The same for each file, if there are several.

        Returns
        -------
        Audit
            The same counts under their names.
        """
        totals = counted.totals()
        habits = {group: dict(counts) for group, counts in counted.habits().items()}
        found = counted.problems()
        return cls(
            name=name,
            chess960=chess960,
            rows=totals["rows"],
            nulls=totals["nulls"],
            readable=totals["readable"],
            valid=totals["valid"],
            turned=totals["turned"],
            texts=totals["texts"],
            counts={Problem(bit): count for bit, count, _ in found},
            examples={
                Problem(bit): tuple(Example(sources[i], row, _shown(text)) for i, row, text in rows)
                for bit, _, rows in found
            },
            grades=habits["grades"],
            severities=habits["severities"],
            fields=habits["fields"],
            castling=habits["castling"],
            geometry=habits["geometry"],
            rights=habits["rights"],
            en_passant=habits["en_passant"],
            counters=habits["counters"],
            side_to_move=habits["side_to_move"],
            men=tuple(counted.men()),
            ladder=_ladder(counted, totals["readable"], texts=totals["texts"]),
            files=files,
        )

    @property
    def invalid(self) -> int:
        """Rows that are neither null nor valid."""
        return self.rows - self.nulls - self.valid

    @property
    def verdict(self) -> tuple[Statement, ...]:
        """What kind of data set this is, in words; no more than the counts show.

        Each statement has a ``topic`` and a ``sentence``.
        """
        return judge(self)

    def as_dict(self) -> dict[str, Any]:
        """Give plain data for JSON.

        Returns
        -------
        dict
            Every count by its name, the examples and the verdict: what ``fenpack audit --json``
            prints.
        """
        result: dict[str, Any] = {
            "name": self.name,
            "chess960": self.chess960,
            "rows": self.rows,
            "nulls": self.nulls,
            "readable": self.readable,
            "valid": self.valid,
            "invalid": self.invalid,
            "turned": self.turned,
            "problems": {
                _name(problem): {
                    "severity": problem.severity,
                    "count": count,
                    "examples": [
                        {"source": example.source, "row": example.row, "fen": example.fen}
                        for example in self.examples[problem]
                    ],
                }
                for problem, count in self.counts.items()
            },
        }
        for group in _GROUPS:
            result[group] = dict(getattr(self, group))
        result["men"] = {str(men): count for men, count in enumerate(self.men) if count}
        result["ladder"] = [
            {"level": rung.name, "distinct": rung.distinct, "exact": rung.exact}
            for rung in self.ladder
        ]
        result["verdict"] = {statement.topic: statement.sentence for statement in self.verdict}
        if self.files:
            result["files"] = [part.as_dict() for part in self.files]
        return result

    def to_html(self, path: str | Path) -> None:
        """Write a report that needs nothing but a browser; it appears whole or not at all.

        Parameters
        ----------
        path : str or Path
            The file.

        Raises
        ------
        OSError
            If it cannot be written.
        """
        from fenpack.io.writing import atomic_output
        from fenpack.report import fragment

        page = _PAGE.format(title=escape(self.name), body=fragment(self))
        with atomic_output(Path(path)) as file:
            # Names of files may have bytes that are no text.
            file.write(page.encode(errors="backslashreplace"))

    def _repr_html_(self) -> str:
        from fenpack.report import fragment

        return fragment(self)

    def __str__(self) -> str:
        lines = [f"{self.name}: {self._totals()}"]
        lines += [f"  {part.name}: {part._totals()}" for part in self.files]
        lines += ["", "verdict:"]
        lines += [f"  {statement.topic}: {statement.sentence}" for statement in self.verdict]
        if self.readable:
            lines += ["", "distinct readable rows:"]
            width = max(len(_rung(rung)) for rung in self.ladder)
            lines += [f"  {_rung(rung):>{width}}  {LEVELS[rung.name]}" for rung in self.ladder]
            lines += ["", "fields of readable rows:"]
            for group in _GROUPS[2:]:
                counts = {key: count for key, count in getattr(self, group).items() if count}
                shown = ", ".join(f"{key} {number(count)}" for key, count in counts.items())
                if shown:
                    lines.append(f"  {group}: {shown}")
            low, high = men_range(self.men)
            lines.append(f"  men on the board: {low} to {high}")
        width = max((len(number(count)) for count in self.counts.values()), default=0)
        previous = ""
        for problem, count in self.counts.items():
            if problem.severity != previous:
                previous = problem.severity
                lines += ["", f"{previous}, {number(self.severities[previous])} rows:"]
            head = f"  {number(count):>{width}}  {_name(problem):<23}"
            for example in self.examples[problem]:
                place = example.place if self.files else f"row {example.row}"
                shown = example.fen if len(example.fen) <= 120 else example.fen[:119] + "…"
                lines.append(f"{head}  {place}: {shown}")
                head = " " * len(head)
            if not self.examples[problem]:
                lines.append(head.rstrip())
        return "\n".join(lines)

    def _totals(self) -> str:
        rows = self.rows - self.nulls
        return (
            f"{number(self.rows)} rows, {number(self.valid)} valid (legal, "
            f"{share(self.valid, rows)}), {number(self.invalid)} invalid"
            + (f", {number(self.nulls)} null" if self.nulls else "")
        )


_GROUPS = (
    "grades",
    "severities",
    "fields",
    "castling",
    "geometry",
    "rights",
    "en_passant",
    "counters",
    "side_to_move",
)

LEVELS = {
    "text": "text as it is",
    "fields": "first four fields",
    "position": "positions (board, side, rights that hold, legal en passant)",
    "board_side_rights": "board, side and rights",
    "board_side": "board and side",
    "board": "board alone",
}

_PAGE = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title} · fenpack audit</title>
<style>body {{ margin: 0 }}</style>
</head>
<body>
{body}
</body>
</html>
"""


def audit(x: Column, *, chess960: bool = False, examples: int = 3) -> Audit:
    """Count what a column of positions is like: problems, spellings, duplicates.

    Parameters
    ----------
    x : column of text or of packed positions
        As for `validate`. For files there is the command ``fenpack audit``, which streams them.
    chess960 : bool
        Judge castling rights by the rules of Chess960.
    examples : int
        The most rows shown for each problem.

    Returns
    -------
    Audit
        The counts and a verdict in words. Distinct counts are exact up to 3,500,000 distinct
        values and estimates with a standard error of 0.41 % beyond; their hashes take at most
        245 MiB. The result does not depend on chunks or threads.

    Raises
    ------
    ValueError
        If a row's bytes are no packed position, or `examples` is negative.
    TypeError
        If `x` is not a column of text or positions.

    Examples
    --------
    >>> import fenpack as fp
    >>> found = fp.audit(
    ...     [
    ...         "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
    ...         "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
    ...         "8/8/8/8/8/8/5kK1/8 w - - 0 1",
    ...     ]
    ... )
    >>> found.counts[fp.Problem.KINGS_ADJACENT], found.valid
    (1, 2)
    >>> [rung.distinct for rung in found.ladder]
    [3, 3, 2, 2, 2, 2]
    """
    if examples < 0:
        raise ValueError(f"examples must be at least 0, got {examples}")
    counted = _native.Audit(chess960, examples, 0)
    counted.feed(as_arrow(x, "x"))
    return Audit.of(counted, "column", chess960=chess960)


def _ladder(counted: _native.Audit, readable: int, *, texts: int) -> tuple[Rung, ...]:
    """Give the rungs; an estimate is kept between its coarser neighbour and all rows."""
    rungs: list[Rung] = []
    for name, distinct, exact in reversed(counted.ladder()):
        if name in ("text", "fields") and texts < readable:
            continue
        floor = rungs[-1].distinct if rungs else 0
        rungs.append(Rung(name, min(max(distinct, floor), readable), exact))
    return tuple(reversed(rungs))


def _shown(text: bytes) -> str:
    shown = text.decode("utf-8", "backslashreplace")
    return shown if shown.isprintable() else shown.encode("unicode_escape").decode()


def _name(problem: Problem) -> str:
    return (problem.name or "").lower()


def _rung(rung: Rung) -> str:
    return number(rung.distinct) if rung.exact else f"about {number(rung.distinct)}"


def men_range(men: Sequence[int]) -> tuple[int, int]:
    """Give the fewest and the most men on any board."""
    seen = [count for count, boards in enumerate(men) if boards]
    return (seen[0], seen[-1]) if seen else (0, 0)
