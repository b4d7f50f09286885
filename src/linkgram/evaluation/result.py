"""Result: one configuration on one data set, with everything needed to read or repeat it.

Stored as one JSON file. Its name holds a key over all inputs (data, split, candidates,
configuration, seeds, fit settings, schedules), so a finished run is recognised and not repeated.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkgram.errors import LinkgramError

FORMAT = "linkgram-result-1"


@dataclass(frozen=True, slots=True)
class Result:
    """What an evaluation gave.

    Attributes:
        facts: everything that is stored: data, split, candidates, configuration, runs, metrics by
            schedule, versions, cost.
        ranks: midranks of the test queries by schedule, one row a seed; not stored in the JSON.
    """

    facts: Mapping[str, Any]
    ranks: Mapping[str, NDArray[np.float64]] = field(default_factory=dict, compare=False)

    @property
    def name(self) -> str:
        """Name of the data set."""
        return str(self.facts["data"]["name"])

    @property
    def backoff(self) -> str:
        """Backoff of the configuration."""
        return str(self.facts["configuration"]["backoff"])

    @property
    def validation_mrr(self) -> float:
        """Mean over the seeds of the best validation MRR."""
        return float(self.facts["validation_mrr"]["mean"])

    @property
    def schedules(self) -> list[str]:
        """The schedules it was measured under."""
        return list(self.facts["metrics"])

    def mrr(self, schedule: str = "event-wise") -> float:
        """Mean test MRR over the seeds."""
        return float(self.facts["metrics"][schedule]["mrr"]["mean"])

    def to_json(self) -> str:
        """The stored form."""
        return json.dumps(self.facts, indent=1, allow_nan=False, default=plain)

    def save(self, directory: str | os.PathLike[str]) -> Path:
        """Write it to `directory` under a name made of its data, configuration and key."""
        return write_whole(path_of(directory, self.facts), self.to_json())

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Result:
        """Read a stored result."""
        return cls(read_facts(path, FORMAT, "result"))


def read_facts(path: str | os.PathLike[str], version: str, kind: str) -> dict[str, Any]:
    """The facts of a stored file, if it is one of this kind and version."""
    try:
        facts = json.loads(Path(path).read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as problem:
        raise LinkgramError(
            f"{path} is not a readable {kind}: {problem}", hint="remove it to compute it again"
        ) from None
    if not isinstance(facts, dict) or facts.get("format") != version:
        raise LinkgramError(f"{path} is not a {kind} of this version ({version})")
    return facts


def key_of(inputs: Mapping[str, Any]) -> str:
    """16 hexadecimal digits over everything that decides a result.

    >>> key_of({"a": 1, "b": 2}) == key_of({"b": 2, "a": 1})
    True
    """
    # Refused here, before the work, and not when the finished result cannot be stored.
    text = json.dumps(inputs, sort_keys=True, allow_nan=False, default=plain)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def path_of(directory: str | os.PathLike[str], facts: Mapping[str, Any]) -> Path:
    """Where a result with these facts is stored."""
    backoff, features = facts["configuration"]["backoff"], facts["feature_set"]
    name = safe_name(facts["data"]["name"])
    return Path(directory) / f"{name}.{backoff}.{features}.{facts['key']}.json"


def safe_name(name: str) -> str:
    """The name of a data set as part of a file's name.

    >>> safe_name("my data.csv")
    'my_data.csv'
    """
    return "".join(c if c.isalnum() or c in "-_." else "_" for c in name)


def write_whole(path: Path, text: str) -> Path:
    """Write a file whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    # Made by `open` and not by `tempfile`, whose files nobody else may read.
    partial = path.with_name(f"{path.name}.{secrets.token_hex(4)}.part")
    try:
        with partial.open("x", encoding="utf-8") as file:
            file.write(text + "\n")
        partial.replace(path)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise
    return path


def best(results: Sequence[Result]) -> Result:
    """The result whose configuration validation chooses: the highest mean validation MRR."""
    return max(results, key=lambda result: result.validation_mrr)


def plain(value: object) -> Any:
    """NumPy's numbers and arrays as plain ones."""
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} cannot be stored in a result")
