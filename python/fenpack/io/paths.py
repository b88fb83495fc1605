"""Paths: files, folders, patterns and standard input become a list of inputs."""

from __future__ import annotations

import glob
import os
import re
import stat
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

import pyarrow as pa

from fenpack.io.errors import InputError
from fenpack.io.kinds import KNOWN, Kind, kind_as_told

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

STDIN = "-"
_WHOLE = re.compile(r"-?[0-9]{1,18}")


@dataclass(frozen=True)
class Input:
    """One file, or standard input.

    Attributes
    ----------
    path : Path or None
        None is standard input.
    kind : Kind
        How it is read.
    partition : dict
        The columns that ``key=value`` folders above the file name, within the folder asked for.
    """

    path: Path | None
    kind: Kind
    partition: dict[str, pa.Scalar] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """What messages call it."""
        return "standard input" if self.path is None else str(self.path)


def find_inputs(
    paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    format: str | None = None,  # noqa: A002
) -> list[Input]:
    """Find the files that paths stand for.

    Parameters
    ----------
    paths : str, Path or an iterable of them
        A file; a folder, of which every file of a known kind is taken, in order of path, but for
        names that begin with ``.`` or ``_``; a pattern with ``*``, ``?``, ``[…]`` or ``**``, in
        order of path; ``-`` for standard input.
    format : str, optional
        The kind of every file, such as ``"csv"`` or ``"csv.gz"``. By default a file's suffixes
        tell, and standard input holds one FEN a line.

    Returns
    -------
    list of Input
        At least one.

    Raises
    ------
    InputError
        If there is no such file, a folder or pattern holds none or a folder several kinds.
    ValueError
        If `format` is no kind, or there is no path.
    """
    several = [paths] if isinstance(paths, str | os.PathLike) else list(paths)
    if not several:
        raise ValueError("paths must name at least one file, got none")
    found = [one for path in several for one in _find(os.fspath(path), format)]
    if sum(one.path is None for one in found) > 1:
        raise InputError("standard input can be read only once")
    return found


def _find(path: str, told: str | None) -> Sequence[Input]:
    if path == STDIN:
        kind = kind_as_told("_.fen", told)
        assert kind is not None
        return [Input(None, kind)]
    if not path:
        raise InputError("a path is empty")
    if os.path.isdir(path):
        return _in_folder(Path(path), told)
    if not os.path.lexists(path) and glob.has_magic(path):
        files = [Path(name) for name in glob.glob(path, recursive=True) if os.path.isfile(name)]
        if not files:
            raise InputError(f"{path}: no file matches")
        return [_file(file, told) for file in sorted(files)]
    return [_file(Path(path), told)]


def check_file(path: Path) -> None:
    """Refuse what is no file that can be read again."""
    try:
        mode = path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError, ValueError) as error:
        raise InputError(f"{path}: no such file") from error
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from error
    if stat.S_ISFIFO(mode) or stat.S_ISCHR(mode) or stat.S_ISSOCK(mode):
        raise InputError(f"{path}: not a file, which can be read again; pipe it in and read -")
    if not stat.S_ISREG(mode):
        raise InputError(f"{path}: not a file")


def _file(path: Path, told: str | None) -> Input:
    check_file(path)
    kind = kind_as_told(path, told)
    if kind is None:
        raise InputError(f"{path}: unknown kind of file; known are {KNOWN}")
    return Input(path, kind)


def _in_folder(folder: Path, told: str | None) -> list[Input]:
    files: list[Path] = []
    seen = {os.path.realpath(folder)}
    for place, folders, names in os.walk(folder, onerror=_refuse, followlinks=True):
        folders[:] = [name for name in sorted(folders) if _is_new(Path(place, name), seen)]
        visible = (Path(place, name) for name in names if not name.startswith((".", "_")))
        files += [file for file in visible if file.is_file()]
    kinds = {file: kind_as_told(file, told) for file in sorted(files)}
    found = [(file, kind) for file, kind in kinds.items() if kind is not None]
    if not found:
        raise InputError(f"{folder}: no file of a known kind in this folder; known are {KNOWN}")
    several = sorted({kind.suffix for _, kind in found})
    if len(several) > 1:
        raise InputError(
            f"{folder}: files of several kinds in this folder, {', '.join(several)}; "
            f"take one kind by a pattern such as {folder / '**' / ('*' + several[0])}"
        )
    values = _partitions(folder, [file for file, _ in found])
    return [
        Input(file, kind, partition) for (file, kind), partition in zip(found, values, strict=True)
    ]


def _is_new(folder: Path, seen: set[str]) -> bool:
    """Tell whether to read a folder: links may lead back to one that was read."""
    real = os.path.realpath(folder)
    is_new = not folder.name.startswith((".", "_")) and real not in seen
    seen.add(real)
    return is_new


def _refuse(error: OSError) -> None:
    raise InputError(f"{error.filename}: {error.strerror}") from error


def _partitions(folder: Path, files: list[Path]) -> list[dict[str, pa.Scalar]]:
    """Read ``key=value`` folders: whole numbers if every file has one there, or else text."""
    found: list[dict[str, str | None]] = []
    for file in files:
        folders = (part.partition("=") for part in file.relative_to(folder).parts[:-1])
        found.append({unquote(key): _value(value) for key, equals, value in folders if equals})
    numbers = {
        key: pa.int64()
        for one in found
        for key in one
        if all(value is None or _WHOLE.fullmatch(value) for value in (o.get(key) for o in found))
    }
    return [
        {key: _typed(value, numbers.get(key, pa.string())) for key, value in one.items()}
        for one in found
    ]


def _value(text: str) -> str | None:
    return None if text == "__HIVE_DEFAULT_PARTITION__" else unquote(text)


def _typed(value: str | None, kind: pa.DataType) -> pa.Scalar:
    return pa.scalar(int(value) if value is not None and kind == pa.int64() else value, kind)
