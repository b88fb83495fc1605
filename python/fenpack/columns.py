"""The column functions: FEN text to positions and back, canonical text, problems."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

from fenpack import _native
from fenpack.inputs import Column, as_arrow, as_bool
from fenpack.problems import FenError

if TYPE_CHECKING:
    import pyarrow as pa

    from fenpack.position import PositionArray

__all__ = ["canonicalize", "format", "is_valid", "parse", "repair", "validate"]

Dialect: TypeAlias = Literal["fen", "lenient", "placement"]
EnPassant: TypeAlias = Literal["legal", "xfen", "keep", "drop"]
Castling: TypeAlias = Literal["xfen", "shredder"]
Counters: TypeAlias = Literal["keep", "reset", "drop"]
Level: TypeAlias = Literal["syntax", "legal", "reachable"]
Profile: TypeAlias = Literal["python-chess", "shakmaty", "stockfish", "chess.js"]


def parse(
    fens: Column,
    *,
    dialect: Dialect = "lenient",
    chess960: bool = False,
    errors: Literal["null", "raise"] = "null",
) -> PositionArray | pa.ChunkedArray:
    """Read each FEN as a packed position.

    Parameters
    ----------
    fens : column of text
        Any Arrow string or binary type, a dictionary of one, a numpy string array, or a sequence
        of ``str | None``.
    dialect : {"lenient", "fen", "placement"}
        ``"fen"`` takes exactly the FEN of the PGN standard (1994), section 16.1: six fields, one
        space between them, castling letters in order, an en passant square on rank 6 with White
        to move or rank 3 with Black to move; castling by rook file only with `chess960`.
        ``"lenient"`` also makes the safe repairs: blanks, tabs, CR, LF, byte order mark or
        underscores around and between fields; EPD with or without operations, of which ``hmvc``
        and ``fmvn`` set the counters; missing counters (read as ``0 1``); adjacent digits;
        ``W`` and ``B`` for the side to move; castling letters in any order, repeated or by file;
        leading zeros. ``"placement"`` takes the first field alone, ranks separated by ``/`` or by
        ``-``, and puts White to move.
    chess960 : bool
        Mark the positions as Chess960. Castling letters are resolved by the X-FEN rule in
        either case.
    errors : {"null", "raise"}
        A row that cannot be read becomes null, or raises.

    Returns
    -------
    PositionArray or ChunkedArray of it
        One position a row, 40 bytes each (see `position_dtype`), legal or not; null for null.

    Raises
    ------
    FenError
        With ``errors="raise"``, for the first row that cannot be read.
    TypeError
        If `fens` is not a column of text.

    Examples
    --------
    >>> import fenpack as fp
    >>> positions = fp.parse(["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", None])
    >>> positions.null_count
    1
    """
    if errors not in ("null", "raise"):
        raise ValueError(f'errors must be one of "null", "raise", got {errors!r}')
    positions, refused = _native.parse(
        as_arrow(fens, "fens"), dialect, as_bool(chess960, "chess960"), errors == "raise"
    )
    if refused is not None:
        row, text = refused
        raise FenError.for_row(row, text, dialect=dialect, chess960=chess960)
    return positions


def format(
    positions: Column,
    *,
    en_passant: EnPassant = "keep",
    castling: Castling = "xfen",
    counters: Counters = "keep",
) -> pa.StringArray | pa.ChunkedArray:
    """Write each position as FEN, illegal ones included.

    Parameters
    ----------
    positions : column of packed positions
        ``fenpack.position``, ``fixed_size_binary[40]``, a binary column of 40-byte rows, or a
        numpy array of `position_dtype`.
    en_passant : {"keep", "legal", "xfen", "drop"}
        Write the en passant square as given, only if a capture is legal, only if a pawn stands
        beside the pushed pawn (X-FEN), or never.
    castling : {"xfen", "shredder"}
        ``K`` and ``Q`` for the outermost rooks and the file letter for others, or always the
        file letter.
    counters : {"keep", "reset", "drop"}
        Write the counters as they are, as ``0 1``, or not at all (four fields). Counters that
        were absent in the source are ``0 1``.

    Returns
    -------
    StringArray or ChunkedArray of string
        FEN text; null for null. ``large_string`` where a chunk outgrows 32-bit offsets.

    Raises
    ------
    ValueError
        If a row's bytes are no packed position; the message names row and reason.
    TypeError
        If `positions` is not a column of positions.

    Examples
    --------
    >>> import fenpack as fp
    >>> fp.format(fp.parse(["8/8/8/8/8/8/8/K1k5 w - -"])).to_pylist()
    ['8/8/8/8/8/8/8/K1k5 w - - 0 1']
    """
    return _native.format(as_arrow(positions, "positions"), en_passant, castling, counters)


def canonicalize(
    fens: Column,
    *,
    en_passant: EnPassant = "legal",
    castling: Castling = "xfen",
    counters: Counters = "keep",
    chess960: bool = False,
) -> pa.StringArray | pa.ChunkedArray:
    """Rewrite each FEN in its canonical form.

    The form is strict FEN: maximal digits, single spaces, castling rights that hold in the order
    K Q k q, an en passant square by the chosen rule, a fullmove number of at least 1. Equal
    settings are idempotent. An en passant square is never added, and an impossible right or an
    invalid square never kept.

    Parameters
    ----------
    fens : column of text
        As for `parse`, read with its ``"lenient"`` dialect.
    en_passant : {"legal", "xfen", "keep", "drop"}
        Keep the square if a capture is legal, if a pawn stands beside the pushed pawn (X-FEN),
        if it is valid, or never.
    castling : {"xfen", "shredder"}
        As for `format`.
    counters : {"keep", "reset", "drop"}
        As for `format`.
    chess960 : bool
        Judge castling rights by the rules of Chess960.

    Returns
    -------
    StringArray or ChunkedArray of string
        Canonical FEN; null where null or unreadable. ``large_string`` for ``large_string`` input
        and where a chunk outgrows 32-bit offsets.

    Raises
    ------
    TypeError
        If `fens` is not a column of text.

    Examples
    --------
    >>> import fenpack as fp
    >>> fp.canonicalize(["rnbqkbnr/pppppppp/44/8/4P3/8/PPPP1PPP/RNBQKBNR b QKkq e3"]).to_pylist()
    ['rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1']
    """
    return _native.canonicalize(
        as_arrow(fens, "fens"), en_passant, castling, counters, as_bool(chess960, "chess960")
    )


def validate(x: Column, *, chess960: bool = False) -> pa.UInt64Array | pa.ChunkedArray:
    """Find every problem of each row.

    Parameters
    ----------
    x : column of text or of packed positions
        As for `parse` or `format`. A binary column is taken as positions if every row is 40 bytes
        long with a flags byte below 8, which no readable text has. Syntax codes belong to text;
        positions have none.
    chess960 : bool
        Judge castling rights by the rules of Chess960. Positions that were parsed as Chess960 are
        judged so in any case.

    Returns
    -------
    UInt64Array or ChunkedArray of uint64
        `Problem` bits, all that apply; 0 for nothing to say; null for null.

    Raises
    ------
    ValueError
        If a row's bytes are no packed position.
    TypeError
        If `x` is not a column of text or positions.

    Examples
    --------
    >>> import fenpack as fp
    >>> bits = fp.validate(["8/8/8/8/8/8/5kK1/8 w - - 0 1", "8/8/8/8/8/8/8/4K3 b - - 0 1"])
    >>> fp.problem_names(bits).to_pylist()
    [['opposite_check', 'kings_adjacent'], ['no_black_king']]
    """
    return _native.validate(as_arrow(x, "x"), as_bool(chess960, "chess960"))


def repair(fens: Column, *, chess960: bool = False) -> pa.StructArray | pa.ChunkedArray:
    """Make the safe repairs of each FEN and say which.

    Mended are: blanks, tabs, CR, LF, byte order mark and underscores around and between fields;
    EPD operations (taken off; ``hmvc`` and ``fmvn`` set the counters); missing counters; adjacent
    digits; ``W`` and ``B`` for the side to move; the order, repetition and file letters of castling
    rights; leading zeros; fullmove number 0. Castling rights that do not hold and an invalid en
    passant square are dropped; a valid square stays even where nobody can capture. Nothing is
    guessed: a row that only a guess would mend is null.

    Parameters
    ----------
    fens : column of text
        As for `parse`.
    chess960 : bool
        Judge castling rights by the rules of Chess960.

    Returns
    -------
    StructArray or ChunkedArray of struct<fen: string, repairs: uint64>
        FEN to the letter, which `parse` takes with ``dialect="fen"``, and the `Problem` bits that
        were mended, none of which it has any more: 0 where the text is as it was. Null where null
        or unreadable. ``large_string`` as for `canonicalize`.

    Raises
    ------
    TypeError
        If `fens` is not a column of text.

    Examples
    --------
    >>> import fenpack as fp
    >>> repaired = fp.repair(["4k3/8/8/8/44/8/8/4K2R w KQ e6", "9/8 w - - 0 1"])
    >>> repaired.field("fen").to_pylist()
    ['4k3/8/8/8/8/8/8/4K2R w K - 0 1', None]
    >>> fp.problem_names(repaired.field("repairs")).to_pylist()[0]
    ['field_count', 'adjacent_digits', 'castling_impossible', 'ep_no_pawn']
    """
    return _native.repair(as_arrow(fens, "fens"), as_bool(chess960, "chess960"))


def is_valid(
    x: Column,
    *,
    level: Level = "legal",
    strict: bool = False,
    chess960: bool = False,
    profile: Profile | None = None,
) -> pa.BooleanArray | pa.ChunkedArray:
    """Tell whether each row is valid, or what another program accepts.

    Parameters
    ----------
    x : column of text or of packed positions
        As for `validate`.
    level : {"legal", "syntax", "reachable"}
        ``"syntax"``: the text can be read. ``"legal"``: and the position has no `Problem` of
        severity illegal. ``"reachable"``: nor one of severity unreachable, so that nothing proves
        that no game leads to it.
    strict : bool
        Syntax that is repaired counts against a row too.
    chess960 : bool
        Judge castling rights by the rules of Chess960.
    profile : {"python-chess", "shakmaty", "stockfish", "chess.js"}, optional
        Tell instead whether that program would accept the row, with its own syntax and its own
        rules: ``chess.Board(fen, chess960=chess960).is_valid()`` of python-chess 1.11.2;
        ``Fen::from_ascii`` and ``Chess::from_setup`` of shakmaty 0.30.1; ``Position::set`` of
        Stockfish as of August 2026 (neither "Invalid FEN" nor "Unsupported position");
        ``validateFen`` of chess.js 1.4.0. The last two are the same for standard chess and
        Chess960. A packed position is judged by its FEN, written as `format` does.

    Returns
    -------
    BooleanArray or ChunkedArray of bool
        True where the row is valid; null for null.

    Raises
    ------
    ValueError
        If a row's bytes are no packed position, if `level` or `profile` is none of the above, or
        if `profile` is given together with another `level` than the default or with `strict`.
    TypeError
        If `x` is not a column of text or positions.

    Examples
    --------
    >>> import fenpack as fp
    >>> fens = ["8/8/8/8/8/8/8/K1k5 w - -", "8/8/8/8/8/8/8/KKk5 w - -", None]
    >>> fp.is_valid(fens).to_pylist()
    [True, False, None]
    >>> fp.is_valid(fens, profile="chess.js").to_pylist()
    [False, False, None]
    """
    if profile is None:
        return _native.is_valid(as_arrow(x, "x"), level, strict, as_bool(chess960, "chess960"))
    if level != "legal" or strict:
        raise ValueError(
            "profile goes with neither level nor strict: the program has its own rules of both"
        )
    return _native.accepts(as_arrow(x, "x"), profile, as_bool(chess960, "chess960"))
