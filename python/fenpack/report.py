"""An audit as one piece of HTML: no script, no font, nothing from elsewhere."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from fenpack import _native
from fenpack.audit import LEVELS, men_range
from fenpack.charts import bar, histogram, stacked
from fenpack.drawing import board_svg, read_board
from fenpack.problems import explain
from fenpack.verdict import THRESHOLDS, number
from fenpack.verdict import share as spaced_share

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fenpack.audit import Audit, Example, Rung
    from fenpack.problems import Problem

__all__ = ["fragment"]

_GRADES = {
    "unreadable": ("syntax", "unreadable"),
    "illegal": ("illegal", "illegal"),
    "unreachable": ("unreachable", "unreachable"),
    "repaired": ("repaired", "syntax that is repaired"),
    "suspicious": ("suspicious", "suspicious"),
    "clean": ("clean", "nothing to say"),
}

_SEVERITIES = {
    "syntax": "the text departs from the FEN standard",
    "illegal": "the position cannot be played",
    "unreachable": "no game leads to the position",
    "suspicious": "a hint about the data",
}

_HABITS = {
    "en_passant": (
        "En passant squares",
        {
            "none": "none given",
            "legal": "a capture is legal",
            "pseudo_legal": "a pawn beside, no legal capture",
            "superfluous": "no pawn beside",
            "invalid": "invalid",
        },
    ),
    "castling": (
        "Spelling of castling",
        {
            "none": "- (none)",
            "kqkq": "K Q k q",
            "xfen": "with inner rooks' files (X-FEN)",
            "shredder": "rook files (Shredder-FEN)",
        },
    ),
    "geometry": (
        "Where castling rights hold",
        {
            "none": "no right given",
            "standard": "standard chess",
            "chess960": "Chess960 only",
            "impossible": "not all hold anywhere",
        },
    ),
    "fields": (
        "Shape of the text",
        {
            "six": "six fields",
            "five": "five fields",
            "four": "four fields",
            "epd_operations": "EPD with operations",
        },
    ),
    "counters": (
        "Counters",
        {
            "ordinary": "ordinary",
            "stub": "0 1",
            "missing": "missing",
            "fullmove_0": "fullmove number 0",
            "halfmove_gt_100": "halfmove clock above 100",
        },
    ),
    "side_to_move": ("Side to move", {"white": "White", "black": "Black"}),
}
_PALETTE = ("c1", "c2", "c3", "c4", "c5")

_STYLE = """\
.fenpack-audit{--ink:#1c2733;--soft:#5a6876;--line:#dde3ea;--page:#f5f7fa;--card:#fff;\
--accent:#2f6fb0;--syntax:#7a4fb5;--illegal:#c8323c;--unreachable:#d9771c;--repaired:#a58bd0;\
--suspicious:#d1a913;--clean:#3f9566;--rail:#e8edf2;--c1:#9fb2c6;--c2:#2f6fb0;--c3:#3f9566;\
--c4:#d1a913;--c5:#c8323c;color:var(--ink);background:var(--page);\
font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;\
padding:1.25rem clamp(.75rem,3vw,2.5rem) 3rem;overflow-wrap:anywhere}
@media (prefers-color-scheme:dark){.fenpack-audit{--ink:#e3e9ef;--soft:#9aa8b6;--line:#2f3a46;\
--page:#141a21;--card:#1c242d;--accent:#6aa8e4;--syntax:#ad8be0;--illegal:#ef6670;\
--unreachable:#f0974a;--repaired:#7f68ab;--suspicious:#e2c043;--clean:#5cb585;--rail:#27313c;\
--c1:#5b6c7e;--c2:#6aa8e4;--c3:#5cb585;--c4:#e2c043;--c5:#ef6670}}
.fenpack-audit *{box-sizing:border-box}
.fenpack-audit .wide{max-width:76rem;margin:0 auto}
.fenpack-audit h1{font-size:1.5rem;line-height:1.25;margin:.2rem 0 .3rem}
.fenpack-audit h2{font-size:1.15rem;margin:2.2rem 0 .7rem}
.fenpack-audit h3{font-size:1rem;margin:0 0 .4rem}
.fenpack-audit p{margin:.3rem 0}
.fenpack-audit .soft{color:var(--soft);font-size:.875rem}
.fenpack-audit .chips{display:flex;flex-wrap:wrap;gap:.4rem;margin:.7rem 0 1rem}
.fenpack-audit .chip{border:1px solid var(--line);background:var(--card);border-radius:2rem;\
padding:.1rem .7rem;font-size:.875rem}
.fenpack-audit .chip.good{border-color:var(--clean)}
.fenpack-audit .chip.bad{border-color:var(--illegal);color:var(--illegal)}
.fenpack-audit .card{background:var(--card);border:1px solid var(--line);border-radius:.6rem;\
padding:.9rem 1rem}
.fenpack-audit .grid{display:grid;gap:.9rem;align-items:start;\
grid-template-columns:repeat(auto-fill,minmax(min(100%,19rem),1fr))}
.fenpack-audit .grid.four{grid-template-columns:repeat(auto-fill,minmax(min(100%,16.5rem),1fr))}
.fenpack-audit .grid.four code{font-size:.75rem}
.fenpack-audit .tiles{display:grid;gap:.7rem;\
grid-template-columns:repeat(auto-fit,minmax(min(45%,10rem),1fr));margin-bottom:1rem}
.fenpack-audit .tile b{display:block;font-size:1.5rem;line-height:1.2;\
font-variant-numeric:tabular-nums}
.fenpack-audit svg.bar{display:block;width:100%;height:.6rem;border-radius:.2rem}
.fenpack-audit svg.stacked{display:block;width:100%;height:1.3rem;border-radius:.3rem}
.fenpack-audit svg.histogram{display:block;width:100%;max-width:34rem;margin:0 auto}
.fenpack-audit svg.histogram text{font-size:12px;fill:var(--soft)}
.fenpack-audit .axis{stroke:var(--line);stroke-width:1.5}
.fenpack-audit .rail{fill:var(--rail)}
.fenpack-audit .legend{display:flex;flex-wrap:wrap;gap:.2rem 1.1rem;margin:.5rem 0 0;padding:0;\
list-style:none;font-size:.875rem}
.fenpack-audit .dot{display:inline-block;width:.7rem;height:.7rem;border-radius:.15rem;\
margin-right:.4rem}
.fenpack-audit .row{display:grid;grid-template-columns:minmax(0,1fr) auto;gap:.1rem .8rem;\
margin:.65rem 0;align-items:baseline}
.fenpack-audit .row>:nth-child(n+3){grid-column:1/-1}
.fenpack-audit .count{font-variant-numeric:tabular-nums;white-space:nowrap}
.fenpack-audit code{font:.8125rem/1.4 ui-monospace,"DejaVu Sans Mono",Menlo,Consolas,monospace;\
direction:ltr;unicode-bidi:isolate}
.fenpack-audit .tag{font-size:.75rem;padding:.05rem .5rem;border-radius:1rem;color:#fff;\
white-space:nowrap;vertical-align:.1em}
.fenpack-audit .suspicious.tag{color:#1c2733}
@media (prefers-color-scheme:dark){.fenpack-audit .tag{color:#10161d}}
.fenpack-audit .board{max-width:21rem;margin:.6rem auto}
.fenpack-audit dl{display:grid;grid-template-columns:minmax(6.5rem,max-content) 1fr;\
gap:.45rem 1rem;margin:0}
.fenpack-audit dt{color:var(--soft)}
.fenpack-audit dd{margin:0}
@media (max-width:40rem){.fenpack-audit dl{display:block}.fenpack-audit dd{margin-bottom:.6rem}}
.fenpack-audit dd.bad::before{content:"●";color:var(--illegal);margin-right:.4rem}
.fenpack-audit dd.good::before{content:"●";color:var(--clean);margin-right:.4rem}
.fenpack-audit dd.note::before{content:"●";color:var(--c1);margin-right:.4rem}
.fenpack-audit details{margin-top:.5rem}
.fenpack-audit summary{cursor:pointer;color:var(--accent)}
.fenpack-audit ul.plain{list-style:none;padding:0;margin:.3rem 0}
.fenpack-audit ul.plain li{margin:.4rem 0}
.fenpack-audit .scroll{overflow-x:auto}
.fenpack-audit table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
.fenpack-audit th,.fenpack-audit td{text-align:right;padding:.3rem .6rem;\
border-bottom:1px solid var(--line);white-space:nowrap}
.fenpack-audit th:first-child,.fenpack-audit td:first-child{text-align:left;white-space:normal;\
min-width:9rem}
"""

_COLOURS = (
    *("accent", "syntax", "illegal", "unreachable", "repaired", "suspicious", "clean"),
    *_PALETTE,
)


def share(part: int, whole: int) -> str:
    """Write a share in per cent on one line."""
    return spaced_share(part, whole).replace(" ", "\u00a0")


def fragment(audit: Audit) -> str:
    """Draw `audit` as one element with a style of its own."""
    fills = "".join(
        f".fenpack-audit path.{name}{{fill:var(--{name})}}"
        f".fenpack-audit .{name}.dot,.fenpack-audit .{name}.tag{{background:var(--{name})}}"
        for name in _COLOURS
    )
    sections = "".join(_sections(audit))
    return (
        f'<div class="fenpack-audit" lang="en" dir="ltr"><style>\n{_STYLE}{fills}</style>'
        f'<div class="wide">{sections}</div></div>'
    )


def _sections(audit: Audit) -> Iterator[str]:
    yield from _head(audit)
    yield "<h2>Verdict</h2>" + _verdict(audit)
    if audit.files:
        yield "<h2>Files</h2>" + _files(audit)
    if audit.readable:
        yield "<h2>Distinct rows, level by level</h2>" + _ladder(audit)
    if audit.counts:
        yield "<h2>Problems by count</h2>" + _problems(audit)
    if audit.readable:
        yield "<h2>How the fields are used</h2>" + _habits(audit)
        yield "<h2>Men on the board</h2>" + _men(audit)
    if any(audit.examples.values()):
        yield "<h2>Examples</h2>" + _examples(audit)
    yield "<h2>How this was counted</h2>" + _method(audit)


def _head(audit: Audit) -> Iterator[str]:
    rows = audit.rows - audit.nulls
    mode = "Chess960" if audit.chess960 else "standard chess"
    yield f"<h1>{escape(audit.name)}</h1>"
    yield f'<p class="soft">fenpack {escape(_native.__version__)} audit, judged as {mode}</p>'
    chips = "".join(
        f'<span class="chip {statement.tone}">{escape(statement.short)}</span>'
        for statement in audit.verdict
    )
    yield f'<div class="chips">{chips}</div>'
    tiles = [
        (number(audit.rows), "rows" + (f", {number(audit.nulls)} null" if audit.nulls else "")),
        (share(audit.valid, rows), f"valid: {number(audit.valid)} rows can be read and played"),
    ]
    for rung in audit.ladder:
        if rung.name == "position" and audit.readable:
            tiles.append((_about(rung), "distinct positions"))
    if audit.readable:
        low, high = men_range(audit.men)
        tiles.append((f"{low} to {high}", "men on the board"))
    shown = "".join(
        f'<div class="card tile"><b>{escape(figure)}</b>'
        f'<span class="soft">{escape(what)}</span></div>'
        for figure, what in tiles
    )
    yield f'<div class="tiles">{shown}</div>'
    if rows:
        parts = [(audit.grades[grade], colour, words) for grade, (colour, words) in _GRADES.items()]
        label = ", ".join(f"{words} {number(count)}" for count, _, words in parts if count)
        yield '<div class="card"><h3>Rows by the worst thing about them</h3>'
        yield stacked([(count, colour) for count, colour, _ in parts], label)
        yield _legend(parts, rows) + "</div>"


def _legend(parts: list[tuple[int, str, str]], whole: int) -> str:
    items = "".join(
        f'<li><span class="dot {colour}"></span>{escape(words)} '
        f'<span class="count"><b>{number(count)}</b> '
        f'<span class="soft">({share(count, whole)})</span></span></li>'
        for count, colour, words in parts
        if count
    )
    return f'<ul class="legend">{items}</ul>'


def _verdict(audit: Audit) -> str:
    items = "".join(
        f'<dt>{escape(statement.topic)}</dt><dd class="{statement.tone}">'
        f"{_sentence(_capital(statement.sentence))}.</dd>"
        for statement in audit.verdict
    )
    return f'<div class="card"><dl>{items}</dl></div>'


def _sentence(text: str) -> str:
    """Escape `text`, with code between backticks."""
    pieces = escape(text).replace(" %", "&nbsp;%").split("`")
    return "".join(f"<code>{piece}</code>" if i % 2 else piece for i, piece in enumerate(pieces))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _files(audit: Audit) -> str:
    rows = "".join(
        f"<tr><td>{escape(part.name)}</td><td>{number(part.rows)}</td>"
        f"<td>{share(part.valid, part.rows - part.nulls)}</td>"
        f"<td>{'' if not part.readable else _about(_rung(part, 'position'))}</td>"
        f"<td>{escape(_short(part, 'chess'))}</td>"
        f"<td>{escape(_short(part, 'en passant'))}</td></tr>"
        for part in audit.files
    )
    return (
        '<div class="card scroll"><table><thead><tr><th>file</th><th>rows</th><th>valid</th>'
        "<th>distinct positions</th><th>chess</th><th>en passant</th></tr></thead>"
        f"<tbody>{rows}</tbody></table></div>"
    )


def _short(audit: Audit, topic: str) -> str:
    return next((item.short for item in audit.verdict if item.topic == topic), "")


def _rung(audit: Audit, name: str) -> Rung:
    return next(rung for rung in audit.ladder if rung.name == name)


def _about(rung: Rung) -> str:
    return number(rung.distinct) if rung.exact else f"≈ {number(rung.distinct)}"


def _ladder(audit: Audit) -> str:
    before, drawn = audit.readable, []
    drawn.append(
        f'<div class="row"><span>readable rows</span><b class="count">{number(before)}</b>'
        f"{bar(before, before, 'c1')}</div>"
    )
    for rung in audit.ladder:
        fewer = before - rung.distinct
        loss = f' <span class="soft">(−{number(fewer)})</span>' if fewer else ""
        drawn.append(
            f'<div class="row"><span>{escape(LEVELS[rung.name])}</span>'
            f'<span class="count"><b>{_about(rung)}</b>{loss}</span>'
            f"{bar(rung.distinct, audit.readable, 'accent', before=before)}</div>"
        )
        before = rung.distinct
    return (
        f'<div class="card">{"".join(drawn)}<p class="soft">In red what a level takes away from the'
        " one above, never too thin to be seen.</p></div>"
    )


def _problems(audit: Audit) -> str:
    most, cards = max(audit.counts.values()), []
    rows = audit.rows - audit.nulls
    for severity, words in _SEVERITIES.items():
        counts = {code: n for code, n in audit.counts.items() if code.severity == severity}
        if not counts:
            continue
        bars = "".join(
            f'<div class="row"><code>{_name(code)}</code><span class="count">{number(count)} '
            f'<span class="soft">({share(count, rows)})</span></span>'
            f"{bar(count, most, severity, logarithmic=True)}</div>"
            for code, count in sorted(counts.items(), key=lambda item: -item[1])
        )
        cards.append(
            f'<div class="card"><h3><span class="tag {severity}">{severity}</span></h3>'
            f'<p class="soft">{words}; {number(audit.severities[severity])} rows '
            f"({share(audit.severities[severity], rows)})</p>{bars}</div>"
        )
    return (
        f'<div class="grid four">{"".join(cards)}</div>'
        '<p class="soft">Bars are on a logarithmic scale, the same in all four. '
        "A row may have several problems.</p>"
    )


def _habits(audit: Audit) -> str:
    cards = []
    for group, (title, names) in _HABITS.items():
        counts: dict[str, int] = getattr(audit, group)
        whole = sum(counts.values())
        if not whole:
            continue
        parts = [
            (counts[name], colour, words)
            for (name, words), colour in zip(names.items(), _PALETTE, strict=False)
        ]
        label = f"{title}: " + ", ".join(f"{words} {number(n)}" for n, _, words in parts if n)
        cards.append(
            f'<div class="card"><h3>{title}</h3>'
            f"{stacked([(count, colour) for count, colour, _ in parts], label)}"
            f"{_legend(parts, whole)}</div>"
        )
    held = "".join(
        f'<div class="row"><span>{"no right" if right == "none" else right}</span>'
        f'<span class="count">{number(count)} <span class="soft">'
        f"({share(count, audit.readable)})</span></span>"
        f"{bar(count, audit.readable, 'accent')}</div>"
        for right, count in audit.rights.items()
    )
    cards.append(f'<div class="card"><h3>Castling rights that hold</h3>{held}</div>')
    return f'<div class="grid">{"".join(cards)}</div>'


def _men(audit: Audit) -> str:
    low, high = men_range(audit.men)
    return f'<div class="card">{histogram(audit.men, f"Men on the board, {low} to {high}")}</div>'


def _examples(audit: Audit) -> str:
    cards = [_example(audit, code) for code, rows in audit.examples.items() if rows]
    return f'<div class="grid">{"".join(cards)}</div>'


def _example(audit: Audit, code: Problem) -> str:
    first, *others = audit.examples[code]
    found = explain(first.fen, chess960=audit.chess960)
    shown = [finding for finding in found.findings if finding.problem == code]
    squares = {square for finding in shown for square in finding.squares}
    board = ""
    if read_board(first.fen) is not None:
        label = f"The board of {_name(code)}" + (
            f", {', '.join(sorted(squares))} marked" if squares else ""
        )
        board = f'<div class="board">{board_svg(first.fen, squares, label=label)}</div>'
    sentence = shown[0].sentence if shown else code.rule
    more = ""
    if others:
        items = "".join(
            f"<li>{_place(audit, row)}<br><code>{escape(row.fen)}</code></li>" for row in others
        )
        more = (
            f"<details><summary>{len(others)} more</summary>"
            f'<ul class="plain">{items}</ul></details>'
        )
    return (
        f'<div class="card"><h3><code>{_name(code)}</code> '
        f'<span class="tag {code.severity}">{code.severity}</span></h3>'
        f'<p class="soft">{number(audit.counts[code])} rows. {escape(code.rule)}</p>{board}'
        f"<p>{_sentence(sentence)}</p>"
        f"<p>{_place(audit, first)}<br><code>{escape(first.fen)}</code></p>{more}</div>"
    )


def _place(audit: Audit, example: Example) -> str:
    place = example.place if audit.files else f"row {example.row}"
    return f'<span class="soft">{escape(place)}</span>'


def _name(code: Problem) -> str:
    return (code.name or "").lower()


def _method(audit: Audit) -> str:
    exact, error = _native.Audit.EXACT, _native.Audit.ERROR
    table = "".join(
        f"<tr><td>{escape(threshold.meaning)}</td><td>{threshold.value:.0%}</td></tr>"
        for threshold in THRESHOLDS.values()
    )
    return (
        '<div class="card"><p>Distinct rows are counted by 64-bit hashes, exactly up to '
        f"{number(exact)} distinct values a level; beyond, a number after ≈ is a HyperLogLog "
        f"estimate with a standard error of {error:.2%}. Levels are about readable rows. Whether "
        "an en passant square is missing cannot be known from a position, so the convention is "
        "read from the squares that are there. Unreachable means proved; the absence of a code "
        "proves nothing.</p><details><summary>The thresholds of the verdict</summary>"
        f'<div class="scroll"><table>{table}</table></div></details></div>'
    )
