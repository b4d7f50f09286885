"""`linkgram describe DATA`: what is in this stream."""

from __future__ import annotations

import json
from typing import Any

import click
from rich.table import Table

from linkgram.cli.opening import COLUMNS, PROTOCOL, complete_data, open_split, open_stream, options
from linkgram.cli.show import console_for_output
from linkgram.evaluation.novelty import novelty_index, surprise_index
from linkgram.evaluation.split import Split

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
    stream, name, data_set = open_stream(data, settings)
    description = stream.describe()
    if data_set is None:
        split = open_split(stream, settings)
    else:
        split = Split(
            data_set.training_end, data_set.validation_end, len(stream), data_set.split_rule
        )
    training, validation = split.durations(stream)
    facts: dict[str, Any] = {"name": name} | description.as_dict()
    facts |= {
        "vocabulary_size": len(stream.destination_ids),
        "split": list(split.sizes),
        "split_rule": dict(split.rule),
        "training_duration": training,
        "validation_duration": validation,
        "surprise_index": surprise_index(stream, split),
        "novelty_index": novelty_index(stream),
        "digest": stream.digest(),
    }
    if as_json:
        click.echo(json.dumps(facts))
        return
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(style="bold")
    table.add_column()
    for key, value in facts.items():
        table.add_row(key.replace("_", " "), _shown(value))
    console_for_output().print(table)


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
