"""A stream that the kernels have written, with its negatives and the engine's ranks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

WEIGHTS = (-0.5, 0.36, 0.42, 0.07, 0.03, -0.01, 0.07, 1.68, 0.3, 0.2, 0.4, 0.1)


class Written:
    """Columns, negatives and settings of a written stream."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        about: dict[str, Any] = json.loads((self.folder / "about.json").read_text())
        self.name: str = about["name"]
        self.about = about
        self.sources = np.fromfile(self.folder / "sources", "<u4")
        self.destinations = np.fromfile(self.folder / "destinations", "<u4")
        self.times = np.fromfile(self.folder / "times", "<f8")
        flat = np.fromfile(self.folder / "negatives", "<i4")
        self.negatives = flat.reshape(-1, about["negatives"])

    def events(self, first: int, end: int) -> list[tuple[int, int, float]]:
        """Events as plain Python objects."""
        columns = (self.sources, self.destinations, self.times)
        return list(zip(*(column[first:end].tolist() for column in columns), strict=True))

    def ranks(self, name: str) -> NDArray[np.float64]:
        """The engine's midranks of the first test queries."""
        return np.fromfile(self.folder / f"ranks-{name}", "<f8")


def agree(found: list[float], expected: NDArray[np.float64], what: str) -> None:
    """Refuse a rival that does not rank as the engine does: it would be timed at other work."""
    ranks, right = np.array(found), expected[: len(found)]
    differing = int((ranks != right).sum())
    gap = abs((1 / ranks).mean() - (1 / right).mean())
    # Single-precision counts may turn the order of two scores that differ by a rounding error.
    if differing > max(1, len(ranks) // 500) or gap > 1e-5:
        raise SystemExit(f"error: {what}: {differing} of {len(ranks)} ranks differ, MRR by {gap}")
