"""Online learners event by event: river's factorisation and Vowpal Wabbit's hashed pairs.

    python -m benchmarks.rivals.online FOLDER

They learn another model, so their ranks are their own; what is compared is the price of an update
and of scoring 101 candidates, in the plainest way their documentation shows.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

from benchmarks.figures import Figure
from benchmarks.written import Written

EVENTS, QUERIES = 5_000, 100


def measure(
    name: str,
    stream: Written,
    learn: Callable[[int, int], object],
    score: Callable[[int, int], float],
) -> None:
    """Print the price of an update and of a query."""
    events = stream.events(0, EVENTS)
    begun = time.perf_counter()
    for u, v, _ in events:
        learn(u, v)
    spent = time.perf_counter() - begun
    Figure(f"{name} update", stream.name, 1e9 * spent / len(events), "ns/event").print()
    test = stream.events(EVENTS, EVENTS + QUERIES)
    lists = stream.negatives[:QUERIES].tolist()
    begun = time.perf_counter()
    for (u, v, _), others in zip(test, lists, strict=True):
        scores = [score(u, z) for z in (v, *others)]
        sum(other > scores[0] for other in scores)
    spent = time.perf_counter() - begun
    Figure(f"{name} score", stream.name, 1e9 * spent / len(test), "ns/query").print()


def main(folder: str) -> None:
    """Measure what is installed."""
    stream = Written(folder)
    try:
        from river import reco
    except ImportError as error:
        sys.stderr.write(f"river is not installed ({error}); its rows are left out\n")
    else:
        model = reco.FunkMF(n_factors=10, seed=1)
        measure(
            "river",
            stream,
            lambda u, v: model.learn_one(user=u, item=v, y=1.0),
            lambda u, z: model.predict_one(user=u, item=z),
        )
    try:
        from vowpalwabbit import Workspace
    except ImportError as error:
        sys.stderr.write(f"vowpalwabbit is not installed ({error}); its rows are left out\n")
    else:
        learner = Workspace("--quiet -q ud --loss_function logistic -b 20")
        measure(
            "vowpal wabbit",
            stream,
            lambda u, v: learner.learn(f"1 |u {u} |d {v}"),
            lambda u, z: learner.predict(f"|u {u} |d {z}"),
        )
        learner.finish()


if __name__ == "__main__":
    main(sys.argv[1])
