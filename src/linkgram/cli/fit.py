"""`linkgram fit DATA -o FILE`: learn weights, save a predictor that knows the whole stream."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click
from rich.table import Table

from linkgram.cli.completion import complete_data
from linkgram.cli.evaluate import MODEL, configurations, fit_settings
from linkgram.cli.opening import (
    COLUMNS,
    PROTOCOL,
    check_place,
    options,
)
from linkgram.cli.progress import bars
from linkgram.cli.protocol import open_protocol
from linkgram.cli.show import console_for_output
from linkgram.evaluation import Fit, fit
from linkgram.evaluation.candidate_rule import rule_text

EXAMPLES = """
\b
Examples:
  linkgram fit college-msg -o messages.linkgram
  linkgram fit mine.parquet --source user --destination item --time ts -o mine.linkgram
"""


@click.command(epilog=EXAMPLES)
@click.argument("data", shell_complete=complete_data)
@options(COLUMNS, PROTOCOL, MODEL)
@click.option("-o", "--output", type=click.Path(path_type=Path, dir_okay=False),
              help="Where to save the predictor.")  # fmt: skip
def command(data: str, output: Path | None, **settings: Any) -> None:
    """Fit on the training events of DATA, choose on validation, and show the weights.

    The saved predictor has the weights of the best seed and backoff and has observed every event.
    Load it with `linkgram.LinkPredictor.load(FILE)`.
    """
    threads = settings["threads"] or os.cpu_count() or 1
    if output is not None:
        check_place(output.parent, made=False)
    with bars() as progress:
        protocol = open_protocol(data, settings, threads, progress)
        fits = [
            fit(
                protocol.before_test,
                protocol.split.training_end,
                protocol.validation,
                configuration,
                seeds=range(1, settings["seeds"] + 1),
                settings=fit_settings(settings),
                training_start=protocol.split.training_start,
                threads=threads,
                progress=progress,
            )
            for configuration in configurations(protocol, settings)
        ]
    chosen = max(fits, key=lambda fitted: fitted.validation_mrr)
    for fitted in fits:
        _show(fitted, rule_text(protocol.validation.rule), fitted is chosen and len(fits) > 1)
    if output is not None:
        predictor = chosen.predictor(protocol.stream)
        predictor.save(output)
        click.echo(f"saved {predictor!r} to {output}")


def _show(fitted: Fit, candidates: str, chosen: bool) -> None:
    console = console_for_output()
    configuration = fitted.configuration
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column(f"{configuration.backoff} backoff" + (" *" if chosen else ""))
    for run in fitted.runs:
        table.add_column(f"seed {run.seed}", justify="right")
    for at, name in enumerate(configuration.feature_names):
        table.add_row(name, *(f"{run.weights[at]:+.3f}" for run in fitted.runs))
    table.add_row("best epoch", *(str(run.epoch) for run in fitted.runs))
    table.add_row(
        "validation MRR %", *(f"{100 * run.best_validation_mrr:.2f}" for run in fitted.runs)
    )
    console.print(table)
    console.print(
        f"validation: event-wise, candidates: {candidates}, ties: midrank; "
        f"decay {configuration.decay:g}, recency {configuration.recency:g}"
        + ("; * chosen by validation" if chosen else ""),
        style="dim",
    )
