"""Draw what plane is what: run it to write the pictures of docs/tensors.md anew."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import fenpack as fp

HERE = Path(__file__).parent

#: White has just pushed d2-d4; Black is to move and may capture on d3.
FEN = "r3k2r/8/8/8/2pP3n/8/1P3B2/R3K1Q1 b Qkq d3 5 7"

MEN = ("P", "N", "B", "R", "Q", "K")
ABSOLUTE = [*(f"White {man}" for man in MEN), *(f"Black {man}" for man in MEN)]
RELATIVE = [*(f"own {man}" for man in MEN), *(f"other {man}" for man in MEN)]
SPIEL = [f"{side} {man}" for man in reversed(MEN) for side in ("White", "Black")]


def step(number: int, names: list[str], size: int) -> dict[int, str]:
    """Name the planes of one step of a history."""
    return {number * size + i: name for i, name in enumerate(names)}


LC0_STEP = [*RELATIVE, "seen before"]
LC0_REST = {109: "halfmove clock", 110: "zeros", 111: "ones"}
ROOKS = {104: "a-side rooks", 105: "h-side rooks", 106: "zeros", 107: "zeros"}
#: The planes of each layout that are drawn, by name.
NAMES: dict[str, dict[int, str]] = {
    "pieces": dict(enumerate(ABSOLUTE)),
    "roles": dict(enumerate([*MEN, "White", "Black"])),
    "maia2_18": dict(
        enumerate([*ABSOLUTE, "White to move", "White K", "White Q", "Black K", "Black Q", "e.p."])
    ),
    "maia1_17": dict(
        enumerate([*RELATIVE, "White to move", "own K", "own Q", "other K", "other Q"])
    ),
    "open_spiel_20": dict(
        enumerate(
            [
                *SPIEL,
                "empty",
                "repetitions / 2",
                "White to move",
                "halfmove / 101",
                "White Q",
                "White K",
                "Black Q",
                "Black K",
            ]
        )
    ),
    "lc0_112": step(0, LC0_STEP, 13)
    | step(1, LC0_STEP, 13)
    | {104: "own Q", 105: "own K", 106: "other Q", 107: "other K", 108: "Black to move"}
    | LC0_REST,
    "lc0_112_castling_plane": step(0, LC0_STEP, 13) | ROOKS | {108: "Black to move"} | LC0_REST,
    "lc0_112_canonicalization": step(0, LC0_STEP, 13) | ROOKS | {108: "e.p. file"} | LC0_REST,
    "lc0_112_hectoplies": step(0, LC0_STEP, 13)
    | ROOKS
    | {108: "e.p. file"}
    | LC0_REST
    | {109: "halfmove / 100"},
    "alphazero_119": step(0, [*RELATIVE, "not seen before", "seen before"], 14)
    | {
        112: "Black to move",
        113: "plies / 512",
        114: "own Q",
        115: "own K",
        116: "other Q",
        117: "other K",
        118: "halfmove / 100",
    },
}

CELL, GAP, CAPTION, COLUMNS = 8, 16, 22, 7


def draw(layout: str) -> str:
    """Draw the planes of `layout`; row 0 is at the top, as in the array."""
    planes = fp.planes([FEN], layout, dtype="float32")[0]
    names = NAMES[layout]
    across, down = 8 * CELL + GAP, 8 * CELL + GAP + CAPTION
    rows = -(-len(names) // COLUMNS)
    width, height = COLUMNS * across + GAP, rows * down + GAP
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="8">',
        f"<title>{layout} of {FEN}</title>",
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
    ]
    for i, (plane, name) in enumerate(names.items()):
        x, y = GAP + i % COLUMNS * across, GAP + i // COLUMNS * down
        parts.append(_plane(planes[plane], x, y, f"{plane} {name}"))
    return "\n".join([*parts, "</svg>"])


def _plane(values: np.ndarray, x: int, y: int, caption: str) -> str:
    side = 8 * CELL
    parts = [f'<rect x="{x}" y="{y}" width="{side}" height="{side}" fill="#eee" stroke="#999"/>']
    if (values == values[0, 0]).all() and values[0, 0] != 0:
        value = values[0, 0]
        shade = "#234" if value == 1 else "#89a"
        parts.append(f'<rect x="{x}" y="{y}" width="{side}" height="{side}" fill="{shade}"/>')
        if value != 1:
            middle = f'x="{x + side // 2}" y="{y + side // 2 + 3}"'
            parts.append(f'<text {middle} text-anchor="middle" fill="#fff">{value:.3g}</text>')
    else:
        for row, file in zip(*np.nonzero(values), strict=True):
            at = f'x="{x + file * CELL}" y="{y + row * CELL}"'
            parts.append(f'<rect {at} width="{CELL}" height="{CELL}" fill="#234"/>')
    parts.append(f'<text x="{x}" y="{y + side + 10}" fill="#333">{caption}</text>')
    return "\n".join(parts)


def main() -> None:
    """Write every picture."""
    for layout in NAMES:
        (HERE / f"{layout}.svg").write_text(f"{draw(layout)}\n", "utf-8")


if __name__ == "__main__":
    main()
