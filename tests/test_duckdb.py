"""SQL functions in DuckDB."""

from __future__ import annotations

import pyarrow as pa
import pytest

import fenpack as fp
from texts import START, UNUSUAL

duckdb = pytest.importorskip("duckdb")
fenpack_duckdb = pytest.importorskip("fenpack.duckdb")

MIXED = [START, *UNUSUAL.values(), None, "", "x", START]


@pytest.fixture
def con():
    with duckdb.connect() as con:
        fenpack_duckdb.register(con)
        con.register("rows", pa.table({"row": range(len(MIXED)), "fen": MIXED}))
        yield con


def column(con, expression):
    found = con.execute(f"SELECT {expression} FROM rows ORDER BY row").fetchall()
    return [value for (value,) in found]


FUNCTIONS = {
    "fen_problems(fen)": ("UBIGINT", fp.validate),
    "fen_names(fen_problems(fen))": ("VARCHAR[]", lambda x: fp.problem_names(fp.validate(x))),
    "fen_valid(fen)": ("BOOLEAN", fp.is_valid),
    "fen_canonical(fen)": ("VARCHAR", fp.canonicalize),
    "fen_key(fen)": ("UBIGINT", fp.key),
    "fen_key128(fen)": ("BLOB", lambda x: fp.key(x, bits=128)),
    "fen_zobrist(fen)": ("UBIGINT", fp.zobrist),
    "fen_identity(fen)": ("BLOB", fp.identity),
    "fen_position(fen)": ("BLOB", lambda x: fp.parse(x).storage),
    "fen_text(fen_position(fen))": ("VARCHAR", lambda x: fp.format(fp.parse(x))),
    "fen_key(fen_position(fen))": ("UBIGINT", fp.key),
    "fen_valid(fen_position(fen))": ("BOOLEAN", lambda x: fp.is_valid(fp.parse(x))),
}


@pytest.mark.parametrize(("expression", "expected"), FUNCTIONS.items(), ids=FUNCTIONS.keys())
class TestFunctions:
    def test_gives_what_the_column_function_gives(self, con, expression, expected):
        kind, function = expected
        assert column(con, expression) == function(MIXED).to_pylist()
        assert set(column(con, f"typeof({expression})")) == {kind}

    def test_null(self, con, expression, expected):
        for null in ("NULL", "NULL::VARCHAR"):
            query = f"SELECT {expression.replace('fen)', f'{null})', 1)}"
            assert con.execute(query).fetchall() == [(None,)]

    def test_no_rows(self, con, expression, expected):
        assert con.execute(f"SELECT {expression} FROM rows WHERE row < 0").fetchall() == []

    def test_vectors(self, con, expression, expected):
        """More rows than one vector has, filtered, on several threads."""
        con.execute("SET threads = 4")
        many = "FROM rows, range(700) AS r(n) WHERE row % 3 = 1"
        [(found,)] = con.execute(f"SELECT count(DISTINCT {expression}) {many}").fetchall()
        distinct = {str(value) for value in expected[1](MIXED[1::3]).to_pylist()} - {"None"}
        assert found == len(distinct)


class TestQueries:
    def test_filter(self, con):
        valid = fp.is_valid(MIXED).fill_null(False).to_pylist()
        found = con.execute("SELECT row FROM rows WHERE fen_valid(fen) ORDER BY row").fetchall()
        assert [row for (row,) in found] == [row for row, is_valid in enumerate(valid) if is_valid]

    def test_first_rows(self, con):
        repeated = fp.is_duplicate(MIXED).fill_null(False).to_pylist()
        found = con.execute(DISTINCT.format(source="rows")).fetchall()
        assert [row for (row,) in found] == [row for row, again in enumerate(repeated) if not again]

    def test_an_opening_book(self, con, uho):
        book = pa.table({"row": range(len(uho)), "fen": uho})
        con.register("book", book)
        found = con.execute(DISTINCT.format(source="book")).fetchall()
        expected = pa.array(range(len(uho))).filter(pa.compute.invert(fp.is_duplicate(uho)))
        assert [row for (row,) in found] == expected.to_pylist()
        assert len(found) == 241_670

    def test_a_cursor_has_the_functions(self, con):
        assert con.cursor().execute("SELECT fen_valid(?)", [START]).fetchall() == [(True,)]


DISTINCT = """
    WITH first AS (
        SELECT min(row) AS row FROM {source} WHERE fen_identity(fen) IS NOT NULL
        GROUP BY fen_identity(fen)
        UNION ALL
        SELECT row FROM {source} WHERE fen_identity(fen) IS NULL
    )
    SELECT row FROM first ORDER BY row
"""


class TestRegister:
    def test_prefix_and_chess960(self, con):
        fenpack_duckdb.register(con, prefix="frc_", chess960=True)
        fen = "3k4/8/8/8/8/8/8/R2K3R w KQ - 0 30"
        [(standard, chess960)] = con.execute(
            "SELECT fen_canonical($fen), frc_canonical($fen)", {"fen": fen}
        ).fetchall()
        assert (standard, chess960) == ("3k4/8/8/8/8/8/8/R2K3R w - - 0 30", fen)

    def test_twice(self, con):
        with pytest.raises(duckdb.Error, match="fen_problems"):
            fenpack_duckdb.register(con)

    @pytest.mark.parametrize(
        ("query", "message"),
        [
            ("SELECT fen_key(5)", "got a column of Int32"),
            ("SELECT fen_text('abc'::BLOB)", "positions row 0 is no packed position: 3 bytes"),
            ("SELECT fen_text(fen) FROM rows", "must be a column of packed positions"),
            ("SELECT fen_names(5)", "must be a column of uint64"),
            ("SELECT fen_key(fen, fen) FROM rows", "No function matches"),
        ],
    )
    def test_wrong_use_is_an_error_of_the_query(self, con, query, message):
        with pytest.raises(duckdb.Error, match=message):
            con.execute(query).fetchall()
        assert con.execute("SELECT fen_valid(?)", [START]).fetchall() == [(True,)]
