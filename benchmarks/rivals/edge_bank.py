"""EdgeBank as TGB's example runs it: dictionary look-ups, and TGB's Evaluator query by query.

    python -m benchmarks.rivals.edge_bank FOLDER [all]

py-tgb's package carries the Evaluator, which is used as it is. Its EdgeBank is part of the examples
and not of the package, so the loop is written here in the same shape: pairs as a query, one score
each, an array, one call of the Evaluator.
"""

from __future__ import annotations

import sys
import time
from typing import Any

import numpy as np

from benchmarks.figures import Figure
from benchmarks.written import Written

QUERIES = 2_000


def evaluator() -> Any:
    """TGB's Evaluator, or None if py-tgb is not installed."""
    try:
        from tgb.linkproppred.evaluate import Evaluator
    except ImportError as error:
        sys.stderr.write(f"py-tgb is not installed ({error}); its rows are left out\n")
        return None
    return Evaluator(name="tgbl-wiki")


def main(folder: str, whole: bool) -> None:
    """Measure the loop over the first test queries."""
    judge = evaluator()
    if judge is None:
        return
    stream = Written(folder)
    end = stream.about["validation_end"]
    memory = {(u, v): 1 for u, v, _ in stream.events(0, end)}
    test = stream.events(end, end + min(QUERIES, len(stream.negatives)))
    everything = np.arange(stream.about["destinations"])
    reciprocal = []
    begun = time.perf_counter()
    for (u, v, _), others in zip(test, stream.negatives, strict=False):
        candidates = np.delete(everything, v) if whole else others
        sources = np.full(len(candidates) + 1, u)
        destinations = np.concatenate(([v], candidates))
        scores = np.zeros(len(destinations))
        for at, (source, destination) in enumerate(zip(sources, destinations, strict=True)):
            if (source, destination) in memory:
                scores[at] = 1.0
        answer = judge.eval(
            {"y_pred_pos": scores[:1], "y_pred_neg": scores[1:], "eval_metric": ["mrr"]}
        )
        reciprocal.append(answer["mrr"])
        memory[u, v] = 1
    spent = time.perf_counter() - begun
    name = "all" if whole else "edge"
    expected = stream.ranks(f"{name}-bank")[: len(test)]
    if abs(np.mean(reciprocal) - (1 / expected).mean()) > 1e-6:
        raise SystemExit(f"error: {stream.name}: EdgeBank's MRR is not the engine's")
    figure = "tgb edge bank all" if whole else "tgb edge bank"
    Figure(figure, stream.name, 1e9 * spent / len(test), "ns/query").print()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:] == ["all"])
