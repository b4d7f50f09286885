"""The slow twin of fitting and ranking: MODEL's sections on them over `NaiveModel`'s features.

Training queries, negatives, loss, Adam and early stopping are written as they are told, one query
after the other; only what the core documents as its own choice (its generator, and which draw is
whose) is repeated word for word.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from tests.support.naive import NaiveModel, Settings

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray
    from tests.support.streams import Event

    from linkgram.evaluation import CandidateSet, FitSettings

    Matrix = NDArray[np.float64]

WORD = 2**64
STEP = 0x9E37_79B9_7F4A_7C15
NEAR_TIE = 1e-8
ROUNDING = 1e-12


def mix(z: int) -> int:
    """The finaliser of splitmix64."""
    z = (z ^ (z >> 30)) * 0xBF58_476D_1CE4_E5B9 % WORD
    z = (z ^ (z >> 27)) * 0x94D0_49BB_1331_11EB % WORD
    return z ^ (z >> 31)


class Draws:
    """Draw `index` of stream `stream` of a seed: at(index) = mix(key + (index + 1) STEP)."""

    def __init__(self, seed: int, stream: int) -> None:
        self.key = mix((mix((seed + STEP) % WORD) + mix((stream + 2 * STEP) % WORD)) % WORD)

    def below(self, index: int, bound: int) -> int:
        """An integer in 0..bound: the high half of a product."""
        return mix((self.key + (index + 1) * STEP) % WORD) * bound // WORD


def resolved(settings: Settings, times: Sequence[float], training_end: int) -> Settings:
    """tau = duration of validation, recency = 1% of the duration of training."""
    training, validation = times[:training_end], times[training_end:]
    return Settings(
        settings.depth, settings.backoff, settings.additions, settings.alpha,
        decay=validation[-1] - validation[0], recency=0.01 * (training[-1] - training[0]),
    )  # fmt: skip


def negatives_of(seed: int, query: int, count: int, vocabulary_size: int) -> list[int]:
    """Uniform destinations, from stream 0 of the seed."""
    draws = Draws(seed, 0)
    return [draws.below(query * count + n, vocabulary_size) for n in range(count)]


def training_rows(
    events: Sequence[Event],
    settings: Settings,
    vocabulary_size: int,
    seed: int,
    count: int,
    start: int = 0,
) -> NDArray[np.float32]:
    """phi(positive) - phi(negative) before the event is observed: [query, negative, feature].

    Events before `start` are only observed.
    """
    model = NaiveModel(settings, vocabulary_size)
    rows = []
    for at, (source, positive, time) in enumerate(events):
        if at >= start:
            negatives = negatives_of(seed, at - start, count, vocabulary_size)
            phi = np.array(model.features(source, [positive, *negatives], time))
            rows.append(phi[0] - phi[1:])
        model.observe(source, positive, time)
    return np.array(rows, dtype=np.float32)


def epochs(rows: NDArray[np.float32], seed: int, settings: FitSettings) -> Iterator[Matrix]:
    """Adam on the sampled softmax; the weights after every epoch.

    loss of a query = -log(softmax of the positive) = log(1 + sum_j exp(-w.d_j))
    """
    differences = rows.astype(np.float64)
    weights = np.zeros(rows.shape[-1])
    first, second, step = np.zeros_like(weights), np.zeros_like(weights), 0
    order = list(range(len(rows)))
    for epoch in range(1, settings.epochs + 1):
        draws = Draws(seed, epoch)
        for at in range(len(order) - 1, 0, -1):
            other = draws.below(at, at + 1)
            order[at], order[other] = order[other], order[at]
        for start in range(0, len(order), settings.batch):
            slopes = []
            for query in order[start : start + settings.batch]:
                d = differences[query]
                scores = np.concatenate([[0.0], -(d @ weights)])
                softmax = np.exp(scores - scores.max())
                slopes.append(-(softmax[1:] / softmax.sum()) @ d)
            slope = np.mean(slopes, axis=0)
            slope *= min(1.0, settings.clip / max(float(np.linalg.norm(slope)), 1e-300))
            step += 1
            first = 0.9 * first + 0.1 * slope
            second = 0.999 * second + 0.001 * slope**2
            mean, spread = first / (1 - 0.9**step), second / (1 - 0.999**step)
            weights = weights - settings.learning_rate * mean / (np.sqrt(spread) + 1e-8)
        yield weights


def visible(times: Sequence[float], first: int, row: int, schedule: str) -> int:
    """How many events are history when the event at `row` is asked for."""
    if schedule == "strict-timestamp":
        return sum(time < times[row] for time in times)
    size = int(schedule[6:-1]) if schedule.startswith("batch(") else 1
    return first + (row - first) // size * size


@dataclass(frozen=True)
class Asked:
    """One query: the features of its candidates, the positive's first, and who equals the positive.

    `level` marks negatives on the same evidence as the positive: they tie whatever the weights.
    """

    phi: Matrix
    level: NDArray[np.bool_]

    def ranks(self, weights: Matrix) -> tuple[float, float, float]:
        """Least, likely and most midrank: scores within 1e-8 are near enough for either order."""
        ahead = (self.phi[1:] - self.phi[0]) @ weights
        open_ = ~self.level & (np.abs(ahead) < NEAR_TIE)
        least = 1 + 0.5 * np.sum(self.level) + np.sum((ahead > 0) & ~self.level & ~open_)
        tied = 0.5 * np.sum(open_ & (np.abs(ahead) < ROUNDING))
        likely = least + tied + np.sum(open_ & (ahead >= ROUNDING))
        return float(least), float(likely), float(least + np.sum(open_))


def asked(
    events: Sequence[Event],
    settings: Settings,
    vocabulary_size: int,
    queries: tuple[int, int],
    candidates: CandidateSet,
    schedule: str = "event-wise",
) -> list[Asked]:
    """Features of the queries `queries[0]` to `queries[1]` under a schedule."""
    model, seen = NaiveModel(settings, vocabulary_size), 0
    times = [time for _, _, time in events]
    found = []
    for row in range(*queries):
        now_visible = visible(times, queries[0], row, schedule)
        for event in events[seen:now_visible]:
            model.observe(*event)
        seen = now_visible
        source, positive, time = events[row]
        negatives = candidates.negatives(row - queries[0], positive).tolist()
        phi = np.array(model.features(source, [positive, *negatives], time))
        evidence = model.evidence(source, positive)
        level = [
            np.array_equal(phi[0], one) and model.evidence(source, z) == evidence
            for one, z in zip(phi[1:], negatives, strict=True)
        ]
        found.append(Asked(phi, np.array(level, bool)))
    return found


def mrr(queries: Sequence[Asked], weights: Matrix) -> tuple[float, float, float]:
    """Least, likely and most mean reciprocal rank."""
    ranks = np.array([query.ranks(weights) for query in queries])
    least, likely, most = np.mean(1 / ranks, axis=0)
    return float(most), float(likely), float(least)


def stopping(history: Sequence[float], patience: int) -> tuple[int, int]:
    """The best epoch and the last, from 1: stop after `patience` epochs without improvement."""
    best = 1
    for epoch, value in enumerate(history, start=1):
        if value > history[best - 1]:
            best = epoch
        if epoch - best >= patience:
            return best, epoch
    return best, len(history)
