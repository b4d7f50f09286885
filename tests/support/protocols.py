"""Small protocols to evaluate on: nasty ones for the slow twin, and longer ones to share out."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from tests.support.naive import Settings
from tests.support.streams import Event, random_case

from linkgram import Configuration, EventStream
from linkgram.evaluation import CandidateSet, Protocol, Split

if TYPE_CHECKING:
    from collections.abc import Sequence

LONGEST_ROW = 12


@dataclass(frozen=True)
class Small:
    """A protocol of some dozen events, in dense ids, with the settings to read it with."""

    protocol: Protocol
    settings: Settings
    events: tuple[Event, ...]

    @property
    def configuration(self) -> Configuration:
        """The settings with cells that do not round."""
        return Configuration(**asdict(self.settings), cells="float64")


def stream_over(
    events: Sequence[Event], vocabulary_size: int, sources: int | None = None
) -> EventStream:
    """The stream of events in dense ids; both vocabularies may be larger than what occurs."""
    who = np.array([event[0] for event in events], np.uint32)
    what = np.array([event[1] for event in events], np.uint32)
    when = np.array([event[2] for event in events], np.float64)
    known = int(who.max(initial=0)) + 1 if sources is None else sources
    return EventStream(who, what, when, np.arange(known), np.arange(vocabulary_size))


def dense(events: Sequence[Event], vocabulary: Sequence[int]) -> tuple[Event, ...]:
    """The same events with sources numbered by first appearance, destinations by vocabulary."""
    sources: dict[int, int] = {}
    place = {z: at for at, z in enumerate(vocabulary)}
    return tuple((sources.setdefault(u, len(sources)), place[v], t) for u, v, t in events)


def ragged(rng: np.random.Generator, queries: int, vocabulary_size: int) -> CandidateSet:
    """Rows of 0 to 12 destinations: repeats occur, and the positive itself, which ties."""
    sizes = rng.integers(0, LONGEST_ROW + 1, queries)
    return CandidateSet.from_rows(
        [rng.integers(0, vocabulary_size, size) for size in sizes],
        {"rule": "ragged", "vocabulary_size": vocabulary_size},
    )


def small(seed: int, length: tuple[int, int] = (40, 70), depth: int = 3, **changes: Any) -> Small:
    """The protocol of a seed: ties, bursts, huge gaps, unseen ids, any configuration.

    The cuts fall anywhere, also between events of one time.
    """
    case = random_case(seed, length=length)
    settings = replace(case.settings, depth=min(case.settings.depth, depth), **changes)
    seen = sorted({v for _, v, _ in case.events})
    vocabulary = case.vocabulary or (*seen, *(seen[-1] + 1 + z for z in range(3)))
    events = dense(case.events, vocabulary)
    rng = np.random.default_rng([23, seed])
    training_end = int(len(events) * rng.uniform(0.4, 0.6))
    validation_end = int(len(events) * rng.uniform(0.7, 0.85))
    split = Split(training_end, validation_end, len(events), {"rule": "by hand"})
    _, validation, test = split.sizes
    protocol = Protocol(
        f"small {seed}",
        stream_over(events, len(vocabulary)),
        split,
        ragged(rng, validation, len(vocabulary)),
        ragged(rng, test, len(vocabulary)),
    )
    return Small(protocol, settings, events)


def busy(seed: int, count: int = 2000, vocabulary_size: int = 40) -> Protocol:
    """A protocol of some thousand events with habits and ties, and blocks for threads to share.

    Destinations follow one another: there is something to learn.
    """
    rng = np.random.default_rng([29, seed])
    times = np.cumsum(rng.integers(0, 3, count)).astype(float)
    follower = rng.permutation(vocabulary_size)
    last: dict[int, int] = {}
    events: list[Event] = []
    for time in times.tolist():
        source = int(rng.integers(0, 25) * rng.random())
        draw = rng.random()
        destination = int(rng.integers(0, vocabulary_size) * rng.random())
        if source in last and draw < 0.6:
            destination = int(follower[last[source]]) if draw < 0.4 else last[source]
        last[source] = destination
        events.append((source, destination, time))
    split = Split(count * 6 // 10, count * 8 // 10, count, {"rule": "by hand"})
    _, validation, test = split.sizes
    return Protocol(
        f"busy {seed}",
        stream_over(events, vocabulary_size, sources=25),
        split,
        ragged(rng, validation, vocabulary_size),
        ragged(rng, test, vocabulary_size),
    )
