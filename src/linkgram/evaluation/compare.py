"""Compare: the model and every baseline over the same queries, candidates, ties and schedules.

Each backoff is one fit for all seeds and one pass of the test queries a schedule; the baselines
share theirs. The backoff with the higher validation MRR then meets every other method query by
query: the interval of a difference is over blocks of neighbouring queries, the same for both.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkgram.configuration import BACKOFFS, Configuration
from linkgram.errors import SettingError
from linkgram.evaluation import choices
from linkgram.evaluation.baselines import FAMILIES, BaselineResult, evaluate_baselines
from linkgram.evaluation.comparison import COMPARISON_FORMAT, Comparison, comparison_path
from linkgram.evaluation.evaluate import (
    evaluate,
    metrics_over_seeds,
    planned,
)
from linkgram.evaluation.fit import DEFAULT_SEEDS, FitSettings, Progress
from linkgram.evaluation.measure import Phases, peak_memory, versions
from linkgram.evaluation.metrics import bootstrap_intervals
from linkgram.evaluation.protocol import Protocol
from linkgram.evaluation.result import Result, best, key_of
from linkgram.evaluation.schedule import Schedule
from linkgram.evaluation.together import rank_together

SCHEDULES = ("event-wise", "batch(200)")
SHARED = ("data", "split", "candidates", "fit", "seeds", "schedules", "core")


def compare(
    protocol: Protocol,
    configurations: Sequence[Configuration] | None = None,
    *,
    seeds: Sequence[int] = DEFAULT_SEEDS,
    schedules: Iterable[str | Schedule] = SCHEDULES,
    settings: FitSettings | None = None,
    threads: int = 1,
    progress: Progress | None = None,
    results: str | Path | None = None,
) -> Comparison:
    """Evaluate one configuration a backoff and all baselines, and compare them.

    Without `configurations` both backoffs are evaluated with the paper's feature sets. With
    `results` (a directory) the comparison and the model's results are stored there, and what is
    there is not repeated. The number of threads changes nothing but the time.
    """
    settings = settings or FitSettings()
    chosen = list(dict.fromkeys(Schedule.parse(schedule) for schedule in schedules))
    if not chosen:
        raise SettingError("a comparison needs a schedule", setting="schedules", value=chosen)
    asked = list(configurations) if configurations is not None else paper_configurations(protocol)
    backoffs = [configuration.backoff for configuration in asked]
    if not asked or len(set(backoffs)) < len(asked):
        raise SettingError(
            f"configurations have the backoffs {backoffs}; accepted: one or two configurations of "
            f"different backoffs",
            setting="configurations",
            value=backoffs,
        )
    phases = Phases()
    with phases("describe"):
        plans = [planned(protocol, one, seeds, chosen, settings) for one in asked]
    inputs = {
        "format": COMPARISON_FORMAT,
        "runs": [plan["key"] for plan in plans],
        "baselines": FAMILIES,
    }
    facts: dict[str, Any] = {"format": COMPARISON_FORMAT, "key": key_of(inputs)}
    facts |= {name: plans[0][name] for name in SHARED}
    if results is not None and (path := comparison_path(results, facts)).exists():
        return Comparison.load(path)

    with phases("model"):
        found = [
            evaluate(
                protocol, one, seeds=seeds, schedules=chosen, settings=settings, threads=threads,
                progress=progress, results=results,
            )
            for one in asked
        ]  # fmt: skip
        ranks = [_ranks(protocol, one, chosen, threads, progress) for one in found]
    with phases("baselines"):
        baselines = evaluate_baselines(protocol, chosen, threads=threads, progress=progress)
    with phases("differences"):
        rows = [_baseline(one) for one in baselines] + _ours(found)
        by_method = [
            *({name: row[np.newaxis] for name, row in one.ranks.items()} for one in baselines),
            *ranks,
        ]
        _measure(rows, by_method, [str(schedule) for schedule in chosen])
    facts |= {
        "methods": rows,
        "versions": versions(),
        "seconds": phases.seconds,
        "threads": threads,
        "peak_memory_bytes": peak_memory(),
    }
    # As it is when it comes back from a file.
    comparison = Comparison(json.loads(Comparison(facts).to_json()))
    if results is not None:
        comparison.save(results)
    return comparison


def paper_configurations(protocol: Protocol) -> list[Configuration]:
    """Both backoffs, each with the paper's feature set for this data set."""
    return [
        Configuration(
            backoff=backoff,
            additions=choices.additions_of(choices.feature_set_of(protocol.name, backoff)),
        )
        for backoff in BACKOFFS
    ]


def _ranks(
    protocol: Protocol,
    result: Result,
    schedules: Sequence[Schedule],
    threads: int,
    progress: Progress | None,
) -> Mapping[str, NDArray[np.float64]]:
    """The ranks behind a result: those it has, or those that its stored weights give again."""
    if result.ranks:
        return result.ranks
    # Stored before, by a comparison that was interrupted or by `evaluate`.
    facts = result.facts
    stored = dict(facts["configuration"])
    stored["decay"] = float(stored["decay"])
    configuration = Configuration.from_dict(stored)
    weights = [list(run["weights"].values()) for run in facts["runs"]]
    found = {}
    for schedule in schedules:
        (found[str(schedule)],) = rank_together(
            protocol, [(configuration, weights)], schedule, settings=FitSettings(**facts["fit"]),
            threads=threads, progress=progress,
        )  # fmt: skip
    return found


def _baseline(one: BaselineResult) -> dict[str, Any]:
    validation = one.validation_mrr
    return {
        "name": one.name,
        "kind": "baseline",
        "settings": dict(one.settings),
        "validation_mrr": None if validation is None else {"mean": validation, "sd": None},
        "chosen": False,
    }


def _ours(results: Sequence[Result]) -> list[dict[str, Any]]:
    chosen = best(results)
    return [
        {
            "name": f"ours ({result.backoff})",
            "kind": "ours",
            "settings": dict(result.facts["configuration"])
            | {"feature_set": result.facts["feature_set"]},
            "validation_mrr": result.facts["validation_mrr"],
            "chosen": result is chosen,
            "runs": result.facts["runs"],
        }
        for result in results
    ]


def _measure(
    rows: Sequence[dict[str, Any]],
    ranks: Sequence[Mapping[str, NDArray[np.float64]]],
    schedules: Sequence[str],
) -> None:
    """Give every row its metrics by schedule, and how far it is behind the chosen backoff."""
    at_chosen = next(at for at, row in enumerate(rows) if row["chosen"])
    for row in rows:
        row["metrics"], row["behind"] = {}, {}
    for schedule in schedules:
        by_method = [one[schedule] for one in ranks]
        intervals = bootstrap_intervals(_beside(by_method, at_chosen))
        for at, row in enumerate(rows):
            measured = metrics_over_seeds(by_method[at])
            measured["mrr"]["interval"] = intervals[2 * at]
            row["metrics"][schedule] = measured
        ours = rows[at_chosen]["metrics"][schedule]["mrr"]["mean"]
        for at, row in enumerate(rows):
            if at != at_chosen:
                row["behind"][schedule] = {
                    "mean": ours - row["metrics"][schedule]["mrr"]["mean"],
                    "interval": intervals[2 * at + 1],
                }


def _beside(
    by_method: Sequence[NDArray[np.float64]], at_chosen: int
) -> Iterator[NDArray[np.float64]]:
    """For every method its reciprocal ranks by query, and what the chosen one has more of them.

    Averaged over the seeds, where it has several. There may be ten million queries: two rows at a
    time.
    """
    chosen = (1.0 / by_method[at_chosen]).mean(axis=0)
    for ranks in by_method:
        per_query = (1.0 / ranks).mean(axis=0)
        yield per_query
        yield chosen - per_query
