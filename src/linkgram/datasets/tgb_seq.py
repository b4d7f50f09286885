"""TGB-Seq: events with a split column, and test negatives as one array.

The columns are src, dst, time and split: 0 training, 1 validation, 2 test; -1 is extra history of
sources that are asked later, which is observed before training and never learned from.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from linkgram.datasets.vocabulary import NumberedEvents
from linkgram.errors import EventError
from linkgram.events.read import read_columns

if TYPE_CHECKING:
    from pathlib import Path

EXTRA, TRAINING, VALIDATION, TEST = -1, 0, 1, 2


@dataclass(frozen=True, slots=True)
class SplitEvents:
    """Events in split order, each split in time order.

    `test_rows` says, for each test event, which test row of the file it was.
    """

    events: NumberedEvents
    observed_only: int
    training_end: int
    validation_end: int
    test_rows: npt.NDArray[np.int64]
    notes: tuple[str, ...]


def read_tgb_seq(path: Path) -> SplitEvents:
    r"""Read the events of one file and put the splits in order.

    >>> from pathlib import Path
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "Toy.csv")
    >>> _ = path.write_text("src,dst,time,split\n4,1,5,0\n4,2,6,0\n5,1,7,1\n5,2,8,2\n")
    >>> split = read_tgb_seq(path)
    >>> split.events.destinations.tolist(), split.training_end, split.validation_end
    ([1, 2, 1, 2], 2, 3)
    """
    columns = read_columns(path, ("src", "dst", "time"))
    # The reader gives three columns; the split is read as if it were the time.
    splits = read_columns(path, ("src", "dst", "split")).times
    unknown = np.flatnonzero(~np.isin(splits, (EXTRA, TRAINING, VALIDATION, TEST)))
    if unknown.size:
        row = int(unknown[0])
        raise EventError(
            f"event {row}: split {splits[row]:g} is unknown; -1, 0, 1 and 2 are accepted",
            row=row,
            column="split",
            value=float(splits[row]),
        )
    sources, destinations = columns.source.to_numpy(), columns.destination.to_numpy()
    for name, values in (("src", sources), ("dst", destinations)):
        if values.dtype != np.int64:
            raise EventError(f"column {name!r} holds text; integers are expected", column=name)
    events = NumberedEvents(sources, destinations, columns.times, columns.time_unit)
    return _in_split_order(events, splits.astype(np.int64))


def _in_split_order(events: NumberedEvents, splits: npt.NDArray[np.int64]) -> SplitEvents:
    notes = []
    times = events.times
    extra = splits == EXTRA
    observed_only = int(np.count_nonzero(extra))
    if observed_only and (splits == TRAINING).any():
        start = times[splits == TRAINING].min()
        late = int(np.count_nonzero(times[extra] > start))
        times = np.where(extra, np.minimum(times, start), times)
        notes.append(
            f"{observed_only:,} events of split -1 are observed before training; {late:,} of them "
            "were later than the first training event and were given its time"
        )
    order = np.lexsort((times, splits))
    if np.any(np.diff(order) < 0):
        notes.append("events were sorted by split and time, ties in file order")
    events = replace(events, times=times).taken(order)
    splits = splits[order]
    backwards = np.flatnonzero(np.diff(events.times) < 0)
    if backwards.size:
        row = int(order[backwards[0] + 1])
        names = {EXTRA: "extra history", 0: "training", 1: "validation", 2: "test"}
        before, after = (names[int(splits[backwards[0] + i])] for i in (0, 1))
        raise EventError(
            f"event {row}: its time {events.times[backwards[0] + 1]:g} in {after} is before the "
            f"end of {before}, {events.times[backwards[0]]:g}; the splits overlap in time",
            row=row,
            column="time",
            value=float(events.times[backwards[0] + 1]),
            hint="a stream is observed in time order, so splits must follow one another",
        )
    ends = np.searchsorted(splits, [TRAINING, VALIDATION, TEST]).tolist()
    test = order[ends[2] :]
    test_rows = np.searchsorted(np.sort(test), test).astype(np.int64)
    return SplitEvents(events, observed_only, ends[1], ends[2], test_rows, tuple(notes))
