"""Fixed vocabularies: every id of a benchmark's candidate range, whether an event has it or not.

A benchmark numbers destinations in one range, first to last, and draws candidates from all of it.
So the dense id of a destination is its number minus the first. Sources stay numbered by first
appearance: nobody ranks them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from linkgram.errors import EventError
from linkgram.events import EventStream
from linkgram.events.encode import ExternalIds, frozen, renumber
from linkgram.events.room import refuse_without_room

LARGEST_RANGE = 2**31 - 1


@dataclass(frozen=True, slots=True)
class NumberedEvents:
    """Events as a benchmark numbers them, in the order of its file."""

    sources: npt.NDArray[np.int64]
    destinations: npt.NDArray[np.int64]
    times: npt.NDArray[np.float64]
    unit: str = "as given"

    def taken(self, order: npt.NDArray[np.int64]) -> NumberedEvents:
        """Give the events in another order.

        >>> events = NumberedEvents(np.array([1, 2]), np.array([3, 4]), np.array([5.0, 6.0]))
        >>> events.taken(np.array([1, 0])).sources.tolist()
        [2, 1]
        """
        return replace(
            self,
            sources=self.sources[order],
            destinations=self.destinations[order],
            times=self.times[order],
        )


def fixed_stream(events: NumberedEvents) -> EventStream:
    """Make a stream whose destinations are the whole range of ids, first to last.

    >>> events = NumberedEvents(np.array([7, 5]), np.array([12, 10]), np.array([0.0, 1.0]))
    >>> stream = fixed_stream(events)
    >>> stream.destination_ids.tolist(), stream.destinations.tolist(), stream.source_ids.tolist()
    ([10, 11, 12], [2, 0], [7, 5])
    """
    if not len(events.times):
        raise EventError("there are no events")
    first, last = int(events.destinations.min()), int(events.destinations.max())
    if last - first >= LARGEST_RANGE or int(events.sources.max()) >= LARGEST_RANGE:
        raise EventError(
            f"ids up to {max(last, int(events.sources.max()))} make too large a range; "
            f"at most {LARGEST_RANGE} are accepted",
            value=last,
        )
    refuse_without_room(f"the range of destinations {first} to {last}", last - first + 1, "ids")
    sources, source_ids = numbered_from_zero(events.sources)
    return EventStream(
        sources,
        frozen((events.destinations - first).astype(np.uint32)),
        frozen(events.times.astype(np.float64)),
        source_ids,
        frozen(np.arange(first, last + 1, dtype=np.int64)),
        events.unit,
    )


def numbered_from_zero(
    ids: npt.NDArray[np.int64],
) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.int64]]:
    """Give numbers to ids by first appearance: the dense ids, and the id of each.

    >>> numbered_from_zero(np.array([30, 10, 30]))
    (array([0, 1, 0], dtype=uint32), array([30, 10]))
    """
    known, dense = np.unique(ids, return_inverse=True)
    numbers, external = renumber(dense.astype(np.uint32), known.astype(np.int64))
    return frozen(numbers), frozen(np.asarray(external, dtype=np.int64))


def numbered_together(
    sources: npt.NDArray[np.uint32],
    source_ids: ExternalIds,
    destinations: npt.NDArray[np.uint32],
    destination_ids: ExternalIds,
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Give numbers to both roles in one space as ids come, an event's source first.

    >>> sources, destinations = np.array([0, 1], dtype=np.uint32), np.array([0, 1], dtype=np.uint32)
    >>> numbered_together(sources, ("ann", "bob"), destinations, ("bob", "cec"))
    (array([0, 1]), array([1, 2]))
    """
    come: dict[str, int] = {}
    tables = ((sources, source_ids), (destinations, destination_ids))
    for role, (dense, external) in enumerate(tables):
        first = np.zeros(len(external), dtype=np.int64)
        # Of repeated positions the last assignment stays: reversed, that is the first appearance.
        first[dense[::-1]] = np.arange(len(dense))[::-1] * 2 + role
        for name, when in zip(map(str, external), first.tolist(), strict=True):
            if when < come.get(name, when + 1):
                come[name] = when
    number = {name: i for i, name in enumerate(sorted(come, key=come.__getitem__))}
    source_numbers, destination_numbers = (
        np.array([number[name] for name in map(str, external)], dtype=np.int64)[dense]
        for dense, external in tables
    )
    return source_numbers, destination_numbers
