"""Real FENs made wrong: deleted, doubled, swapped, random bytes, spliced fields, turned boards."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

_ALPHABET = "pnbrqkPNBRQK12345678/ -wKQkqabcdefgh"
_ANYTHING = [chr(byte) for byte in range(1, 128)] + ["é", "K", "٥", "\u00a0"]


def _delete(text: list[str], random: Random, _: Sequence[str]) -> list[str]:
    del text[random.randrange(len(text))]
    return text


def _double(text: list[str], random: Random, _: Sequence[str]) -> list[str]:
    at = random.randrange(len(text))
    text.insert(at, text[at])
    return text


def _swap(text: list[str], random: Random, _: Sequence[str]) -> list[str]:
    one, two = random.randrange(len(text)), random.randrange(len(text))
    text[one], text[two] = text[two], text[one]
    return text


def _replace(text: list[str], random: Random, _: Sequence[str]) -> list[str]:
    text[random.randrange(len(text))] = random.choice(_ALPHABET)
    return text


def _insert(text: list[str], random: Random, _: Sequence[str]) -> list[str]:
    text.insert(random.randrange(len(text)), random.choice(_ALPHABET))
    return text


def _scribble(text: list[str], random: Random, _: Sequence[str]) -> list[str]:
    text[random.randrange(len(text))] = random.choice(_ANYTHING)
    return text


def _change_man(text: list[str], random: Random, _: Sequence[str]) -> list[str]:
    men = [i for i, letter in enumerate(text) if letter in "pnbrqkPNBRQK"]
    if men:
        text[random.choice(men)] = random.choice("pnbrqkPNBRQK")
    return text


def _splice(text: list[str], random: Random, donors: Sequence[str]) -> list[str]:
    fields, donor = "".join(text).split(" "), random.choice(donors).split(" ")
    at = random.randrange(min(len(fields), len(donor)))
    fields[at] = donor[at]
    return list(" ".join(fields))


def _move_target(text: list[str], random: Random, _: Sequence[str]) -> list[str]:
    fields = "".join(text).split(" ")
    if len(fields) > 3:
        fields[3] = random.choice("abcdefgh") + random.choice("33666124578")
    return list(" ".join(fields))


def _other_turn(text: list[str], random: Random, _: Sequence[str]) -> list[str]:
    return list("".join(text).translate(str.maketrans({"w": "b"})))


def _turn_board(text: list[str], random: Random, _: Sequence[str]) -> list[str]:
    placement, *rest = "".join(text).split(" ")
    turned = random.choice(
        (placement[::-1], "/".join(placement.split("/")[::-1]), placement.swapcase())
    )
    return list(" ".join((turned, *rest)))


MUTATIONS: tuple[Callable[[list[str], Random, Sequence[str]], list[str]], ...] = (
    _delete,
    _double,
    _swap,
    _replace,
    _insert,
    _scribble,
    _change_man,
    _change_man,
    _change_man,
    _splice,
    _splice,
    _move_target,
    _other_turn,
    _turn_board,
)


def mutated(fens: Sequence[str], count: int, seed: int) -> Iterator[str]:
    """Yield `count` mutated rows, the same for the same seed."""
    random = Random(seed)
    for _ in range(count):
        text = list(random.choice(fens))
        for _ in range(random.choice((1, 1, 1, 2, 3))):
            text = random.choice(MUTATIONS)(text, random, fens) or ["x"]
        yield "".join(text)
