"""Progress bars on the terminal's error stream; nothing at all in a pipe."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

QUIET_SECONDS = 1.0


class Bars:
    """One bar a phase, shown once a phase has lasted a second."""

    def __init__(self, progress: Progress | None) -> None:
        self._progress = progress
        self._phase = ""
        self._begun = 0.0
        self._task: TaskID | None = None

    def __call__(self, phase: str, done: int, total: int) -> None:
        """Report that `done` of `total` is done in `phase`."""
        if self._progress is None:
            return
        # A phase comes back with every configuration, so its name alone does not identify a bar.
        if phase != self._phase:
            self._phase, self._begun = phase, time.monotonic()
            if self._task is not None:
                self._progress.remove_task(self._task)
                self._task = None
        if self._task is None:
            if time.monotonic() - self._begun < QUIET_SECONDS:
                return
            self._task = self._progress.add_task(phase, total=total)
        self._progress.update(self._task, completed=done, total=total)

    @contextmanager
    def waiting(self, phase: str) -> Iterator[None]:
        """A bar without an end, while the block does what cannot say how far it is."""
        if self._progress is None:
            yield
            return
        task = self._progress.add_task(phase, total=None, visible=False)
        timer = Timer(QUIET_SECONDS, self._progress.update, (task,), {"visible": True})
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            timer.join()
            self._progress.remove_task(task)


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
