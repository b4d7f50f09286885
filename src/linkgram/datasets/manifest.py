"""The manifest: `linkgram.json` beside fetched files says what they are and where they came from.

A digest is taken once, when a file is fetched or adopted. Later it is believed as long as the
file's size and time of change stay as they were.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from linkgram.datasets.partial import sha256_of
from linkgram.datasets.write import disk_errors
from linkgram.whole_file import write_text

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

NAME = "linkgram.json"


@dataclass(frozen=True, slots=True)
class DataFile:
    """One file that a data set was read from."""

    path: Path
    sha256: str
    bytes: int


def record(directory: Path, paths: Iterable[Path], source: str) -> None:
    """Remember the digests of new files, keeping what is known about the others.

    >>> from pathlib import Path
    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> _ = (folder / "a.csv").write_text("u,v,t")
    >>> record(folder, [folder / "a.csv"], "https://example.org/a.zip")
    >>> described(folder / "a.csv").bytes
    5
    """
    with disk_errors(f"writing {directory / NAME}"):
        files = _files(directory)
        for path in paths:
            files[path.name] = {"sha256": sha256_of(path), **_state(path), "origin": source}
        text = json.dumps({"files": dict(sorted(files.items()))}, indent=2)
        write_text(directory / NAME, text + "\n")


def described(path: Path) -> DataFile:
    """Give a file's digest, from the manifest if that is still true.

    >>> from pathlib import Path
    >>> described(Path("nowhere"))
    Traceback (most recent call last):
    linkgram.errors.DownloadError: reading nowhere failed: ...
    """
    with disk_errors(f"reading {path}"):
        state = _state(path)
        known = _files(path.parent).get(path.name)
        if isinstance(known, dict) and all(known.get(key) == state[key] for key in state):
            digest = known.get("sha256")
            if isinstance(digest, str):
                return DataFile(path, digest, state["bytes"])
        return DataFile(path, sha256_of(path), state["bytes"])


def origin(path: Path) -> str:
    """Give where a file came from, or an empty text if that is not known.

    >>> from pathlib import Path
    >>> origin(Path("nowhere"))
    ''
    """
    known = _files(path.parent).get(path.name)
    found = known.get("origin") if isinstance(known, dict) else None
    return found if isinstance(found, str) else ""


def _state(path: Path) -> dict[str, int]:
    facts = path.stat()
    return {"bytes": facts.st_size, "changed": facts.st_mtime_ns}


def _files(directory: Path) -> dict[str, Any]:
    try:
        content = json.loads((directory / NAME).read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    files = content.get("files") if isinstance(content, dict) else None
    return files if isinstance(files, dict) else {}
