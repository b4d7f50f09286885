"""Fetch: a data set's files from its benchmark's server, or from a folder that already has them.

Files come into a temporary folder first and take their names when all of them are whole and
checked, so a data set is there or it is not. One process works, others wait for it.
"""

from __future__ import annotations

import os
import shutil
import sysconfig
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, cast

from linkgram.datasets import manifest
from linkgram.datasets.archive import unpack
from linkgram.datasets.download import Progress, download
from linkgram.datasets.lock import locked
from linkgram.datasets.places import (
    DataSetFiles,
    archive_in,
    files_in,
    find,
    home,
    hub_snapshots,
)
from linkgram.datasets.registry import Registration, registered
from linkgram.datasets.write import disk_errors, place, temporary_folder
from linkgram.errors import DataSetMissingError, LinkgramError, SettingError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

INCOMING = ".incoming"


def fetch(
    name: str,
    *,
    directory: str | os.PathLike[str] | None = None,
    source: str | None = None,
    progress: Progress | None = None,
) -> DataSetFiles:
    """Download a data set into `directory` (by default linkgram's cache), unless it is there.

    `source` is the address of a mirror: a folder that holds the files under their own names. A
    mirror of Hugging Face with its layout is set with the variable HF_ENDPOINT. An interrupted
    download goes on where it stopped.

    >>> import tempfile
    >>> fetch("wiki", source="ftp://example.org", directory=tempfile.mkdtemp())
    Traceback (most recent call last):
    linkgram.errors.DownloadError: ftp://example.org/tgbl-wiki-v2.zip is not an http or https ...
    """
    registration = registered(name)
    if registration.package is not None:
        return find(name, directory)
    with _into(registration, directory) as root:
        present = files_in(registration, root)
        if present is not None and _complete(registration, present):
            return present
        cached = _cached_by_hub(registration) if source is None else None
        if cached is not None:
            return cached if directory is None else _copied(registration, cached, root)
        base = _base(registration, source)
        incoming = root / INCOMING
        if registration.archive is not None:
            url = f"{base}/{registration.archive}"
            archive = incoming / registration.archive
            # It has its name only if it is whole: an earlier call was stopped while unpacking it.
            if not archive.is_file():
                _get(registration, url, archive, progress)
            with temporary_folder(root) as folder, disk_errors(f"unpacking {archive.name}"):
                try:
                    paths = _unpacked(registration, archive, folder, progress)
                except LinkgramError:
                    archive.unlink()
                    raise
                files = _install(registration, paths, root, url)
            archive.unlink(missing_ok=True)
            return files
        paths = {}
        for wanted in registration.files.values():
            paths[wanted] = incoming / registration.name / wanted
            if not paths[wanted].is_file():
                _get(registration, f"{base}/{wanted}", paths[wanted], progress)
        return _install(registration, paths, root, base)


def adopt(
    name: str,
    from_directory: str | os.PathLike[str],
    *,
    directory: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
) -> DataSetFiles:
    """Take the files of a data set from a folder where they already are.

    The benchmarks' own layouts are known, and TGB's archives. Files are linked where the disk
    allows it and copied otherwise; the folder itself is not changed.

    >>> adopt("wiki", "nowhere")
    Traceback (most recent call last):
    linkgram.errors.DataSetMissingError: tgbl-wiki has no files in nowhere: looked for ...
    """
    registration = registered(name)
    if registration.package is not None:
        return find(name, directory)
    given = Path(from_directory).expanduser()
    files = files_in(registration, given)
    archive = archive_in(registration, given)
    if files is None and archive is None:
        wanted = [*registration.files.values(), registration.archive]
        raise DataSetMissingError(
            f"{registration.name} has no files in {given}: looked for "
            f"{', '.join(filter(None, wanted))}, also in {registration.directory} and with .gz",
            value=str(given),
            hint="pass the folder that holds them",
        )
    with _into(registration, directory) as root:
        if archive is None or files is not None:
            return _copied(registration, cast("DataSetFiles", files), root)
        with temporary_folder(root) as folder, disk_errors(f"unpacking {archive}"):
            paths = _unpacked(registration, archive, folder, progress)
            return _install(registration, paths, root, str(archive))


@contextmanager
def _into(registration: Registration, directory: str | os.PathLike[str] | None) -> Iterator[Path]:
    """Give the folder to write into, while no other process works on this data set there."""
    root = (Path(directory).expanduser() if directory is not None else home()).absolute()
    for installed in {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}:
        if root.resolve().is_relative_to(Path(installed).resolve()):
            raise SettingError(
                f"{root} belongs to installed packages; data sets are kept elsewhere",
                setting="directory",
                value=str(root),
                hint="set LINKGRAM_DATA to a folder of your own",
            )
    with disk_errors(f"writing to {root}"):
        root.mkdir(parents=True, exist_ok=True)
        with locked(root / INCOMING / f"{registration.directory}.lock"):
            yield root


def _base(registration: Registration, source: str | None) -> str:
    if source is not None:
        return source.rstrip("/")
    hub = os.environ.get("HF_ENDPOINT")
    if hub and registration.url.startswith("https://huggingface.co/"):
        return registration.url.replace("https://huggingface.co", hub.rstrip("/"), 1)
    return registration.url


def _get(registration: Registration, url: str, target: Path, progress: Progress | None) -> None:
    download(
        url,
        target,
        limit=registration.max_bytes,
        sha256=registration.sha256.get(target.name),
        progress=progress,
    )


def _unpacked(
    registration: Registration, archive: Path, folder: Path, progress: Progress | None
) -> dict[str, Path]:
    wanted = [name + end for name in registration.files.values() for end in ("", ".gz")]
    paths = unpack(archive, wanted, folder, limit=registration.max_unpacked, progress=progress)
    events = registration.files["events"]
    if events not in paths and f"{events}.gz" not in paths:
        raise DataSetMissingError(
            f"{archive.name} does not hold {events}, the events of {registration.name}",
            value=str(archive),
            hint=f"this is not the archive of version {registration.version}",
        )
    return paths


def _install(
    registration: Registration, paths: Mapping[str, Path], root: Path, origin: str
) -> DataSetFiles:
    """Give finished files their places: events last, because they make the data set present."""
    target = root / registration.directory
    events = registration.files["events"]
    with disk_errors(f"writing to {target}"):
        for name in sorted(paths, key=lambda name: name.startswith(events)):
            place(paths[name], target / name)
    manifest.record(target, (target / name for name in paths), origin)
    files = files_in(registration, root)
    assert files is not None
    return files


def _complete(registration: Registration, present: DataSetFiles) -> bool:
    """Whether all files are there, or all that the server's archive held."""
    origin = manifest.origin(present.paths["events"])
    return set(present.paths) == set(registration.files) or (
        registration.archive is not None and origin.startswith("http")
    )


def _cached_by_hub(registration: Registration) -> DataSetFiles | None:
    """All files as Hugging Face's own tools left them."""
    if registration.benchmark == "TGB-Seq":
        for snapshot in hub_snapshots(registration):
            files = files_in(registration, snapshot)
            if files is not None and set(files.paths) == set(registration.files):
                return files
    return None


def _copied(registration: Registration, files: DataSetFiles, root: Path) -> DataSetFiles:
    with (
        temporary_folder(root) as folder,
        disk_errors(f"copying {registration.name} from {files.directory}"),
    ):
        paths = {path.name: folder / path.name for path in files.paths.values()}
        for path in files.paths.values():
            _link_or_copy(path, folder / path.name)
        return _install(registration, paths, root, str(files.directory))


def _link_or_copy(path: Path, new: Path) -> None:
    try:
        os.link(path.resolve(), new)
    except OSError:
        shutil.copy2(path, new)
