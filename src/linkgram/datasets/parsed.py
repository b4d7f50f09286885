"""Parsed streams: what a long file of events became, kept so that it is read once.

A file of tens of millions of lines takes a minute or more to read; its columns as arrays take a
second. They are kept under a name made from the file's digest, so a changed file is read anew, and
whatever is wrong with what was kept, the file itself is read again.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from linkgram.datasets.write import disk_errors, temporary_folder
from linkgram.errors import DownloadError
from linkgram.events import EventStream

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from linkgram.datasets.manifest import DataFile

FORMAT = "linkgram parsed stream 1"
WORTH_KEEPING = 1_000_000
COLUMNS = {
    "sources": np.uint32,
    "destinations": np.uint32,
    "times": np.float64,
    "source_ids": np.int64,
    "destination_ids": np.int64,
}


@dataclass(frozen=True, slots=True)
class SplitStream:
    """A stream, where its splits end and by what rule; `test_rows` as in `SplitEvents`."""

    stream: EventStream
    training_end: int
    validation_end: int
    rule: Mapping[str, Any]
    notes: tuple[str, ...] = ()
    test_rows: npt.NDArray[np.int64] | None = None


def parsed_once(
    store: Path, name: str, layout: str, file: DataFile, read: Callable[[], SplitStream]
) -> SplitStream:
    """Give what `read` gives, from what was kept of this very file if that is there.

    >>> import tempfile
    >>> from pathlib import Path
    >>> from linkgram.datasets.manifest import DataFile
    >>> split = SplitStream(EventStream.from_arrays([1, 1, 1], [2, 3, 2], [4, 5, 6]), 1, 2, {})
    >>> file = DataFile(Path("a.csv"), "0" * 64, 10)
    >>> parsed_once(Path(tempfile.mkdtemp()), "toy", "two roles", file, lambda: split) is split
    True
    """
    key = hashlib.sha256("\n".join([FORMAT, layout, file.sha256]).encode()).hexdigest()[:16]
    folder = store / f"{name}-events-{key}"
    kept = _kept(folder)
    if kept is not None:
        return kept
    split = read()
    if len(split.stream) >= WORTH_KEEPING and not isinstance(split.stream.source_ids, tuple):
        _keep(folder, split)
    return split


def _keep(folder: Path, split: SplitStream) -> None:
    """Write a folder that is whole when it has its name; a full disk only costs the time."""
    facts = {
        "training_end": split.training_end,
        "validation_end": split.validation_end,
        "rule": dict(split.rule),
        "notes": list(split.notes),
        "time_unit": split.stream.time_unit,
    }
    try:
        with (
            disk_errors(f"keeping the parsed stream in {folder}"),
            temporary_folder(folder.parent) as beside,
        ):
            new = beside / folder.name
            new.mkdir()
            for column in COLUMNS:
                np.save(new / f"{column}.npy", np.asarray(getattr(split.stream, column)))
            if split.test_rows is not None:
                np.save(new / "test_rows.npy", split.test_rows)
            (new / "facts.json").write_text(json.dumps(facts, indent=2) + "\n", "utf-8")
            # What is there, if anything, could not be used.
            shutil.rmtree(folder, ignore_errors=True)
            new.rename(folder)
    except DownloadError:
        return


def _kept(folder: Path) -> SplitStream | None:
    try:
        facts = json.loads((folder / "facts.json").read_text("utf-8"))
        columns = {
            column: _column(folder / f"{column}.npy", np.dtype(kind))
            for column, kind in COLUMNS.items()
        }
        rows = folder / "test_rows.npy"
        split = SplitStream(
            EventStream(**columns, time_unit=str(facts["time_unit"])),
            int(facts["training_end"]),
            int(facts["validation_end"]),
            dict(facts["rule"]),
            tuple(map(str, facts["notes"])),
            _column(rows, np.dtype(np.int64)) if rows.exists() else None,
        )
        return split if _sound(split) else None
    except (OSError, ValueError, KeyError, TypeError, EOFError):
        return None


def _column(path: Path, kind: np.dtype[Any]) -> npt.NDArray[Any]:
    array: npt.NDArray[Any] = np.load(path, allow_pickle=False)
    if array.dtype != kind or array.ndim != 1:
        raise ValueError(f"{path} holds {array.dtype}")
    array.flags.writeable = False
    return array


def _sound(split: SplitStream) -> bool:
    """Whether nothing that reads this stream could go outside its arrays."""
    stream = split.stream
    return (
        len(stream.sources) == len(stream.destinations) == len(stream.times) > 0
        and int(stream.sources.max()) < len(stream.source_ids)
        and int(stream.destinations.max()) < len(stream.destination_ids)
        and bool((stream.times[1:] >= stream.times[:-1]).all())
    )
