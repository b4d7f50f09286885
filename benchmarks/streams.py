"""Seeded synthetic streams: Zipf sources and destinations, repeats of own history, bursts, ties."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from linkgram import EventStream


def synthetic(events: int, *, seed: int = 1) -> EventStream:
    """A stream whose numbers of sources and destinations grow with its events."""
    random = np.random.Generator(np.random.PCG64(seed))
    sources = _zipf(random, events, max(events // 20, 10), 0.7)
    destinations = _zipf(random, events, max(events // 66, 10), 0.9)
    # Half of a source's events repeat one of its earlier destinations.
    order = np.argsort(sources, kind="stable")
    grouped = destinations[order]
    begins = np.flatnonzero(np.diff(sources[order], prepend=-1))
    start = np.repeat(begins, np.diff(np.append(begins, events)))
    place = np.arange(events) - start
    earlier = start + (random.random(events) * np.maximum(place, 1)).astype(np.int64)
    repeats = (random.random(events) < 0.5) & (place > 0)
    grouped = np.where(repeats, grouped[earlier], grouped)
    result = np.empty(events, np.int64)
    result[order] = grouped
    times = np.sort(random.integers(0, events * 3, events)).astype(np.float64)
    return EventStream.from_arrays(sources, result, times)


def _zipf(random: np.random.Generator, size: int, values: int, power: float) -> NDArray[np.int64]:
    shares = np.cumsum(1.0 / np.arange(1, values + 1) ** power)
    ranks = np.searchsorted(shares, random.random(size) * shares[-1])
    # Ids carry no order: rank 0 is some id, not id 0.
    ids: NDArray[np.int64] = random.permutation(values)
    found: NDArray[np.int64] = ids[np.minimum(ranks, values - 1)]
    return found
