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
from typing import Any, Literal, NoReturn

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
        """The negatives of the validation and of the test queries.

        With a `directory` they are written there and come back memory-mapped.
        """
        if self.name == "historical-random" and self.k is not None:
            return candidates.historical_random(
                stream, training_end=split.training_end, validation_end=split.validation_end,
                k=self.k, seed=self.seed, progress=progress, directory=directory,
            )  # fmt: skip
        options = {"threads": threads, "directory": directory}
        done = split.validation_end - split.training_end
        further = None if progress is None else lambda more: progress(done + more)
        return (
            self.draw_part("validation", stream, split, progress=progress, **options),
            self.draw_part("test", stream, split, progress=further, **options),
        )

    def draw_part(
        self, part: Literal["validation", "test"], stream: EventStream, split: Split, **options: Any
    ) -> CandidateSet:
        """The negatives of one split alone, the same as `draw` gives; its options."""
        ends = (split.training_end, split.validation_end, split.events)
        first, end = ends[:2] if part == "validation" else ends[1:]
        if self.name == "all":
            return candidates.all_destinations(stream, first, end)
        if self.k is None:
            _refuse(self.name)
        if self.name == "historical-random":
            # One stream of random numbers serves both, validation first.
            return self.draw(stream, split, **options)[part == "test"]
        if (directory := options.pop("directory", None)) is not None:
            options["directory"] = directory / part
        options |= {"k": self.k, "seed": self.seed + TEST_SEED_OFFSET * (part == "test")}
        if self.name == "popularity":
            ends_at = split.training_end
            return candidates.popularity(stream, first, end, training_end=ends_at, **options)
        if self.name == "tgb-seq":
            return candidates.tgb_seq(stream, first, end, **options)
        return candidates.uniform(stream, first, end, distinct=self.name == "distinct", **options)

    def bytes(self, queries: int, vocabulary_size: int) -> int:
        """About how much the negatives of so many queries take.

        >>> CandidateRule("uniform", 100).bytes(2_000_000, 50_000), CandidateRule("all").bytes(9, 9)
        (800000000, 0)
        """
        if self.k is None:
            return 0
        most = vocabulary_size if self.name == "historical-random" else self.k
        return 4 * min(self.k, most) * queries


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
