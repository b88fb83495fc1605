"""What a run over a file found: counts by problem with an example of each."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from fenpack import _native
from fenpack.problems import Problem

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["Summary"]


@dataclass
class Summary:
    """Running counts over the batches of one file.

    Attributes
    ----------
    level : str
        The level at which rows are called valid.
    rows, nulls, valid : int
        Rows seen, those of them that are null, and those that are valid.
    counts : dict of Problem to int
        Rows that have each code.
    examples : dict of Problem to tuple of int and str
        Number (from 0) and text of the first row that has each code.
    """

    level: str
    rows: int = 0
    nulls: int = 0
    valid: int = 0
    counts: dict[Problem, int] = field(default_factory=dict)
    examples: dict[Problem, tuple[int, str]] = field(default_factory=dict)

    def add(self, texts: pa.Array, problems: pa.UInt64Array, valid: pa.BooleanArray) -> None:
        """Count one batch."""
        for bit, count, first in _native.tally(problems):
            problem = Problem(bit)
            self.counts[problem] = self.counts.get(problem, 0) + count
            if problem not in self.examples:
                self.examples[problem] = (self.rows + first, _text(texts[first].as_py()))
        self.rows += len(problems)
        self.nulls += problems.null_count
        self.valid += valid.true_count

    @property
    def invalid(self) -> int:
        """Rows that are neither null nor valid."""
        return self.rows - self.nulls - self.valid

    def __str__(self) -> str:
        lines = [
            f"{self.rows:,} rows, {self.valid:,} valid ({self.level}), {self.invalid:,} invalid"
            + (f", {self.nulls:,} null" if self.nulls else "")
        ]
        width = max((len(f"{count:,}") for count in self.counts.values()), default=0)
        previous = ""
        for problem in sorted(self.counts):
            if problem.severity != previous:
                previous = problem.severity
                lines.append(f"{previous}:")
            row, text = self.examples[problem]
            name = (problem.name or "").lower()
            lines.append(f"  {self.counts[problem]:>{width},}  {name:<22}  row {row}: {text}")
        if Problem.CASTLING_NEEDS_960 in self.counts:
            lines.append(
                "rights that only Chess960 allows do not hold; if it is, say so: --chess960"
            )
        return "\n".join(lines)

    def as_dict(self) -> dict[str, Any]:
        """Give plain data for JSON."""
        return {
            "rows": self.rows,
            "nulls": self.nulls,
            "level": self.level,
            "valid": self.valid,
            "invalid": self.invalid,
            "problems": {
                (problem.name or "").lower(): {
                    "severity": problem.severity,
                    "count": self.counts[problem],
                    "example": {
                        "row": self.examples[problem][0],
                        "fen": self.examples[problem][1],
                    },
                }
                for problem in sorted(self.counts)
            },
        }


def _text(value: str | bytes) -> str:
    if isinstance(value, bytes):
        value = value.decode("utf-8", "backslashreplace")
    shown = value if value.isprintable() else value.encode("unicode_escape").decode()
    return shown if len(shown) <= 120 else shown[:119] + "…"
