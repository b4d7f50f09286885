"""The registry: what is known about each data set before any of its files is read.

The facts are in `registry.toml` beside this module. A set is found by its name in any case, with
`_` for `-`, and TGB's sets also without `tgbl-`.
"""

from __future__ import annotations

import difflib
import functools
import tomllib
from dataclasses import dataclass, field
from importlib import resources
from typing import TYPE_CHECKING, Any

from linkgram.errors import SettingError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

ROLES = ("events", "validation", "test")


@dataclass(frozen=True, slots=True)
class Registration:
    """One data set of the registry; the fields are described in `registry.toml`.

    >>> wiki = registered("wiki")
    >>> wiki.name, wiki.benchmark, wiki.events, wiki.file("test")
    ('tgbl-wiki', 'TGB', 157474, 'tgbl-wiki_test_ns_v2.pkl')
    """

    name: str
    benchmark: str
    version: int
    directory: str
    url: str
    files: Mapping[str, str]
    layout: str
    candidates: Mapping[str, Any]
    licence: str = "unknown"
    archive: str | None = None
    package: str | None = None
    events: int | None = None
    sources: int | None = None
    destinations: int | None = None
    about: bool = False
    max_bytes: int = 0
    max_unpacked: int = 0
    notes: tuple[str, ...] = ()
    sha256: Mapping[str, str] = field(default_factory=dict)

    def file(self, role: str) -> str | None:
        """Name of the file of a role: "events", "validation" or "test".

        >>> registered("Yelp").file("validation") is None
        True
        """
        return self.files.get(role)

    @property
    def size(self) -> str:
        """The number of events, as a text.

        >>> registered("uci").size, registered("yelp").size
        ('59,835 events', 'about 19,800,000 events')
        """
        if self.events is None:
            return "unknown"
        return f"{'about ' if self.about else ''}{self.events:,} events"


@functools.cache
def registry() -> Mapping[str, Registration]:
    """All registered data sets by name, in the order of the benchmarks' own lists.

    >>> list(registry())[:3]
    ['tgbl-wiki', 'tgbl-uci', 'tgbl-enron']
    """
    text = resources.files("linkgram.datasets").joinpath("registry.toml").read_text("utf-8")
    return {
        name: Registration(name=name, **{**facts, "notes": tuple(facts.get("notes", ()))})
        for name, facts in tomllib.loads(text)["sets"].items()
    }


def registered(name: str) -> Registration:
    """Find the data set of a name.

    >>> registered("ENRON").name, registered("ml_20m").name
    ('tgbl-enron', 'ML-20M')
    >>> registered("wkii")
    Traceback (most recent call last):
    linkgram.errors.SettingError: there is no data set named 'wkii'; close names are ...
    """
    known = {_folded(known): known for known in registry()}
    wanted = _folded(name)
    for candidate in (wanted, f"tgbl-{wanted}"):
        if candidate in known:
            return registry()[known[candidate]]
    close = difflib.get_close_matches(wanted, known, 3)
    close += [f"tgbl-{match}" for match in difflib.get_close_matches(wanted, _short(known), 1)]
    near = ", ".join(known[match] for match in dict.fromkeys(close))
    raise SettingError(
        f"there is no data set named {name!r}" + (f"; close names are {near}" if near else ""),
        setting="name",
        value=name,
        hint="`linkgram datasets list` shows all",
    )


def _short(names: Iterable[str]) -> list[str]:
    return [name.removeprefix("tgbl-") for name in names if name.startswith("tgbl-")]


def _folded(name: str) -> str:
    return str(name).strip().casefold().replace("_", "-")
