"""A candidate set on disk: one directory, `offsets.npy`, `destinations.npy` and `rule.json`.

    offsets.npy         int64, little-endian, one more than there are queries
    destinations.npy    int32, little-endian, all negatives, query after query
    rule.json           {"format": "linkgram candidates 1", "digest": SHA-256, "rule": {...}}

The set of every destination but the positive has only `rule.json`. A directory is written beside
its place under another name and renamed when it is complete.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from array import array
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from linkgram.errors import CandidateError, DataSetMissingError, SettingError
from linkgram.evaluation.candidates.checks import PIECE, check_destinations, check_offsets

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from numpy.typing import NDArray

OFFSETS, DESTINATIONS, RULE = "offsets.npy", "destinations.npy", "rule.json"
FORMAT = "linkgram candidates 1"
LARGEST_RULE = 1 << 20


@contextmanager
def replacing(directory: str | os.PathLike[str]) -> Iterator[Path]:
    """Lend a new directory that takes the place of `directory` if all goes well."""
    target = Path(directory)
    _refuse_foreign(target)
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(
        dir=target.parent, prefix=f".{target.name}-", ignore_cleanup_errors=True
    ) as workplace:
        new, old = Path(workplace, "new"), Path(workplace, "old")
        new.mkdir()
        yield new
        for path in new.iterdir():
            with path.open("rb+") as file:
                os.fsync(file.fileno())
        _refuse_foreign(target)
        if target.exists():
            target.rename(old)
        try:
            new.rename(target)
        except OSError:
            if old.exists():
                old.rename(target)
            raise


def _refuse_foreign(target: Path) -> None:
    if target.is_dir():
        found = {path.name for path in target.iterdir()}
        if not found or (RULE in found and found <= {OFFSETS, DESTINATIONS, RULE}):
            return
    elif not target.exists() and not target.is_symlink():
        return
    raise SettingError(
        f"{target} is there already and is not a candidate set; it is not replaced",
        setting="directory",
        value=str(target),
        hint="name another directory, or remove it",
    )


def new_destinations(directory: Path, total: int) -> NDArray[np.int32]:
    """Make the file of destinations at its full size, mapped for writing."""
    made: NDArray[np.int32] = np.lib.format.open_memmap(
        directory / DESTINATIONS, mode="w+", dtype=np.dtype("<i4"), shape=(total,)
    )
    return made


def append_rows(directory: Path, rows: Iterable[NDArray[np.int32]]) -> NDArray[np.int64]:
    """Write rows as they come into the file of destinations; gives the offsets."""
    ends = array("q", [0])
    with (directory / DESTINATIONS).open("wb") as file:
        _write_header(file, 0)
        start = file.tell()
        for row in rows:
            file.write(row.tobytes())
            ends.append(ends[-1] + len(row))
        file.seek(0)
        # NumPy leaves room in a header for the longest number of rows, so its length stays.
        _write_header(file, ends[-1])
        if file.tell() != start:
            raise RuntimeError("the header of a .npy file changed its length")
    return np.array(ends, np.int64)


def _write_header(file: Any, total: int) -> None:
    header = {"descr": "<i4", "fortran_order": False, "shape": (total,)}
    np.lib.format.write_array_header_1_0(file, header)


def seal(directory: Path, offsets: NDArray[np.int64] | None, rule: Mapping[str, Any]) -> None:
    """Complete a directory that has its destinations: offsets, rule and digest."""
    content: dict[str, Any] = {"format": FORMAT, "rule": dict(rule)}
    if offsets is not None:
        np.save(directory / OFFSETS, offsets, allow_pickle=False)
        content["digest"] = _file_digest(directory)
    (directory / RULE).write_text(json.dumps(content, indent=1, allow_nan=False), "utf-8")


def digest(offsets: NDArray[np.int64], destinations: NDArray[np.int32]) -> str:
    """SHA-256 of both columns' numbers, little-endian.

    >>> digest(np.array([0, 1]), np.array([7], dtype=np.int32))[:8]
    'f67b1844'
    """
    sha = hashlib.sha256()
    for values, dtype in ((offsets, "<i8"), (destinations, "<i4")):
        for start in range(0, len(values), PIECE):
            sha.update(np.ascontiguousarray(values[start : start + PIECE], dtype=dtype).data)
    return sha.hexdigest()


def damaged(directory: Path, problem: str) -> CandidateError:
    """Make the refusal of a directory that is not as it was saved."""
    return CandidateError(
        f"the candidates in {directory} cannot be used: {problem}",
        value=str(directory),
        hint="make or fetch them again",
    )


def read_rule(directory: Path) -> dict[str, Any]:
    """Read the rule of a saved set."""
    rule: dict[str, Any] = _read_content(directory)["rule"]
    return rule


def _read_content(directory: Path) -> dict[str, Any]:
    path = directory / RULE
    if not path.is_file():
        raise DataSetMissingError(
            f"there is no candidate set in {directory}", value=str(directory), hint=f"no {RULE}"
        )
    if path.stat().st_size > LARGEST_RULE:
        raise damaged(directory, f"{RULE} is larger than {LARGEST_RULE} bytes")
    try:
        content = json.loads(path.read_text("utf-8"))
    except (ValueError, RecursionError) as problem:
        raise damaged(directory, f"{RULE} is not JSON: {problem}") from None
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise damaged(directory, f"{RULE} does not say {FORMAT!r}")
    if not isinstance(content.get("rule"), dict):
        raise damaged(directory, f"{RULE} holds no rule")
    return content


def map_columns(directory: Path) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Map offsets and destinations; their headers and sizes are checked, not what they hold."""
    return _map(directory, OFFSETS, "<i8"), _map(directory, DESTINATIONS, "<i4")


def _map(directory: Path, name: str, dtype: str) -> NDArray[Any]:
    path = directory / name
    if not path.is_file():
        raise damaged(directory, f"{name} is missing")
    try:
        # Unlike numpy.load this opens nothing but one array, and cannot unpickle.
        found = np.lib.format.open_memmap(path, mode="r")
    except OSError:
        raise
    except Exception as problem:  # whatever NumPy's parser trips over, the file is to blame
        raise damaged(directory, f"{name} is not a NumPy file: {problem}") from None
    if found.dtype != np.dtype(dtype) or found.ndim != 1:
        raise damaged(directory, f"{name} does not hold one row of {np.dtype(dtype)}")
    if path.stat().st_size != found.offset + found.nbytes:
        raise damaged(directory, f"{name} has another length than its header says")
    return found


def check(directory: Path, vocabulary_size: int | None) -> None:
    """Read a saved set through once, a piece at a time, and refuse it where anything is wrong."""
    saved = _read_content(directory).get("digest")
    offsets, destinations = map_columns(directory)
    sha = hashlib.sha256()
    last = 0
    try:
        for start, piece in _pieces(directory, OFFSETS, offsets):
            sha.update(piece.data)
            # Each piece is judged together with the end of the one before it.
            ends = np.concatenate([[last], piece]) if start else piece
            check_offsets(ends, int(piece[-1]), first=last)
            last = int(piece[-1])
        if not len(offsets) or last != len(destinations):
            raise CandidateError(f"offsets end at {last}, candidates at {len(destinations)}")
        for start, piece in _pieces(directory, DESTINATIONS, destinations):
            sha.update(piece.data)
            check_destinations(piece, vocabulary_size, first=start)
    except CandidateError as problem:
        raise damaged(directory, problem.message) from None
    if sha.hexdigest() != saved:
        raise damaged(directory, "their digest is not the one that was saved")


def _file_digest(directory: Path) -> str:
    sha = hashlib.sha256()
    offsets, destinations = map_columns(directory)
    for _, piece in _pieces(directory, OFFSETS, offsets):
        sha.update(piece.data)
    for _, piece in _pieces(directory, DESTINATIONS, destinations):
        sha.update(piece.data)
    return sha.hexdigest()


def _pieces(directory: Path, name: str, values: NDArray[Any]) -> Iterator[tuple[int, NDArray[Any]]]:
    """Read a column a piece at a time; reading through the map would leave it all resident."""
    with (directory / name).open("rb") as file:
        file.seek(values.offset)  # type: ignore[attr-defined]
        for start in range(0, len(values), PIECE):
            yield start, np.fromfile(file, values.dtype, min(PIECE, len(values) - start))
