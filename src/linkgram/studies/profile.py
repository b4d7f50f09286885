"""Profile: what a stream is made of, before any model sees it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkgram.evaluation.study_result import Column
from linkgram.events import EventStream
from linkgram.studies.findings import Findings
from linkgram.studies.subject import Subject

TIME_BINS = 60
INTERVAL_BINS = 40
MOST_RANKS = 200
COLUMNS = (
    Column("fact", "what was counted"),
    Column("value", "how many; times are in the stream's unit"),
)


def settings(subject: Subject) -> dict[str, Any]:
    """How finely the series are binned."""
    return {
        "time_bins": TIME_BINS, "interval_bins": INTERVAL_BINS, "ranks": MOST_RANKS,
        "of": subject.protocol.name,
    }  # fmt: skip


def findings(subject: Subject) -> Findings:
    """One row a fact."""
    protocol = subject.protocol
    stream, split = protocol.stream, protocol.split
    training, validation = split.durations(stream)
    new = new_pairs(stream)
    intervals, immediate = repeat_intervals(stream)
    facts: dict[str, Any] = {
        **stream.describe().as_dict(),
        "vocabulary_size": protocol.vocabulary_size,
        **dict(zip(("training", "validation", "test"), split.sizes, strict=True)),
        "training_duration": training,
        "validation_duration": validation,
        "repeats_at_the_same_time": immediate,
        "median_repeat_interval": float(np.median(intervals)) if intervals.size else None,
    }
    notes = []
    if not intervals.size:
        notes.append("No pair occurs at two times: there are no repeat intervals.")
    rows = [{"fact": fact, "value": value} for fact, value in facts.items()]
    edges = _edges(stream.times, TIME_BINS)
    series = {
        "events_over_time": _binned(edges, stream.times),
        "popularity": popularity(stream),
        "repeat_intervals": _binned(_log_edges(intervals), intervals),
        "ties": ties(stream),
        "novelty_over_time": _new_share(edges, stream.times, new),
    }
    unit = {"time_unit": stream.time_unit}
    return Findings(COLUMNS, rows, unit, series=series, notes=notes)


def new_pairs(stream: EventStream) -> NDArray[np.bool_]:
    """For each event whether its pair occurs for the first time.

    >>> new_pairs(EventStream.from_arrays([0, 0, 0], [1, 2, 1], [0, 1, 2])).tolist()
    [True, True, False]
    """
    new = np.zeros(len(stream), np.bool_)
    new[np.unique(_pairs(stream), return_index=True)[1]] = True
    return new


def repeat_intervals(stream: EventStream) -> tuple[NDArray[np.float64], int]:
    """Times between consecutive events of a pair, and how many of them are zero and left out.

    >>> stream = EventStream.from_arrays([0] * 4, [1, 1, 2, 1], [0, 0, 3, 5])
    >>> repeat_intervals(stream)
    (array([5.]), 1)
    """
    pairs = _pairs(stream)
    order = np.argsort(pairs, kind="stable")
    again = pairs[order][1:] == pairs[order][:-1]
    gaps = np.diff(stream.times[order])[again]
    return gaps[gaps > 0], int(np.count_nonzero(gaps == 0))


def popularity(stream: EventStream) -> dict[str, list[int]]:
    """Events of the destinations by rank, the most frequent first; ranks thin out evenly in log.

    >>> popularity(EventStream.from_arrays([0] * 3, [7, 8, 8], range(3)))
    {'rank': [1, 2], 'events': [2, 1]}
    """
    counts = np.sort(np.bincount(stream.destinations))[::-1]
    counts = counts[counts > 0]
    ranks = np.unique(np.geomspace(1, max(1, len(counts)), MOST_RANKS).round().astype(np.int64))
    return {"rank": ranks.tolist(), "events": counts[ranks - 1].tolist()}


def ties(stream: EventStream) -> dict[str, list[int]]:
    """How many times have how many events.

    >>> ties(EventStream.from_arrays([0] * 4, range(4), [1, 1, 2, 5]))
    {'size': [1, 2], 'groups': [2, 1]}
    """
    sizes = np.unique(stream.times, return_counts=True)[1]
    size, groups = np.unique(sizes, return_counts=True)
    return {"size": size.tolist(), "groups": groups.tolist()}


def _pairs(stream: EventStream) -> NDArray[np.int64]:
    size = np.int64(len(stream.destination_ids))
    return stream.sources.astype(np.int64) * size + stream.destinations


def _edges(times: NDArray[np.float64], bins: int) -> NDArray[np.float64]:
    first, last = float(times[0]), float(times[-1])
    return np.linspace(first, last if last > first else first + 1.0, bins + 1)


def _log_edges(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Edges that grow evenly in log from the smallest to the largest value."""
    if not values.size:
        return np.empty(0)
    low, high = float(values.min()), float(values.max())
    edges = np.geomspace(low, high if high > low else 2 * low, INTERVAL_BINS + 1)
    # Rounding must not lose the ends.
    edges[0], edges[-1] = low, max(high, edges[-1])
    return edges


def _binned(edges: NDArray[np.float64], values: NDArray[np.float64]) -> dict[str, list[Any]]:
    if not edges.size:
        return {"from": [], "to": [], "events": []}
    events, _ = np.histogram(values, edges)
    return {"from": edges[:-1].tolist(), "to": edges[1:].tolist(), "events": events.tolist()}


def _new_share(
    edges: NDArray[np.float64], times: NDArray[np.float64], new: NDArray[np.bool_]
) -> dict[str, list[Any]]:
    events, _ = np.histogram(times, edges)
    fresh, _ = np.histogram(times[new], edges)
    shares = [int(f) / int(n) if n else None for f, n in zip(fresh, events, strict=True)]
    return {"from": edges[:-1].tolist(), "to": edges[1:].tolist(), "new_pairs": shares}
