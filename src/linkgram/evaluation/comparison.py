"""Comparison: the model and the baselines on one protocol, under the same rules.

Stored as one JSON file under a key over all inputs, like a `Result`. Published figures are not in
it: they are put beside what was measured when it is shown.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from linkgram.errors import LinkgramError
from linkgram.evaluation import reference
from linkgram.evaluation.candidate_rule import rule_text
from linkgram.evaluation.published import PaperFigures
from linkgram.evaluation.result import plain, read_facts, safe_name, write_whole

COMPARISON_FORMAT = "linkgram-comparison-1"
REQUIRED = ("key", "data", "split", "candidates", "seeds", "schedules", "methods")


@dataclass(frozen=True, slots=True)
class Comparison:
    """What a comparison gave.

    Attributes:
        facts: everything that is stored. `facts["methods"]` has a row a method: `name`, `kind`
            (`"baseline"` or `"ours"`), `settings`, `validation_mrr`, `chosen` (the backoff that
            validation chooses) and, by schedule, `metrics` (each a mean and, over seeds, a sample
            standard deviation; the MRR also an interval over queries) and `behind` (how far the
            chosen backoff is ahead in MRR, paired by query, with its interval).
    """

    facts: Mapping[str, Any]

    @property
    def name(self) -> str:
        """Name of the data set."""
        return str(self.facts["data"]["name"])

    @property
    def schedules(self) -> list[str]:
        """The schedules it was measured under."""
        return list(self.facts["schedules"])

    @property
    def methods(self) -> list[Mapping[str, Any]]:
        """A row a method, baselines first."""
        return list(self.facts["methods"])

    @property
    def ours(self) -> list[Mapping[str, Any]]:
        """The rows of the model, one a backoff."""
        return [row for row in self.methods if row["kind"] == "ours"]

    @property
    def chosen(self) -> Mapping[str, Any]:
        """The row of the backoff that validation chooses."""
        return next(row for row in self.ours if row["chosen"])

    def method(self, name: str) -> Mapping[str, Any] | None:
        """The row of a method, or `None`."""
        return next((row for row in self.methods if row["name"] == name), None)

    @property
    def candidates(self) -> str:
        """The rule of the test candidates, in short."""
        return rule_text(self.facts["candidates"]["test"]["rule"])

    @property
    def paper(self) -> PaperFigures | None:
        """The paper's figures, if this is one of its data sets with the benchmark's candidates.

        A file that happens to bear a benchmark's name has none.
        """
        return reference.paper_of(self.facts["data"])

    def to_json(self) -> str:
        """The stored form."""
        return json.dumps(self.facts, indent=1, allow_nan=False, default=plain)

    def save(self, directory: str | os.PathLike[str]) -> Path:
        """Write it whole or not at all, under a name made of its data and key."""
        return write_whole(comparison_path(directory, self.facts), self.to_json())

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Comparison:
        """Read a stored comparison."""
        facts = read_facts(path, COMPARISON_FORMAT, "comparison")
        missing = [name for name in REQUIRED if name not in facts]
        if missing:
            raise LinkgramError(f"{path} is not a whole comparison: it has no {missing[0]!r}")
        return cls(facts)


def comparison_path(directory: str | os.PathLike[str], facts: Mapping[str, Any]) -> Path:
    """Where a comparison with these facts is stored."""
    return Path(directory) / f"{safe_name(facts['data']['name'])}.comparison.{facts['key']}.json"


def settings_text(settings: Mapping[str, Any]) -> str:
    """The settings of a method in short, broken numbers to three digits; not how it was chosen.

    >>> settings_text({"memory": "window", "width": 12576427.8, "k": 1000})
    'memory window, width 1.26e+07, k 1000'
    """
    return ", ".join(
        f"{name} {_short(value)}" for name, value in settings.items() if name != "chosen"
    )


def _short(value: object) -> str:
    return f"{value:.3g}" if isinstance(value, float) else str(value)
