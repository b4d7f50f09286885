"""`linkgram paper [DATA...]`: every study of the paper, for the data sets at hand."""

from __future__ import annotations

import importlib
import importlib.util
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from linkgram.cli.opening import COLUMNS, PROTOCOL, check_place, options
from linkgram.cli.progress import bars
from linkgram.cli.protocol import open_protocol
from linkgram.datasets import list_data_sets
from linkgram.errors import DataSetMissingError, LinkgramError
from linkgram.evaluation import FitSettings
from linkgram.evaluation.study_result import StudyResult
from linkgram.studies.paper import (
    ALL_STUDIES,
    FIGURES,
    RESULTS,
    run_studies,
    worked,
    write_all_tables,
)
from linkgram.studies.subject import Subject
from linkgram.studies.worked_example import NAME as WORKED

EXAMPLES = """
\b
Examples:
  linkgram paper
  linkgram paper tgbl-enron tgbl-uci --out paper
  linkgram paper mine.csv --source user --destination item --time ts
  linkgram paper college-msg --only coverage --only depth --seeds 1
"""
# The samples that packages carry are no data sets of the paper.
BENCHMARKS = ("TGB", "TGB-Seq")


@click.command(epilog=EXAMPLES)
@click.argument("data", nargs=-1)
@options(COLUMNS, PROTOCOL)
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), default=Path("paper"),
              show_default=True, help="Folder for results, tables and figures.")  # fmt: skip
@click.option("--only", multiple=True, type=click.Choice(ALL_STUDIES), metavar="STUDY",
              help=f"One of {', '.join(ALL_STUDIES)}; may be repeated.")  # fmt: skip
@click.option("--seeds", type=click.IntRange(1, 1000),
              help="How many seeds, counted from 1; default: the paper's, five for the main table "
                   "and timing, three for the rest.")  # fmt: skip
@click.option("--threads", type=click.IntRange(1, 256), help="Default: all cores.")
@click.option("--figures/--no-figures", default=True, show_default=True,
              help="Draw figures, if matplotlib is installed.")  # fmt: skip
def command(data: tuple[str, ...], out: Path, only: tuple[str, ...], **settings: Any) -> None:
    """Run the paper's studies on DATA, or on every benchmark set that is on this machine.

    DATA are files, directories in a benchmark's layout, or names of data sets, as for `linkgram
    evaluate`. Finished studies are kept in OUT/results and not repeated; OUT/tables has them as
    Markdown, LaTeX and CSV beside the paper's own values, OUT/figures as figures.
    """
    check_place(out, made=True)
    results, problems = [], []
    changed = False

    def told(result: StudyResult, made: bool) -> None:
        nonlocal changed
        changed = changed or made
        results.append(result)
        seconds = result.seconds.get("study", {}).get("wall", 0.0)
        how = f"{seconds:.1f} s" if made else "found"
        click.echo(f"{result.name}  {result.study}  {how}")

    worked(out / RESULTS, only, told)
    # The worked example alone needs none.
    wanted = set(only or ALL_STUDIES) - {WORKED}
    for one in data or _present(settings["data_dir"]) if wanted else ():
        try:
            _study(one, out, only, settings, told)
        except (LinkgramError, OSError) as problem:
            # One data set that cannot be opened must not cost the others' night.
            if len(data) == 1:
                raise
            problems.append(one)
            click.echo(f"error: {one}: {problem}", err=True)
    for path in write_all_tables(out, results):
        if path.suffix == ".md":
            click.echo(f"wrote {path} (and .tex, .csv)")
    if settings["figures"]:
        _draw(out, changed)
    if problems:
        raise LinkgramError(
            f"{len(problems)} of the data sets could not be studied: {', '.join(problems)}",
            hint="see the errors above; the others are done",
        )


def _study(one: str, out: Path, only: Sequence[str], settings: dict[str, Any], told: Any) -> None:
    threads = settings["threads"] or os.cpu_count() or 1
    with bars() as progress:
        subject = Subject(
            open_protocol(one, settings, threads, progress),
            out / RESULTS,
            seeds=settings["seeds"],
            settings=FitSettings(),
            threads=threads,
            progress=progress,
        )
        run_studies(subject, only, told)


def _present(directory: Path | None) -> list[str]:
    """The benchmark sets on this machine; says which are absent and how to get them."""
    records = [one for one in list_data_sets(directory) if one.benchmark in BENCHMARKS]
    absent = [one for one in records if not one.present]
    for one in absent:
        click.echo(f"absent: {one.name} ({one.size}); `linkgram datasets fetch {one.name}` gets it")
    if len(absent) == len(records):
        raise DataSetMissingError(
            "no benchmark set is on this machine",
            hint="fetch one as said above, or name your own: `linkgram paper mine.csv`",
        )
    return [one.name for one in records if one.present]


def _draw(out: Path, changed: bool) -> None:
    folder = out / FIGURES
    if not changed and folder.is_dir() and any(folder.iterdir()):
        return
    if importlib.util.find_spec("matplotlib") is None:
        click.echo("no figures: matplotlib is not installed (`pip install 'linkgram[report]'`)")
        return
    figures = importlib.import_module("linkgram.report.figures")
    drawn = figures.draw_all(out / RESULTS, folder)
    count = len({path.stem for path in drawn})
    click.echo(f"drew {count} figures in {folder} (SVG, PDF and PNG)")
