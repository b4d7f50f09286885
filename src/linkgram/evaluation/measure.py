"""What a run cost (wall and processor time of each phase, peak of memory), and what it ran on."""

from __future__ import annotations

import platform
import resource
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from linkgram import _core


class Phases:
    """Seconds by phase; a phase entered twice adds up.

    >>> phases = Phases()
    >>> with phases("extract"):
    ...     pass
    >>> sorted(phases.seconds["extract"])
    ['cpu', 'wall']
    """

    def __init__(self) -> None:
        self.seconds: dict[str, dict[str, float]] = {}

    @contextmanager
    def __call__(self, phase: str) -> Iterator[None]:
        """Measure a block of code as part of `phase`."""
        wall, cpu = time.perf_counter(), time.process_time()
        try:
            yield
        finally:
            spent = self.seconds.setdefault(phase, {"wall": 0.0, "cpu": 0.0})
            spent["wall"] += time.perf_counter() - wall
            spent["cpu"] += time.process_time() - cpu


def peak_memory() -> int:
    """Most bytes this process has held at once.

    >>> peak_memory() > 1_000_000
    True
    """
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    # Linux counts kibibytes, macOS bytes.
    return peak if sys.platform == "darwin" else peak * 1024


def versions() -> dict[str, str]:
    """What a result was made with."""
    return {
        "linkgram": _core.__version__,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "platform": platform.platform(),
    }
