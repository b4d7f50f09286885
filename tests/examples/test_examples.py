"""Every example runs, warns of nothing, and says what it promises to say."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
SAYS = {
    "another_model.py": ["last visit, event-wise, every film: MRR", "last visit, batch(200)"],
    "choose_configuration.py": ["* ", "continuation  multi-scale"],
    "data_frames.py": [
        "EventStream(4 events: 3 sources, 2 destinations",
        "Arrow: equal events: True",
        "pandas: equal events: True",
        "mapping: equal events: True",
        "(2, 9, 1.5)",
    ],
    "fitted_weights.py": ["validation MRR", "co_occurrence    +", "Ann's next film: "],
    "next_destination.py": ["basket   ", "basket: score ", "transition_1"],
    "own_file.py": ["events          600", "(event-wise, candidates: all-destinations)"],
    "save_and_continue.py": ["the same history: True", "successors"],
    "schedules.py": ["event-wise ", "batch(200) ", "strict-timestamp ", "ties: midrank"],
}


def test_every_example_is_listed_here():
    assert sorted(path.name for path in EXAMPLES.glob("*.py")) == sorted(SAYS)


@pytest.mark.parametrize("name", SAYS)
def test_an_example_runs_and_says_what_it_promises(name, capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(EXAMPLES / name), run_name="__main__")
    printed = capsys.readouterr()
    assert printed.err == ""
    for words in SAYS[name]:
        assert words in printed.out
    assert not list(tmp_path.iterdir()), "an example leaves nothing behind"


@pytest.mark.parametrize("name", SAYS)
def test_an_example_fits_on_a_screen_and_tells_what_it_shows(name):
    text = (EXAMPLES / name).read_text(encoding="utf-8")
    assert text.startswith('"""')
    assert len(text.splitlines()) <= 45
