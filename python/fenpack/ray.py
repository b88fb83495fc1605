"""Ray datasets: problems, canonical text, keys, exact deduplication on a cluster.

The functions of `fenpack.batch` are what ``Dataset.map_batches`` takes: `run` calls it. The workers
need this package.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fenpack import batch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ray.data import Dataset

    from fenpack.identity import By

__all__ = ["deduplicate", "run"]


def run(dataset: Dataset, step: batch.Step, **options: Any) -> Dataset:
    """Add the column of a step from `fenpack.batch`, such as ``batch.validate("fen")``.

    Parameters
    ----------
    dataset : ray.data.Dataset
        The rows.
    step : fenpack.batch.Step
        What to add.
    **options
        Passed on to ``Dataset.map_batches``: ``batch_size``, ``concurrency``, ``memory`` and so on.

    Returns
    -------
    ray.data.Dataset
        The same rows with one more column, of the type that the step tells.

    Examples
    --------
    >>> import fenpack.ray, ray
    >>> from fenpack import batch
    >>> rows = ray.data.read_parquet("games/")  # doctest: +SKIP
    >>> fenpack.ray.run(rows, batch.is_valid("fen")).write_parquet("judged/")  # doctest: +SKIP
    """
    return dataset.map_batches(step, batch_format="pyarrow", **options)


def deduplicate(
    dataset: Dataset,
    column: str,
    *,
    order_by: str | Sequence[str] = (),
    partitions: int = 64,
    by: By = "position",
    chess960: bool = False,
) -> Dataset:
    """Keep one row of each position.

    Exact: rows meet by a hash of their identity (see `fenpack.identity`), and the identities
    themselves are compared. Which row survives depends on the data alone, never on blocks, on the
    order in which tasks end or on a task that is run again: the first by `order_by`, then by every
    other column that has an order, from the first to the last, nulls last. Rows that are null or
    cannot be read are the same as no other and are all kept.

    Parameters
    ----------
    dataset : ray.data.Dataset
        The rows.
    column : str
        The column of text or packed positions.
    order_by : str or sequence of str
        The columns whose least values survive. For the first occurrence, give a row number that is
        part of the data.
    partitions : int
        In how many parts the rows are compared. A worker holds a part of the rows two or three
        times; some 2 million rows a part are a good size.
    by, chess960 : optional
        As for `fenpack.identity`.

    Returns
    -------
    ray.data.Dataset
        Of the same columns, in no particular order.

    Raises
    ------
    ValueError
        If a column is missing or there twice, when the dataset is executed, or if there is less
        than one partition.

    Notes
    -----
    One shuffle of whole rows through the object store, which spills to disk.
    """
    place = batch.partition(column, partitions, into=_PARTITION, by=by, chess960=chess960)
    distinct = batch.distinct(column, order_by=order_by, by=by, chess960=chess960)
    parts = run(dataset, place).groupby(_PARTITION, num_partitions=partitions)
    return parts.map_groups(_survivors, batch_format="pyarrow", fn_kwargs={"distinct": distinct})


_PARTITION = "_fenpack_partition"


def _survivors(rows: Any, distinct: batch.Distinct) -> Any:
    return distinct(rows.drop_columns([_PARTITION]))
