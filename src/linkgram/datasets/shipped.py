"""Shipped negatives: those that came with the data, converted once to arrays that are mapped.

Each split's negatives become a folder of `offsets.npy` (int64, one more than queries),
`destinations.npy` (int32 dense ids) and `rule.json`, the form a `CandidateSet` is saved in. The
folder's name is made from the file's digest and the split's events, so that a changed file or a
changed split is converted anew. TGB's pickles are read by `linkgram._core`, which cannot run code.
"""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from linkgram.datasets.write import disk_errors, temporary_folder
from linkgram.errors import CandidateError

if TYPE_CHECKING:
    from pathlib import Path

    from linkgram.datasets.manifest import DataFile
    from linkgram.evaluation.candidates import CandidateSet
    from linkgram.events import EventStream

FORMAT = "linkgram shipped negatives 1"


@dataclass(frozen=True, slots=True)
class ShippedSplit:
    """How the negatives of one split are made: `convert` writes them into an empty folder."""

    file: DataFile
    queries: EventStream
    convert: Callable[[Path], Mapping[str, Any]]

    def key(self) -> str:
        """Say what the arrays depend on, in 16 digits.

        >>> from linkgram.datasets.manifest import DataFile
        >>> from linkgram.events import EventStream
        >>> from pathlib import Path
        >>> stream = EventStream.from_arrays([1], [2], [3])
        >>> len(ShippedSplit(DataFile(Path("a"), "0" * 64, 1), stream, lambda _: {}).key())
        16
        """
        ids = self.queries.destination_ids
        parts = [FORMAT, self.file.sha256, self.queries.digest(), f"{ids[0]} {len(ids)}"]
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


class ShippedCandidates(Mapping[str, "CandidateSet"]):
    """The shipped negatives by split ("validation", "test"), converted when first asked for.

    `shipped["test"]` is a `CandidateSet`; `shipped.arrays("test")` are its plain arrays.

    >>> from pathlib import Path
    >>> sorted(ShippedCandidates("toy", {}, Path("unused")))
    []
    """

    def __init__(self, name: str, splits: Mapping[str, ShippedSplit], store: Path) -> None:
        self._name = name
        self._splits = dict(splits)
        self._store = store
        self._folders: dict[str, Path] = {}

    def __getitem__(self, split: str) -> CandidateSet:
        from linkgram.evaluation.candidates import CandidateSet

        folder = self.folder(split)
        try:
            return CandidateSet.load(folder)
        except CandidateError:
            # Arrays that were damaged since they were converted are made again.
            del self._folders[split]
            shutil.rmtree(folder, ignore_errors=True)
            return CandidateSet.load(self.folder(split))

    def __iter__(self) -> Iterator[str]:
        return iter(self._splits)

    def __len__(self) -> int:
        return len(self._splits)

    def __contains__(self, split: object) -> bool:
        return split in self._splits

    def __repr__(self) -> str:
        return f"ShippedCandidates({self._name}: {', '.join(self._splits) or 'none'})"

    def arrays(self, split: str) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32]]:
        """Give offsets and destinations of a split, mapped from disk.

        >>> from pathlib import Path
        >>> ShippedCandidates("toy", {}, Path("unused")).arrays("test")
        Traceback (most recent call last):
        KeyError: 'test'
        """
        folder = self.folder(split)
        offsets = np.load(folder / "offsets.npy", mmap_mode="r", allow_pickle=False)
        return offsets, np.load(folder / "destinations.npy", mmap_mode="r", allow_pickle=False)

    def folder(self, split: str) -> Path:
        """Give the folder of a split's arrays, made now if it is not there.

        >>> from pathlib import Path
        >>> ShippedCandidates("toy", {}, Path("unused")).folder("validation")
        Traceback (most recent call last):
        KeyError: 'validation'
        """
        if split not in self._folders:
            shipped = self._splits[split]
            final = self._store / f"{self._name}-{split}-{shipped.key()}"
            if not (final / "rule.json").is_file():
                with disk_errors(f"converting {shipped.file.path} into {final}"):
                    _convert(self._name, split, shipped, final)
            self._folders[split] = final
        return self._folders[split]


def _convert(name: str, split: str, shipped: ShippedSplit, final: Path) -> None:
    from linkgram.evaluation.candidates.files import seal

    with temporary_folder(final.parent) as folder:
        new = folder / final.name
        new.mkdir()
        facts = shipped.convert(new)
        rule = {
            "rule": "shipped",
            "data_set": name,
            "split": split,
            "file": shipped.file.path.name,
            "sha256": shipped.file.sha256,
            "vocabulary_size": len(shipped.queries.destination_ids),
            **facts,
        }
        # Written last: a folder with a rule is a whole one.
        seal(new, np.load(new / "offsets.npy", allow_pickle=False), rule)
        try:
            new.rename(final)
        except OSError:
            # Another process was faster; what it made is the same.
            if not (final / "rule.json").is_file():
                raise


def convert_pickle(
    path: Path, queries: EventStream, progress: Callable[[int], object] | None
) -> Callable[[Path], Mapping[str, Any]]:
    """Say how TGB's pickled negatives become arrays; see `crates/files`.

    >>> from linkgram.events import EventStream
    >>> from pathlib import Path
    >>> stream = EventStream.from_arrays([1], [2], [3])
    >>> callable(convert_pickle(Path("negatives.pkl"), stream, None))
    True
    """

    def convert(folder: Path) -> Mapping[str, Any]:
        from linkgram import _core

        source_ids = np.asarray(queries.source_ids, dtype=np.int64)
        destination_ids = np.asarray(queries.destination_ids, dtype=np.int64)
        return _core.convert_negatives(
            path,
            source_ids[queries.sources],
            destination_ids[queries.destinations],
            queries.times.astype(np.int64),
            int(destination_ids[0]),
            len(destination_ids),
            folder,
            progress,
        )

    return convert
