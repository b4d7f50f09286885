"""Test negatives as one array: TGB-Seq's `NAME_test_ns.npy`, int64 of shape (test events, 100).

The file is mapped and converted block by block, because the largest has 4.1 GB.
"""

from __future__ import annotations

import gzip
import shutil
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

BLOCK_ROWS = 1 << 16
PER_QUERY = 100


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
        plain = _plain(path, folder)
        table = _mapped(plain, path, len(queries))
        first, size = int(queries.destination_ids[0]), len(queries.destination_ids)
        offsets = np.arange(len(queries) + 1, dtype=np.int64) * table.shape[1]
        np.save(folder / "offsets.npy", offsets)
        converted = open_memmap(
            folder / "destinations.npy", mode="w+", dtype=np.int32, shape=(int(offsets[-1]),)
        )
        with_positive = 0
        for start in range(0, len(queries), BLOCK_ROWS):
            chosen = rows[start : start + BLOCK_ROWS]
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
            positives = queries.destinations[start : start + BLOCK_ROWS, None]
            with_positive += int((block == positives).any(axis=1).sum())
            converted[start * table.shape[1] : start * table.shape[1] + block.size] = block.ravel()
            if progress is not None:
                progress(min(start + BLOCK_ROWS, len(queries)) * table.shape[1] * 8)
        converted.flush()
        if plain != path:
            plain.unlink()
        return {"k": int(table.shape[1]), "with_positive": with_positive}

    return convert


def _plain(path: Path, folder: Path) -> Path:
    """Give the array's file itself, decompressed beside the result if need be."""
    if path.suffix != ".gz":
        return path
    plain = folder / "negatives.tmp"
    try:
        with gzip.open(path, "rb") as source, plain.open("wb") as file:
            shutil.copyfileobj(source, file, 1 << 20)
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise DownloadError(
            f"{path.name} is not whole: {error}", value=str(path), hint="fetch it again"
        ) from None
    return plain


def _mapped(plain: Path, path: Path, queries: int) -> npt.NDArray[Any]:
    try:
        table = open_memmap(plain, mode="r")
    except (ValueError, EOFError, OverflowError, SyntaxError, TypeError) as error:
        raise DownloadError(
            f"{path.name} is not a whole array of numbers: {error}",
            value=str(path),
            hint="the file was cut short or is another one; fetch it again",
        ) from None
    if table.dtype.kind not in "iu" or table.ndim != 2:
        raise DownloadError(
            f"{path.name} holds {table.dtype} of shape {table.shape}; integers of shape "
            f"({queries}, {PER_QUERY}) are expected",
            value=str(path),
        )
    if len(table) != queries or not table.shape[1]:
        raise CandidateError(
            f"{path.name} has {len(table):,} rows of {table.shape[1]}; "
            f"the test split has {queries:,} events",
            value=len(table),
            hint="the file belongs to other events; fetch both again",
        )
    return table
