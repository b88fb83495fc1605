"""The FEN tags of games in PGN."""

from __future__ import annotations

import re
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pyarrow as pa

from fenpack.io.errors import InputError, InputWarning
from fenpack.io.source import Source

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fenpack.io.text import Block, Text

SCHEMA = pa.schema([("fen", pa.string()), ("game", pa.int64()), ("line", pa.int64())])

# A line of a tag pair, all those that follow it, or the beginning of a broken FEN tag.
_TAGS = re.compile(
    rb'((?:^[ \t]*\[[A-Za-z0-9_]+[ \t]+"[^\n]*\][^\n\]]*(?:\n(?:[ \t\r]*\n)*|\Z))+)'
    rb"|^[ \t]*\[[Ff][Ee][Nn]\b",
    re.MULTILINE,
)
_FEN = re.compile(
    rb'(?:^[ \t]*|\][ \t]*)\[FEN\b(?:[ \t]+"([^"\n]*)"[ \t]*\])?', re.IGNORECASE | re.MULTILINE
)
_COMMENT = re.compile(rb"\{[^}]*+(\}?)|;[^\n]*")


def open_pgn(text: Text) -> Source:
    """Read the FEN tags with the number of their game, from 0, and their line, from 1.

    A game without one has no row; a warning at the end counts these.
    """

    def batches(columns: list[str] | None = None) -> Iterator[tuple[pa.RecordBatch, int]]:
        games = _Games(text.name)
        for block in text.blocks():
            batch = games.read(block)
            yield batch if columns is None else batch.select(columns), block.done
        games.finish()
        if not games.seen and games.has_text:
            warnings.warn(
                f"{text.name}: no tags of a game, so no row; is it PGN?", InputWarning, stacklevel=1
            )
        if games.without:
            warnings.warn(
                f"{text.name}: {games.without} of {games.seen} games have no FEN tag, so no row",
                InputWarning,
                stacklevel=1,
            )

    return Source(SCHEMA, "fen", text.size, "bytes", batches)


@dataclass
class _Games:
    """Where in the games the reading is."""

    name: str
    seen: int = 0
    without: int = 0
    in_tags: bool = False
    in_comment: bool = False
    has_fen: bool = True
    has_text: bool = False

    def read(self, block: Block) -> pa.RecordBatch:
        """Give the FEN tags of the next block."""
        data, at, end = block.data, 0, 0
        if b"\0" in data:
            # A hole where a disk or a program failed, which may have been games.
            raise self._fault(block, data.index(b"\0"), "a NUL byte")
        fens: list[str] = []
        games: list[int] = []
        lines: list[int] = []
        line, counted = block.line, 0
        while tags := _TAGS.search(data, at):
            between = data[end : tags.start()]
            if _ends_in_comment(between, self.in_comment):
                self.in_comment, self.in_tags, end = True, False, tags.start()
                at = data.find(b"}", end) + 1 or len(data)
                continue
            self.in_comment, at, end = False, tags.end(), tags.end()
            if not self.in_tags or between.strip():
                self.finish()
                self.in_tags, self.has_fen, self.seen = True, False, self.seen + 1
            if tags[1] is None:
                raise self._fault(block, tags.start(), "a FEN tag that does not end")
            for fen in _FEN.finditer(data, tags.start(), tags.end()):
                if fen[1] is None:
                    raise self._fault(block, fen.start(), "a FEN tag that does not end")
                try:
                    fens.append(fen[1].decode("utf-8"))
                except UnicodeDecodeError:
                    raise self._fault(block, fen.start(1), "a FEN tag that is not UTF-8") from None
                games.append(self.seen - 1)
                line, counted = line + data.count(b"\n", counted, fen.start(1)), fen.start(1)
                lines.append(line)
                self.has_fen = True
        self.has_text = self.has_text or not data.isspace()
        rest = data[end:]
        self.in_comment = _ends_in_comment(rest, self.in_comment)
        self.in_tags = self.in_tags and not rest.strip()
        columns = [pa.array(fens, pa.string()), *(pa.array(x, pa.int64()) for x in (games, lines))]
        return pa.RecordBatch.from_arrays(columns, schema=SCHEMA)

    def finish(self) -> None:
        """Count the game whose tags have been read."""
        self.without += not self.has_fen
        self.has_fen = True

    def _fault(self, block: Block, offset: int, what: str) -> InputError:
        return InputError(f"{self.name}: line {block.line_at(offset)}: {what}")


def _ends_in_comment(text: bytes, begins_in_comment: bool) -> bool:
    """Tell whether a comment is open at the end of movetext."""
    if begins_in_comment:
        _, closed, text = text.partition(b"}")
        if not closed:
            return True
    if text.rfind(b"{") <= text.rfind(b"}"):
        return False
    # A brace behind a semicolon opens nothing.
    return any(one[0].startswith(b"{") and not one[1] for one in _COMMENT.finditer(text))
