"""What fenpack says, in each of its languages, from the catalogues in ``languages``."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

from fenpack.plurals import category

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["ADVICE", "Catalogue", "catalogue", "languages", "printable"]

_FOLDER = resources.files("fenpack") / "languages"
_RIGHT_TO_LEFT = frozenset({"ar", "he"})
_ISOLATE, _END_ISOLATE = "\u2066", "\u2069"
_SNIPPET = re.compile(r"`[^`]*`|{byte[^}]*}")

_CODES_BY_ADVICE = {
    "fill": "empty",
    "ascii": "non_ascii",
    "separators": "whitespace",
    "fields": "field_count epd_operations",
    "variant": "variant_syntax",
    "placement": "rank_count rank_width bad_piece_char adjacent_digits",
    "turn": "bad_turn",
    "castling": "bad_castling_chars castling_order castling_duplicate castling_impossible",
    "chess960": "castling_needs_960",
    "letters": "castling_shredder castling_ambiguous",
    "en_passant": "bad_ep_syntax ep_wrong_rank ep_no_pawn ep_occupied ep_push_impossible"
    " ep_not_capturable ep_not_legal",
    "counter": "bad_halfmove bad_fullmove counter_format counter_overflow fullmove_zero",
    "clock": "ep_clock_nonzero clock_exceeds_game halfmove_gt_100 halfmove_gt_150"
    " fullmove_gt_9999 captures_exceed_game clock_contradicts_check",
    "kings": "board_empty no_white_king no_black_king extra_white_king extra_black_king"
    " kings_adjacent",
    "men": "pawn_on_back_rank white_pawns_gt_8 black_pawns_gt_8 white_men_gt_16 black_men_gt_16"
    " too_many_checkers impossible_check promotion_excess_white promotion_excess_black"
    " pawn_structure pawn_captures pawn_opposition caged_bishop home_bishop_excess"
    " double_check_pair no_last_move",
    "side": "opposite_check start_wrong_turn",
    "rotated": "looks_rotated",
    "mirrored": "looks_mirrored",
}

ADVICE = {code: advice for advice, codes in _CODES_BY_ADVICE.items() for code in codes.split()}
"""The advice that each code calls for."""


@dataclass(frozen=True)
class Catalogue:
    """The sentences of one language.

    Attributes
    ----------
    language : str
        Its code.
    right_to_left : bool
        Whether it is written from right to left.
    entries : dict
        The tables of its file: ``words``, ``advice``, and one per code.
    """

    language: str
    right_to_left: bool
    entries: dict[str, dict[str, str]]

    def word(self, name: str) -> str:
        """Give one of the fixed words."""
        return self.entries["words"][name]

    def sentence(
        self,
        code: str,
        *,
        text: bytes,
        rank: int | None,
        count: int,
        squares: Iterable[str],
        start: int,
        byte: int,
    ) -> str:
        """Say what is wrong."""
        entry = self.entries[code]
        form = f"sentence_{category(self.language, count)}"
        template = entry[form] if form in entry else entry["sentence"]
        return self._isolated(template).format(
            text=printable(text.decode("utf-8", "surrogateescape")).replace("`", "\\x60"),
            rank=rank,
            count=count,
            squares=self.word("comma").join(map(self.left_to_right, squares)),
            start=start,
            byte=byte,
        )

    def repair(self, code: str) -> str | None:
        """Say what the lenient reading does about `code`, if it does anything."""
        repair = self.entries[code].get("repair")
        return None if repair is None else self._isolated(repair)

    def advice(self, code: str) -> str:
        """Say what a person can do about `code`."""
        return self._isolated(self.entries["advice"][ADVICE[code]])

    def left_to_right(self, text: str) -> str:
        """Isolate text that reads from left to right, where the language does not."""
        return f"{_ISOLATE}{text}{_END_ISOLATE}" if self.right_to_left else text

    def _isolated(self, template: str) -> str:
        return _SNIPPET.sub(lambda snippet: self.left_to_right(snippet[0]), template)


@cache
def languages() -> tuple[str, ...]:
    """Give the codes of the languages there are, English first."""
    names = {file.name.removesuffix(".toml") for file in _FOLDER.iterdir()}
    return ("en", *sorted(names - {"en"}))


@cache
def catalogue(language: str) -> Catalogue:
    """Read the catalogue of `language`; ValueError if there is none."""
    if language not in languages():
        allowed = ", ".join(f'"{name}"' for name in languages())
        raise ValueError(f"language must be one of {allowed}, got {language!r}")
    entries = tomllib.loads((_FOLDER / f"{language}.toml").read_text("utf-8"))
    return Catalogue(language, language in _RIGHT_TO_LEFT, entries)


def printable(text: str, most: int = 40) -> str:
    """Make `text` fit to print: no control characters, no stray bytes, not too long."""
    shown = "".join(map(_printable_character, text[:most]))
    return shown if len(text) <= most and len(shown) <= most else shown[: most - 1] + "…"


def _printable_character(character: str) -> str:
    if character.isprintable():
        return character
    # A byte that is not UTF-8, as the surrogateescape handler keeps it.
    if "\udc80" <= character <= "\udcff":
        return f"\\x{ord(character) - 0xDC00:02x}"
    return character.encode("unicode_escape").decode()
