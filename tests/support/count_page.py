"""The measured tables of the page "What a count baseline can do"; `just tables` writes them."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from linkgram import datasets
from linkgram.datasets.protocol import protocol_of
from linkgram.evaluation import Comparison, compare
from linkgram.evaluation.comparison_tables import methods_table, timing_table

ROOT = Path(__file__).parents[2]
DATA = ROOT / ".." / "shared" / "data"
PAGE = ROOT / "docs" / "what-a-count-baseline-can-do.md"
NAMES = ("tgbl-enron", "tgbl-uci")
PARTS = ("timing", "methods")


@cache
def compared(name: str) -> Comparison:
    """The comparison of a data set, measured now; skips where its events are not at hand."""
    directory = DATA / name.replace("-", "_")
    if not directory.is_dir():
        pytest.skip(f"{directory} is absent")
    return compare(protocol_of(datasets.load(name, directory=directory), threads=2), threads=2)


def block(comparison: Comparison, part: str) -> str:
    """One of the page's blocks of tables, as the command prints them."""
    tables = [timing_table(comparison)]
    if part == "methods":
        tables = [methods_table(comparison, schedule) for schedule in comparison.schedules]
    return "\n\n".join(table.to_markdown() for table in tables)


def shown(name: str, part: str) -> str:
    """A block as it stands on the page."""
    (found,) = re.findall(_marked(name, part), PAGE.read_text(encoding="utf-8"), flags=re.DOTALL)
    return str(found)


def write() -> None:
    """Measure, and put every block in its place."""
    page = PAGE.read_text(encoding="utf-8")
    for name in NAMES:
        for part in PARTS:
            found = re.search(_marked(name, part), page, flags=re.DOTALL)
            assert found, (name, part)
            page = page[: found.start(1)] + block(compared(name), part) + page[found.end(1) :]
    PAGE.write_text(page, encoding="utf-8")


def _marked(name: str, part: str) -> str:
    return f"<!-- {name} {part} -->\n(.*?)\n?<!-- end -->"


if __name__ == "__main__":
    write()
