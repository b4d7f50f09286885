"""The report that the README links, and its picture; `just report-page` makes both anew.

Everything goes the way a user goes: `linkgram paper`, then `linkgram report`, then a browser.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from click.testing import CliRunner
from tests.support.browser import browser

from linkgram.cli import group

SAMPLE = "college-msg"
ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "report"
PAGE, PICTURE = FOLDER / f"{SAMPLE}.html", FOLDER / f"{SAMPLE}.png"
# Shows what a reader sees first: sizes of the stream and its first charts.
WIDTH = HEIGHT = 1180


def write() -> None:
    """Run every study of the sample, make the page of them, and take its picture."""
    with tempfile.TemporaryDirectory() as place:
        _run("paper", SAMPLE, "--out", place, "--no-figures")
        _run("report", str(Path(place) / "results"), "--output", str(PAGE))
    with browser() as chromium:
        chromium.load(PAGE, width=WIDTH, height=HEIGHT)
        chromium.picture(PICTURE, whole=False)


def _run(*arguments: str) -> None:
    CliRunner().invoke(group, arguments, catch_exceptions=False)


if __name__ == "__main__":
    write()
