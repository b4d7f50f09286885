"""What a stream holds: the counts to look at before a model sees it.

A duplicate is an event whose source, destination and time all occurred before. A repeated pair is
an event whose source met the same destination before, at any time: the share of those says how much
there is to remember. A self-loop joins an external id to itself, which has a meaning only when both
roles use ids of one type.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from linkgram.events.encode import ExternalIds


@dataclass(frozen=True, slots=True)
class StreamDescription:
    """Counts over one stream; times are in its unit, and None when there is no event.

    `tied_events` share their time with another event; `self_loops` is None when the roles have ids
    of different types; `bytes` is the memory of the dense ids, the times and the external ids.

    >>> from linkgram.events import EventStream
    >>> description = EventStream.from_arrays([1, 1, 2], [7, 7, 2], [0, 0, 5]).describe()
    >>> description.duplicates, description.self_loops, description.tied_events
    (1, 1, 2)
    """

    events: int
    sources: int
    destinations: int
    first_time: float | None
    last_time: float | None
    span: float | None
    time_unit: str
    distinct_times: int
    tied_events: int
    duplicates: int
    self_loops: int | None
    distinct_pairs: int
    repeated_pairs: float
    bytes: int

    def as_dict(self) -> dict[str, int | float | str | None]:
        """Give the fields by name, ready for JSON."""
        return asdict(self)

    def __str__(self) -> str:
        times = (
            f"{self.first_time:.15g} to {self.last_time:.15g} (span {self.span:.15g}, "
            f"unit: {self.time_unit})"
            if self.events
            else "none"
        )
        loops = "ids of different types" if self.self_loops is None else f"{self.self_loops:,}"
        return "\n".join(
            [
                f"events          {self.events:,}",
                f"sources         {self.sources:,}",
                f"destinations    {self.destinations:,}",
                f"times           {times}",
                f"distinct times  {self.distinct_times:,} ({self.tied_events:,} events share one)",
                f"distinct pairs  {self.distinct_pairs:,} "
                f"({self.repeated_pairs:.1%} of events repeat a pair)",
                f"duplicates      {self.duplicates:,}",
                f"self-loops      {loops}",
                f"memory          {self.bytes / 1e6:,.1f} MB",
            ]
        )


def describe(
    sources: npt.NDArray[np.uint32],
    destinations: npt.NDArray[np.uint32],
    times: npt.NDArray[np.float64],
    source_ids: ExternalIds,
    destination_ids: ExternalIds,
    time_unit: str,
) -> StreamDescription:
    """Count everything in `StreamDescription` over events given as dense ids in time order.

    >>> none = np.empty(0, dtype=np.uint32)
    >>> describe(none, none, np.empty(0), (), (), "s").events
    0
    """
    count = len(times)
    changes = times[1:] != times[:-1]
    same_as_next = np.concatenate([~changes, [False]]) if count else changes
    same_as_last = np.concatenate([[False], ~changes]) if count else changes
    pairs = sources.astype(np.int64) * len(destination_ids) + destinations
    # A stable sort by pair leaves each pair's times in order, so its duplicates are neighbours.
    order = np.argsort(pairs, kind="stable")
    repeats = pairs[order][1:] == pairs[order][:-1]
    duplicates = repeats & (times[order][1:] == times[order][:-1])
    distinct_pairs = count - int(np.count_nonzero(repeats))
    return StreamDescription(
        events=count,
        sources=len(np.unique(sources)),
        destinations=len(np.unique(destinations)),
        first_time=float(times[0]) if count else None,
        last_time=float(times[-1]) if count else None,
        span=float(times[-1] - times[0]) if count else None,
        time_unit=time_unit,
        distinct_times=int(np.count_nonzero(changes)) + 1 if count else 0,
        tied_events=int(np.count_nonzero(same_as_next | same_as_last)),
        duplicates=int(np.count_nonzero(duplicates)),
        self_loops=_self_loops(sources, destinations, source_ids, destination_ids),
        distinct_pairs=distinct_pairs,
        repeated_pairs=(count - distinct_pairs) / count if count else 0.0,
        bytes=sources.nbytes
        + destinations.nbytes
        + times.nbytes
        + _id_bytes(source_ids)
        + _id_bytes(destination_ids),
    )


def _self_loops(
    sources: npt.NDArray[np.uint32],
    destinations: npt.NDArray[np.uint32],
    source_ids: ExternalIds,
    destination_ids: ExternalIds,
) -> int | None:
    if isinstance(source_ids, tuple) != isinstance(destination_ids, tuple):
        return None
    if isinstance(source_ids, tuple) or isinstance(destination_ids, tuple):
        number = {text: dense for dense, text in enumerate(destination_ids)}
        same = np.array([number.get(text, -1) for text in source_ids], dtype=np.int64)
        return int(np.count_nonzero(same[sources] == destinations))
    return int(np.count_nonzero(source_ids[sources] == destination_ids[destinations]))


def _id_bytes(external: ExternalIds) -> int:
    if isinstance(external, tuple):
        return sum(len(text.encode()) for text in external)
    return external.nbytes
