"""Datasets for PyTorch, and the expansion of bit-packed planes on an accelerator.

Both datasets give whole batches as dicts of tensors, ``x`` and the labels; a DataLoader takes
them with ``batch_size=None`` (or for `PackedPositions`, a sampler of batches) and copies nothing
to collate them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch.utils.data import Dataset, IterableDataset, get_worker_info

import fenpack as fp
from fenpack.feeding import Batches
from fenpack.gathering import PackedFile
from fenpack.layouts import layout_named

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator, Mapping, Sequence

__all__ = ["PackedPositions", "PositionBatches", "expand"]


class PositionBatches(IterableDataset):  # type: ignore[misc]
    r"""The batches of `fenpack.feeding.Batches` as tensors, divided among ranks and workers.

    Parameters
    ----------
    paths : str, Path or an iterable of them
        As for `fenpack.feeding.Batches`.
    rank, world_size : int, optional
        This process and how many there are, by default those of ``torch.distributed`` where it is
        initialised. Every worker of every rank reads its own blocks of rows, with one thread.
    **options
        As for `fenpack.feeding.Batches`, but for ``shard`` and ``shards``.

    Notes
    -----
    Workers that a DataLoader starts for each epoch begin with what `set_epoch` says, those that
    persist count the epochs themselves.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from torch.utils.data import DataLoader
    >>> from fenpack.torch import PositionBatches
    >>> file = pathlib.Path(tempfile.mkdtemp(), "rows.csv")
    >>> _ = file.write_text("fen,score\n8/8/8/8/8/8/8/K1k5 w - -,12\n")
    >>> [batch] = DataLoader(PositionBatches(file, labels=["score"]), batch_size=None)
    >>> batch["x"].shape, batch["score"]
    (torch.Size([1, 12, 8, 8]), tensor([12.], dtype=torch.float64))
    """

    def __init__(
        self,
        paths: Any,
        *,
        rank: int | None = None,
        world_size: int | None = None,
        **options: Any,
    ) -> None:
        if rank is None and world_size is None:
            rank, world_size = _distributed()
        if rank is None or world_size is None:
            raise ValueError("rank and world_size go together")
        if {"shard", "shards"} & options.keys():
            raise ValueError("shard and shards follow from rank, world_size and workers")
        Batches(paths, **options)
        self._paths, self._options = paths, options
        self._rank, self._world_size = rank, world_size
        self._state = {"epoch": 0, "batches": 0}
        self._resumed = False
        self._batches: Batches | None = None

    def set_epoch(self, epoch: int) -> None:
        """Begin the next iteration with another epoch's order.

        Parameters
        ----------
        epoch : int
            Its number, from 0.
        """
        self._state = {"epoch": epoch, "batches": 0}

    def __iter__(self) -> Iterator[dict[str, torch.Tensor]]:
        info = get_worker_info()
        worker, workers = (0, 1) if info is None else (info.id, info.num_workers)
        state = dict(self._state)
        if info is not None:
            fp.set_num_threads(1)
        if not self._resumed:
            # A DataLoader takes a batch of each worker in turn, and begins with the first.
            worker = (worker + state["batches"]) % workers
            state["batches"] = max(0, -((worker - state["batches"]) // workers))
        shard, shards = self._rank * workers + worker, self._world_size * workers
        self._batches = Batches(self._paths, **self._options, shard=shard, shards=shards)
        self._batches.load_state_dict(state)
        for batch in self._batches:
            yield {name: torch.from_numpy(values) for name, values in batch.items()}
        self._state, self._resumed = self._batches.state_dict(), False

    def state_dict(self) -> dict[str, int]:
        """Give where this process is, as torchdata's StatefulDataLoader asks every worker.

        Returns
        -------
        dict of str to int
            The ``epoch``, and how many ``batches`` of it this ``worker`` gave.
        """
        state = self._state if self._batches is None else self._batches.state_dict()
        return {**state, "worker": 1}

    def load_state_dict(self, state: Mapping[str, int]) -> None:
        """Go on after the batches of `state`.

        Parameters
        ----------
        state : mapping of str to int
            A `state_dict` of this worker, or ``{"epoch": e, "batches": n}``, where ``n`` counts the
            batches of all workers that a DataLoader has given, in the process that makes the
            DataLoader.
        """
        self._state = {"epoch": int(state["epoch"]), "batches": int(state["batches"])}
        self._resumed = "worker" in state


class PackedPositions(Dataset):  # type: ignore[misc]
    """Random rows of a packed file that is mapped into memory, as tensors.

    Parameters
    ----------
    path : str or Path
        As for `fenpack.gathering.PackedFile`.
    **options
        As for `fenpack.gathering.PackedFile`.

    Examples
    --------
    Batches of 4,096 random rows, one gather each::

        rows = PackedPositions("train.arrow", labels=["score"])
        sampler = BatchSampler(RandomSampler(rows), 4096, drop_last=True)
        loader = DataLoader(rows, sampler=sampler, batch_size=None, num_workers=2)
    """

    def __init__(self, path: str | os.PathLike[str], **options: Any) -> None:
        self._file = PackedFile(path, **options)

    def __len__(self) -> int:
        return len(self._file)

    def __getitem__(self, rows: int | Sequence[int] | np.ndarray[Any, Any]) -> Any:
        """Give one row, or the batch of many."""
        if get_worker_info() is not None:
            fp.set_num_threads(1)
        if isinstance(rows, int | np.integer):
            batch = self._file.take([rows])
            return {name: torch.from_numpy(values)[0] for name, values in batch.items()}
        return {name: torch.from_numpy(values) for name, values in self._file.take(rows).items()}


def expand(
    bitboards: torch.Tensor,
    layout: str = "pieces",
    *,
    dtype: torch.dtype = torch.float32,
) -> torch.Tensor:
    """Spread bit-packed planes over squares, on whatever device they are.

    Words are taken apart into bytes first, because accelerators have no shifts of unsigned 64-bit
    integers.

    Parameters
    ----------
    bitboards : tensor of uint64 or int64, shape (N, C)
        As `fenpack.bitboards` writes them.
    layout : str
        As they were written: the planes that hold numbers get theirs, divided.
    dtype : torch.dtype
        Of the result.

    Returns
    -------
    tensor of `dtype`, shape (N, C, 8, 8)
        As `fenpack.planes` gives them.

    Examples
    --------
    >>> import torch
    >>> import fenpack as fp
    >>> from fenpack.torch import expand
    >>> words = torch.from_numpy(fp.bitboards(["8/8/8/8/8/8/8/K1k5 w - -"]))
    >>> expand(words)[0, 5, 0].tolist()
    [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]
    """
    chosen = layout_named(layout)
    if bitboards.ndim != 2 or bitboards.shape[1] != chosen.channels or bitboards.itemsize != 8:
        raise ValueError(
            f"bitboards must be 64-bit integers of shape (N, {chosen.channels}), got "
            f"{bitboards.dtype} of shape {tuple(bitboards.shape)}"
        )
    signed = bitboards.contiguous().view(torch.int64)
    ranks = signed.view(torch.uint8).view(*signed.shape, 8, 1)
    files = torch.arange(8, dtype=torch.uint8, device=ranks.device)
    planes = ((ranks >> files) & 1).to(dtype)
    for count in chosen.counts:
        number = signed[:, count.plane].to(torch.float32) / count.divisor
        planes[:, count.plane] = number.to(dtype)[:, None, None]
    return planes


def _distributed() -> tuple[int, int]:
    if torch.distributed.is_available() and torch.distributed.is_initialized():
        return torch.distributed.get_rank(), torch.distributed.get_world_size()
    return 0, 1
