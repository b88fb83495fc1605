"""The table of codes, their names, and explanations."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

import fenpack as fp
from fenpack import Problem, _native
from mutations import mutated

SINGLE = [problem for problem in Problem if problem.bit_count() == 1]


def test_python_and_rust_have_one_table() -> None:
    table = _native.problem_table()
    assert [problem.name.lower() for problem in SINGLE] == [name for name, _, _ in table]
    assert [problem.value for problem in SINGLE] == [1 << bit for bit in range(len(table))]
    for problem, (_, severity, rule) in zip(SINGLE, table, strict=True):
        assert problem.severity == severity
        assert problem.rule == rule
        assert problem in Problem[severity.upper()]


def test_severities_are_masks_of_everything() -> None:
    masks = [Problem.SYNTAX, Problem.ILLEGAL, Problem.UNREACHABLE, Problem.SUSPICIOUS]
    assert sum(masks) == (1 << 63) - 1
    with pytest.raises(ValueError, match="not a single code"):
        Problem.SYNTAX.severity  # noqa: B018


def test_names() -> None:
    bits = pa.chunked_array([[0, None, 3], [1 << 62]], pa.uint64())
    names = fp.problem_names(bits)
    assert names.type == pa.list_(pa.dictionary(pa.int8(), pa.string()))
    assert names.to_pylist() == [[], None, ["empty", "non_ascii"], ["castling_ambiguous"]]
    assert fp.problem_names(pa.chunked_array([], pa.uint64())).to_pylist() == []
    with pytest.raises(ValueError, match="row 1 has a bit beyond the 63 codes"):
        fp.problem_names(pa.array([0, 1 << 63], pa.uint64()))
    with pytest.raises(TypeError, match="must be a column of uint64"):
        fp.problem_names(pa.array([0]))
    for plain in (bits.drop_null().to_numpy(), bits.drop_null().to_pylist()):
        assert fp.problem_names(plain).to_pylist() == names.drop_null().to_pylist()
    for wrong in ([-1], ["empty"], np.array([0.5])):
        with pytest.raises(TypeError, match="problems must be a column of uint64"):
            fp.problem_names(wrong)


@pytest.mark.parametrize(
    ("fen", "field", "span", "squares", "sentence"),
    [
        (
            "4k3/8/pp1pppp/8/8/8/8/4K3 w - - 0 1",
            "placement",
            (6, 13),
            (),
            "rank 6 `pp1pppp` has 7 squares instead of 8",
        ),
        (
            "4k3/8/8/8/8/8/8/4K2P w - - 0 1",
            "placement",
            (0, 20),
            ("h1",),
            "a pawn stands on the first or last rank: h1",
        ),
        (
            "4k3/8/8/8/4P3/8/4N3/4K3 b - e3 0 1",
            "en_passant",
            (28, 30),
            ("e2",),
            "a pawn cannot have moved two squares past `e3`: e2 is occupied",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w Q - 0 1",
            "castling",
            (22, 23),
            ("a1",),
            "`Q` gives a castling right without its king or its rook on the back rank (a1)",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - - 1.5 1",
            "halfmove",
            (26, 29),
            (),
            "the halfmove clock `1.5` is not a plain decimal number",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w\x00 - - 0 1",
            "text",
            (21, 22),
            (),
            "byte 21 (0x00) is not printable ASCII",
        ),
    ],
)
def test_findings(
    fen: str, field: str, span: tuple[int, int], squares: tuple[str, ...], sentence: str
) -> None:
    finding = next(finding for finding in fp.explain(fen).findings if finding.sentence == sentence)
    assert (finding.field, finding.span, finding.squares) == (field, span, squares)


def test_every_code_of_the_corpus_is_explained(sample: list[str]) -> None:
    for fen in mutated(sample, 3000, seed=6):
        [bits] = fp.validate([fen]).to_pylist()
        diagnosis = fp.explain(fen)
        assert diagnosis.problems == bits
        found = Problem(0)
        for finding in diagnosis.findings:
            found |= finding.problem
            assert "{" not in finding.sentence.replace("`{`", "")
        assert found == bits
        assert diagnosis.readable == fp.is_valid([fen], level="syntax")[0].as_py()
        if diagnosis.repaired is not None:
            assert fp.explain(diagnosis.repaired).repaired is None
        else:
            safe = fp.canonicalize([fen], en_passant="keep").to_pylist()
            assert safe == [fen if diagnosis.readable else None]


def test_print() -> None:
    assert str(fp.explain("8/8/8/8/8/8/8/K1k5 w - - 0 1")).endswith("nothing wrong")
    shown = str(fp.explain("4k3/8/8/8/8/8/8/4K3 W - e6"))
    assert "repaired: 4k3/8/8/8/8/8/8/4K3 w - - 0 1" in shown
    assert "illegal: no pawn that can have moved two squares past `e6` stands on e5" in shown


def test_wrong_use() -> None:
    with pytest.raises(TypeError, match="fen must be one str, got list"):
        fp.explain(["x"])
    with pytest.raises(ValueError, match=r"language must be one of .*, got 'tlh'"):
        fp.explain("x", language="tlh")
