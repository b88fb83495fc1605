"""Every row of the table of cases: codes, readability, legality, canonical form."""

from __future__ import annotations

import pytest

import fenpack as fp
from cases import Case, read_cases

CASES = read_cases()

each_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)


def names(case: Case) -> set[str]:
    problems = fp.validate([case.fen], chess960=case.chess960)
    return set(fp.problem_names(problems).to_pylist()[0])


def test_the_table_is_whole() -> None:
    assert len(CASES) == 226
    known = {problem.name.lower() for problem in fp.Problem}
    for case in CASES:
        assert case.must | case.must_not <= known


@each_case
def test_codes(case: Case) -> None:
    found = names(case)
    assert case.must <= found
    assert not case.must_not & found


@each_case
def test_readable(case: Case) -> None:
    assert fp.is_valid([case.fen], level="syntax", chess960=case.chess960)[0].as_py() is (
        case.readable
    )
    assert fp.parse([case.fen], chess960=case.chess960)[0].is_valid is case.readable


@each_case
def test_legal(case: Case) -> None:
    assert fp.is_valid([case.fen], chess960=case.chess960)[0].as_py() is case.legal


@each_case
def test_canonical(case: Case) -> None:
    [text] = fp.canonicalize([case.fen], chess960=case.chess960).to_pylist()
    if not case.readable:
        assert text is None
    elif case.canonical is not None:
        assert text == case.canonical


@pytest.mark.parametrize("case", [case for case in CASES if case.xfen], ids=lambda case: case.id)
def test_xfen(case: Case) -> None:
    [text] = fp.canonicalize([case.fen], en_passant="xfen", chess960=case.chess960).to_pylist()
    assert text == case.xfen


@each_case
def test_explain_names_the_same_codes(case: Case) -> None:
    diagnosis = fp.explain(case.fen, chess960=case.chess960)
    assert {finding.problem.name.lower() for finding in diagnosis.findings} == names(case)
    assert diagnosis.readable is case.readable
    size = len(case.fen.encode())
    for finding in diagnosis.findings:
        start, end = finding.span
        assert 0 <= start <= end <= size
        assert finding.sentence
