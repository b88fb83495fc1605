"""SQL functions for DuckDB, over whole vectors of rows."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import pyarrow as pa

import fenpack as fp

if TYPE_CHECKING:
    from collections.abc import Callable

    import duckdb

__all__ = ["register"]


def register(
    con: duckdb.DuckDBPyConnection, *, prefix: str = "fen_", chess960: bool = False
) -> None:
    """Give a connection the functions of this package.

    ================= ================================== ====================================
    SQL               takes                              gives
    ================= ================================== ====================================
    ``fen_problems``  FEN or position                    ``UBIGINT``, the bits of `validate`
    ``fen_names``     ``UBIGINT`` of ``fen_problems``    ``VARCHAR[]``, `problem_names`
    ``fen_valid``     FEN or position                    ``BOOLEAN``, `is_valid`
    ``fen_canonical`` FEN                                ``VARCHAR``, `canonicalize`
    ``fen_key``       FEN or position                    ``UBIGINT``, `key`
    ``fen_key128``    FEN or position                    ``BLOB`` of 16 bytes, ``key(bits=128)``
    ``fen_zobrist``   FEN or position                    ``UBIGINT``, `zobrist`
    ``fen_identity``  FEN or position                    ``BLOB`` of 36 bytes, `identity`
    ``fen_position``  FEN                                ``BLOB`` of 40 bytes, `parse`
    ``fen_text``      position                           ``VARCHAR``, `format`
    ================= ================================== ====================================

    A FEN is a ``VARCHAR``, a position the ``BLOB`` of ``fen_position``. ``NULL`` gives ``NULL``;
    what cannot be read gives ``NULL`` too, but for ``fen_problems`` and ``fen_valid``.

    Parameters
    ----------
    con : DuckDBPyConnection
        The connection; its cursors have the functions as well, other connections have not.
    prefix : str
        What the names begin with.
    chess960 : bool
        Judge castling rights as in Chess960. For both in one connection, register twice, with
        another prefix.

    Raises
    ------
    duckdb.CatalogException
        If a name is taken: the connection has been registered with this prefix before.

    Notes
    -----
    A query fails with ``duckdb.InvalidInputException`` where a column is of another type or a
    ``BLOB`` is no position; the message is that of the function.

    Examples
    --------
    >>> import duckdb, fenpack.duckdb
    >>> con = duckdb.connect()
    >>> fenpack.duckdb.register(con)
    >>> con.execute("SELECT fen_valid(fen), fen_names(fen_problems(fen)) FROM (VALUES"
    ...     " ('8/8/8/8/8/8/5kK1/8 w - - 0 1'), (NULL)) AS t(fen)").fetchall()
    [(False, ['opposite_check', 'kings_adjacent']), (None, None)]
    """
    functions: dict[str, tuple[str, Callable[[Any], Any]]] = {
        "problems": ("UBIGINT", partial(fp.validate, chess960=chess960)),
        "names": ("VARCHAR[]", _names_of_bits),
        "valid": ("BOOLEAN", partial(fp.is_valid, chess960=chess960)),
        "canonical": ("VARCHAR", partial(fp.canonicalize, chess960=chess960)),
        "key": ("UBIGINT", partial(fp.key, chess960=chess960)),
        "key128": ("BLOB", partial(fp.key, bits=128, chess960=chess960)),
        "zobrist": ("UBIGINT", partial(fp.zobrist, chess960=chess960)),
        "identity": ("BLOB", partial(fp.identity, chess960=chess960)),
        "position": ("BLOB", partial(_packed, chess960=chess960)),
        "text": ("VARCHAR", fp.format),
    }
    for name, (returned, function) in functions.items():
        # Without parameter types a function takes text and positions. A call has 2,048 rows, for
        # which the kernel takes one thread.
        con.create_function(
            prefix + name,
            _unannotated(function),
            None,
            returned,
            type="arrow",
            null_handling="special",
        )


def _unannotated(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Hide annotations, which DuckDB evaluates and takes for SQL types."""
    return lambda x: function(x)


def _names_of_bits(bits: Any) -> Any:
    if pa.types.is_null(bits.type):
        bits = bits.cast(pa.uint64())
    return fp.problem_names(bits).cast(pa.list_(pa.string()))


def _packed(fens: Any, *, chess960: bool) -> Any:
    return fp.parse(fens, chess960=chess960).cast(pa.binary(fp.position_dtype.itemsize))
