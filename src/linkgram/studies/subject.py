"""Subject: one data set under study, with the runs and baselines that its studies share."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from linkgram.configuration import BACKOFFS, Backoff, Configuration
from linkgram.errors import LinkgramError
from linkgram.evaluation import choices
from linkgram.evaluation.baselines import evaluate_baselines
from linkgram.evaluation.fit import FitSettings, Progress
from linkgram.evaluation.protocol import TIE_RULE, Protocol
from linkgram.evaluation.result import key_of, safe_name, write_whole
from linkgram.studies.runs import FOLDER, Run, Runs, core_facts, fit_facts

# As the paper has them: the main tables and the timing of their runs, and all other analyses.
MAIN_SEEDS = 5
ANALYSIS_SEEDS = 3
SCHEDULES = ("event-wise", "batch(200)", "strict-timestamp")
BASELINES_FORMAT = "linkgram-baselines-1"


@dataclass
class Subject:
    """One protocol, where its results are kept, and how to fit.

    Attributes:
        protocol: the data set.
        directory: where results are kept.
        seeds: how many seeds, counted from 1; None is the paper's number for each study.
        settings: how weights are learned.
        threads: changes nothing but the time.
        progress: hears how far a pass is.
    """

    protocol: Protocol
    directory: Path
    seeds: int | None = None
    settings: FitSettings = field(default_factory=FitSettings)
    threads: int = 1
    progress: Progress | None = None

    @cached_property
    def facts(self) -> dict[str, Any]:
        """What every result on this data set depends on."""
        return core_facts(self.protocol)

    @cached_property
    def runs(self) -> Runs:
        """The runs that studies share."""
        return Runs(
            self.protocol, self.facts, self.directory, settings=self.settings,
            threads=self.threads, progress=self.progress,
        )  # fmt: skip

    @property
    def main_seeds(self) -> list[int]:
        """Seeds of the main table and of its weights under other schedules."""
        return list(range(1, (self.seeds or MAIN_SEEDS) + 1))

    @property
    def analysis_seeds(self) -> list[int]:
        """Seeds of every other analysis."""
        return list(range(1, (self.seeds or ANALYSIS_SEEDS) + 1))

    def measured(self, *schedules: str, split: str = "test") -> dict[str, Any]:
        """What stands beside every score: schedule, candidates, ties and split."""
        return {
            "schedule": ", ".join(schedules),
            "candidates": self.facts["candidates"][split]["rule"],
            "ties": TIE_RULE,
            "split": {"of": split, **self.facts["split"]},
        }

    def fit_settings(self, seeds: Sequence[int]) -> dict[str, Any]:
        """Seeds and fit settings, as a study's settings hold them."""
        return {"seeds": list(seeds), "fit": fit_facts(self.settings)}

    def main_configurations(self) -> dict[Backoff, Configuration]:
        """The paper's configuration for this data set under each backoff, or the default."""
        return {
            backoff: Configuration(
                backoff=backoff,
                additions=choices.additions_of(choices.feature_set_of(self.protocol.name, backoff)),
            )
            for backoff in BACKOFFS
        }

    def main_runs(self, schedules: Sequence[str] = SCHEDULES[:1]) -> dict[Backoff, list[Run]]:
        """The runs of the main table under each backoff."""
        configurations = self.main_configurations()
        runs = self.runs.of(list(configurations.values()), self.main_seeds, schedules)
        return dict(zip(configurations, runs, strict=True))

    def chosen_backoff(self) -> Backoff:
        """The backoff that validation chooses: the higher mean validation MRR over the seeds."""
        runs = self.main_runs()
        return max(BACKOFFS, key=lambda backoff: sum(run.validation_mrr for run in runs[backoff]))

    @cached_property
    def baselines(self) -> list[Mapping[str, Any]]:
        """Every baseline under every schedule, evaluated once and kept."""
        inputs = {"format": BASELINES_FORMAT, "schedules": list(SCHEDULES), **self.facts}
        key = key_of(inputs)
        path = self.directory / FOLDER / f"{safe_name(self.protocol.name)}.baselines.{key}.json"
        if path.exists():
            return _read_baselines(path)
        found = evaluate_baselines(
            self.protocol, SCHEDULES, threads=self.threads, progress=self.progress
        )
        results = [baseline.to_dict() for baseline in found]
        write_whole(path, json.dumps({**inputs, "baselines": results}, indent=1, allow_nan=False))
        return _read_baselines(path)


def _read_baselines(path: Path) -> list[Mapping[str, Any]]:
    try:
        facts = json.loads(path.read_text(encoding="utf-8"))
        if facts["format"] != BASELINES_FORMAT:
            raise ValueError(f"its format is not {BASELINES_FORMAT}")
        for baseline in facts["baselines"]:
            for schedule in SCHEDULES:
                float(baseline["metrics"][schedule]["mrr"])
        return list(facts["baselines"])
    except (ValueError, KeyError, TypeError, RecursionError) as problem:
        raise LinkgramError(
            f"{path} does not hold baselines: {type(problem).__name__} {problem}",
            hint="delete it, and they are evaluated again",
        ) from None
