"""What a command works on: the name of a data set, or a file or directory of the user's own."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from linkgram import datasets
from linkgram.cli.progress import Bars
from linkgram.datasets import DataSet
from linkgram.datasets.registry import registered
from linkgram.errors import DataSetMissingError, LinkgramError, SettingError, shown
from linkgram.events import EventStream

Function = TypeVar("Function", bound=Callable[..., Any])
ROLES = ("source", "destination", "time")

COLUMNS = (
    click.option("--source", default="source", show_default=True, help="Column of the sources."),
    click.option("--destination", default="destination", show_default=True,
                 help="Column of the destinations."),
    click.option("--time", default="time", show_default=True, help="Column of the times."),
    click.option("--time-format",
                 help="How times are written as text, such as `%m/%d/%y %I:%M %p`; numbers and "
                      "dates such as 2024-05-01 12:30 need none."),
    click.option("--separator", help="Separator of a text file; by default from its suffix."),
    click.option("--no-header", is_flag=True,
                 help="The first line is an event; columns are positions from 0."),
    click.option("--ragged", is_flag=True, help="Drop fields beyond the first line's."),
    click.option("--sort", is_flag=True, help="Sort events by time (stable) instead of refusing."),
    click.option("--data-dir", type=click.Path(path_type=Path, file_okay=False),
                 help="Where data sets are; default $LINKGRAM_DATA or the user's cache."),
)  # fmt: skip

PROTOCOL = (
    click.option("--split", default="quantiles", show_default=True,
                 help="quantiles, fractions, or times:VALIDATION_START,TEST_START."),
    click.option("--validation-share", default=0.15, show_default=True, type=float,
                 help="Of the events, by quantiles of their times or by their number."),
    click.option("--test-share", default=0.15, show_default=True, type=float,
                 help="Likewise; the rest is for training."),
    click.option("--candidates", "candidate_rule",
                 help="all, uniform(K), distinct(K), popularity(K), historical-random(K), "
                      "tgb-seq(K); default: what the benchmark shipped or says, else all up to "
                      "1,000 destinations and uniform(100) beyond."),
    click.option("--candidate-seed", default=42, show_default=True,
                 type=click.IntRange(0, 2**32 - 1), help="Of the candidates' draws."),
)  # fmt: skip

# Which of them a data set leaves no room for.
OF_FILES = (
    "source", "destination", "time", "time_format", "separator", "no_header", "ragged", "sort",
    "split", "validation_share", "test_share",
)  # fmt: skip


def options(*groups: tuple[Callable[[Function], Function], ...]) -> Callable[[Function], Function]:
    """Add groups of options to a command, in their order."""

    def add(function: Function) -> Function:
        for option in reversed([option for group in groups for option in group]):
            function = option(function)
        return function

    return add


def open_stream(
    data: str, settings: dict[str, Any], progress: Bars
) -> tuple[EventStream, str, DataSet | None]:
    """The stream of a file or a known data set, its name, and the data set if it is one."""
    with progress.waiting("reading"):
        return _opened(data, settings, progress)


def _opened(
    data: str, settings: dict[str, Any], progress: Bars
) -> tuple[EventStream, str, DataSet | None]:
    path = Path(data)
    if path.is_file():
        return _read(path, settings), path.name, None
    # An empty text is no name, but as a path it is this very folder.
    directory = bool(data) and path.is_dir()
    if not directory and (path.suffix or path.name != data):
        raise DataSetMissingError(
            f"there is no file {shown(data)}",
            value=data,
            hint="names of data sets are in `linkgram datasets`",
        )
    name = registered(path.resolve().name if directory else data).name
    _refuse_options_of_files(name)
    found = datasets.load(
        name,
        directory=path if directory else settings["data_dir"],
        progress=lambda what, done, total: progress(what, done, total or done),
    )
    return found.stream, found.name, found


def columns_of(settings: dict[str, Any]) -> dict[str, str | int]:
    """The column of each role, by its name, or by its position in a file without names."""
    if settings["no_header"]:
        return {role: _position(role, at) for at, role in enumerate(ROLES)}
    return {role: settings[role] for role in ROLES}


def _read(path: Path, settings: dict[str, Any]) -> EventStream:
    return EventStream.read(
        path,
        **columns_of(settings),
        time_format=settings["time_format"],
        separator=settings["separator"],
        header=not settings["no_header"],
        ragged=settings["ragged"],
        sort=settings["sort"],
    )


def _position(role: str, default: int) -> int:
    """The position of a column of a file without names: source, destination, time unless said."""
    if not was_given(role):
        return default
    given = str(click.get_current_context().params[role])
    if not (given.isascii() and given.isdigit() and len(given) < 10):
        raise SettingError(
            f"--{role} is {shown(given)}, but with --no-header columns are positions from 0",
            setting=role,
            value=given,
        )
    return int(given)


def was_given(option: str) -> bool:
    """Whether an option stands on the command line, and not only by its default."""
    context = click.get_current_context()
    return context.get_parameter_source(option) is ParameterSource.COMMANDLINE


def _refuse_options_of_files(data: str) -> None:
    """Refuse options that a data set would silently ignore: its columns and split are given."""
    for option in filter(was_given, OF_FILES):
        raise SettingError(
            f"--{option.replace('_', '-')} is for files of your own; the data set {data} has "
            f"its benchmark's columns and split",
            setting=option,
        )


def check_place(folder: Path, *, made: bool) -> None:
    """Refuse a folder that cannot be written to, before the work and not after it.

    With `made` it need not exist yet.
    """
    existing = folder
    while made and not existing.exists():
        existing = existing.parent
    if not existing.is_dir() or not os.access(existing, os.W_OK | os.X_OK):
        raise LinkgramError(f"cannot write to {folder}: {existing} is not a writable directory")
