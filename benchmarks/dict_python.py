"""The model in plain dictionaries, event by event: what a careful Python programmer would write.

    python -m benchmarks.dict_python FOLDER 8|12

Counts are kept as sums seen from a landmark, so that decay costs one `exp` a query, as in the
engine. Its ranks must be the engine's.
"""

from __future__ import annotations

import os
import sys
import time
from math import exp, log
from pathlib import Path

from benchmarks.figures import Figure
from benchmarks.written import WEIGHTS, Written, agree

DEPTH, QUERIES, WHOLE_QUERIES, ROWS = 5, 2_000, 200, 20_000


class DictModel:
    """All tables of the model, as dictionaries of dictionaries."""

    def __init__(self, vocabulary: int, decay: float, recency: float, additions: bool) -> None:
        self.vocabulary, self.rate, self.additions = vocabulary, 1 / decay, additions
        self.scales = (recency, recency / 10, recency * 10) if additions else (recency,)
        self.counts: dict[int, float] = {}
        self.total = 0.0
        self.sources: dict[int, dict[int, float]] = {}
        self.visits: dict[int, dict[int, float]] = {}
        self.source_totals: dict[int, float] = {}
        self.transitions: dict[int, dict[int, float]] = {}
        self.transition_totals: dict[int, float] = {}
        self.windows: dict[int, dict[int, float]] = {}
        self.window_totals: dict[int, float] = {}
        self.last: dict[int, float] = {}
        self.continuation: dict[int, int] = {}
        self.histories: dict[int, list[int]] = {}

    def observe(self, u: int, v: int, t: float) -> None:
        """Count one event."""
        weight = exp(t * self.rate)
        history = self.histories.get(u)
        if history is None:
            history = self.histories[u] = []
        else:
            previous = history[0]
            row = self.transitions.setdefault(previous, {})
            if v in row:
                row[v] += weight
            else:
                row[v] = weight
                self.continuation[v] = self.continuation.get(v, 0) + 1
            totals = self.transition_totals
            totals[previous] = totals.get(previous, 0.0) + weight
            if self.additions:
                totals = self.window_totals
                for x in history:
                    row = self.windows.setdefault(x, {})
                    row[v] = row.get(v, 0.0) + weight
                    totals[x] = totals.get(x, 0.0) + weight
        row = self.sources.setdefault(u, {})
        row[v] = row.get(v, 0.0) + weight
        self.visits.setdefault(u, {})[v] = t
        self.source_totals[u] = self.source_totals.get(u, 0.0) + weight
        self.counts[v] = self.counts.get(v, 0.0) + weight
        self.total += weight
        self.last[v] = t
        history.insert(0, v)
        del history[DEPTH:]

    def features(self, u: int, t: float, candidates: list[int]) -> list[list[float]]:
        """phi of every candidate."""
        alpha = exp(t * self.rate)  # a pseudocount of 1, seen from the landmark
        whole = self.total + alpha * self.vocabulary
        nothing: dict[int, float] = {}
        own, visits = self.sources.get(u, nothing), self.visits.get(u, nothing)
        own_total = self.source_totals.get(u, 0.0) + alpha
        history = self.histories.get(u, [])
        rows = [
            (self.transitions.get(x, nothing), self.transition_totals.get(x, 0.0) + alpha)
            for x in history
        ]
        absent = [0.0] * (DEPTH - len(rows))
        windows = [self.windows.get(x, nothing) for x in history]
        window_total = sum(self.window_totals.get(x, 0.0) for x in history) + alpha
        counts, last, scales = self.counts, self.last, self.scales
        result = []
        for z in candidates:
            base = (counts.get(z, 0.0) + alpha) / whole
            smooth = alpha * base
            phi = [log(base), log((own.get(z, 0.0) + smooth) / own_total)]
            phi += [log((row.get(z, 0.0) + smooth) / total) for row, total in rows]
            phi += absent
            visit = visits.get(z)
            phi.append(0.0 if visit is None else exp((visit - t) / scales[0]))
            if self.additions:
                co = sum([row.get(z, 0.0) for row in windows])
                phi.append(log((co + smooth) / window_total))
                seen = last.get(z)
                phi.append(0.0 if seen is None else exp((seen - t) / scales[0]))
                for scale in scales[1:]:
                    phi.append(0.0 if visit is None else exp((visit - t) / scale))
            result.append(phi)
        return result

    def rank(self, u: int, t: float, candidates: list[int], weights: tuple[float, ...]) -> float:
        """Midrank of the first candidate."""
        rows = self.features(u, t, candidates)
        scores = [sum([w * x for w, x in zip(weights, phi, strict=True)]) for phi in rows]
        positive = scores[0]
        higher = sum([score > positive for score in scores])
        return 0.5 + higher + 0.5 * scores.count(positive)


def resident() -> int:
    """Bytes of this process in memory."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def measure(stream: Written, additions: bool) -> None:
    """Print what updates, queries and extraction cost, and what the state takes."""
    width = 12 if additions else 8
    case, weights = f"{stream.name} {width}F", WEIGHTS[:width]
    about = stream.about
    # The engine counts t from the first event of the stream; here the landmark is time 0.
    settings = (about["destinations"], about["decay"], about["recency"], additions)
    model = DictModel(*settings)
    events = stream.events(0, about["validation_end"])
    before = resident()
    begun = time.perf_counter()
    for event in events:
        model.observe(*event)
    spent = time.perf_counter() - begun
    Figure("dict update", case, 1e9 * spent / len(events), "ns/event").print()
    tables = (model.sources, model.windows if additions else model.transitions)
    pairs = sum(len(row) for table in tables for row in table.values())
    Figure("dict resident", case, (resident() - before) / pairs, "B/pair").print()

    first = about["validation_end"]
    test = stream.events(first, first + min(QUERIES, len(stream.negatives)))
    lists = [
        [event[1], *others]
        for event, others in zip(test, stream.negatives[: len(test)].tolist(), strict=True)
    ]
    ranks = []
    begun = time.perf_counter()
    for (u, v, t), candidates in zip(test, lists, strict=True):
        ranks.append(model.rank(u, t, candidates, weights))
        model.observe(u, v, t)
    spent = time.perf_counter() - begun
    Figure("dict score", case, 1e9 * spent / len(test), "ns/query").print()
    agree(ranks, stream.ranks(f"{width}F"), case)

    if (stream.folder / f"ranks-all-{width}F").exists():
        whole(stream, settings, events, weights, case)
    others = stream.negatives.ravel()[: min(ROWS, about["training_end"])].tolist()
    rows = stream.events(0, len(others))
    model = DictModel(*settings)
    differences = []
    begun = time.perf_counter()
    for (u, v, t), negative in zip(rows, others, strict=True):
        positive, other = model.features(u, t, [v, negative])
        differences.append([a - b for a, b in zip(positive, other, strict=True)])
        model.observe(u, v, t)
    spent = time.perf_counter() - begun
    Figure("dict extract", case, 1e9 * spent / len(rows), "ns/row").print()


def whole(
    stream: Written,
    settings: tuple[int, float, float, bool],
    events: list[tuple[int, int, float]],
    weights: tuple[float, ...],
    case: str,
) -> None:
    """Queries of all destinations."""
    model = DictModel(*settings)
    for event in events:
        model.observe(*event)
    end = stream.about["validation_end"]
    everything = list(range(stream.about["destinations"]))
    test, ranks = stream.events(end, end + min(WHOLE_QUERIES, len(stream.negatives))), []
    begun = time.perf_counter()
    for u, v, t in test:
        ranks.append(model.rank(u, t, [v, *everything[:v], *everything[v + 1 :]], weights))
        model.observe(u, v, t)
    spent = time.perf_counter() - begun
    Figure("dict score all", case, 1e9 * spent / len(test), "ns/query").print()
    agree(ranks, stream.ranks("all-" + case.split()[-1]), f"{case}, all destinations")


if __name__ == "__main__":
    measure(Written(sys.argv[1]), sys.argv[2] == "12")
