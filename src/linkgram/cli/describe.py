"""`linkgram describe DATA`: what is in this stream."""

from __future__ import annotations

import json
from typing import Any

import click
from rich.table import Table

from linkgram.cli.completion import complete_data
from linkgram.cli.opening import COLUMNS, PROTOCOL, open_stream, options
from linkgram.cli.progress import bars
from linkgram.cli.protocol import open_split
from linkgram.cli.show import console_for_output
from linkgram.datasets.protocol import split_of
from linkgram.evaluation.novelty import novelty_index, surprise_index
from linkgram.evaluation.split import Split
from linkgram.events import EventStream

EXAMPLES = """
\b
Examples:
  linkgram describe college-msg
  linkgram describe mine.csv --source user --destination item --time ts --json
"""


@click.command(epilog=EXAMPLES)
@click.argument("data", shell_complete=complete_data)
@options(COLUMNS, PROTOCOL[:3])
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def command(data: str, as_json: bool, **settings: Any) -> None:
    """Say what is in DATA: sizes, ties, repeats, and how much of it is new."""
    with bars() as progress:
        stream, name, data_set = open_stream(data, settings, progress)
        with progress.waiting("counting"):
            facts = {"name": name} | _facts(
                stream, open_split(stream, settings) if data_set is None else split_of(data_set)
            )
    if as_json:
        click.echo(json.dumps(facts))
        return
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(style="bold")
    table.add_column()
    for key, value in facts.items():
        table.add_row(key.replace("_", " "), _shown(value))
    console_for_output().print(table)


def _facts(stream: EventStream, split: Split) -> dict[str, Any]:
    training, validation = split.durations(stream)
    return stream.describe().as_dict() | {
        "vocabulary_size": len(stream.destination_ids),
        "split": list(split.sizes),
        "split_rule": dict(split.rule),
        "training_duration": training,
        "validation_duration": validation,
        "surprise_index": surprise_index(stream, split),
        "novelty_index": novelty_index(stream),
        "digest": stream.digest(),
    }


def _shown(value: object) -> str:
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:,.4g}" if abs(value) < 1e4 else f"{value:,.0f}"
    if isinstance(value, list):
        return " / ".join(map(_shown, value))
    if isinstance(value, dict):
        return ", ".join(f"{name} {_shown(item)}" for name, item in value.items())
    return "unknown" if value is None else str(value)
