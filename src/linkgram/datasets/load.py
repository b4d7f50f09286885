"""Load: from the name of a data set to its stream, its splits and its negatives."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from linkgram.datasets import manifest
from linkgram.datasets.data_set import DataSet
from linkgram.datasets.places import DataSetFiles, find, home
from linkgram.datasets.rectangle import convert_rectangle
from linkgram.datasets.registry import Registration, registered
from linkgram.datasets.samples import read_flights, read_messages
from linkgram.datasets.shipped import ShippedCandidates, ShippedSplit, convert_pickle
from linkgram.datasets.tgb import in_time_order, read_tgb, split_by_quantiles
from linkgram.datasets.tgb_seq import read_tgb_seq
from linkgram.datasets.vocabulary import fixed_stream

if TYPE_CHECKING:
    import os
    from collections.abc import Callable

    import numpy as np

    from linkgram.datasets.download import Progress

CONVERTED = "converted"


def load(
    name: str,
    *,
    directory: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
) -> DataSet:
    r"""Load a data set that is on this machine, from `directory` or where `fetch` puts it.

    Nothing is downloaded. Shipped negatives are converted when first asked for, and kept.

    >>> import tempfile
    >>> from pathlib import Path
    >>> folder = Path(tempfile.mkdtemp())
    >>> rows = [f"{i % 3},{i % 2},{i}.0,0,{i}" for i in range(20)]
    >>> _ = (folder / "tgbl-uci_edgelist.csv").write_text("\n".join(["u,i,ts,label,idx", *rows]))
    >>> load("uci", directory=folder)
    DataSet(name='tgbl-uci', benchmark='TGB', version=1, training_end=14, validation_end=17)
    """
    registration = registered(name)
    files = find(name, directory)
    described = {role: manifest.described(path) for role, path in files.paths.items()}
    if registration.benchmark == "TGB":
        data_set, rows = _tgb(registration, files), None
    elif registration.benchmark == "TGB-Seq":
        data_set, rows = _tgb_seq(registration, files)
    else:
        data_set, rows = _sample(registration, files), None
    parts = {"validation": data_set.validation, "test": data_set.test}
    shipped: dict[str, ShippedSplit] = {}
    for split, queries in parts.items():
        if split in described:
            file = described[split]
            told = _told(progress, file)
            convert = (
                convert_pickle(file.path, queries, told)
                if rows is None
                else convert_rectangle(file.path, queries, rows, told)
            )
            shipped[split] = ShippedSplit(file, queries, convert)
    return replace(
        data_set,
        shipped=ShippedCandidates(registration.name, shipped, home() / CONVERTED),
        files=tuple(described.values()),
        notes=data_set.notes + _surprises(registration, data_set),
    )


def _tgb(registration: Registration, files: DataSetFiles) -> DataSet:
    events, facts = read_tgb(files.paths["events"], registration.layout)
    events, notes = in_time_order(events)
    stream = fixed_stream(events)
    training_end, validation_end, rule = split_by_quantiles(stream.times)
    return _data_set(registration, stream, training_end, validation_end, {**rule, **facts}, notes)


def _tgb_seq(
    registration: Registration, files: DataSetFiles
) -> tuple[DataSet, np.ndarray[Any, np.dtype[np.int64]]]:
    split = read_tgb_seq(files.paths["events"])
    rule: dict[str, Any] = {"rule": "split-column"}
    if split.observed_only:
        rule["observed_only"] = split.observed_only
    data_set = _data_set(
        registration,
        fixed_stream(split.events),
        split.training_end,
        split.validation_end,
        rule,
        list(split.notes),
    )
    return data_set, split.test_rows


def _sample(registration: Registration, files: DataSetFiles) -> DataSet:
    readers = {"message dates": read_messages, "flight table": read_flights}
    stream = readers[registration.layout](files.paths["events"])
    training_end, validation_end, rule = split_by_quantiles(stream.times)
    return _data_set(registration, stream, training_end, validation_end, rule, [])


def _data_set(
    registration: Registration,
    stream: Any,
    training_end: int,
    validation_end: int,
    rule: dict[str, Any],
    notes: list[str],
) -> DataSet:
    return DataSet(
        name=registration.name,
        benchmark=registration.benchmark,
        version=registration.version,
        stream=stream,
        training_end=training_end,
        validation_end=validation_end,
        split_rule=rule,
        shipped={},
        candidate_rule=dict(registration.candidates),
        files=(),
        notes=(*registration.notes, *notes),
    )


def _surprises(registration: Registration, data_set: DataSet) -> tuple[str, ...]:
    """Where the files differ from what the registry expects of this version."""
    found = {
        "events": len(data_set.stream),
        "sources": len(data_set.stream.source_ids),
        "destinations": len(data_set.stream.destination_ids),
    }
    notes = []
    for what, count in found.items():
        expected = getattr(registration, what)
        tolerance = 0.05 * expected if registration.about and expected else 0
        if expected is not None and abs(count - expected) > tolerance:
            notes.append(
                f"the files hold {count:,} {what}, the registry expects {expected:,} in version "
                f"{registration.version}: they may be of another version"
            )
    return tuple(notes)


def _told(progress: Progress | None, file: manifest.DataFile) -> Callable[[int], object] | None:
    """Give a progress of bytes read, told under the file's name."""
    if progress is None:
        return None
    name = Path(file.path).name
    total = None if name.endswith(".gz") else file.bytes
    return lambda done: progress(f"converting {name}", done, total)
