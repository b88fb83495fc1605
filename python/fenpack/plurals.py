"""Plural categories of the languages, by the rules of Unicode CLDR for whole numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["CATEGORIES", "category"]


def _arabic(count: int) -> str:
    if count < 3:
        return ("zero", "one", "two")[count]
    if 3 <= count % 100 <= 10:
        return "few"
    return "many" if count % 100 >= 11 else "other"


_RULES: dict[str, Callable[[int], str]] = {
    "en": lambda count: "one" if count == 1 else "other",
    "ar": _arabic,
    "he": lambda count: {1: "one", 2: "two"}.get(count, "other"),
    "hi": lambda count: "one" if count < 2 else "other",
    "ta": lambda count: "one" if count == 1 else "other",
}

CATEGORIES = ("zero", "one", "two", "few", "many", "other")


def category(language: str, count: int) -> str:
    """Give the plural category of `count` in `language`."""
    return _RULES[language](count)
