"""What a call from Python costs beside the same work in bulk, and the import.

python -m benchmarks.calls FOLDER
"""

from __future__ import annotations

import subprocess
import sys
import time

import numpy as np

from benchmarks.figures import Figure
from benchmarks.written import WEIGHTS, Written
from linkgram import Configuration, EventStream, LinkPredictor

CALLS, TOPS, REPEATS, IMPORTS = 20_000, 2_000, 5, 15


def calls(stream: Written) -> None:
    """One event and one ranking at a time, through `LinkPredictor`."""
    about = stream.about
    settings = Configuration(decay=about["decay"], recency=about["recency"])
    end = about["validation_end"]
    weights = WEIGHTS[:8]
    bulk = EventStream.from_arrays(
        stream.sources[: end - CALLS],
        stream.destinations[: end - CALLS],
        stream.times[: end - CALLS],
    )
    one_by_one = stream.events(end - CALLS, end)
    test = stream.events(end, end + len(stream.negatives))[:CALLS]
    lists = list(stream.negatives[:CALLS].astype(np.int64))
    update = rank = float("inf")
    for _ in range(REPEATS):
        predictor = LinkPredictor(
            settings, weights=weights, destinations=range(about["destinations"])
        )
        predictor.observe(bulk)
        observe = predictor.observe
        begun = time.perf_counter()
        for u, v, t in one_by_one:
            observe(u, v, t)
        update = min(update, time.perf_counter() - begun)
        ask = predictor.rank
        begun = time.perf_counter()
        for (u, v, t), candidates in zip(test, lists, strict=True):
            ask(u, v, candidates, t)
        rank = min(rank, time.perf_counter() - begun)
    case = f"{stream.name} 8F"
    Figure("call update", case, 1e9 * update / len(one_by_one), "ns/event").print()
    Figure("call rank", case, 1e9 * rank / len(test), "ns/query").print()


def top(stream: Written) -> None:
    """Ten best destinations of the whole vocabulary, one source at a time."""
    about = stream.about
    end = about["validation_end"]
    predictor = LinkPredictor(
        Configuration(decay=about["decay"], recency=about["recency"]),
        weights=WEIGHTS[:8],
        destinations=range(about["destinations"]),
    )
    columns = (stream.sources, stream.destinations, stream.times)
    predictor.observe(EventStream.from_arrays(*(column[:end] for column in columns)))
    test = stream.events(end, end + TOPS)
    now = float(stream.times[end])
    best = float("inf")
    for _ in range(REPEATS):
        begun = time.perf_counter()
        for u, _, _ in test:
            predictor.top_k(u, now, 10)
        best = min(best, time.perf_counter() - begun)
    Figure("top 10", stream.name, 1e9 * best / len(test), "ns/query").print()


def imports() -> None:
    """`import linkgram` beside `import numpy`, in processes of their own."""
    program = (
        "import time, numpy\n"
        "begun = time.perf_counter()\n"
        "import {}\n"
        "print(time.perf_counter() - begun)"
    )
    for figure, name in (("import", "linkgram"), ("import core", "linkgram._core")):
        spent = min(
            float(subprocess.check_output([sys.executable, "-c", program.format(name)]))
            for _ in range(IMPORTS)
        )
        Figure(figure, "beyond numpy", 1e3 * spent, "ms").print()


if __name__ == "__main__":
    if sys.argv[2:] == ["top"]:
        top(Written(sys.argv[1]))
    else:
        calls(Written(sys.argv[1]))
        imports()
