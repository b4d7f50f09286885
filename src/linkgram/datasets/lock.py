"""A lock between processes: who fetches or converts first; the others wait and find it done.

The operating system releases the lock when its holder ends, however it ends, so nothing is left
behind that a person would have to remove.
"""

from __future__ import annotations

import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from linkgram.errors import DownloadError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PATIENCE = 6 * 3600.0


@contextmanager
def locked(path: Path, *, patience: float = PATIENCE, interval: float = 0.1) -> Iterator[None]:
    """Hold the lock of a file, waiting for other processes at most `patience` seconds.

    >>> from pathlib import Path
    >>> import tempfile
    >>> with locked(Path(tempfile.mkdtemp(), "locks", "wiki")):
    ...     pass
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    end = time.monotonic() + patience
    with path.open("a+b") as file:
        while not _taken(file.fileno()):
            if time.monotonic() >= end:
                raise DownloadError(
                    f"another process holds {path} for more than {patience:g} seconds",
                    hint="wait for it to finish, or end it",
                )
            time.sleep(interval)
        try:
            yield
        finally:
            _release(file.fileno())


if sys.platform == "win32":
    import msvcrt

    def _taken(descriptor: int) -> bool:
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def _release(descriptor: int) -> None:
        msvcrt.locking(descriptor, msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def _taken(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True

    def _release(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_UN)
