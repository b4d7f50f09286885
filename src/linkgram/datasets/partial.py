"""A partial download: what has arrived so far, and what proves that the rest belongs to it.

`NAME.part` holds the bytes and `NAME.part.json` the address and the server's validator (a strong
ETag, or the date of the last change). Without a validator nothing is resumed: two halves of
different files would make one file that nobody has.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO

from linkgram.errors import DownloadError
from linkgram.whole_file import write_text

if TYPE_CHECKING:
    from pathlib import Path

BLOCK = 1 << 20


@dataclass
class Partial:
    """The bytes of one file on their way to `target`."""

    target: Path
    url: str

    @property
    def path(self) -> Path:
        """Where the bytes are.

        >>> from pathlib import Path
        >>> Partial(Path("a.zip"), "http://x/a.zip").path.name
        'a.zip.part'
        """
        return self.target.with_name(self.target.name + ".part")

    @property
    def _facts(self) -> Path:
        return self.target.with_name(self.target.name + ".part.json")

    @property
    def size(self) -> int:
        """How many bytes have arrived.

        >>> from pathlib import Path
        >>> Partial(Path("nowhere"), "").size
        0
        """
        try:
            return self.path.stat().st_size
        except OSError:
            return 0

    def validator(self) -> str | None:
        """Give what the server must still say for the bytes to be kept, or None to start again.

        >>> from pathlib import Path
        >>> Partial(Path("nowhere"), "").validator() is None
        True
        """
        try:
            facts = json.loads(self._facts.read_text("utf-8"))
        except (OSError, ValueError):
            return None
        if not isinstance(facts, dict) or facts.get("url") != self.url or not self.size:
            return None
        validator = facts.get("validator")
        return validator if isinstance(validator, str) and validator.isprintable() else None

    def begin(self, etag: str | None, modified: str | None) -> BinaryIO:
        """Start from nothing, and remember what would allow to go on later.

        >>> from pathlib import Path
        >>> import tempfile
        >>> partial = Partial(Path(tempfile.mkdtemp(), "a.zip"), "http://x/a.zip")
        >>> with partial.begin('"1"', None) as file:
        ...     _ = file.write(b"abc")
        >>> partial.size, partial.validator()
        (3, '"1"')
        """
        self.target.parent.mkdir(parents=True, exist_ok=True)
        file = self.path.open("wb")
        # A weak ETag allows bytes to differ, so it cannot vouch for two halves.
        validator = etag if etag and not etag.startswith("W/") else modified
        write_text(self._facts, json.dumps({"url": self.url, "validator": validator}))
        return file

    def go_on(self) -> BinaryIO:
        """Append to what is there.

        >>> from pathlib import Path
        >>> Partial(Path("nowhere", "a"), "").go_on()
        Traceback (most recent call last):
        FileNotFoundError: ...
        """
        return self.path.open("ab")

    def make_room(self, total: int | None, limit: int, kept: int) -> None:
        """Refuse a file that is larger than accepted or than the disk has room for.

        >>> from pathlib import Path
        >>> Partial(Path("a.zip"), "http://x/a.zip").make_room(11, 10, 0)
        Traceback (most recent call last):
        linkgram.errors.DownloadError: http://x/a.zip is larger than expected: at most 10 bytes are
        accepted, found 11 bytes ...
        """
        if total is None:
            return
        if total > limit:
            raise self.too_large(limit, total)
        folder = self.target.parent
        folder.mkdir(parents=True, exist_ok=True)
        free = shutil.disk_usage(folder).free
        if total - kept > free:
            raise DownloadError(
                f"{self.url} has {total:,} bytes, but only {free:,} are free in {folder}",
                hint="free some space, or set LINKGRAM_DATA to a folder on a larger disk",
            )

    def too_large(self, limit: int, total: int | None = None) -> DownloadError:
        """Forget everything, and make the refusal of a file that is too large.

        >>> from pathlib import Path
        >>> Partial(Path("a.zip"), "http://x/a.zip").too_large(10).value is None
        True
        """
        self.discard()
        found = "more" if total is None else f"{total:,} bytes"
        return DownloadError(
            f"{self.url} is larger than expected: at most {limit:,} bytes are accepted, "
            f"found {found}",
            value=total,
            hint="this is not the file it should be; nothing was kept",
        )

    def sha256(self) -> str:
        """Compute the digest of what has arrived.

        >>> from pathlib import Path
        >>> Partial(Path("nowhere"), "").sha256()
        Traceback (most recent call last):
        FileNotFoundError: ...
        """
        return sha256_of(self.path)

    def finish(self) -> None:
        """Give the bytes their name, at once.

        >>> from pathlib import Path
        >>> Partial(Path("nowhere"), "").finish()
        Traceback (most recent call last):
        FileNotFoundError: ...
        """
        with self.path.open("rb") as file:
            os.fsync(file.fileno())
        self.path.replace(self.target)
        self._facts.unlink(missing_ok=True)

    def discard(self) -> None:
        """Forget everything.

        >>> from pathlib import Path
        >>> Partial(Path("nowhere"), "").discard()
        """
        for path in (self.path, self._facts):
            with contextlib.suppress(OSError):
                path.unlink(missing_ok=True)


def sha256_of(path: Path) -> str:
    """Compute the SHA-256 of a file, in hexadecimal.

    >>> from pathlib import Path
    >>> import tempfile
    >>> empty = Path(tempfile.mkdtemp(), "empty")
    >>> empty.touch()
    >>> sha256_of(empty)[:8]
    'e3b0c442'
    """
    with path.open("rb") as file:
        return hashlib.file_digest(file, lambda: hashlib.sha256(usedforsecurity=False)).hexdigest()
