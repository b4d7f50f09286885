"""`linkgram evaluate DATA`: the product's main job."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from linkgram.cli.completion import complete_data, completed_from
from linkgram.cli.opening import (
    COLUMNS,
    PROTOCOL,
    check_place,
    options,
)
from linkgram.cli.progress import bars
from linkgram.cli.protocol import open_protocol
from linkgram.cli.show import show_results
from linkgram.configuration import BACKOFFS, Configuration
from linkgram.errors import SettingError
from linkgram.evaluation import FitSettings, Protocol, Result, choices, evaluate
from linkgram.evaluation.measure import Phases
from linkgram.evaluation.result import best

EXAMPLES = """
\b
Examples:
  linkgram evaluate college-msg
  linkgram evaluate tgbl-enron --schedule event-wise --schedule 'batch(200)'
  linkgram evaluate mine.parquet --source user --destination item --time ts
  linkgram evaluate mine.csv --features reference --backoff marginal --json
"""

MODEL = (
    click.option("--backoff", type=click.Choice([*BACKOFFS, "both"]), default="both",
                 show_default=True, help="With both, validation chooses."),
    click.option("--features", shell_complete=completed_from(choices.feature_sets()),
                 help="reference, co-occurrence, global-recency, multi-scale or all-three; "
                      "default: the paper's for this data set."),
    click.option("--depth", default=5, show_default=True, type=int, help="K."),
    click.option("--alpha", default=1.0, show_default=True, type=float, help="Pseudocount."),
    click.option("--decay", type=float, help="tau; default: the validation split's duration."),
    click.option("--recency", type=float,
                 help="Default: --recency-share of the training duration."),
    click.option("--recency-share", default=0.01, show_default=True, type=float, help="tau_r."),
    click.option("--cells", type=click.Choice(["float32", "float64"]), default="float32",
                 show_default=True, help="Precision of the counts."),
    click.option("--seeds", default=5, show_default=True, type=click.IntRange(1, 1000),
                 help="How many seeds, counted from 1."),
    click.option("--negatives", default=1, show_default=True, type=int,
                 help="Training negatives for each positive."),
    click.option("--epochs", default=100, show_default=True, type=int,
                 help="Most passes over the training events."),
    click.option("--patience", default=10, show_default=True, type=int,
                 help="Epochs without a better validation MRR before stopping."),
    click.option("--memory", "validation_memory", default=2.0, show_default=True, type=float,
                 help="GiB of validation evidence to keep between epochs."),
    click.option("--threads", type=click.IntRange(1, 256), help="Default: all cores."),
)  # fmt: skip


@click.command(epilog=EXAMPLES)
@click.argument("data", shell_complete=complete_data)
@options(COLUMNS, PROTOCOL, MODEL)
@click.option(
    "--schedule", "schedules", multiple=True, default=("event-wise",), show_default=True,
    help="event-wise, batch(N) or strict-timestamp; may be repeated.",
)  # fmt: skip
@click.option("--select", is_flag=True, help="Try every feature set; validation chooses.")
@click.option("--results", type=click.Path(path_type=Path, file_okay=False),
              help="Store results here; runs that are there are not repeated.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print the results as JSON.")
def command(data: str, **settings: Any) -> None:
    """Fit on the training events, choose on validation, rank the test queries of DATA.

    DATA is a CSV or Parquet file, a directory in a benchmark's layout, or the name of a data set
    (see `linkgram datasets`).
    """
    threads = settings["threads"] or os.cpu_count() or 1
    if settings["results"] is not None:
        check_place(settings["results"], made=True)
    phases = Phases()
    with bars() as progress:
        with phases("read"):
            protocol = open_protocol(data, settings, threads, progress)
        results = [
            evaluate(
                protocol,
                configuration,
                seeds=range(1, settings["seeds"] + 1),
                schedules=settings["schedules"],
                settings=fit_settings(settings),
                threads=threads,
                progress=progress,
                results=settings["results"],
            )
            for configuration in configurations(protocol, settings)
        ]
    if settings["as_json"]:
        click.echo(json.dumps(_strict(_as_json(results, phases)), allow_nan=False))
    else:
        show_results(results, reading=phases.seconds["read"]["wall"])


def configurations(protocol: Protocol, settings: dict[str, Any]) -> list[Configuration]:
    """The configurations that the options ask for."""
    if settings.get("select") and settings["features"]:
        raise SettingError(
            "--select tries every feature set; leave out --features", setting="select"
        )
    backoffs = BACKOFFS if settings["backoff"] == "both" else (settings["backoff"],)
    shared = {
        name: settings[name]
        for name in ("depth", "alpha", "decay", "recency", "recency_share", "cells")
    }
    return [
        Configuration(backoff=backoff, additions=choices.additions_of(feature_set), **shared)
        for backoff in backoffs
        for feature_set in (
            choices.feature_sets()
            if settings.get("select")
            else [settings["features"] or choices.feature_set_of(protocol.name, backoff)]
        )
    ]


def fit_settings(settings: dict[str, Any]) -> FitSettings:
    """How to fit, from the options."""
    memory = settings["validation_memory"]
    if not 0 <= memory < 2**32:
        raise SettingError(
            f"--memory is {memory}; accepted: a number of GiB, 0 or more",
            setting="validation_memory",
            value=memory,
        )
    return FitSettings(
        negatives=settings["negatives"],
        epochs=settings["epochs"],
        patience=settings["patience"],
        validation_memory=int(memory * 2**30),
    )


def _as_json(results: list[Result], phases: Phases) -> dict[str, Any]:
    chosen = best(results)
    return {
        "chosen_by_validation": {
            "backoff": chosen.backoff,
            "feature_set": chosen.facts["feature_set"],
        },
        "reading_seconds": phases.seconds["read"],
        "results": [dict(result.facts) for result in results],
    }


def _strict(value: Any) -> Any:
    """The same facts with an infinite number (counts that do not decay) as the text "inf"."""
    if isinstance(value, Mapping):
        return {name: _strict(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_strict(item) for item in value]
    return str(value) if isinstance(value, float) and math.isinf(value) else value
