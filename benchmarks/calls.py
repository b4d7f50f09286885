"""What a call from Python costs beside the same work in bulk, and the import.

python -m benchmarks.calls FOLDER
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.figures import Figure
from benchmarks.written import WEIGHTS, Written
from linkgram import Configuration, EventStream, LinkPredictor
from linkgram.predictor import Id

CALLS, TOPS, REPEATS, IMPORTS = 20_000, 2_000, 5, 15


def predictor_of(stream: Written, named: Callable[[int], Id] = int) -> LinkPredictor:
    """An empty predictor of eight features over the stream's destinations."""
    about = stream.about
    return LinkPredictor(
        Configuration(decay=about["decay"], recency=about["recency"]),
        weights=WEIGHTS[:8],
        destinations=map(named, range(about["destinations"])),
    )


def calls(stream: Written) -> None:
    """One event and one ranking at a time, with the candidates in every usual form."""
    end = stream.about["validation_end"]
    columns = (stream.sources, stream.destinations, stream.times)
    bulk = EventStream.from_arrays(*(column[: end - CALLS] for column in columns))
    one_by_one = stream.events(end - CALLS, end)
    test = stream.events(end, end + len(stream.negatives))[:CALLS]
    negatives = stream.negatives[: len(test)].astype(np.int64)
    forms: dict[str, list[Any]] = {
        "call rank": list(negatives),
        "call rank int32": list(negatives.astype(np.int32)),
        "call rank list": negatives.tolist(),
    }
    update = float("inf")
    ranking = dict.fromkeys(forms, float("inf"))
    for _ in range(REPEATS):
        predictor = predictor_of(stream)
        predictor.observe(bulk)
        observe = predictor.observe
        begun = time.perf_counter()
        for u, v, t in one_by_one:
            observe(u, v, t)
        update = min(update, time.perf_counter() - begun)
        for form, lists in forms.items():
            ranking[form] = min(ranking[form], asking(predictor, test, lists))
    texts = [[str(id_) for id_ in row] for row in forms["call rank list"]]
    named = [(str(u), str(v), t) for u, v, t in test]
    other = predictor_of(stream, str)
    sources, destinations = (column[:end].astype(str) for column in columns[:2])
    other.observe(EventStream.from_arrays(sources, destinations, stream.times[:end]))
    ranking["call rank texts"] = min(asking(other, named, texts) for _ in range(REPEATS))
    case = f"{stream.name} 8F"
    Figure("call update", case, 1e9 * update / len(one_by_one), "ns/event").print()
    for form, spent in ranking.items():
        Figure(form, case, 1e9 * spent / len(test), "ns/query").print()
    found = [ranks(predictor, test, lists) for lists in forms.values()]
    found.append(ranks(other, named, texts))
    if any(form != found[0] for form in found):
        raise SystemExit("error: the form of the candidates changes their ranks")


def asking(predictor: LinkPredictor, test: list[Any], lists: list[Any]) -> float:
    """Seconds that the rankings take, one call each."""
    rank = predictor.rank
    begun = time.perf_counter()
    for (u, v, t), candidates in zip(test, lists, strict=True):
        rank(u, v, candidates, t)
    return time.perf_counter() - begun


def ranks(predictor: LinkPredictor, test: list[Any], lists: list[Any]) -> list[float]:
    """What they give."""
    asked = zip(test, lists, strict=True)
    return [predictor.rank(u, v, candidates, t) for (u, v, t), candidates in asked]


def top(stream: Written) -> None:
    """Ten best destinations of the whole vocabulary, one source at a time."""
    end = stream.about["validation_end"]
    predictor = predictor_of(stream)
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
