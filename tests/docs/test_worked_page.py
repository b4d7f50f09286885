"""docs/worked-stream.md says the numbers of the golden file, all of them, and no others."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GOLDEN = tomllib.loads((ROOT / "tests/golden/worked_stream.toml").read_text(encoding="utf-8"))


def tables() -> dict[str, dict[str, list[str]]]:
    """The rows of the page's tables by section, as written."""
    found: dict[str, dict[str, list[str]]] = {}
    section = ""
    for line in (ROOT / "docs/worked-stream.md").read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            section = line[3:]
        elif re.match(r"\| [a-z_0-9]+ \| [0-9]", line):
            name, *cells = (cell.strip() for cell in line.strip("|").split("|"))
            found.setdefault(section, {})[name] = cells
    return found


@pytest.mark.parametrize("backoff", ["marginal", "continuation"])
def test_the_page_says_every_number_of_the_golden_file(backoff):
    page = tables()
    written = page[backoff] | page["Recencies"]
    expected = {k: [f"{x:.6f}" for x in row] for k, row in GOLDEN["expected"][backoff].items()}
    assert written == expected


def test_the_page_s_example_observes_the_golden_events():
    text = (ROOT / "docs/worked-stream.md").read_text(encoding="utf-8")
    sources = "".join(event["source"] for event in GOLDEN["events"])
    destinations = "".join(event["destination"] for event in GOLDEN["events"])
    assert f'list("{sources}"), list("{destinations}")' in text
    assert [event["time"] for event in GOLDEN["events"]] == [1, 2, 3, 4, 5, 6]
