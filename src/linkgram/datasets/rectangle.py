"""Test negatives as one array: TGB-Seq's `NAME_test_ns.npy`, int64 of shape (test events, 100).

The file is mapped and converted block by block, because the largest has 4.1 GB.
"""

from __future__ import annotations

import gzip
import zlib
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from numpy.lib.format import open_memmap

from linkgram.errors import CandidateError, DownloadError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from linkgram.events import EventStream

BLOCK_NUMBERS = 1 << 23
PER_QUERY = 100
MOST_PER_QUERY = 1 << 20
# The longest header of NumPy's files, and what its readers raise over a damaged one.
HEADER = 1 << 16
UNREADABLE = (ValueError, EOFError, OverflowError, SyntaxError, TypeError)


def convert_rectangle(
    path: Path,
    queries: EventStream,
    rows: npt.NDArray[np.int64],
    progress: Callable[[int], object] | None,
) -> Callable[[Path], Mapping[str, Any]]:
    """Say how the rows of the array become negatives of the queries; `rows[i]` is query i's row.

    >>> from linkgram.events import EventStream
    >>> from pathlib import Path
    >>> stream = EventStream.from_arrays([1], [2], [3])
    >>> callable(convert_rectangle(Path("negatives.npy"), stream, np.array([0]), None))
    True
    """

    def convert(folder: Path) -> Mapping[str, Any]:
        plain = _plain(path, folder, len(queries))
        table = _mapped(plain, path, len(queries))
        first, size = int(queries.destination_ids[0]), len(queries.destination_ids)
        offsets = np.arange(len(queries) + 1, dtype=np.int64) * table.shape[1]
        np.save(folder / "offsets.npy", offsets)
        converted = open_memmap(
            folder / "destinations.npy", mode="w+", dtype=np.int32, shape=(int(offsets[-1]),)
        )
        with_positive = 0
        step = max(1, BLOCK_NUMBERS // table.shape[1])
        for start in range(0, len(queries), step):
            chosen = rows[start : start + step]
            block = table[chosen].astype(np.int64) - first
            wrong = np.argwhere((block < 0) | (block >= size))
            if wrong.size:
                row, column = (int(index) for index in wrong[0])
                raise CandidateError(
                    f"query {start + row}: negative {column} in {path.name} is destination "
                    f"{block[row, column] + first}; destinations are {first} to {first + size - 1}",
                    row=start + row,
                    value=int(block[row, column] + first),
                    hint="the file belongs to other events; fetch both again",
                )
            positives = queries.destinations[start : start + step, None]
            with_positive += int((block == positives).any(axis=1).sum())
            converted[start * table.shape[1] : start * table.shape[1] + block.size] = block.ravel()
            if progress is not None:
                progress(min(start + step, len(queries)) * table.shape[1] * 8)
        converted.flush()
        if plain != path:
            plain.unlink()
        return {"k": int(table.shape[1]), "with_positive": with_positive}

    return convert


def _plain(path: Path, folder: Path, queries: int) -> Path:
    """Give the array's file itself, decompressed beside the result if need be.

    What a compressed file becomes is known from its header: a small file cannot fill the disk.
    """
    if path.suffix != ".gz":
        return path
    plain = folder / "negatives.tmp"
    try:
        with gzip.open(path, "rb") as source, plain.open("wb") as file:
            size = file.write(source.read(HEADER))
            file.flush()
            whole = _header(plain, path, queries)
            while size <= whole and (block := source.read(1 << 20)):
                size += file.write(block)
            if size > whole:
                raise _not_whole(path, "it holds more than its header says")
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise _not_whole(path, error) from None
    return plain


def _header(plain: Path, path: Path, queries: int) -> int:
    """Check what the array says of itself; how many bytes the whole file has."""
    try:
        with plain.open("rb") as file:
            version = np.lib.format.read_magic(file)
            read = {
                (1, 0): np.lib.format.read_array_header_1_0,
                (2, 0): np.lib.format.read_array_header_2_0,
            }.get(version)
            if read is None:
                raise ValueError(f"version {version} of the format is unknown")
            shape, _, kind = read(file)
            start = file.tell()
    except UNREADABLE as error:
        raise _not_whole(path, error) from None
    if kind.kind not in "iu" or len(shape) != 2:
        raise DownloadError(
            f"{path.name} holds {kind} of shape {shape}; integers of shape "
            f"({queries}, {PER_QUERY}) are expected",
            value=str(path),
        )
    if shape[0] != queries or not 0 < shape[1] <= MOST_PER_QUERY:
        raise CandidateError(
            f"{path.name} has {shape[0]:,} rows of {shape[1]:,}; "
            f"the test split has {queries:,} events",
            value=shape[0],
            hint="the file belongs to other events; fetch both again",
        )
    return start + shape[0] * shape[1] * kind.itemsize


def _mapped(plain: Path, path: Path, queries: int) -> npt.NDArray[Any]:
    _header(plain, path, queries)
    try:
        return open_memmap(plain, mode="r")
    except UNREADABLE as error:
        raise _not_whole(path, error) from None


def _not_whole(path: Path, reason: object) -> DownloadError:
    return DownloadError(
        f"{path.name} is not a whole array of numbers: {reason}",
        value=str(path),
        hint="the file was cut short or is another one; fetch it again",
    )
