"""Runs: one configuration, one seed, one data set. Fitted and ranked once, then kept.

Studies ask for the runs they need; most need the reference configuration, and none of it is fitted
twice. Every configuration has one file with its runs so far, which grows by seeds and schedules, so
an interrupted study goes on where it stopped.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from linkgram import _core
from linkgram.configuration import Configuration
from linkgram.errors import LinkgramError
from linkgram.evaluation import choices
from linkgram.evaluation.evaluate import stored_configuration
from linkgram.evaluation.fit import FitSettings, Progress, fit_facts
from linkgram.evaluation.protocol import Protocol
from linkgram.evaluation.result import key_of, safe_name, write_whole
from linkgram.evaluation.schedule import Schedule
from linkgram.evaluation.together import fit_together, rank_together, resolved_on

FORMAT = "linkgram-runs-1"
FOLDER = "runs"


@dataclass(frozen=True, slots=True)
class Run:
    """One fit and what its weights gave: test MRR by schedule, in percent."""

    seed: int
    weights: Mapping[str, float]
    epoch: int
    validation_mrr: float
    mrr: Mapping[str, float] = field(default_factory=dict)


class Runs:
    """The runs on one protocol, kept in the folder `runs` of `directory`."""

    def __init__(
        self,
        protocol: Protocol,
        facts: Mapping[str, Any],
        directory: str | Path,
        *,
        settings: FitSettings | None = None,
        threads: int = 1,
        progress: Progress | None = None,
    ) -> None:
        self.protocol = protocol
        self.settings = settings or FitSettings()
        self._facts = facts
        self._folder = Path(directory) / FOLDER
        self._threads = threads
        self._progress = progress
        self._known: dict[Path, dict[int, Run]] = {}

    def of(
        self,
        configurations: Sequence[Configuration],
        seeds: Sequence[int],
        schedules: Sequence[str] = ("event-wise",),
    ) -> list[list[Run]]:
        """The runs of each configuration, one a seed in their order, ranked under the schedules."""
        resolved = [resolved_on(self.protocol, one) for one in configurations]
        self._fit(resolved, seeds)
        for schedule in schedules:
            self._rank(resolved, seeds, str(Schedule.parse(schedule)))
        return [[self._stored(one)[seed] for seed in seeds] for one in resolved]

    def _fit(self, configurations: Sequence[Configuration], seeds: Sequence[int]) -> None:
        # Those that lack the same seeds are fitted together.
        lacking: dict[tuple[int, ...], list[Configuration]] = {}
        for one in configurations:
            missing = tuple(seed for seed in seeds if seed not in self._stored(one))
            if missing and one not in lacking.setdefault(missing, []):
                lacking[missing].append(one)
        for missing, some in lacking.items():
            fits = fit_together(
                self.protocol, some, missing, settings=self.settings,
                threads=self._threads, progress=self._progress,
            )  # fmt: skip
            for one, fitted in zip(some, fits, strict=True):
                names = one.feature_names
                self._keep(
                    one,
                    [
                        Run(
                            run.seed,
                            dict(zip(names, run.weights, strict=True)),
                            run.epoch,
                            100 * run.best_validation_mrr,
                        )
                        for run in fitted
                    ],
                )

    def _rank(
        self, configurations: Sequence[Configuration], seeds: Sequence[int], schedule: str
    ) -> None:
        lacking = []
        for one in dict.fromkeys(configurations):
            stored = self._stored(one)
            unranked = [stored[seed] for seed in seeds if schedule not in stored[seed].mrr]
            if unranked:
                lacking.append((one, unranked))
        if not lacking:
            return
        weighted = [(one, [list(run.weights.values()) for run in runs]) for one, runs in lacking]
        ranks = rank_together(
            self.protocol, weighted, schedule, settings=self.settings,
            threads=self._threads, progress=self._progress,
        )  # fmt: skip
        for (one, runs), rows in zip(lacking, ranks, strict=True):
            self._keep(
                one,
                [
                    Run(
                        run.seed,
                        run.weights,
                        run.epoch,
                        run.validation_mrr,
                        {**run.mrr, schedule: 100 * float(np.mean(1.0 / row))},
                    )
                    for run, row in zip(runs, rows, strict=True)
                ],
            )

    def _inputs(self, configuration: Configuration) -> dict[str, Any]:
        return {
            **self._facts,
            "configuration": stored_configuration(configuration),
            "fit": fit_facts(self.settings),
        }

    def _path(self, configuration: Configuration) -> Path:
        key = key_of({"format": FORMAT, **self._inputs(configuration)})
        name = safe_name(self.protocol.name)
        features = choices.name_of(configuration.additions)
        return self._folder / f"{name}.{configuration.backoff}.{features}.{key}.json"

    def _stored(self, configuration: Configuration) -> dict[int, Run]:
        path = self._path(configuration)
        if path not in self._known:
            self._known[path] = _read(path, configuration) if path.exists() else {}
        return self._known[path]

    def _keep(self, configuration: Configuration, runs: Sequence[Run]) -> None:
        path = self._path(configuration)
        known = self._stored(configuration) | {run.seed: run for run in runs}
        facts = {
            "format": FORMAT,
            **self._inputs(configuration),
            "runs": [asdict(known[seed]) for seed in sorted(known)],
        }
        write_whole(path, json.dumps(facts, indent=1, allow_nan=False))
        self._known[path] = known


def core_facts(protocol: Protocol) -> dict[str, Any]:
    """What every run and study on a protocol depends on."""
    return {**protocol.describe(), "core": _core.__version__}


def _read(path: Path, configuration: Configuration) -> dict[int, Run]:
    try:
        facts = json.loads(path.read_text(encoding="utf-8"))
        runs = {
            int(run["seed"]): Run(
                int(run["seed"]),
                {name: float(run["weights"][name]) for name in configuration.feature_names},
                int(run["epoch"]),
                float(run["validation_mrr"]),
                {str(name): float(mrr) for name, mrr in run["mrr"].items()},
            )
            for run in facts["runs"]
        }
        if facts["format"] != FORMAT:
            raise ValueError(f"its format is not {FORMAT}")
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as problem:
        raise LinkgramError(
            f"{path} does not hold runs: {type(problem).__name__} {problem}",
            hint="delete it, and its runs are made again",
        ) from None
    return runs
