"""Room: a small file may hold more events than the memory of this machine.

Columns of equal values compress to almost nothing, so a file's size says little. A stream that
cannot fit is refused before the system ends the process for it.
"""

from __future__ import annotations

import os
from pathlib import Path

from linkgram.errors import EventError

# Three columns as they are read and as they are kept, ids encoded one after the other.
PER_EVENT = 64


def refuse_without_room(events: int, name: str) -> None:
    """Refuse to read so many events where they cannot fit.

    >>> refuse_without_room(1_000, "mine.csv")
    >>> refuse_without_room(10**15, "mine.csv")
    Traceback (most recent call last):
    linkgram.errors.EventError: mine.csv holds 1,000,000,000,000,000 events or more; ...
    """
    needed, there = events * PER_EVENT, machine_memory()
    if needed > there:
        raise EventError(
            f"{name} holds {events:,} events or more; reading them takes {needed / 2**30:.1f} GiB, "
            f"and this machine has {there / 2**30:.1f} GiB",
            value=events,
            hint="read a part of the file, or use a machine with more memory",
        )


def machine_memory() -> int:
    """Bytes of memory that this machine has, or that the process may use if that is less.

    >>> machine_memory() > 1_000_000
    True
    """
    physical = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    try:
        limit = Path("/sys/fs/cgroup/memory.max").read_text()
    except OSError:
        return physical
    return min(physical, int(limit)) if limit.strip().isdigit() else physical
