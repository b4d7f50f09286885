"""Metrics of a list of ranks, and how sure they are.

A rank is a midrank: one plus the negatives scored higher, plus half of those scored equal.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

HITS = (1, 3, 10)
NDCG = 10
MOST_BLOCKS = 1000


def metrics(ranks: NDArray[np.float64]) -> dict[str, float]:
    """MRR, hits@k (the share of midranks up to k) and NDCG@10 of one list of ranks.

    >>> metrics(np.array([1.0, 2.0, 51.0]))["hits@1"]
    0.3333333333333333
    """
    values = {"mrr": float(np.mean(1.0 / ranks))}
    for k in HITS:
        values[f"hits@{k}"] = float(np.mean(ranks <= k))
    # One relevant destination: the ideal gain is 1, the gain at rank r is 1/log2(1 + r).
    gains = np.where(ranks <= NDCG, 1.0 / np.log2(1.0 + ranks), 0.0)
    values[f"ndcg@{NDCG}"] = float(np.mean(gains))
    return values


def mean_and_sd(values: Sequence[float]) -> dict[str, float | None]:
    """Mean and sample standard deviation; of one value there is no deviation.

    >>> mean_and_sd([1.0, 3.0])
    {'mean': 2.0, 'sd': 1.4142135623730951}
    """
    spread = float(np.std(values, ddof=1)) if len(values) > 1 else None
    return {"mean": float(np.mean(values)), "sd": spread}


def bootstrap_interval(
    per_query: NDArray[np.float64], *, confidence: float = 0.95, draws: int = 1000, seed: int = 0
) -> tuple[float, float]:
    """Percentile bootstrap interval of a mean over queries, such as of reciprocal ranks.

    The interval says how much the mean depends on which queries happened to be asked. Sums over
    blocks of consecutive queries are drawn with replacement: neighbours in a stream are alike, and
    drawing them one by one would make the interval too narrow.

    >>> low, high = bootstrap_interval(np.tile([1.0, 0.5], 500))
    >>> low <= 0.75 <= high
    True
    """
    (interval,) = bootstrap_intervals([per_query], confidence=confidence, draws=draws, seed=seed)
    return interval


def bootstrap_intervals(
    rows: Iterable[NDArray[np.float64]],
    *,
    confidence: float = 0.95,
    draws: int = 1000,
    seed: int = 0,
) -> list[tuple[float, float]]:
    """A `bootstrap_interval` for every row, all from the same draws of queries.

    A row of differences between two methods gives the interval of a paired difference. Rows are
    equally long and taken one by one: of each only its sums over blocks are kept.

    >>> ours, theirs = np.tile([1.0, 0.5], 500), np.tile([0.9, 0.4], 500)
    >>> alone, difference = bootstrap_intervals([ours, ours - theirs])
    >>> alone == bootstrap_interval(ours), [round(end, 6) for end in difference]
    (True, [0.1, 0.1])
    """
    edges = np.empty(0, np.int64)
    found: list[NDArray[np.float64]] = []
    for row in rows:
        if not found:
            blocks = min(len(row), MOST_BLOCKS)
            edges = np.linspace(0, len(row), blocks + 1).astype(np.int64)
        found.append(np.add.reduceat(row, edges[:-1]))
    sums, sizes = np.array(found), np.diff(edges)
    random = np.random.Generator(np.random.PCG64(seed))
    means = np.empty((draws, len(sums)))
    for draw in range(draws):
        picked = random.integers(0, len(sizes), len(sizes))
        means[draw] = np.take(sums, picked, axis=1).sum(axis=1) / sizes[picked].sum()
    tail = (1 - confidence) / 2
    low, high = np.quantile(means, [tail, 1 - tail], axis=0)
    return list(zip(low.tolist(), high.tolist(), strict=True))
