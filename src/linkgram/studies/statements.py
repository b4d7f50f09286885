"""Statements: what the paper's text says over all data sets, beside the same over those at hand.

Counts and medians are over the data sets present; a statement over 16 of them can only be held
against ours when as many are there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from linkgram.evaluation.reference import paper_of, statements
from linkgram.evaluation.study_result import StudyResult
from linkgram.studies.features import REFERENCE
from linkgram.studies.timing import OURS

Results = Sequence[StudyResult]
BATCH = "batch(200)"


def statement_rows(by_study: Mapping[str, Results]) -> list[list[Any]]:
    """Study, statement, the paper's number, ours, and over how many data sets ours is."""
    rows = []
    for stated in statements():
        measure = MEASURES.get(stated.name)
        needed = measure[0] if measure else ()
        if measure is None or not all(study in by_study for study in needed):
            continue
        some = [_of_benchmark(by_study[study], stated.name) for study in needed]
        if not all(some):
            continue
        bound = "" if stated.bound == "is" else f", {stated.bound}"
        over = "" if stated.of is None else f" (of {stated.of})"
        says = f"{stated.says}{bound} [{stated.unit}{over}]"
        rows.append([stated.study, says, stated.value, measure[1](*some), len(some[0])])
    return rows


def _of_benchmark(results: Results, statement: str) -> Results:
    """The data sets of the paper that a statement is over."""
    known = [(result, paper_of(result.data)) for result in results]
    benchmark = "TGB-Seq" if "Seq" in statement else "TGB" if "TGB" in statement else None
    return [
        result
        for result, figures in known
        if figures is not None and benchmark in (None, figures.benchmark)
    ]


def _chosen(result: StudyResult) -> float:
    row = next(row for row in result.rows if row["chosen"])
    return float(row["mrr"]["mean"])


def _of_method(result: StudyResult, method: str) -> float:
    return float(next(row["mrr"] for row in result.rows if row["method"] == method))


def _neural(result: StudyResult) -> float:
    return float(next(row["mrr"] for row in result.rows if row["kind"] == "published"))


def _counted(results: Results, holds: Any) -> int:
    return sum(bool(holds(result)) for result in results)


def _best_of_all(results: Results) -> int:
    def holds(result: StudyResult) -> bool:
        ours = max(row["mrr"]["mean"] for row in result.rows if row["kind"] == "ours")
        others = [_of_method(result, name) for name in ("EdgeBank", "heuristic", "Base3")]
        return bool(ours > max(*others, _neural(result)))

    return _counted(results, holds)


def _ahead_of_counting(results: Results) -> int:
    return _counted(
        results,
        lambda one: _chosen(one) > max(_of_method(one, "EdgeBank"), _of_method(one, "Base3")),
    )


def _ahead_of_heuristic(results: Results) -> int:
    return _counted(results, lambda one: _chosen(one) > _of_method(one, "heuristic"))


def _behind_neural(results: Results) -> int:
    return _counted(results, lambda one: _chosen(one) < _neural(one))


def _scheduled(result: StudyResult, method: str, schedule: str) -> float:
    found = next(
        row["mrr"] for row in result.rows if (row["method"], row["schedule"]) == (method, schedule)
    )
    return float(found["mean"] if isinstance(found, Mapping) else found)


def _best_in_batches(results: Results) -> int:
    def holds(result: StudyResult) -> bool:
        figures = paper_of(result.data)
        others = [_scheduled(result, name, BATCH) for name in ("EdgeBank", "heuristic", "Base3")]
        neural = figures.neural.value if figures else 0.0
        return _scheduled(result, OURS, BATCH) > max(*others, neural)

    return _counted(results, holds)


def _difference(result: StudyResult) -> float:
    return float(result.rows[0]["difference"]["mean"])


def _rest_of_backoffs(results: Results) -> float | None:
    named = {name for one in statements("backoff") for name in one.data_sets}
    rest = [abs(_difference(result)) for result in results if result.name not in named]
    return max(rest) if rest else None


def _cooccurrence_gains(results: Results) -> list[float]:
    wanted = ("marginal", "co-occurrence")
    return [
        float(row["change"]["mean"])
        for result in results
        for row in result.rows
        if (row["backoff"], row["features"]) == wanted
    ]


def _selection_gains(main: Results, features: Results) -> list[float]:
    """Of each main model over the reference configuration with the same backoff."""
    by_name = {result.name: result for result in features}
    gains: list[float] = []
    for result in main:
        chosen = next(row for row in result.rows if row["chosen"])
        wanted = (chosen["backoff"], chosen["features"])
        rows = by_name[result.name].rows if result.name in by_name else ()
        gains += [
            float(row["change"]["mean"])
            for row in rows
            if (row["backoff"], row["features"]) == wanted
        ]
    return gains


def _weights(result: StudyResult) -> dict[str, float]:
    return {
        row["feature"]: row["weight"]["mean"]
        for row in result.rows
        if (row["backoff"], row["features"]) == ("marginal", REFERENCE)
    }


def _first_lag_largest(results: Results) -> int:
    def holds(result: StudyResult) -> bool:
        lags = result.series["transition_marginal"]
        return bool(max(lags) == lags[0])

    return _counted(results, holds)


def _both_negative(results: Results) -> int:
    return _counted(
        results,
        lambda one: _weights(one)["source_history"] < 0 and _weights(one)["source_recency"] < 0,
    )


def _positive(results: Results, feature: str) -> int:
    return _counted(results, lambda one: _weights(one)[feature] > 0)


def _gain(result: StudyResult) -> float:
    """Of the largest depth over depth 1."""
    return float(result.rows[-1]["change"]["mean"])


def _beyond_five(result: StudyResult) -> float:
    changes = {row["depth"]: row["change"]["mean"] for row in result.rows}
    return float(changes[20] - changes[5])


def _alpha_ranges(results: Results) -> list[float]:
    means = [[row["mrr"]["mean"] for row in result.rows] for result in results]
    return [max(some) - min(some) for some in means]


def _of_coverage(results: Results, column: str) -> list[float]:
    return [float(result.rows[0][column]) for result in results]


def _median(values: Sequence[float]) -> float | None:
    return float(np.median(values)) if values else None


# Name of the statement -> the studies it needs and how it is counted over data sets.
MEASURES: Mapping[str, tuple[tuple[str, ...], Any]] = {
    "NBestAll": (("main",), _best_of_all),
    "NBeatBaseThree": (("main",), _ahead_of_counting),
    "NLearnedAhead": (("main",), _ahead_of_heuristic),
    "NBehindTGB": (("main",), _behind_neural),
    "NBehindSeq": (("main",), _behind_neural),
    "TimingBatchMatchedBest": (("timing",), _best_in_batches),
    "BackoffRestMax": (("backoff",), _rest_of_backoffs),
    "StageThreeMedianCooc": (("features",), lambda r: _median(_cooccurrence_gains(r))),
    "NStageThreeCoocHelps": (("features",), lambda r: sum(g > 0 for g in _cooccurrence_gains(r))),
    "SelGainMedian": (("features", "main"), lambda f, m: _median(_selection_gains(m, f))),
    "SelGainMax": (("features", "main"), lambda f, m: max(_selection_gains(m, f), default=None)),
    "NTGBWeights": (("weights",), lambda r: _positive(r, "source_history")),
    "NPosRecTGB": (("weights",), lambda r: _positive(r, "source_recency")),
    "NNegUserSeq": (("weights",), _both_negative),
    "NFirstLagLargest": (("weights",), _first_lag_largest),
    "DepthSeqGainMin": (("depth",), lambda r: min(map(_gain, r))),
    "DepthSeqGainMax": (("depth",), lambda r: max(map(_gain, r))),
    "DepthSeqBeyondFiveMax": (("depth",), lambda r: max(map(_beyond_five, r))),
    "NDepthImproveTGB": (("depth",), lambda r: _counted(r, lambda one: _gain(one) > 0)),
    "PrevCovMin": (("coverage",), lambda r: min(_of_coverage(r, "pooled_coverage"))),
    "NZeroPairSeq": (("coverage",), lambda r: _of_coverage(r, "pair_coverage").count(0.0)),
    "AlphaRangeMedian": (("smoothing",), lambda r: _median(_alpha_ranges(r))),
    "AlphaRangeMax": (("smoothing",), lambda r: max(_alpha_ranges(r))),
}
