"""Made-up study results of the stored shape, for the tests of figures and of the page."""

from __future__ import annotations

import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from linkgram.evaluation.study_result import Column, StudyResult, over_seeds

SCHEDULES = ("event-wise", "batch(200)", "strict-timestamp")
REFERENCE = ("popularity", "source_history", *(f"transition_{k}" for k in range(1, 6)))
ADDITIONS = {
    "co-occurrence": ("co_occurrence",),
    "global-recency": ("global_recency",),
    "multi-scale": ("source_recency_fast", "source_recency_slow"),
}
FEATURE_SETS = ("reference", *ADDITIONS, "all-three")


class StudyFiles:
    """Every study of one data set, made up from the data set's name."""

    def __init__(
        self, name: str, *, seeds: int = 3, events: int = 60_000, benchmark: str = "TGB"
    ) -> None:
        self.name = name
        self.benchmark = benchmark
        self.seeds = seeds
        self.events = events
        self.random = random.Random(name)

    def all(self) -> list[StudyResult]:
        """All studies."""
        return [
            self.main(), self.coverage(), self.backoff(), self.features(), self.weights(),
            self.depth(), self.smoothing(), self.timing(), self.profile(), self.examples(),
        ]  # fmt: skip

    def save(self, directory: Path) -> None:
        """Write all of them to `directory`."""
        for study in self.all():
            study.save(directory)

    def study(
        self, name: str, units: Mapping[str, str | None], rows: list[dict[str, Any]], **more: Any
    ) -> StudyResult:
        """A study with the facts that all studies of a data set share."""
        return StudyResult(
            study=name,
            key=f"{self.random.randrange(16**16):016x}",
            data={
                "name": self.name, "digest": "d" * 64, "events": self.events, "sources": 1_350,
                "vocabulary_size": 1_898, "time_unit": "s",
                "provenance": {"benchmark": self.benchmark},
                "notes": [],
            },
            measured={
                "schedule": "event-wise",
                "candidates": {"rule": "all-destinations", "vocabulary_size": 1_898},
                "ties": "midrank",
                "split": {"training": 42_000, "validation": 9_000, "test": 9_000},
            },
            settings={"seeds": list(range(1, self.seeds + 1)), "depth": 5, "alpha": 1.0},
            columns=tuple(Column(column, column, unit) for column, unit in units.items()),
            rows=tuple(rows),
            notes=(f"a note on {name}",),
            seconds={"fit": {"wall": 1.0, "processor": 1.9}},
            **more,
        )  # fmt: skip

    def score(self, level: float, width: float = 0.2) -> dict[str, Any]:
        """A score over seeds."""
        return over_seeds([level + self.random.gauss(0, width) for _ in range(self.seeds)])

    def main(self) -> StudyResult:
        units = {"method": None, "kind": None, "backoff": None, "features": None, "mrr": "%",
                 "validation_mrr": "%", "chosen": None, "choice": None}  # fmt: skip
        rows = []
        for backoff, level in (("marginal", 51.5), ("continuation", 51.3)):
            rows.append({
                "method": f"linkgram, {backoff}", "kind": "ours", "backoff": backoff,
                "features": "all-three", "mrr": self.score(level), "validation_mrr": self.score(44),
                "chosen": backoff == "marginal", "choice": "higher mean validation MRR",
            })  # fmt: skip
        for method, level in (("EdgeBank", 32.4), ("Heuristic", 52.75), ("Base3", 35.22)):
            rows.append({
                "method": method, "kind": "baseline", "backoff": None, "features": None,
                "mrr": level, "validation_mrr": level - 3, "chosen": None,
                "choice": "LR>GR>LP>GP",
            })  # fmt: skip
        rows.append({
            "method": "TNCN", "kind": "published", "backoff": None, "features": None,
            "mrr": self.random.uniform(20, 80),
            "validation_mrr": None, "chosen": None, "choice": "the paper's table, batch(200)",
        })  # fmt: skip
        paper = {"what": "MRR, marginal", "ours": 51.5, "paper": 51.57, "difference": -0.07,
                 "source": "the paper's main table"}  # fmt: skip
        return self.study("main", units, rows, paper=(paper,))

    def coverage(self) -> StudyResult:
        names = ("pooled_coverage", "pair_coverage", "without_history", "surprise_index",
                 "novelty_index")  # fmt: skip
        values = (99.1, self.random.uniform(5, 60), 4.0, 62.0, 34.0)
        units: dict[str, str | None] = {"queries": None} | dict.fromkeys(names, "%")
        return self.study(
            "coverage", units, [{"queries": 9_000} | dict(zip(names, values, strict=True))]
        )

    def backoff(self) -> StudyResult:
        units = {"marginal": "%", "continuation": "%", "difference": "points"}
        width = self.random.choice([0.3, 0.5, 1.0, 5.0])
        row = {
            "marginal": self.score(51.0),
            "continuation": self.score(50.5),
            "difference": self.score(self.random.gauss(0, width), 0.15),
        }
        return self.study("backoff", units, [row])

    def features(self) -> StudyResult:
        units = {"backoff": None, "features": None, "mrr": "%", "validation_mrr": "%",
                 "change": "points"}  # fmt: skip
        rows = []
        for backoff in ("marginal", "continuation"):
            for features in FEATURE_SETS:
                change = 0.0 if features == "reference" else self.random.gauss(0.5, 0.6)
                rows.append({
                    "backoff": backoff, "features": features, "mrr": self.score(51 + change),
                    "validation_mrr": self.score(44 + change),
                    "change": over_seeds([0.0] * self.seeds) if features == "reference"
                    else self.score(change, 0.1),
                })  # fmt: skip
        return self.study("features", units, rows)

    def weights(self) -> StudyResult:
        units = dict.fromkeys(("backoff", "features", "feature", "position", "weight", "sign"))
        added = {name: tuple(ADDITIONS.get(name, ())) for name in FEATURE_SETS}
        added["all-three"] = sum(ADDITIONS.values(), ())
        rows = [
            self._weight(backoff, features, name)
            for backoff in ("marginal", "continuation")
            for features in FEATURE_SETS
            for name in (*REFERENCE, "source_recency", *added[features])
        ]
        return self.study("weights", units, rows)

    def _weight(self, backoff: str, features: str, name: str) -> dict[str, Any]:
        head, _, tail = name.rpartition("_")
        position = int(tail) if head == "transition" else None
        level = {"popularity": -0.5, "source_history": 0.36, "source_recency": 1.7}.get(
            name, 0.42 if position == 1 else self.random.gauss(0.05, 0.1)
        )
        weight = self.score(level, 0.02)
        return {
            "backoff": backoff, "features": features, "feature": name, "position": position,
            "weight": weight, "sign": "+" if weight["mean"] > 0 else "-",
        }  # fmt: skip

    def depth(self) -> StudyResult:
        units = {"depth": None, "mrr": "%", "validation_mrr": "%", "change": "points"}
        size = self.random.uniform(-1, 3)
        rows = []
        for depth in range(1, 21):
            change = size * (1 - 1 / depth)
            rows.append({
                "depth": depth, "mrr": self.score(50 + change), "validation_mrr": self.score(44),
                "change": self.score(change, 0.05),
            })  # fmt: skip
        return self.study("depth", units, rows)

    def smoothing(self) -> StudyResult:
        units = {"alpha": None, "mrr": "%", "validation_mrr": "%", "change": "points"}
        rows = [
            {"alpha": alpha, "mrr": self.score(51 + change), "validation_mrr": self.score(44),
             "change": self.score(change, 0.05)}
            for alpha, change in ((0.1, self.random.gauss(0, 0.5)), (1.0, 0.0), (10.0, -0.8))
        ]  # fmt: skip
        return self.study("smoothing", units, rows)

    def timing(self) -> StudyResult:
        units = {"method": None, "kind": None, "schedule": None, "mrr": "%", "change": "points"}
        rows = []
        for method, kind, level in (("linkgram", "ours", 51.5), ("EdgeBank", "baseline", 32.4),
                                    ("Heuristic", "baseline", 52.75),
                                    ("Base3", "baseline", 35.22)):  # fmt: skip
            for schedule, change in zip(SCHEDULES, (0.0, -13.0, -0.14), strict=True):
                if kind == "baseline" and schedule == "strict-timestamp":
                    continue
                ours = kind == "ours"
                rows.append({
                    "method": method, "kind": kind, "schedule": schedule,
                    "mrr": self.score(level + change) if ours else level + change,
                    "change": self.score(change, 0.01) if ours else change,
                })  # fmt: skip
        return self.study("timing", units, rows)

    def profile(self) -> StudyResult:
        rows = [
            {"fact": "events", "value": self.events},
            {"fact": "sources", "value": 1_350},
            {"fact": "destinations", "value": 1_862},
            {"fact": "duration", "value": 16_736_160},
            {"fact": "repeated pairs", "value": 66.1},
        ]
        edges = [1_082_040_960 + step * 209_202 for step in range(81)]
        bins = len(edges) - 1
        return self.study(
            "profile", {"fact": None, "value": None}, rows,
            series={
                "events_over_time": {
                    "from": edges[:-1], "to": edges[1:],
                    "events": [int(1500 * 2.718 ** (-step / 20)) for step in range(bins)],
                },
                "popularity": {
                    "rank": [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 1862],
                    "events": [1190, 900, 700, 500, 350, 250, 160, 90, 50, 20, 6, 1],
                },
                "repeat_intervals": {
                    "from": [10.0**k for k in range(7)], "to": [10.0 ** (k + 1) for k in range(7)],
                    "events": [0, 600, 4000, 9000, 8000, 6000, 2000],
                },
                "ties": {"size": [1, 2, 3, 4, 5], "groups": [45_000, 5_000, 900, 200, 50]},
                "novelty_over_time": {
                    "from": edges[:-1], "to": edges[1:],
                    "new_pairs": [None if step == 40 else 0.9 - step / 200 for step in range(bins)],
                },
            },
        )  # fmt: skip

    def examples(self) -> StudyResult:
        units = dict.fromkeys(("query", "source", "time", "positive", "rank"))
        queries = [self._query(number) for number in range(5)]
        rows = [{name: query[name] for name in units} for query in queries]
        return self.study("examples", units, rows, series={"queries": queries})

    def _query(self, number: int) -> dict[str, Any]:
        candidates: list[dict[str, Any]] = []
        for place in range(4):
            contributions = {
                name: round(self.random.gauss(0, 1), 3)
                for name in (*REFERENCE, "source_recency", "co_occurrence")
            }
            candidates.append({
                "destination": f"d{number}{place}", "score": sum(contributions.values()),
                "is_positive": place == number % 2, "contributions": contributions,
                "against_average": contributions,
            })  # fmt: skip
        candidates.sort(key=lambda candidate: -candidate["score"])
        positive = next(item["destination"] for item in candidates if item["is_positive"])
        return {
            "query": number, "source": f"s{number}", "time": 1_090_000_000 + number,
            "positive": positive, "rank": 1.0 + number,
            "candidates_ranked": 1_898, "chosen": "the median rank",
            "history": [{"destination": f"d{number}{k}", "time": 1_080_000_000 + k}
                        for k in range(5)],
            "candidates": candidates,
        }  # fmt: skip
