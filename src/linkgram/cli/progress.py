"""Progress bars on the terminal's error stream; nothing at all in a pipe."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

QUIET_SECONDS = 1.0


class Bars:
    """One bar a phase, shown once a phase has lasted a second."""

    def __init__(self, progress: Progress | None) -> None:
        self._progress = progress
        self._tasks: dict[str, object] = {}
        self._begun: dict[str, float] = {}

    def __call__(self, phase: str, done: int, total: int) -> None:
        """Report that `done` of `total` is done in `phase`."""
        if self._progress is None:
            return
        begun = self._begun.setdefault(phase, time.monotonic())
        if phase not in self._tasks:
            if time.monotonic() - begun < QUIET_SECONDS:
                return
            for task in self._progress.task_ids:
                self._progress.remove_task(task)
            self._tasks[phase] = self._progress.add_task(phase, total=total)
        self._progress.update(self._tasks[phase], completed=done, total=total)  # type: ignore[arg-type]

    def of(self, phase: str, total: int) -> object:
        """Make a callback that reports one phase."""
        return lambda done: self(phase, done, total)


@contextmanager
def bars() -> Iterator[Bars]:
    """Progress bars while the block runs, if a person is looking."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield Bars(None)
        return
    columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        yield Bars(progress)
