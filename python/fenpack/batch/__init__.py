"""Arrow batches in, Arrow batches out: what an engine's workers run.

Each function here returns a step, a value that is called with a batch. Steps are pure and
deterministic, can be pickled, compared and run again, and tell the schema of what they give, so
that an engine may run them anywhere, twice, or on no rows at all. They use one thread: the engine
has the others.
"""

from __future__ import annotations

from fenpack.batch.adding import (
    canonicalize,
    identity,
    is_valid,
    key,
    parse,
    partition,
    problem_names,
    validate,
    zobrist,
)
from fenpack.batch.distinct import Distinct, distinct
from fenpack.batch.step import Step

__all__ = [
    "Distinct",
    "Step",
    "canonicalize",
    "distinct",
    "identity",
    "is_valid",
    "key",
    "parse",
    "partition",
    "problem_names",
    "validate",
    "zobrist",
]
