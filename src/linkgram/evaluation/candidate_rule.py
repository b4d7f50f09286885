"""Candidate rule: how to draw negatives, as one short text such as `uniform(100)`.

| rule | negatives of each query |
| --- | --- |
| `all` | every destination but the positive |
| `uniform(K)` | K uniform destinations, the positive excluded, repeats possible |
| `distinct(K)` | K different uniform destinations, the positive excluded |
| `popularity(K)` | K destinations in proportion to their training events |
| `historical-random(K)` | TGB's generator: up to half of them earlier destinations of the source |
| `tgb-seq(K)` | TGB-Seq's sampler |
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from linkgram.errors import SettingError, shown
from linkgram.evaluation import candidates
from linkgram.evaluation.candidates import CandidateSet
from linkgram.evaluation.split import Split
from linkgram.events import EventStream

RULES = ("all", "uniform", "distinct", "popularity", "historical-random", "tgb-seq")
# Validation and test must not share draws.
TEST_SEED_OFFSET = 1
SMALL_VOCABULARY = 1000


@dataclass(frozen=True, slots=True)
class CandidateRule:
    """A rule, how many negatives, and the seed of the draws.

    >>> CandidateRule.parse("uniform(100)")
    CandidateRule(name='uniform', k=100, seed=42)
    """

    name: str
    k: int | None = None
    seed: int = 42

    @classmethod
    def parse(cls, text: str, *, seed: int = 42) -> CandidateRule:
        """Read a rule; `uniform:100` and `uniform-100` mean `uniform(100)`."""
        match = re.fullmatch(r"([a-z-]*[a-z])(?:[-:(]?([0-9]{1,9})\)?)?", text.strip())
        if match is None or match[1] not in RULES:
            _refuse(text)
        name, k = match[1], match[2]
        if (name == "all") != (k is None):
            _refuse(text)
        return cls(name, None if k is None else int(k), seed)

    @classmethod
    def default(cls, vocabulary_size: int) -> CandidateRule:
        """All destinations where there are up to 1,000 of them, else 100 uniform ones.

        >>> CandidateRule.default(500).name, CandidateRule.default(5000).name
        ('all', 'uniform')
        """
        return cls("all") if vocabulary_size <= SMALL_VOCABULARY else cls("uniform", 100)

    def __str__(self) -> str:
        return self.name if self.k is None else f"{self.name}({self.k})"

    def draw(
        self,
        stream: EventStream,
        split: Split,
        *,
        threads: int | None = None,
        progress: Callable[[int], object] | None = None,
        directory: Path | None = None,
    ) -> tuple[CandidateSet, CandidateSet]:
        """The negatives of the validation and of the test queries."""
        a, b, n = split.training_end, split.validation_end, split.events
        if self.name == "all":
            return (
                candidates.all_destinations(stream, a, b),
                candidates.all_destinations(stream, b, n),
            )
        if self.k is None:
            _refuse(self.name)
        if self.name == "historical-random":
            return candidates.historical_random(
                stream, training_end=a, validation_end=b, k=self.k, seed=self.seed,
                progress=progress, directory=directory,
            )  # fmt: skip
        drawn = []
        for part, first, end, seed in (
            ("validation", a, b, self.seed),
            ("test", b, n, self.seed + TEST_SEED_OFFSET),
        ):
            place = None if directory is None else directory / part
            if self.name == "popularity":
                rows = candidates.popularity(
                    stream, first, end, training_end=a, k=self.k, seed=seed,
                    threads=threads, progress=progress, directory=place,
                )  # fmt: skip
            elif self.name == "tgb-seq":
                rows = candidates.tgb_seq(
                    stream, first, end, k=self.k, seed=seed,
                    threads=threads, progress=progress, directory=place,
                )  # fmt: skip
            else:
                rows = candidates.uniform(
                    stream, first, end, k=self.k, seed=seed, distinct=self.name == "distinct",
                    threads=threads, progress=progress, directory=place,
                )  # fmt: skip
            drawn.append(rows)
        return drawn[0], drawn[1]


def rule_text(rule: Mapping[str, Any]) -> str:
    """A candidate rule in short.

    >>> rule_text({"rule": "uniform", "k": 100, "seed": 43, "split": "test"})
    'uniform (k 100, seed 43)'
    >>> rule_text({"rule": "uniform", "distinct": True, "k": 9, "seed": 43})
    'distinct (k 9, seed 43)'
    """
    rest = ", ".join(f"{k} {v}" for k, v in rule.items() if k in ("k", "seed", "file"))
    name = "distinct" if rule.get("distinct") else str(rule["rule"])
    return name + (f" ({rest})" if rest else "")


def _refuse(found: object) -> NoReturn:
    raise SettingError(
        f"candidate rule {shown(found)} is unknown; accepted: all, uniform(K), distinct(K), "
        f"popularity(K), historical-random(K), tgb-seq(K) with a number K such as uniform(100)",
        setting="candidates",
        value=found,
    )
