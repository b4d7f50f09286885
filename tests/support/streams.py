"""Streams that are small but nasty: ties, bursts, repeats, silent sources, unseen ids, huge gaps.

A case is a stream, the settings to read it with, the questions to ask on the way and weights to
rank with. `random_case(seed)` gives the same case for the same seed, for ever.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from tests.support.naive import Settings

if TYPE_CHECKING:
    from collections.abc import Callable

ADDITIONS = ("co-occurrence", "global-recency", "multi-scale")
ADDITION_SUBSETS = [
    subset for size in range(4) for subset in itertools.combinations(ADDITIONS, size)
]
BACKOFFS = ("marginal", "continuation")

Event = tuple[int, int, float]


@dataclass(frozen=True)
class Query:
    """Asked after `after` events: rank `positive` among `negatives` for `source` at `time`."""

    after: int
    source: int
    time: float
    positive: int
    negatives: tuple[int, ...]

    @property
    def candidates(self) -> tuple[int, ...]:
        return (self.positive, *self.negatives)


@dataclass(frozen=True)
class Case:
    """One stream with its settings, its questions, its fixed vocabulary (or None) and weights."""

    settings: Settings
    events: tuple[Event, ...]
    queries: tuple[Query, ...]
    vocabulary: tuple[int, ...] | None
    weights: tuple[float, ...]


def feature_count(settings: Settings) -> int:
    """K + 3 of the reference configuration, and what the additions add."""
    added = sum(2 if name == "multi-scale" else 1 for name in settings.additions)
    return settings.depth + 3 + added


def random_times(rng: np.random.Generator, count: int, unit: float) -> list[float]:
    """Times that tie, burst, jump by 1e6 units and may start at 1e9, in one of several grains."""
    grain = str(rng.choice(["integer", "real", "burst"]))
    gaps: dict[str, Callable[[], float]] = {
        "integer": lambda: float(rng.integers(0, 3)),
        "real": lambda: float(rng.exponential()),
        "burst": lambda: 0.0 if rng.random() < 0.7 else float(rng.integers(1, 60)),
    }
    gap_of = gaps[grain]
    huge = rng.random() < 0.25
    times, now = [], 0.0
    for _ in range(count):
        now += gap_of() * unit
        if huge and rng.random() < 0.06:
            now += unit * float(rng.choice([30.0, 45.0, 100.0, 1e3, 1e6]))
        times.append(now)
    start = float(rng.choice([0.0, 0.0, 1e9, -1e6]))
    return [start + time for time in times]


def random_events(
    rng: np.random.Generator, times: list[float], sources: np.ndarray, destinations: np.ndarray
) -> tuple[Event, ...]:
    """One event a time; a source often repeats itself, and often does what others did before."""
    events: list[Event] = []
    skew = rng.random(len(destinations)) ** 3 + 0.02
    for time in times:
        source, destination = int(rng.choice(sources)), int(rng.choice(destinations))
        habit = rng.random()
        if events and habit < 0.2:
            source = events[-1][0]
        if events and 0.1 < habit < 0.35:
            destination = events[-1][1]
        elif habit > 0.5:
            destination = int(rng.choice(destinations, p=skew / skew.sum()))
        events.append((source, destination, time))
    return tuple(events)


def random_queries(
    rng: np.random.Generator,
    events: tuple[Event, ...],
    sources: np.ndarray,
    pool: np.ndarray,
    unit: float,
    count: int,
) -> tuple[Query, ...]:
    """Questions after a random number of events, now, soon after or an age after the last one."""
    queries = []
    for after in sorted(int(n) for n in rng.integers(1, len(events) + 1, size=count)):
        wait = float(rng.choice([0.0, 0.0, 0.5, 3.0, 50.0, 1e6])) * unit
        size = min(len(pool), int(rng.choice([2, 8, len(pool)])))
        chosen = rng.choice(pool, size=size, replace=False)
        queries.append(
            Query(
                after=after,
                source=int(rng.choice(sources)),
                time=events[after - 1][2] + wait,
                positive=int(chosen[0]),
                negatives=tuple(int(z) for z in chosen[1:]),
            )
        )
    return tuple(queries)


def random_settings(rng: np.random.Generator, unit: float) -> Settings:
    """Any backoff, any subset of the additions, depth 1 to 64, decayed or not."""
    depth = int(rng.choice([1, 2, 3, 5, 5, 5, 8, 17, 64]))
    return Settings(
        depth=depth,
        backoff=str(rng.choice(BACKOFFS)),
        additions=ADDITION_SUBSETS[int(rng.integers(len(ADDITION_SUBSETS)))],
        alpha=float(rng.choice([1.0, 1.0, 0.01, 0.5, 20.0])),
        decay=math.inf if rng.random() < 0.25 else unit * float(rng.choice([0.3, 1.0, 10.0])),
        recency=unit * float(rng.choice([0.1, 1.0, 7.0])),
    )


def random_case(seed: int, length: tuple[int, int] = (10, 60), width: int = 6) -> Case:
    """The case of a seed: `length` bounds the events, `width` the sources and the destinations."""
    rng = np.random.default_rng([19, seed])
    unit = float(rng.choice([1.0, 1.0, 1e-3, 3600.0]))
    settings = random_settings(rng, unit)
    count = int(rng.integers(length[0], length[1] + 1))
    ids = rng.choice([1, 7, 10**12], size=2)
    sources = np.arange(1 + int(rng.integers(1, width))) * ids[0]
    destinations = np.arange(1 + int(rng.integers(1, 2 * width))) * ids[1]
    events = random_events(rng, random_times(rng, count, unit), sources, destinations)
    unseen = destinations[-1] + np.arange(1, 4) * ids[1]
    pool = np.concatenate([destinations, unseen])
    asking = np.concatenate([sources, sources[-1:] + ids[0]])
    weights = rng.normal(size=feature_count(settings))
    return Case(
        settings=settings,
        events=events,
        queries=random_queries(rng, events, asking, pool, unit, count=3),
        vocabulary=tuple(int(z) for z in pool) if rng.random() < 0.5 else None,
        weights=tuple(float(w) for w in weights / np.abs(weights).sum() * 4),
    )
