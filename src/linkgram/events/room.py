"""Room: a small file may ask for more than the memory of this machine.

Columns of equal values compress to almost nothing, and two ids can be the ends of a huge range, so
a file's size says little. What cannot fit is refused before the system ends the process for it.
"""

from __future__ import annotations

import os
from pathlib import Path

from linkgram.errors import EventError

# An event takes this much while it is read: three columns, ids encoded one after the other. A
# destination of a vocabulary takes no less in the tables of a model.
PER_ITEM = 64


def refuse_without_room(where: str, count: int, what: str = "events") -> None:
    """Refuse so many events, or so many ids, where they cannot fit.

    >>> refuse_without_room("mine.csv", 1_000)
    >>> refuse_without_room("mine.csv", 10**15)
    Traceback (most recent call last):
    linkgram.errors.EventError: mine.csv holds 1,000,000,000,000,000 events or more; ...
    """
    needed, there = count * PER_ITEM, machine_memory()
    if needed > there:
        raise EventError(
            f"{where} holds {count:,} {what} or more; they take {needed / 2**30:.1f} GiB, "
            f"and this machine has {there / 2**30:.1f} GiB",
            value=count,
            hint="use a part of the data, or a machine with more memory",
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
