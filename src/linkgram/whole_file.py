"""Writing a file whole or not at all: under a name beside it first, which then takes its place."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def written_whole(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Give a place to write to; it becomes `path` once the block has ended without an error.

    Permissions are those of the file before, or of any new file. A link stays a link. What is no
    file at all, such as a pipe, is written to as it is: it cannot be replaced.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "notes.txt")
    >>> with written_whole(path) as place:
    ...     _ = place.write_text("all of it")
    >>> path.read_text(), len(list(path.parent.iterdir()))
    ('all of it', 1)
    """
    given = Path(path)
    if given.exists() and not given.is_file():
        yield given
        return
    target = Path(os.path.realpath(given))
    partial = target.with_name(f"{target.name}.{secrets.token_hex(4)}.part")
    try:
        yield partial
        if target.exists():
            shutil.copymode(target, partial)
        partial.replace(target)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise


def write_text(path: Path, text: str) -> None:
    """Write a text file at once, and the folders it lies in.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "new", "a.json")
    >>> write_text(path, "{}")
    >>> path.read_text()
    '{}'
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with written_whole(path) as place:
        place.write_text(text, encoding="utf-8")
