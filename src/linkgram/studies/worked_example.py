"""Worked example: the paper's stream of six events, every number asked of the library itself.

Source u visits a, b, c, b, c at times 1 to 5, another source visits d at 6; the query is (u, 6),
with K = 2, alpha = 1, undecayed counts and a recency scale of 2. The tables that grow with each
event are read back from the estimates: with an unseen destination e,

    P(e|x) = alpha B(e) / (n(x) + alpha)  gives n(x), and
    c(x,z) = P(z|x) (n(x) + alpha) - alpha B(z).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from linkgram import _core
from linkgram.configuration import ADDITIONS, BACKOFFS, Backoff, Configuration
from linkgram.evaluation.reference import sources, worked_example
from linkgram.evaluation.result import key_of
from linkgram.evaluation.study_result import STUDY_FORMAT, Column
from linkgram.events import EventStream
from linkgram.predictor import LinkPredictor
from linkgram.studies.findings import Findings

NAME = "worked-example"
STREAM = "worked-stream"
EVENTS = (
    ("u", "a", 1.0), ("u", "b", 2.0), ("u", "c", 3.0),
    ("u", "b", 4.0), ("u", "c", 5.0), ("w", "d", 6.0),
)  # fmt: skip
DESTINATIONS = ("a", "b", "c", "d")
QUERY = ("u", 6.0)
DEPTH, ALPHA, RECENCY = 2, 1.0, 2.0
UNSEEN = "e"
COLUMNS = (
    Column("backoff", "marginal or continuation"),
    Column("estimator", "the estimate or recency feature, as features are named"),
    *(Column(z, f"its value for candidate {z}") for z in DESTINATIONS),
)


def key() -> tuple[str, dict[str, Any], dict[str, Any]]:
    """Key, data and settings of the stored result."""
    stream = EventStream.from_arrays(*zip(*EVENTS, strict=True))
    data = {
        "name": STREAM,
        "digest": stream.digest(),
        "events": len(stream),
        "sources": len(stream.source_ids),
        "vocabulary_size": len(DESTINATIONS),
    }
    settings = {
        "depth": DEPTH, "alpha": ALPHA, "decay": "inf", "recency": RECENCY, "query": list(QUERY),
    }  # fmt: skip
    inputs = {
        "format": STUDY_FORMAT, "study": NAME, "data": data, "settings": settings,
        "core": _core.__version__,
    }  # fmt: skip
    return key_of(inputs), data, settings


def findings() -> Findings:
    """One row a backoff and estimate."""
    rows: list[dict[str, Any]] = []
    for backoff in BACKOFFS:
        rows += [
            {"backoff": backoff, "estimator": name, **dict(zip(DESTINATIONS, values, strict=True))}
            for name, values in estimates(backoff).items()
        ]
    compared = []
    for estimator, printed in worked_example().items():
        backoff = "continuation" if estimator == "continuation" else "marginal"
        (row,) = (r for r in rows if (r["backoff"], r["estimator"]) == (backoff, estimator))
        for z, value in zip(DESTINATIONS, printed, strict=True):
            compared.append(
                {
                    "what": f"{estimator} of {z}",
                    "ours": row[z],
                    "paper": value,
                    "difference": row[z] - value,
                    "source": f"{sources()['paper']}, tab:worked",
                    "at": {"estimator": estimator, "column": z},
                }
            )
    notes = ["The paper prints two decimals; differences below 0.005 are its rounding."]
    measured = {"query": list(QUERY), "tables": "after each event, from the library's estimates"}
    series = {"events": tables_by_event()}
    return Findings(COLUMNS, rows, measured, series=series, notes=notes, paper=compared)


def estimates(backoff: Backoff) -> dict[str, list[float]]:
    """Every estimate and recency at the query, over the four destinations.

    >>> [round(p, 2) for p in estimates("marginal")["transition_1"]]
    [0.1, 0.65, 0.15, 0.1]
    """
    predictor = _predictor(backoff, DEPTH, DESTINATIONS, EVENTS)
    source, time = QUERY
    values = predictor.features(source, DESTINATIONS, time)
    found = {
        name: (column if "recency" in name else np.exp(column)).tolist()
        for name, column in zip(predictor.feature_names, values.T, strict=True)
    }
    if backoff == "continuation":
        # Nothing followed d, the last destination of w: its row is empty and gives the base itself.
        last = predictor.feature_names.index("transition_1")
        base = np.exp(predictor.features("w", DESTINATIONS, time)[:, last])
        found = {"popularity": found.pop("popularity"), "continuation": base.tolist(), **found}
    return found


def tables_by_event() -> list[dict[str, Any]]:
    """After each event: who visited what, and the transition and co-occurrence counts so far.

    >>> tables_by_event()[2]["co_occurrence"]
    {'a': {'b': 1, 'c': 1}, 'b': {'c': 1}}
    """
    return [
        {
            "event": list(EVENTS[number - 1]),
            "transitions": counts(EVENTS[:number], "transition_1"),
            "co_occurrence": counts(EVENTS[:number], "co_occurrence"),
            "history": [z for u, z, _ in reversed(EVENTS[:number]) if u == "u"][:DEPTH],
        }
        for number in range(1, len(EVENTS) + 1)
    ]


def counts(events: Sequence[tuple[str, str, float]], feature: str) -> dict[str, dict[str, int]]:
    """The counts c(x, z) above zero behind an estimate, row by row."""
    table: dict[str, dict[str, int]] = {}
    candidates = (*DESTINATIONS, UNSEEN)
    for x in DESTINATIONS:
        # A newcomer whose only destination is x asks about that row alone, and adds to none.
        time = events[-1][2]
        predictor = _predictor("marginal", DEPTH, candidates, (*events, ("newcomer", x, time)))
        values = predictor.features("newcomer", candidates, time)
        place = predictor.feature_names.index
        base, given = np.exp(values[:, place("popularity")]), np.exp(values[:, place(feature)])
        whole = ALPHA * base[-1] / given[-1]
        found = np.rint(given * whole - ALPHA * base).astype(int)
        row = {z: int(count) for z, count in zip(DESTINATIONS, found, strict=False) if count}
        if row:
            table[x] = row
    return table


def _predictor(
    backoff: Backoff,
    depth: int,
    destinations: Sequence[str],
    events: Sequence[tuple[str, str, float]],
) -> LinkPredictor:
    configuration = Configuration(
        depth=depth, backoff=backoff, additions=ADDITIONS, alpha=ALPHA,
        decay=math.inf, recency=RECENCY, cells="float64",
    )  # fmt: skip
    predictor = LinkPredictor(configuration, destinations=destinations)
    for source, destination, time in events:
        predictor.observe(source, destination, time)
    return predictor
