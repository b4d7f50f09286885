"""`linkgram datasets`: list, fetch and adopt benchmark data sets."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import click
from rich.table import Table

from linkgram import datasets
from linkgram.cli.completion import complete_names
from linkgram.cli.progress import bars
from linkgram.cli.show import console_for_output

EXAMPLES = """
\b
Examples:
  linkgram datasets
  linkgram datasets fetch tgbl-wiki
  linkgram datasets fetch tgbl-wiki --from ~/downloads
"""

DATA_DIR = click.option(
    "--data-dir", type=click.Path(path_type=Path, file_okay=False),
    help="Where data sets are; default $LINKGRAM_DATA or the user's cache.",
)  # fmt: skip

AS_JSON = click.option("--json", "as_json", is_flag=True, help="Print as JSON.")


@click.group(invoke_without_command=True, epilog=EXAMPLES)
@DATA_DIR
@AS_JSON
@click.pass_context
def command(context: click.Context, data_dir: Path | None, as_json: bool) -> None:
    """List the data sets that are known, and whether they are here."""
    if context.invoked_subcommand is None:
        _show(data_dir, as_json)


@command.command("list", epilog="Example: linkgram datasets list --json")
@DATA_DIR
@AS_JSON
@click.pass_context
def list_command(context: click.Context, data_dir: Path | None, as_json: bool) -> None:
    """List the data sets, as the command without a subcommand does."""
    given = context.parent.params if context.parent else {}
    _show(data_dir or given.get("data_dir"), as_json or given.get("as_json", False))


def _show(data_dir: Path | None, as_json: bool) -> None:
    records = datasets.list_data_sets(data_dir)
    if as_json:
        facts = [
            {
                "name": record.name,
                "benchmark": record.benchmark,
                "version": record.version,
                "size": record.size,
                "source": record.source,
                "licence": record.licence,
                "present": record.present,
                "where": None if record.where is None else str(record.where),
                "notes": list(record.notes),
            }
            for record in records
        ]
        click.echo(json.dumps(facts))
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("name", "benchmark", "version", "size", "licence", "here", "source"):
        table.add_column(name)
    for record in records:
        where = "yes" if record.present else "no"
        version = str(record.version or "")
        table.add_row(
            record.name, record.benchmark, version, record.size, record.licence, where,
            record.source,
        )  # fmt: skip
    console = console_for_output()
    console.print(table)
    console.print(
        f"kept in {data_dir or datasets.home()}; get one with `linkgram datasets fetch NAME`, or "
        f"`--from DIR` for files you have",
        style="dim",
    )


FETCH_EXAMPLES = """
\b
Examples:
  linkgram datasets fetch tgbl-wiki
  linkgram datasets fetch Yelp --from ~/downloads --data-dir /data
"""


@command.command(epilog=FETCH_EXAMPLES)
@click.argument("name", shell_complete=complete_names)
@click.option("--from", "from_directory", type=click.Path(path_type=Path, exists=True),
              help="Take the files from this directory instead of the network.")  # fmt: skip
@click.option("--mirror", help="Address of a folder that holds the files under their own names.")
@DATA_DIR
@click.pass_context
def fetch(
    context: click.Context,
    name: str,
    from_directory: Path | None,
    mirror: str | None,
    data_dir: Path | None,
) -> None:
    """Get the data set NAME. An interrupted download goes on where it stopped."""
    data_dir = data_dir or (context.parent.params["data_dir"] if context.parent else None)
    with bars() as progress:
        report = _bytes(progress)
        if from_directory is not None:
            files = datasets.adopt(name, from_directory, directory=data_dir, progress=report)
        else:
            files = datasets.fetch(name, directory=data_dir, source=mirror, progress=report)
    click.echo(f"{name} is in {files.directory}")


def _bytes(progress: Callable[[str, int, int], None]) -> Callable[[str, int, int | None], None]:
    """Report a download, whose length may be unknown until the end."""
    return lambda what, done, total: progress(what, done, total or done)
