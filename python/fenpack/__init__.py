"""Very large chess-position datasets: FEN columns in, positions, problems and canonical FEN out.

Every function takes a whole column and returns a whole column of the same length and order;
null in, null out. A column is anything that speaks Arrow (pyarrow, Polars, pandas, DuckDB,
DataFusion, arro3, nanoarrow), a numpy string array, or a sequence of ``str | None``.
"""

from fenpack._native import __version__, get_num_threads, set_num_threads
from fenpack.audit import Audit, audit
from fenpack.columns import canonicalize, format, is_valid, parse, repair, validate
from fenpack.identity import identity, is_duplicate, key, unique, zobrist
from fenpack.inverses import from_bitboards, from_planes, from_tokens
from fenpack.position import (
    PositionArray,
    PositionType,
    from_struct,
    position_dtype,
    to_struct,
)
from fenpack.problems import Diagnosis, FenError, Finding, Problem, explain, problem_names
from fenpack.tensors import (
    SparseFeatures,
    bitboards,
    nnue_features,
    planes,
    tokens,
)

__all__ = [
    "Audit",
    "Diagnosis",
    "FenError",
    "Finding",
    "PositionArray",
    "PositionType",
    "Problem",
    "SparseFeatures",
    "__version__",
    "audit",
    "bitboards",
    "canonicalize",
    "explain",
    "format",
    "from_bitboards",
    "from_planes",
    "from_struct",
    "from_tokens",
    "get_num_threads",
    "identity",
    "is_duplicate",
    "is_valid",
    "key",
    "nnue_features",
    "parse",
    "planes",
    "position_dtype",
    "problem_names",
    "repair",
    "set_num_threads",
    "to_struct",
    "tokens",
    "unique",
    "validate",
    "zobrist",
]
