"""`linkgram doctor`: whether this installation is sound, and where it keeps things."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import sys

import click
from rich.table import Table

from linkgram.cli.opening import check_place
from linkgram.cli.show import console_for_output
from linkgram.errors import LinkgramError

COMPLETION = {
    "bash": 'eval "$(_LINKGRAM_COMPLETE=bash_source linkgram)"',
    "zsh": 'eval "$(_LINKGRAM_COMPLETE=zsh_source linkgram)"',
    "fish": "_LINKGRAM_COMPLETE=fish_source linkgram | source",
}


@click.command(epilog="Example: linkgram doctor --completion bash >> ~/.bashrc")
@click.option("--completion", type=click.Choice(list(COMPLETION)),
              help="Print the line that switches shell completion on.")  # fmt: skip
def command(completion: str | None) -> None:
    """Check this installation: versions, the compiled core, cores, where data sets are."""
    if completion is not None:
        click.echo(COMPLETION[completion])
        return
    checks = [*_versions(), *_machine(), *_core(), *_data()]
    table = Table(box=None, show_header=False, pad_edge=False)
    for name, value, good in checks:
        table.add_row("ok" if good else "PROBLEM", name, value)
    console_for_output().print(table)
    if not all(good for _, _, good in checks):
        sys.exit(1)


Check = tuple[str, str, bool]


def _versions() -> list[Check]:
    rows: list[Check] = [("python", platform.python_version(), sys.version_info >= (3, 11))]
    for name in ("linkgram", "numpy", "polars", "click", "rich"):
        try:
            rows.append((name, importlib.metadata.version(name), True))
        except importlib.metadata.PackageNotFoundError:
            rows.append((name, "not installed", False))
    return rows


def _machine() -> list[Check]:
    return [("platform", platform.platform(), True), ("cores", str(os.cpu_count()), True)]


def _core() -> list[Check]:
    """The compiled core must give the paper's worked number: P(b | u) = 23/60."""
    import math

    from linkgram import Configuration, LinkPredictor

    predictor = LinkPredictor(
        Configuration(depth=2, decay=math.inf, recency=2.0), destinations=["a", "b", "c", "d"]
    )
    for time, destination in enumerate("abcbc", start=1):
        predictor.observe("u", destination, time)
    predictor.observe("w", "d", 6)
    found = math.exp(predictor.features("u", ["b"], 6)[0][1])
    good = abs(found - 23 / 60) < 1e-6
    return [("compiled core", f"worked example: P(b|u) = {found:.6f}", good)]


def _data() -> list[Check]:
    from linkgram import datasets

    records = datasets.list_data_sets()
    present = [record.name for record in records if record.present]
    place, problem = datasets.home(), ""
    try:
        check_place(place, made=True)
    except LinkgramError as error:
        problem = f" ({error.message})"
    return [
        ("data sets in", f"{place}{problem}", not problem),
        ("present", ", ".join(present) or "none yet: see `linkgram datasets`", True),
    ]
