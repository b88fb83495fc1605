"""Any column gives what the plain column of the same rows gives, or is refused by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

import fenpack as fp
from arrow_arrays import (
    BINARY_TYPES,
    KEY_TYPES,
    POSITION,
    TEXT_TYPES,
    OnlyArray,
    OnlyStream,
    array_of,
    as_objects,
    chunked,
    foreign,
    in_any_form,
    nullable,
    packed,
    texts,
    utf8_texts,
)
from fenpack import _native, batch, records
from fenpack.layouts import CELLS, TOKENS
from fenpack.recognition import decode

if TYPE_CHECKING:
    from collections.abc import Callable

LAYOUTS = [name for name, *_ in _native.layouts()]
WITH_HISTORY = [facts[0] for facts in _native.layouts() if facts[5]]
EN_PASSANT = ["legal", "xfen", "keep", "drop"]
COUNTERS = ["keep", "reset", "drop"]
BLANK = {"errors": "blank"}


def with_history(x: Any) -> Any:
    """The same rows as their own history, read as one array from whatever they are."""
    return fp.planes(x, "lc0_112", history=[x, x], **BLANK)


def deduplicated(x: Any) -> Any:
    rows = _native.Deduplicator("board", "last", False, True, "keep", 1 << 20, "/nowhere")
    rows.feed(x)
    rows.feed(x)
    rows.finish()
    total = rows.report()[0]
    return rows.report(), rows.kept(0, total), rows.counts(0, total)


def in_batch(step: Any) -> Callable[[Any], Any]:
    def call(x: Any) -> Any:
        x = x.array if isinstance(x, OnlyArray | OnlyStream) else x
        table = pa.table({"x": x, "row": pa.array(np.arange(len(x)))})
        return step(table)[step.into]

    return call


# Names of calls of `x`, by what `x` may be.
EITHER: dict[str, Callable[[Any], Any]] = {
    "validate": fp.validate,
    "validate 960": lambda x: fp.validate(x, chess960=True),
    **{
        f"is_valid {level} {strict}": lambda x, level=level, strict=strict: fp.is_valid(
            x, level=level, strict=strict
        )
        for level in ("syntax", "legal", "reachable")
        for strict in (False, True)
    },
    **{
        f"is_valid {profile}": lambda x, profile=profile: fp.is_valid(x, profile=profile)
        for profile in ("python-chess", "shakmaty", "stockfish", "chess.js")
    },
    "survey": lambda x: _native.survey(x, "legal", True, False),
    "key 64": fp.key,
    "key 128": lambda x: fp.key(x, bits=128, chess960=True),
    "zobrist": fp.zobrist,
    **{
        f"identity {by}": lambda x, by=by: fp.identity(x, by=by)
        for by in ("position", "board_side_rights", "board_side", "board")
    },
    **{
        f"is_duplicate {keep}": lambda x, keep=keep: fp.is_duplicate(x, keep=keep)
        for keep in ("first", "last", None)
    },
    "unique": lambda x: fp.unique(x, return_inverse=True, return_counts=True),
    **{
        f"bitboards {layout}": lambda x, layout=layout: fp.bitboards(x, layout=layout, **BLANK)
        for layout in LAYOUTS
    },
    **{
        f"planes {layout}": lambda x, layout=layout: fp.planes(x, layout, **BLANK)
        for layout in LAYOUTS
    },
    **{
        f"planes {dtype}": lambda x, dtype=dtype: fp.planes(
            x, dtype=dtype, channels="last", perspective="mover", squares="a8", **BLANK
        )
        for dtype in CELLS
    },
    "planes history": with_history,
    "planes raise": fp.planes,
    "tokens raise": fp.tokens,
    "features raise": lambda x: fp.nnue_features(x, form="csr"),
    **{
        f"tokens {vocabulary} {dtype}": lambda x, vocabulary=vocabulary, dtype=dtype: fp.tokens(
            x, vocabulary, dtype=dtype, **BLANK
        )
        for vocabulary in ("squares", "searchless_77", "chess_transformers")
        for dtype in TOKENS
    },
    **{
        f"features {name} {form}": lambda x, name=name, form=form: fp.nnue_features(
            x, name, form=form, **BLANK
        )
        for name in ("halfka_v2_hm", "halfka_v2_hm_trainer", "halfkp", "chess_768")
        for form in ("padded", "csr")
    },
    "audit": lambda x: fp.audit(x).as_dict(),
    "chess boards": lambda x: records.to_chess_boards(x, **BLANK),
    "packed boards": lambda x: records.to_packed_boards(x, **BLANK),
    "compressed": lambda x: records.to_compressed(x, **BLANK),
    "binary FEN": records.to_binary_fen,
    "deduplicate": deduplicated,
    "batch validate": in_batch(batch.validate("x")),
    "batch is_valid": in_batch(batch.is_valid("x", level="reachable")),
    "batch key": in_batch(batch.key("x")),
    "batch zobrist": in_batch(batch.zobrist("x")),
    "batch identity": in_batch(batch.identity("x")),
    "batch partition": in_batch(batch.partition("x", 7)),
}
TEXT: dict[str, Callable[[Any], Any]] = {
    **{
        f"parse {dialect}": lambda x, dialect=dialect: fp.parse(x, dialect=dialect)
        for dialect in ("lenient", "fen", "placement")
    },
    "parse raise": lambda x: fp.parse(x, errors="raise", chess960=True),
    **{
        f"canonicalize {rule} {counters}": lambda x, rule=rule, counters=counters: fp.canonicalize(
            x, en_passant=rule, counters=counters, castling="shredder", chess960=counters == "drop"
        )
        for rule in EN_PASSANT
        for counters in COUNTERS
    },
    "repair": fp.repair,
    "decode": lambda x: decode(x, kind="text", errors="null").to_table(),
    "batch parse": in_batch(batch.parse("x")),
    "batch canonicalize": in_batch(batch.canonicalize("x")),
}
POSITIONS: dict[str, Callable[[Any], Any]] = {
    **{
        f"format {rule} {counters}": lambda x, rule=rule, counters=counters: fp.format(
            x, en_passant=rule, counters=counters, castling="shredder"
        )
        for rule in EN_PASSANT
        for counters in COUNTERS
    },
}


#: Whose columns do not go row by row with the given one.
WITHOUT_NULLS = [EITHER[name] for name in ("unique", "deduplicate", "batch partition")]
#: Whose chunks, if there are any, are not those of the given column.
WITHOUT_CHUNKS = [
    *WITHOUT_NULLS,
    *((EITHER | TEXT)[name] for name in (EITHER | TEXT) if name.startswith("batch ")),
]


def plain(result: Any) -> Any:
    """What of a result can be compared."""
    if isinstance(result, tuple):
        return tuple(map(plain, result))
    if isinstance(result, np.ndarray):
        return result.shape, result.dtype, result.tobytes()
    if isinstance(result, pa.Array | pa.ChunkedArray | pa.Table):
        return result.to_pylist()
    return result


def outcome(function: Callable[[Any], Any], column: Any) -> tuple[Any, Any]:
    """What a call gives, and the result itself, or how and why it refuses."""
    try:
        result = function(column)
    except (TypeError, ValueError) as error:
        return (type(error), str(error)), None
    return plain(result), result


def check(function: Callable[[Any], Any], column: Any, expected: Any, lengths: Any) -> None:
    found, result = outcome(function, column)
    assert found == expected
    first = result[0] if isinstance(result, tuple) else result
    if lengths is ... or function in WITHOUT_CHUNKS:
        return
    if isinstance(first, pa.Array | pa.ChunkedArray):
        chunks = first.chunks if isinstance(first, pa.ChunkedArray) else None
        assert (chunks and [len(chunk) for chunk in chunks]) == lengths


def check_nulls(function: Callable[[Any], Any], rows: list[bytes | None], result: Any) -> None:
    """Null in, null out."""
    columns = result if isinstance(result, tuple) else (result,)
    for column in columns:
        if function in WITHOUT_NULLS or not isinstance(column, pa.Array | pa.ChunkedArray):
            continue
        found = zip(rows, column.to_pylist(), strict=True)
        assert all(value is None for row, value in found if row is None)


@given(rows=nullable(texts), name=st.sampled_from([*EITHER, *TEXT]), data=st.data())
def test_text_of_any_type(rows, name, data):
    function = (EITHER | TEXT)[name]
    column, lengths = data.draw(in_any_form(rows, TEXT_TYPES))
    expected, result = outcome(function, array_of(rows, pa.string(), bitmap=False))
    check_nulls(function, rows, result)
    check(function, column, expected, lengths)


@given(
    rows=st.one_of(nullable(texts), nullable(packed)),
    name=st.sampled_from([*EITHER, *TEXT]),
    data=st.data(),
)
def test_binary_of_any_type(rows, name, data):
    function = (EITHER | TEXT)[name]
    column, lengths = data.draw(in_any_form(rows, BINARY_TYPES))
    expected, result = outcome(function, array_of(rows, pa.binary(), bitmap=False))
    check_nulls(function, rows, result)
    check(function, column, expected, lengths)


@given(rows=nullable(packed), name=st.sampled_from([*EITHER, *POSITIONS]), data=st.data())
def test_positions_of_any_type(rows, name, data):
    function = (EITHER | POSITIONS)[name]
    kinds = [POSITION, *(BINARY_TYPES if name in POSITIONS else [])]
    column, lengths = data.draw(in_any_form(rows, kinds))
    expected, result = outcome(function, array_of(rows, POSITION, bitmap=False))
    check_nulls(function, rows, result)
    check(function, column, expected, lengths)


#: What takes more than Arrow.
PUBLIC = [
    name
    for name in [*EITHER, *TEXT]
    if name not in ("survey", "deduplicate") and not name.startswith("batch ")
]


@given(rows=nullable(utf8_texts), name=st.sampled_from(PUBLIC), data=st.data())
def test_text_of_other_libraries(rows, name, data):
    function = (EITHER | TEXT)[name]
    expected, _ = outcome(function, array_of(rows, pa.string(), bitmap=False))
    column = data.draw(as_objects(rows))
    if str(getattr(column, "dtype", None)) == "Binary" and name in EITHER:
        expected, _ = outcome(function, array_of(rows, pa.binary(), bitmap=False))
    check(function, column, expected, ...)


@given(
    rows=st.lists(st.one_of(packed, st.binary(min_size=40, max_size=40), st.none()), max_size=9),
    name=st.sampled_from([*EITHER, *POSITIONS]),
    data=st.data(),
)
def test_what_need_be_no_position(rows, name, data):
    """Forty bytes are read or refused the same from everywhere."""
    function = (EITHER | POSITIONS)[name]
    column, lengths = data.draw(in_any_form(rows, [POSITION]))
    expected, _ = outcome(function, array_of(rows, POSITION, bitmap=False))
    if isinstance(expected, tuple) and expected and expected[0] is ValueError:
        assert expected[1].startswith(("x ", "positions ", "x row ", "history"))
    check(function, column, expected, lengths)


@given(column=foreign(), name=st.sampled_from([*EITHER, *TEXT, *POSITIONS]))
def test_what_is_no_column(column, name):
    function = (EITHER | TEXT | POSITIONS)[name]
    if name.startswith("batch "):
        return
    (kind, message), result = outcome(function, column)
    assert result is None
    assert kind in (TypeError, ValueError)
    assert message.startswith(("x ", "fens ", "positions ", "scores ", "history[0] "))


@given(
    bits=st.lists(st.one_of(st.integers(0, 2**47 - 1), st.none()), max_size=12),
    data=st.data(),
)
def test_problems_of_any_shape(bits, data):
    known = [None if row is None else row & (1 << len(_native.problem_table())) - 1 for row in bits]
    column = data.draw(chunked_numbers(known))
    assert (
        fp.problem_names(column).to_pylist()
        == fp.problem_names(pa.array(known, pa.uint64())).to_pylist()
    )


@st.composite
def chunked_numbers(draw: st.DrawFn, rows: list[int | None]) -> Any:
    start = draw(st.integers(0, 70))
    whole = pa.array([7] * start + rows + [1], pa.uint64()).slice(start, len(rows))
    cut = draw(st.integers(0, len(rows)))
    column = pa.chunked_array([whole[:cut], whole[cut:cut], whole[cut:]])
    return draw(st.sampled_from([whole, column, OnlyArray(whole), OnlyStream(column)]))


@given(rows=nullable(packed), data=st.data())
def test_structs_of_any_shape(rows, data):
    positions = data.draw(chunked(rows, [POSITION]))
    if pa.types.is_dictionary(positions.type):
        positions = pa.chunked_array([c.dictionary_decode() for c in positions.chunks], POSITION)
    expected = fp.to_struct(array_of(rows, POSITION)).to_pylist()
    structs = fp.to_struct(positions)
    assert structs.to_pylist() == expected
    start = data.draw(st.integers(0, len(rows)))
    again = fp.from_struct(structs.slice(start))
    assert [row and row.as_py() for row in again.cast(POSITION)] == rows[start:] or again.cast(
        POSITION
    ).to_pylist() == rows[start:]


@given(rows=nullable(texts), kind=st.sampled_from(BINARY_TYPES), data=st.data())
def test_binary_fens_of_any_type(rows, kind, data):
    fens = records.to_binary_fen(array_of(rows, pa.string())).to_pylist()
    expected = records.from_binary_fen(fens).to_pylist()
    column, lengths = data.draw(in_any_form(fens, [kind]))
    check(records.from_binary_fen, column, expected, lengths)
    cut = [fen and fen[: data.draw(st.integers(0, len(fen)))] for fen in fens]
    expected, _ = outcome(records.from_binary_fen, pa.array(cut, pa.binary()))
    column, lengths = data.draw(in_any_form(cut, [kind]))
    check(records.from_binary_fen, column, expected, lengths)


def test_every_key_type_is_tried():
    assert {str(kind) for kind in KEY_TYPES} == {
        f"{sign}int{width}" for sign in ("", "u") for width in (8, 16, 32, 64)
    }
