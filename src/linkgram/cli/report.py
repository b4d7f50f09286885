"""`linkgram report RESULTS`: one page of everything that was measured."""

from __future__ import annotations

from pathlib import Path

import click

from linkgram.cli.opening import check_place

EXAMPLES = """
\b
Examples:
  linkgram report out/results -o report.html
  linkgram report out/results --figures figures
"""


@click.command(epilog=EXAMPLES)
@click.argument("results", type=click.Path(path_type=Path))
@click.option(
    "-o", "--output", type=click.Path(path_type=Path, dir_okay=False),
    default=Path("report.html"), show_default=True, help="The page to write.",
)  # fmt: skip
@click.option("--figures", type=click.Path(path_type=Path, file_okay=False),
              help="Also draw the figures here, as SVG, PDF and PNG.")  # fmt: skip
def command(results: Path, output: Path, figures: Path | None) -> None:
    """Make one page of the studies stored in RESULTS.

    The page needs no network: open it in any browser, or send it to somebody.
    """
    # Imported when called: drawing libraries are large, and no other command needs them.
    from linkgram.report.page import write_page

    check_place(output.parent, made=True)
    if figures is not None:
        check_place(figures, made=True)
    page = write_page(results, output)
    click.echo(f"{page} ({page.stat().st_size / 1e6:.1f} MB)")
    if figures is not None:
        from linkgram.report.figures import draw_all

        drawn = draw_all(results, figures)
        click.echo(f"{figures}: {len({path.stem for path in drawn})} figures")
