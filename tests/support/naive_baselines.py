"""The slow twins of the baselines: plain dictionaries and lists, as their papers tell them.

Nothing is lazy here: EdgeBank's memory is read out of the list of events at every question, and
whatever decays is multiplied for every destination, one by one, whenever the original does so.
Scores are whatever Python can compare; only their order and equality mean something.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Protocol

from tests.support.naive import midrank
from tests.support.naive_fit import visible

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from fractions import Fraction

    from tests.support.streams import Event

    from linkgram.evaluation import CandidateSet

# Ten times the smallest single-precision number: there a popularity stays.
FLOOR = 10 * 2.0**-149
KEPT, WINDOW = 100, 1e6


class NaiveBaseline(Protocol):
    """What every twin offers."""

    def observe(self, source: int, destination: int, time: float) -> None:
        """Add one event."""

    def begin_group(self) -> None:
        """Work out what the original works out once for a group of queries."""

    def score(self, source: int, candidates: Sequence[int], time: float) -> Sequence[Any]:
        """One comparable for each candidate; higher is likelier."""


class _Events:
    """A list of events, and nothing that is done once a group."""

    def __init__(self) -> None:
        self.events: list[Event] = []

    def observe(self, source: int, destination: int, time: float) -> None:
        self.events.append((source, destination, time))

    def begin_group(self) -> None:
        pass


class NaiveEdgeBank(_Events):
    """1 if the pair is in memory: ever, or since `width` before the window's end."""

    def __init__(self, width: float = math.inf, end: float = -math.inf) -> None:
        super().__init__()
        self.width, self.end = width, end

    def score(self, source: int, candidates: Sequence[int], time: float) -> list[float]:
        end = max([self.end, *(at for _, _, at in self.events)])
        memory = {(u, v) for u, v, at in self.events if at >= end - self.width}
        return [float((source, z) in memory) for z in candidates]


class NaiveHeuristic(_Events):
    """Statistics in order of priority: the first ranks, the next break ties."""

    def __init__(self, order: str) -> None:
        super().__init__()
        self.order = order.split(">")

    def score(self, source: int, candidates: Sequence[int], time: float) -> list[tuple[float, ...]]:
        last: dict[Any, float] = {}
        number: dict[Any, float] = {}
        for u, v, at in self.events:
            for key in ((u, v), v):
                last[key] = at
                number[key] = number.get(key, 0) + 1
        statistics: dict[str, Any] = {
            "LR": lambda z: last.get((source, z), -math.inf),
            "GR": lambda z: last.get(z, -math.inf),
            "LP": lambda z: number.get((source, z), 0),
            "GP": lambda z: number.get(z, 0),
        }
        return [tuple(statistics[name](z) for name in self.order) for z in candidates]


class NaivePopTrack:
    """+1 for each event of a batch, then every destination's popularity times the decay."""

    def __init__(self, decay: float | Fraction, batch: int, destinations: int) -> None:
        self.decay, self.batch, self.seen = decay, batch, 0
        self.popularity: dict[int, float | Fraction] = dict.fromkeys(range(destinations), 0)

    def observe(self, source: int, destination: int, time: float) -> None:
        self.popularity[destination] += 1
        self.seen += 1
        if self.seen % self.batch == 0:
            for z in self.popularity:
                self.popularity[z] *= self.decay

    def begin_group(self) -> None:
        pass

    def score(self, source: int, candidates: Sequence[int], time: float) -> list[float | Fraction]:
        return [self.popularity[z] for z in candidates]


class NaiveBase3:
    """Pair memory, popularity and co-memory. `shared`: destinations and sources with one id."""

    def __init__(
        self,
        history: Sequence[Event],
        destinations: int,
        *,
        k: int,
        remembered_from: float,
        decay: float,
        shared: Mapping[int, int],
        part: str = "base3",
    ) -> None:
        self.k, self.decay, self.part = k, decay, part
        self.source_of = dict(shared)
        self.destination_of = {source: z for z, source in shared.items()}
        self.memory = {(u, v) for u, v, at in history if at >= remembered_from}
        self.events = list(history)
        self.popularity = dict.fromkeys(range(destinations), 0.0)
        for _, v, _ in history:
            self.popularity[v] += 1
        for z in self.popularity:
            self.popularity[z] *= decay
        self.popular: set[int] = set()

    def observe(self, source: int, destination: int, time: float) -> None:
        self.memory.add((source, destination))
        self.events.append((source, destination, time))
        self.popularity[destination] += 1
        for z, value in self.popularity.items():
            if value > 0:
                self.popularity[z] = max(value * self.decay, FLOOR)

    def begin_group(self) -> None:
        first = sorted(self.popularity, key=lambda z: (-self.popularity[z], z))
        self.popular = set(first[: self.k])

    def score(self, source: int, candidates: Sequence[int], time: float) -> list[float]:
        recent = [(at, v) for u, v, at in self.events if u == source][-KEPT:]
        base = sum(
            math.exp(-(time - at) / WINDOW) * self.popularity[v]
            for at, v in recent
            if 0 <= time - at <= WINDOW
        )
        return [self.mixed(source, z, base) for z in candidates]

    def mixed(self, source: int, z: int, base: float) -> float:
        """The signals of a candidate by the weights of those that speak, or one of them alone."""
        pairs = [(u, v) for u, v, _ in self.events]
        count = pairs.count((source, z))
        if z in self.source_of and source in self.destination_of:
            count += pairs.count((self.source_of[z], self.destination_of[source]))
        s = base + count / (1 + count)
        signals = (float((source, z) in self.memory), float(z in self.popular), s / (1 + s))
        if self.part != "base3":
            return signals[["base3 pair", "base3 popularity", "base3 co-memory"].index(self.part)]
        weights = {
            (1.0, 1.0): (0.35, 0.45, 0.20),
            (1.0, 0.0): (0.45, 0.25, 0.30),
            (0.0, 1.0): (0.15, 0.70, 0.15),
            (0.0, 0.0): (0.20, 0.45, 0.35),
        }[signals[:2]]
        return sum(weight * signal for weight, signal in zip(weights, signals, strict=True))


def naive_ranks(
    twin: NaiveBaseline,
    events: Sequence[Event],
    queries: tuple[int, int],
    candidates: CandidateSet,
    schedule: str,
    observed: int = 0,
) -> list[float]:
    """Midranks of the rows `queries[0]` to `queries[1]` under a schedule, one query at a time."""
    times, ranks = [time for _, _, time in events], []
    for row in range(*queries):
        history = visible(times, queries[0], row, schedule)
        for event in events[observed:history]:
            twin.observe(*event)
        if observed < history or row == queries[0]:
            twin.begin_group()
        observed = max(observed, history)
        source, positive, time = events[row]
        negatives = candidates.negatives(row - queries[0], positive).tolist()
        first, *rest = twin.score(source, [positive, *negatives], time)
        ranks.append(midrank(first, rest))
    return ranks
