"""Examples: five test queries, each explained by what its features contribute.

The rule: of the test queries whose source has a history, ordered by the midrank of their positive
(ties by row), those at 10, 30, 50, 70 and 90 %. So the first is an easy one, the last a hard one.
Weights are those of the main table's chosen backoff, best seed by validation.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkgram.configuration import Configuration
from linkgram.evaluation import choices
from linkgram.evaluation.protocol import Protocol
from linkgram.evaluation.study_result import Column
from linkgram.evaluation.together import rank_together, resolved_on
from linkgram.events import EventStream
from linkgram.predictor import LinkPredictor
from linkgram.studies.coverage import coverage
from linkgram.studies.findings import Findings
from linkgram.studies.subject import Subject

SHARES = (0.1, 0.3, 0.5, 0.7, 0.9)
CANDIDATES_SHOWN = 5
RULE = (
    "test queries whose source has a history, ordered by the midrank of the positive, then by row; "
    "those at 10, 30, 50, 70 and 90 %"
)
COLUMNS = (
    Column("query", "number of the test query, from 0"),
    Column("source", "who asks"),
    Column("time", "when, in the stream's unit"),
    Column("positive", "the destination that followed"),
    Column("rank", "its midrank among the candidates"),
    Column("candidates_ranked", "how many candidates were ranked, the positive among them"),
)


def settings(subject: Subject) -> dict[str, Any]:
    """What decides this study's result besides the data."""
    return {
        **subject.main_settings(),
        "shares": list(SHARES), "candidates_shown": CANDIDATES_SHOWN, "rule": RULE,
    }  # fmt: skip


def findings(subject: Subject) -> Findings:
    """One row a query; what its candidates have is in the series."""
    protocol = subject.protocol
    chosen = subject.comparison.chosen
    backoff, features = chosen["settings"]["backoff"], chosen["settings"]["feature_set"]
    configuration = resolved_on(
        protocol, Configuration(backoff=backoff, additions=choices.additions_of(features))
    )
    best = max(chosen["runs"], key=lambda run: run["validation_mrr"][run["epoch"] - 1])
    weights = list(best["weights"].values())
    (ranks,) = rank_together(
        protocol, [(configuration, [weights])],
        threads=subject.threads, progress=subject.progress,
    )  # fmt: skip
    has_history = coverage(protocol.stream, protocol.split).has_history
    queries = chosen_queries(ranks[0], has_history)
    explained = explain_queries(protocol, configuration, weights, queries, ranks[0])
    rows = [{column.name: one[column.name] for column in COLUMNS} for one in explained]
    notes = [f"Queries: {RULE}.", f"Weights: {backoff} backoff, seed {best['seed']}."]
    if len(queries) < len(SHARES):
        notes.append("Fewer test queries with a history than examples wanted.")
    return Findings(
        COLUMNS, rows, subject.measured("event-wise"), series={"queries": explained}, notes=notes
    )


def chosen_queries(ranks: NDArray[np.float64], has_history: NDArray[np.bool_]) -> list[int]:
    """The numbers of the queries that the rule chooses.

    >>> chosen_queries(np.array([4.0, 1, 9, 2, 3]), np.array([True, True, False, True, True]))
    [1, 3, 4, 0]
    """
    eligible = np.flatnonzero(has_history)
    ordered = eligible[np.argsort(ranks[eligible], kind="stable")]
    places = [int(share * len(ordered)) for share in SHARES]
    return list(dict.fromkeys(int(ordered[place]) for place in places if place < len(ordered)))


def explain_queries(
    protocol: Protocol,
    configuration: Configuration,
    weights: Sequence[float],
    queries: Sequence[int],
    ranks: NDArray[np.float64],
) -> list[dict[str, Any]]:
    """Replay the stream up to each query and ask the predictor why it ranks as it does."""
    stream, first = protocol.stream, protocol.split.validation_end
    predictor = LinkPredictor(
        configuration, weights=weights, destinations=_known(stream.destination_ids)
    )
    explained: dict[int, dict[str, Any]] = {}
    observed = 0
    for query in sorted(queries):
        row = first + query
        predictor.observe(stream[observed:row])
        observed = row
        explained[query] = _explained(protocol, predictor, query) | {"rank": float(ranks[query])}
    return [explained[query] for query in queries]


def _explained(protocol: Protocol, predictor: LinkPredictor, query: int) -> dict[str, Any]:
    stream, row = protocol.stream, protocol.split.validation_end + query
    source, positive, time = stream.external(row)
    at = int(stream.destinations[row])
    # A negative that is the positive, as some samplers draw, would be shown twice.
    others = np.unique(protocol.test.negatives(query, at))
    candidates = np.concatenate([[at], others[others != at]])
    ids = [_id(stream.destination_ids[int(one)]) for one in candidates]
    values = predictor.features(source, ids, time)
    parts = values * np.array(list((predictor.weights or {}).values()))
    scores = predictor.score(source, ids, time)
    # Descending, equal scores by place: the positive stands first among its equals.
    shown = np.argsort(-scores, kind="stable")[:CANDIDATES_SHOWN].tolist()
    if 0 not in shown:
        shown.append(0)
    names = predictor.feature_names
    average = parts.mean(axis=0)
    return {
        "query": query,
        "source": source,
        "time": time,
        "positive": positive,
        "candidates_ranked": len(protocol.test.negatives(query, at)) + 1,
        "history": _history(stream, row, predictor.configuration.depth),
        "candidates": [
            {
                "destination": ids[one],
                "score": float(scores[one]),
                "is_positive": one == 0,
                "contributions": dict(zip(names, parts[one].tolist(), strict=True)),
                "against_average": dict(zip(names, (parts[one] - average).tolist(), strict=True)),
            }
            for one in shown
        ],
        "chosen": RULE,
    }


def _history(stream: EventStream, row: int, depth: int) -> list[dict[str, Any]]:
    """The last destinations of the row's source before it, newest first, with their times."""
    mine = np.flatnonzero(stream.sources[:row] == stream.sources[row])[-depth:][::-1]
    return [
        {"destination": destination, "time": time}
        for _, destination, time in (stream.external(int(event)) for event in mine)
    ]


def _known(ids: Any) -> Any:
    return ids.tolist() if isinstance(ids, np.ndarray) else list(ids)


def _id(value: Any) -> int | str:
    return value if isinstance(value, str) else int(value)
