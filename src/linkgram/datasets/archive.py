"""Archives: the wanted members of a zip, unpacked without trusting it.

A name that could leave the folder, a link, a second member of the same name or more bytes than
expected condemn the whole archive: nobody makes such an archive by accident. Every member's
checksum is verified while it is unpacked.
"""

from __future__ import annotations

import errno
import io
import lzma
import re
import stat
import struct
import zipfile
import zlib
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from linkgram.errors import DownloadError

if TYPE_CHECKING:
    from collections.abc import Collection

    from linkgram.datasets.download import Progress

BLOCK = 1 << 20
MEMBERS = 10_000
# An archive's table of members is read at once: at most this much of it.
TABLE = 4 << 20
# What the library raises over damaged tables and data: it promises no one class.
DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    ArithmeticError,
    EOFError,
    OSError,
    RuntimeError,
    ValueError,
)


def unpack(
    archive: Path,
    wanted: Collection[str],
    folder: Path,
    *,
    limit: int,
    progress: Progress | None = None,
) -> dict[str, Path]:
    """Unpack the members with these file names, from whatever folder inside the archive.

    At most `limit` bytes are written. Members that are not there are left out of the answer.

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> with zipfile.ZipFile(folder / "a.zip", "w") as archive:
    ...     archive.writestr("deep/events.csv", "u,v,t")
    >>> unpack(folder / "a.zip", ["events.csv"], folder, limit=100)["events.csv"].read_text()
    'u,v,t'
    """
    try:
        with _Bounded(archive) as file, zipfile.ZipFile(file) as opened:
            chosen = _chosen(opened, archive, wanted, limit)
            left = limit
            paths = {}
            for name, member in chosen.items():
                paths[name] = folder / name
                left -= _write(opened, member, paths[name], archive, left, progress)
            return paths
    except DownloadError:
        raise
    except DAMAGE as error:
        if isinstance(error, OSError) and error.errno != errno.EINVAL:
            raise  # the disk's fault; seeking to where a damaged table points is invalid
        raise DownloadError(
            f"{archive.name} is not a whole zip archive: {error or type(error).__name__}",
            value=str(archive),
            hint="the file was damaged or cut short; fetch it again",
        ) from None


class _Bounded(io.FileIO):
    """A file that is read in pieces of bounded size, whatever sizes are written in it."""

    def read(self, size: int | None = -1, /) -> bytes:
        if size is not None and size > TABLE:
            raise _condemned(Path(str(self.name)), f"its table of members has {size:,} bytes")
        return super().read(size) or b""


def _chosen(
    opened: zipfile.ZipFile, archive: Path, wanted: Collection[str], limit: int
) -> dict[str, zipfile.ZipInfo]:
    members = opened.infolist()
    if len(members) > MEMBERS:
        raise _condemned(archive, f"it has {len(members):,} members, more than {MEMBERS:,}")
    chosen: dict[str, zipfile.ZipInfo] = {}
    for member in members:
        _check_name(archive, member)
        name = PurePosixPath(member.filename).name
        if member.is_dir() or name not in wanted:
            continue
        if member.flag_bits & 0x1:
            raise _condemned(archive, f"member {name!r} is encrypted")
        if name in chosen:
            raise _condemned(archive, f"two members are named {name!r}")
        chosen[name] = member
    size = sum(member.file_size for member in chosen.values())
    if size > limit:
        raise _condemned(
            archive, f"it unpacks to {size:,} bytes, more than the {limit:,} expected at most"
        )
    return chosen


def _check_name(archive: Path, member: zipfile.ZipInfo) -> None:
    # `orig_filename` is what the archive says; `filename` is already softened by the library.
    name = member.orig_filename
    parts = re.split(r"[/\\]", name)
    if name.startswith(("/", "\\")) or ".." in parts or ":" in name or "\0" in name:
        raise _condemned(archive, f"member {name[:80]!r} would leave the folder")
    mode = member.external_attr >> 16
    if mode and stat.S_IFMT(mode) not in (0, stat.S_IFREG, stat.S_IFDIR):
        raise _condemned(archive, f"member {name[:80]!r} is a link or a device")


def _write(
    opened: zipfile.ZipFile,
    member: zipfile.ZipInfo,
    path: Path,
    archive: Path,
    limit: int,
    progress: Progress | None,
) -> int:
    """Write one member; what it says about its own size is not believed."""
    size = 0
    with opened.open(member) as source, path.open("xb") as file:
        # Reading to the end makes the library compare the checksum.
        while block := source.read(BLOCK):
            size += len(block)
            if size > limit:
                raise _condemned(archive, f"member {path.name!r} unpacks to more than it says")
            file.write(block)
            if progress is not None:
                progress(path.name, size, member.file_size)
    if size != member.file_size:
        raise _condemned(archive, f"member {path.name!r} is shorter than it says")
    return size


def _condemned(archive: Path, reason: str) -> DownloadError:
    return DownloadError(
        f"{archive.name} is refused: {reason}",
        value=str(archive),
        hint="this is not the archive it should be; nothing was unpacked from it",
    )
