"""The slow twin: the equations of the model over a plain list of events.

Nothing is stored but what happened and when. Every question goes through all of it again and weighs
an event of time t_i by exp(-(t - t_i)/tau), read at t. Slow, and too simple to be wrong: every fast
path of the package is tested against it.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

Id = Hashable
Row = dict[Id, float]


@dataclass(frozen=True)
class Settings:
    """The settings of the model, under the names of `linkgram.Configuration`."""

    depth: int = 5
    backoff: str = "marginal"
    additions: tuple[str, ...] = ()
    alpha: float = 1.0
    decay: float = math.inf
    recency: float = 1.0


class NaiveModel:
    """The model as the paper writes it. `vocabulary_size` None: |V| = the destinations observed."""

    def __init__(self, settings: Settings, vocabulary_size: int | None = None) -> None:
        self.settings = settings
        self.vocabulary_size = vocabulary_size
        self.events: list[tuple[Id, Id, float]] = []
        self.transitions: list[tuple[Id, Id, float]] = []
        self.windowed: list[tuple[Id, Id, float]] = []

    def observe(self, source: Id, destination: Id, time: float) -> None:
        """Note (u, v, t), (v_1, v, t), and (v_k, v, t) for every k, v_k from before the event."""
        history = self.history(source)
        self.transitions += [(previous, destination, time) for previous in history[:1]]
        self.windowed += [(previous, destination, time) for previous in history]
        self.events.append((source, destination, time))

    def history(self, source: Id) -> list[Id]:
        """(v_1, ..., v_L), L <= K: the last K destinations of u, newest first, repeats kept."""
        visited = [v for u, v, _ in self.events if u == source]
        return visited[::-1][: self.settings.depth]

    def row(self, pairs: Iterable[tuple[Id, Id, float]], context: Id, now: float) -> Row:
        """c(x, z) = sum of exp(-(t - t_i)/tau) over the pairs (x, z, t_i), for every z met in x."""
        counts: Row = {}
        for x, z, time in pairs:
            if x == context:
                counts[z] = counts.get(z, 0.0) + math.exp(-(now - time) / self.settings.decay)
        return counts

    def size(self) -> int:
        """|V|: fixed, or how many destinations have been observed (at least one)."""
        known = self.vocabulary_size
        return max(1, len({v for _, v, _ in self.events})) if known is None else known

    def smoothed(self, row: Row, backoff: Row, candidates: Iterable[Id]) -> Row:
        """P(z|x) = (c(x,z) + alpha B(z)) / (n(x) + alpha); an empty row gives B(z)."""
        alpha, total = self.settings.alpha, math.fsum(row.values())
        if not row:
            return {z: backoff[z] for z in candidates}
        return {z: (row.get(z, 0.0) + alpha * backoff[z]) / (total + alpha) for z in candidates}

    def marginal(self, candidates: Iterable[Id], now: float) -> Row:
        """P(z) = (c(z) + alpha) / (C + alpha |V|)."""
        everything = [("all", v, time) for _, v, time in self.events]
        return self.uniform_smoothed(self.row(everything, "all", now), candidates)

    def continuation_counts(self) -> Row:
        """N1+(.z): the number of distinct p ever seen before z."""
        counts: Row = {}
        for _, z in {(previous, v) for previous, v, _ in self.transitions}:
            counts[z] = counts.get(z, 0.0) + 1.0
        return counts

    def continuation(self, candidates: Iterable[Id]) -> Row:
        """P_c(z) = (N1+(.z) + alpha) / (N + alpha |V|)."""
        return self.uniform_smoothed(self.continuation_counts(), candidates)

    def uniform_smoothed(self, counts: Row, candidates: Iterable[Id]) -> Row:
        """(count(z) + alpha) / (total + alpha |V|)."""
        alpha = self.settings.alpha
        total = math.fsum(counts.values()) + alpha * self.size()
        return {z: (counts.get(z, 0.0) + alpha) / total for z in candidates}

    def base(self, candidates: Iterable[Id], now: float) -> Row:
        """B(z): P(z) or P_c(z), as the setting `backoff` says."""
        if self.settings.backoff == "marginal":
            return self.marginal(candidates, now)
        return self.continuation(candidates)

    def given_source(self, source: Id, candidates: Sequence[Id], now: float) -> Row:
        """P(z|u) over the events of u."""
        row = self.row(self.events, source, now)
        return self.smoothed(row, self.base(candidates, now), candidates)

    def given_previous(self, previous: Id, candidates: Sequence[Id], now: float) -> Row:
        """P(z|p) over the transitions of all sources."""
        row = self.row(self.transitions, previous, now)
        return self.smoothed(row, self.base(candidates, now), candidates)

    def co_occurrence(self, source: Id, candidates: Sequence[Id], now: float) -> Row:
        """P_co(z) = (sum_k c_co(v_k,z) + alpha B(z)) / (sum_k n_co(v_k) + alpha)."""
        pooled: Row = {}
        for previous in self.history(source):
            for z, count in self.row(self.windowed, previous, now).items():
                pooled[z] = pooled.get(z, 0.0) + count
        return self.smoothed(pooled, self.base(candidates, now), candidates)

    def recency(self, last: float | None, now: float, scale: float) -> float:
        """exp(-(t - t_last) / scale), 0 if it never happened."""
        return 0.0 if last is None else math.exp(-(now - last) / scale)

    def last_times(self, source: Id | None = None) -> dict[Id, float]:
        """t_last(u,z) of one source, or t_last(z) over all sources."""
        return {v: time for u, v, time in self.events if source is None or u == source}

    def features(self, source: Id, candidates: Sequence[Id], time: float) -> list[list[float]]:
        """phi(u, z, t) for each candidate z, in the order of `Configuration.feature_names`."""
        depth, additions = self.settings.depth, self.settings.additions
        scale, ones = self.settings.recency, dict.fromkeys(candidates, 1.0)
        pair, anyone = self.last_times(source), self.last_times()
        transitions = [self.given_previous(p, candidates, time) for p in self.history(source)]
        absent = [ones] * (depth - len(transitions))
        marginal = self.marginal(candidates, time)
        given_source = self.given_source(source, candidates, time)
        windowed = self.co_occurrence(source, candidates, time)
        rows = []
        for z in candidates:
            estimates = [marginal, given_source, *transitions, *absent]
            phi = [math.log(estimate[z]) for estimate in estimates]
            phi.append(self.recency(pair.get(z), time, scale))
            if "co-occurrence" in additions:
                phi.append(math.log(windowed[z]))
            if "global-recency" in additions:
                phi.append(self.recency(anyone.get(z), time, scale))
            if "multi-scale" in additions:
                phi.append(self.recency(pair.get(z), time, scale / 10))
                phi.append(self.recency(pair.get(z), time, scale * 10))
            rows.append(phi)
        return rows

    def score(
        self, source: Id, candidates: Sequence[Id], time: float, weights: Sequence[float]
    ) -> list[float]:
        """w.phi(u, z, t) for each candidate z."""
        rows = self.features(source, candidates, time)
        return [math.fsum(w * x for w, x in zip(weights, phi, strict=True)) for phi in rows]

    def evidence(self, source: Id, candidate: Id) -> tuple[object, ...]:
        """All the stream says of a candidate; two candidates with equal evidence must tie."""
        tables = [(self.events, source)]
        tables += [(self.transitions, p) for p in self.history(source)]
        tables += [(self.windowed, p) for p in self.history(source)]
        own = [[t for x, z, t in pairs if (x, z) == (row, candidate)] for pairs, row in tables]
        anyone = [t for _, z, t in self.events if z == candidate]
        return (own, anyone, self.continuation_counts().get(candidate, 0.0))


def midrank(positive: float, negatives: Iterable[float]) -> float:
    """1 + (negatives with a higher score) + (negatives with an equal score)/2."""
    scores = list(negatives)
    return 1 + sum(s > positive for s in scores) + sum(s == positive for s in scores) / 2
