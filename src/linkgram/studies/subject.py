"""Subject: one data set under study, with the runs and the comparison that its studies share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from linkgram.evaluation import choices
from linkgram.evaluation.compare import compare, paper_configurations
from linkgram.evaluation.comparison import Comparison
from linkgram.evaluation.fit import FitSettings, Progress, fit_facts
from linkgram.evaluation.protocol import TIE_RULE, Protocol
from linkgram.evaluation.published import PaperFigures
from linkgram.evaluation.reference import paper_of
from linkgram.studies.runs import FOLDER, Runs, core_facts

# As the paper has them: the main tables and the timing of their runs, and all other analyses.
MAIN_SEEDS = 5
ANALYSIS_SEEDS = 3
SCHEDULES = ("event-wise", "batch(200)", "strict-timestamp")


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

    @property
    def figures(self) -> PaperFigures | None:
        """What the paper prints for this data set, or None where it is none of its own."""
        return paper_of(self.facts["data"])

    @cached_property
    def runs(self) -> Runs:
        """The runs that the analyses share."""
        return Runs(
            self.protocol, self.facts, self.directory, settings=self.settings,
            threads=self.threads, progress=self.progress,
        )  # fmt: skip

    @cached_property
    def comparison(self) -> Comparison:
        """Ours in the paper's configurations and every baseline, under every schedule."""
        return compare(
            self.protocol, seeds=self.main_seeds, schedules=SCHEDULES, settings=self.settings,
            threads=self.threads, progress=self.progress, results=self.directory / FOLDER,
        )  # fmt: skip

    @property
    def main_seeds(self) -> list[int]:
        """Seeds of the main table and of its weights under other schedules."""
        return list(range(1, (self.seeds or MAIN_SEEDS) + 1))

    @property
    def analysis_seeds(self) -> list[int]:
        """Seeds of every other analysis."""
        return list(range(1, (self.seeds or ANALYSIS_SEEDS) + 1))

    def measured(self, *schedules: str) -> dict[str, Any]:
        """What stands beside every score: schedule, candidates, ties and split."""
        return {
            "schedule": ", ".join(schedules),
            "candidates": self.facts["candidates"]["test"]["rule"],
            "ties": TIE_RULE,
            "split": {"of": "test", **self.facts["split"]},
        }

    def fit_settings(self, seeds: Sequence[int]) -> dict[str, Any]:
        """Seeds and fit settings, as a study's settings hold them."""
        return {"seeds": list(seeds), "fit": fit_facts(self.settings)}

    def main_settings(self) -> dict[str, Any]:
        """Settings of the studies that read the comparison."""
        sets = {
            one.backoff: choices.name_of(one.additions)
            for one in paper_configurations(self.protocol)
        }
        return {
            **self.fit_settings(self.main_seeds),
            "feature_sets": sets, "schedules": list(SCHEDULES),
        }  # fmt: skip


def mrr_by_seed(row: Mapping[str, Any], schedule: str) -> list[float]:
    """Test MRR in percent of a row of ours in a comparison, one a seed."""
    return [100 * run["metrics"][schedule]["mrr"] for run in row["runs"]]
