"""A figure: what was measured, on which case, how much, in which unit. Programs print them."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parent.parent


class Figure(NamedTuple):
    """One measured number."""

    figure: str
    case: str
    value: Any
    unit: str

    def print(self) -> None:
        """Write it as one line of JSON."""
        print(json.dumps(self._asdict()), flush=True)


class Figures(dict[tuple[str, str], Figure]):
    """All figures of a run; of one measured twice the better is kept: the smaller time."""

    def take(self, figures: Iterable[Figure]) -> None:
        """Add figures as they come."""
        for figure in figures:
            key = (figure.figure, figure.case)
            known = self.get(key)
            if known is None or not figure.unit.startswith("ns") or figure.value < known.value:
                self[key] = figure

    def value(self, figure: str, case: str) -> float | None:
        """The number, if it was measured."""
        found = self.get((figure, case))
        return None if found is None else float(found.value)


def run(command: Sequence[str | Path], **options: Any) -> Iterator[Figure]:
    """Run a program and give the figures it prints; what it says otherwise is passed on."""
    process = subprocess.Popen(
        [str(part) for part in command], stdout=subprocess.PIPE, text=True, cwd=ROOT, **options
    )
    assert process.stdout is not None
    with process.stdout as lines:
        for line in lines:
            if line.startswith("{"):
                yield Figure(**json.loads(line))
            else:
                sys.stderr.write(line)
    if process.wait():
        raise SystemExit(f"error: {' '.join(map(str, command))} ended with {process.returncode}")


def module(name: str, *arguments: str | Path, python: str | Path = sys.executable) -> list[str]:
    """The command that runs a module of this package."""
    return [str(python), "-m", f"benchmarks.{name}", *map(str, arguments)]
