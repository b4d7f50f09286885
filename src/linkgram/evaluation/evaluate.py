"""Evaluate: fit a configuration, rank the test queries under one or more schedules, report.

The weights are the same under every schedule; what changes is the history a query may see.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkgram import _core
from linkgram.configuration import Configuration
from linkgram.evaluation import choices
from linkgram.evaluation.fit import (
    DEFAULT_SEEDS,
    Fit,
    FitSettings,
    Progress,
    check_seeds,
    fit,
    fit_facts,
    lent,
    watching,
)
from linkgram.evaluation.measure import Phases, peak_memory, versions
from linkgram.evaluation.metrics import bootstrap_interval, mean_and_sd, metrics
from linkgram.evaluation.protocol import Protocol
from linkgram.evaluation.result import FORMAT, Result, key_of, path_of
from linkgram.evaluation.schedule import Schedule
from linkgram.evaluation.together import resolved_on


def evaluate(
    protocol: Protocol,
    configuration: Configuration | None = None,
    *,
    seeds: Sequence[int] = DEFAULT_SEEDS,
    schedules: Iterable[str | Schedule] = ("event-wise",),
    settings: FitSettings | None = None,
    threads: int = 1,
    progress: Progress | None = None,
    results: str | Path | None = None,
    phases: Phases | None = None,
) -> Result:
    """Fit on training and validation, rank the test queries, and return the result.

    With `results` (a directory) the result is stored there; if the same run is already there, it is
    read instead of repeated. The number of threads changes nothing but the time.
    """
    settings = settings or FitSettings()
    configuration = configuration or Configuration()
    chosen = [Schedule.parse(schedule) for schedule in schedules]
    phases = phases or Phases()
    with phases("describe"):
        facts = planned(protocol, configuration, seeds, chosen, settings)
    if results is not None and (path := path_of(results, facts)).exists():
        return Result.load(path)

    with phases("fit"):
        fitted = fit(
            protocol.before_test,
            protocol.split.training_end,
            protocol.validation,
            configuration,
            seeds=seeds,
            settings=settings,
            training_start=protocol.split.training_start,
            threads=threads,
            progress=progress,
        )
    ranks: dict[str, NDArray[np.float64]] = {}
    for schedule in chosen:
        with phases(f"test {schedule}"):
            ranks[str(schedule)] = rank_test_queries(
                protocol, fitted, schedule, threads=threads, progress=progress
            )
    with phases("metrics"):
        measured = {name: _measured(rows) for name, rows in ranks.items()}
    facts |= {
        "validation_mrr": mean_and_sd([run.best_validation_mrr for run in fitted.runs]),
        "validation_evidence": {"kept": fitted.validation_kept, "bytes": fitted.validation_bytes},
        "metrics": measured,
        "runs": _runs(fitted, ranks),
        "versions": versions(),
        "seconds": phases.seconds,
        "threads": threads,
        "peak_memory_bytes": peak_memory(),
    }
    result = Result(facts, ranks)
    if results is not None:
        result.save(results)
    return result


def rank_test_queries(
    protocol: Protocol,
    fitted: Fit,
    schedule: str | Schedule = "event-wise",
    *,
    threads: int = 1,
    progress: Progress | None = None,
) -> NDArray[np.float64]:
    """Midranks of the test queries under a schedule: one row a seed of the fit."""
    schedule = Schedule.parse(schedule)
    split = protocol.split
    return fitted._model.ranks(  # type: ignore[no-any-return]
        protocol.stream,
        split.validation_end,
        split.events,
        schedule.name,
        schedule.size,
        lent(protocol.test),
        [run.weights for run in fitted.runs],
        threads,
        watching(progress, f"test {schedule}", split.events - split.validation_end),
    )


def planned(
    protocol: Protocol,
    configuration: Configuration,
    seeds: Sequence[int],
    schedules: Sequence[Schedule],
    settings: FitSettings,
) -> dict[str, Any]:
    """All inputs of a run, as its result stores them, and the key over them."""
    configuration = resolved_on(protocol, configuration)
    inputs = protocol.describe() | {
        "configuration": stored_configuration(configuration),
        "feature_set": choices.name_of(configuration.additions),
        "fit": fit_facts(settings),
        "seeds": check_seeds(seeds),
        "schedules": [str(schedule) for schedule in schedules],
        "core": _core.__version__,
    }
    return {"format": FORMAT, "key": key_of(inputs)} | inputs


def stored_configuration(configuration: Configuration) -> dict[str, Any]:
    """The settings as a file of results has them."""
    settings = configuration.to_dict()
    # JSON has no infinity, and undecayed counts are a setting like any other.
    if math.isinf(settings["decay"]):
        settings["decay"] = "inf"
    return settings


def _measured(ranks: NDArray[np.float64]) -> dict[str, Any]:
    measured = metrics_over_seeds(ranks)
    # Over queries, with each query's reciprocal rank averaged over the seeds.
    measured["mrr"]["interval"] = bootstrap_interval((1.0 / ranks).mean(axis=0))
    return measured


def metrics_over_seeds(ranks: NDArray[np.float64]) -> dict[str, Any]:
    """Mean and sample standard deviation of every metric over the seeds, one row of ranks each."""
    by_seed = [metrics(row) for row in ranks]
    return {name: mean_and_sd([values[name] for values in by_seed]) for name in by_seed[0]}


def _runs(fitted: Fit, ranks: dict[str, NDArray[np.float64]]) -> list[dict[str, Any]]:
    names = fitted.configuration.feature_names
    return [
        {
            "seed": run.seed,
            "weights": dict(zip(names, run.weights, strict=True)),
            "epoch": run.epoch,
            "validation_mrr": run.validation_mrr,
            "metrics": {schedule: metrics(rows[at]) for schedule, rows in ranks.items()},
        }
        for at, run in enumerate(fitted.runs)
    ]
