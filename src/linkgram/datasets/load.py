"""Load: from the name of a data set to its stream, its splits and its negatives."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from linkgram.datasets import manifest
from linkgram.datasets.data_set import DataSet
from linkgram.datasets.parsed import SplitStream, parsed_once
from linkgram.datasets.places import find, home
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
    from pathlib import Path

    from linkgram.datasets.download import Progress
    from linkgram.events import EventStream

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
    store = home() / CONVERTED
    events = described["events"]
    read = {"TGB": _tgb, "TGB-Seq": _tgb_seq, "samples": _sample}[registration.benchmark]
    split = parsed_once(
        store,
        registration.name,
        registration.layout,
        events,
        lambda: read(registration, events.path),
    )
    data_set = DataSet(
        name=registration.name,
        benchmark=registration.benchmark,
        version=registration.version,
        stream=split.stream,
        training_end=split.training_end,
        validation_end=split.validation_end,
        split_rule=split.rule,
        shipped={},
        candidate_rule=dict(registration.candidates),
        files=tuple(described.values()),
        notes=(*registration.notes, *split.notes, *_surprises(registration, split.stream)),
    )
    shipped = {}
    for role, queries in (("validation", data_set.validation), ("test", data_set.test)):
        if role in described:
            file, rows = described[role], split.test_rows
            told = _told(progress, file)
            convert = (
                convert_pickle(file.path, queries, told)
                if rows is None
                else convert_rectangle(file.path, queries, rows, told)
            )
            shipped[role] = ShippedSplit(file, queries, convert)
    return replace(data_set, shipped=ShippedCandidates(registration.name, shipped, store))


def _tgb(registration: Registration, path: Path) -> SplitStream:
    events, facts = read_tgb(path, registration.layout)
    events, notes = in_time_order(events)
    return _split(fixed_stream(events), facts, notes)


def _sample(registration: Registration, path: Path) -> SplitStream:
    readers = {"message dates": read_messages, "flight table": read_flights}
    return _split(readers[registration.layout](path), {}, [])


def _split(stream: EventStream, facts: dict[str, Any], notes: list[str]) -> SplitStream:
    training_end, validation_end, rule = split_by_quantiles(stream.times)
    return SplitStream(stream, training_end, validation_end, {**rule, **facts}, tuple(notes))


def _tgb_seq(registration: Registration, path: Path) -> SplitStream:
    split = read_tgb_seq(path)
    rule: dict[str, Any] = {"rule": registration.layout.replace(" ", "-")}
    if split.observed_only:
        rule["observed_only"] = split.observed_only
    return SplitStream(
        fixed_stream(split.events),
        split.training_end,
        split.validation_end,
        rule,
        split.notes,
        split.test_rows,
    )


def _surprises(registration: Registration, stream: EventStream) -> tuple[str, ...]:
    """Where the files differ from what the registry expects of this version."""
    found = {
        "events": len(stream),
        "sources": len(stream.source_ids),
        "destinations": len(stream.destination_ids),
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
    name = file.path.name
    total = None if name.endswith(".gz") else file.bytes
    return lambda done: progress(f"converting {name}", done, total)
