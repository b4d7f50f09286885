"""Writing so that a name never stands for half a file: write elsewhere, then rename."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from linkgram.errors import DownloadError, LinkgramError

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def temporary_folder(beside: Path) -> Iterator[Path]:
    """Give a folder on the same disk, removed at the end with whatever is left in it.

    >>> with temporary_folder(Path(tempfile.gettempdir())) as folder:
    ...     folder.is_dir()
    True
    """
    beside.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix=".linkgram-", dir=beside))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def disk_errors(doing: str) -> Iterator[None]:
    """Turn a full or read-only disk into a DownloadError that says what was being done.

    >>> with disk_errors("reading a.zip"):
    ...     raise PermissionError(13, "Permission denied", "a.zip")
    Traceback (most recent call last):
    linkgram.errors.DownloadError: reading a.zip failed: [Errno 13] Permission denied: 'a.zip'
    """
    try:
        yield
    except LinkgramError:
        raise
    except OSError as error:
        raise DownloadError(f"{doing} failed: {error}", value=error.filename) from error


def place(new: Path, final: Path) -> None:
    """Rename a finished file into its place and make sure that it is on the disk.

    >>> folder = Path(tempfile.mkdtemp())
    >>> _ = (folder / "new").write_text("x")
    >>> place(folder / "new", folder / "deep" / "final")
    >>> (folder / "deep" / "final").read_text()
    'x'
    """
    final.parent.mkdir(parents=True, exist_ok=True)
    with contextlib.suppress(OSError), new.open("rb") as file:
        os.fsync(file.fileno())
    new.replace(final)
