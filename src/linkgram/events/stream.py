"""The event stream: (source, destination, time) in time order, ties in the order given.

A stream is immutable. It holds three columns: dense ids of sources and of destinations, numbered
apart in order of first appearance, and float64 times. The external ids that the caller knows are
kept beside them, in dense order.
"""

from __future__ import annotations

import operator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from linkgram.errors import EventError
from linkgram.events.arrays import series
from linkgram.events.describe import StreamDescription, describe
from linkgram.events.digest import digest
from linkgram.events.encode import ExternalIds, encode, frozen
from linkgram.events.read import judge, read_columns

if TYPE_CHECKING:
    from linkgram.events.columns import EventColumns


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class EventStream:
    """Events in time order; made by `read` or `from_arrays`, which check what they are given.

    `sources` and `destinations` hold dense ids (uint32), `times` float64 in `time_unit`: "s" for
    dates, "as given" for numbers. `source_ids` and `destination_ids` give the external id of each
    dense id: an int64 array, or a tuple of text. All arrays are read-only. `stream[a:b]` is a
    stream that shares the ids of the whole.

    >>> stream = EventStream.from_arrays(["ann", "bob", "ann"], [10, 20, 20], [1.0, 2.0, 2.0])
    >>> len(stream), stream.sources.tolist(), stream.source_ids, stream.destination_ids.tolist()
    (3, [0, 1, 0], ('ann', 'bob'), [10, 20])
    >>> stream[1:].external(0)
    ('bob', 20, 2.0)
    """

    sources: npt.NDArray[np.uint32]
    destinations: npt.NDArray[np.uint32]
    times: npt.NDArray[np.float64]
    source_ids: ExternalIds
    destination_ids: ExternalIds
    time_unit: str = "as given"

    @classmethod
    def read(
        cls,
        data: Any,
        *,
        source: str | int = "source",
        destination: str | int = "destination",
        time: str | int = "time",
        sort: bool = False,
        separator: str | None = None,
        header: bool = True,
        ragged: bool = False,
        time_format: str | None = None,
    ) -> EventStream:
        """Read a file, a data frame, an Arrow table or a mapping of arrays.

        `source`, `destination` and `time` name the columns, or give their positions from 0. Events
        must be in time order; `sort=True` sorts them, ties keeping their order. For delimited text,
        `separator` is taken from the suffix unless given, `header=False` reads a file without a
        header (columns by position), and `ragged=True` drops fields beyond the first line's.
        `time_format` reads dates written as text, such as "%m/%d/%y %I:%M %p".

        >>> data = {"u": [4, 4], "v": [7, 8], "t": [1, 2]}
        >>> EventStream.read(data, source="u", destination="v", time="t")
        EventStream(2 events: 1 source, 2 destinations, times 1.0 to 2.0 as given)
        """
        return cls._build(
            read_columns(
                data,
                (source, destination, time),
                separator=separator,
                header=header,
                ragged=ragged,
                time_format=time_format,
            ),
            sort,
        )

    @classmethod
    def from_arrays(
        cls, sources: Any, destinations: Any, times: Any, *, sort: bool = False
    ) -> EventStream:
        """Events from three array-likes of external ids and times; no event at all is a stream too.

        >>> EventStream.from_arrays([2, 1], ["x", "y"], [9.0, 3.0], sort=True).source_ids.tolist()
        [1, 2]
        """
        return cls._build(
            judge(
                series(sources, "source"),
                series(destinations, "destination"),
                series(times, "time"),
            ),
            sort,
        )

    @classmethod
    def _build(cls, columns: EventColumns, sort: bool) -> EventStream:
        sources, destinations, times = columns.source, columns.destination, columns.times
        backwards = np.flatnonzero(times[1:] < times[:-1])
        if backwards.size and sort:
            order = np.argsort(times, kind="stable")
            sources, destinations, times = sources[order], destinations[order], times[order]
        elif backwards.size:
            row = int(backwards[0]) + 1
            raise EventError(
                f"event {row}: time {times[row]} is before the previous event's {times[row - 1]}; "
                "events must be in time order",
                row=row,
                column=columns.time_name,
                value=float(times[row]),
                hint="pass sort=True to sort while reading",
            )
        dense_sources, source_ids = encode(sources)
        dense_destinations, destination_ids = encode(destinations)
        return cls(
            dense_sources,
            dense_destinations,
            frozen(times),
            source_ids,
            destination_ids,
            columns.time_unit,
        )

    def __len__(self) -> int:
        return len(self.times)

    def __getitem__(self, part: slice) -> EventStream:
        if not isinstance(part, slice):
            raise TypeError(
                "a stream is sliced, as in stream[a:b]; stream.external(i) gives one event"
            )
        if part.step is not None and part.step < 1:
            raise EventError(
                f"a step of {part.step} would turn the stream against time; steps are 1 or larger",
                value=part.step,
            )
        return EventStream(
            self.sources[part],
            self.destinations[part],
            self.times[part],
            self.source_ids,
            self.destination_ids,
            self.time_unit,
        )

    def external(self, index: int) -> tuple[int | str, int | str, float]:
        """One event as (source id, destination id, time) in Python's own types.

        >>> EventStream.from_arrays([5], ["x"], [1]).external(0)
        (5, 'x', 1.0)
        """
        i = operator.index(index)
        if not -len(self) <= i < len(self):
            raise IndexError(f"event {i} is outside a stream of {len(self)} events")
        source = self.source_ids[int(self.sources[i])]
        destination = self.destination_ids[int(self.destinations[i])]
        return (
            source if isinstance(source, str) else int(source),
            destination if isinstance(destination, str) else int(destination),
            float(self.times[i]),
        )

    def describe(self) -> StreamDescription:
        """Count events, ids, times, duplicates and self-loops.

        >>> EventStream.from_arrays([1, 1], [2, 2], [0, 5]).describe().repeated_pairs
        0.5
        """
        return describe(*self._columns(), self.time_unit)

    def digest(self) -> str:
        """Compute a SHA-256 of external ids and times, equal for equal events from any container.

        >>> stream = EventStream.from_arrays([1, 2], ["x", "y"], [0, 5])
        >>> stream.digest() == EventStream.from_arrays([2], ["y"], [5]).digest()
        False
        >>> stream[1:].digest() == EventStream.from_arrays([2], ["y"], [5]).digest()
        True
        """
        return digest(*self._columns())

    def _columns(self) -> tuple[Any, Any, Any, ExternalIds, ExternalIds]:
        return self.sources, self.destinations, self.times, self.source_ids, self.destination_ids

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, EventStream):
            return NotImplemented
        if self is other:
            return True
        return np.array_equal(self.times, other.times) and self.digest() == other.digest()

    def __hash__(self) -> int:
        return hash(self.digest())

    def __repr__(self) -> str:
        def counted(number: int, noun: str) -> str:
            return f"{number} {noun}" if number == 1 else f"{number} {noun}s"

        sources, destinations = len(np.unique(self.sources)), len(np.unique(self.destinations))
        times = (
            f"times {self.times[0]} to {self.times[-1]} {self.time_unit}"
            if len(self)
            else "no times"
        )
        return (
            f"EventStream({counted(len(self), 'event')}: {counted(sources, 'source')}, "
            f"{counted(destinations, 'destination')}, {times})"
        )
