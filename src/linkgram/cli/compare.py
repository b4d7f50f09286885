"""`linkgram compare DATA`: the model and every count baseline, side by side."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import click

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
from linkgram.cli.show_tables import show_tables
from linkgram.evaluation.compare import SCHEDULES, compare
from linkgram.evaluation.comparison import Comparison
from linkgram.evaluation.comparison_records import document, to_csv
from linkgram.evaluation.comparison_tables import tables_of
from linkgram.evaluation.result import write_whole

EXAMPLES = """
\b
Examples:
  linkgram compare tgbl-enron
  linkgram compare college-msg --format markdown
  linkgram compare tgbl-uci --format latex -o uci.tex --results results
  linkgram compare mine.parquet --source user --destination item --time ts
"""
FORMATS = ("table", "markdown", "latex", "csv", "json")


@click.command(epilog=EXAMPLES)
@click.argument("data", shell_complete=complete_data)
@options(COLUMNS, PROTOCOL, MODEL)
@click.option(
    "--schedule", "schedules", multiple=True, default=SCHEDULES, show_default=True,
    help="event-wise, batch(N) or strict-timestamp; may be repeated.",
)  # fmt: skip
@click.option("--format", "form", type=click.Choice(FORMATS), default="table", show_default=True,
              help="How to print; csv and json have every score and its rules.")  # fmt: skip
@click.option("-o", "--output", type=click.Path(path_type=Path, dir_okay=False),
              help="Write there and not to the terminal; a table as markdown.")  # fmt: skip
@click.option("--results", type=click.Path(path_type=Path, file_okay=False),
              help="Store results here; a comparison that is there is not repeated.")  # fmt: skip
def command(data: str, form: str, output: Path | None, **settings: Any) -> None:
    """Compare the model with EdgeBank, heuristics, PopTrack and Base3 on DATA, by the same rules.

    Beside them stand the paper's figures and the best published neural score, where DATA is one of
    its data sets. DATA is what `linkgram evaluate` takes.
    """
    threads = settings["threads"] or os.cpu_count() or 1
    if settings["results"] is not None:
        check_place(settings["results"], made=True)
    if output is not None:
        check_place(output.parent, made=False)
    with bars() as progress:
        protocol = open_protocol(data, settings, threads, progress)
        comparison = compare(
            protocol,
            configurations(protocol, settings),
            seeds=range(1, settings["seeds"] + 1),
            schedules=settings["schedules"],
            settings=fit_settings(settings),
            threads=threads,
            progress=progress,
            results=settings["results"],
        )
    if form == "table" and output is None:
        show_tables(tables_of(comparison))
    elif output is None:
        click.echo(written(comparison, form))
    else:
        write_whole(output, written(comparison, "markdown" if form == "table" else form))


def written(comparison: Comparison, form: str) -> str:
    """The comparison as text in one of the formats."""
    if form == "json":
        return json.dumps(document(comparison), allow_nan=False)
    if form == "csv":
        return to_csv(comparison).rstrip("\n")
    tables = tables_of(comparison)
    if form == "latex":
        return "\n\n".join(["% needs booktabs", *(table.to_latex() for table in tables)])
    return "\n\n".join(table.to_markdown() for table in tables)
