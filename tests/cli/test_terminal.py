"""On a terminal: colours and bars, none when they are not wanted, and no number cut in half."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import threading

import pytest
from rich.console import Console
from rich.progress import Progress
from tests.cli.conftest import environment

from linkgram.cli.progress import Bars

pty = pytest.importorskip("pty", reason="no pseudo-terminals here")


def on_a_terminal(folder, words, columns=40, **env):
    """What `linkgram` writes to a terminal of that many columns."""
    ours, theirs = pty.openpty()
    size = {"COLUMNS": str(columns), "LINES": "40", "TERM": "xterm-256color"}
    process = subprocess.Popen(
        [sys.executable, "-m", "linkgram", *words],
        cwd=folder, env=environment(size | env), stdout=theirs, stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
    )  # fmt: skip
    os.close(theirs)
    written = b""
    while True:
        try:
            part = os.read(ours, 4096)
        except OSError:  # Linux says so when the other end is closed.
            break
        if not part:
            break
        written += part
    os.close(ours)
    _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (0, b"")
    return written.decode()


@pytest.mark.parametrize("columns", [40, 80, 200])
def test_no_number_is_cut_on_a_narrow_terminal(columns, folder):
    words = ("evaluate", "events.csv", "--seeds", "2", "--epochs", "2")
    written = on_a_terminal(folder, words, columns, NO_COLOR="1")
    assert "…" not in written
    rows = [line for line in written.splitlines() if "continuation" in line and " ± " in line]
    assert len(rows) == 1
    assert "event-wise" in rows[0]


def test_work_that_cannot_say_how_far_it_is_has_a_bar_once_it_lasts(monkeypatch):
    monkeypatch.setattr("linkgram.cli.progress.QUIET_SECONDS", 0.01)
    with Progress(console=Console(file=io.StringIO(), force_terminal=True)) as progress:
        with Bars(progress).waiting("reading"):
            shown = threading.Event()
            while not shown.wait(0.01):
                if [task.description for task in progress.tasks if task.visible] == ["reading"]:
                    shown.set()
        assert progress.tasks == []
        with Bars(progress).waiting("at once"):
            pass
        assert progress.tasks == []
    with Bars(None).waiting("in a pipe"):
        pass


def test_colours_only_where_they_are_wanted(folder):
    coloured = on_a_terminal(folder, ("datasets",))
    plain = on_a_terminal(folder, ("datasets",), NO_COLOR="1", TERM="dumb")
    assert "\x1b[1m" in coloured
    assert "\x1b" not in plain
    assert "tgbl-wiki" in plain


def test_what_looks_like_markup_in_a_name_is_only_text(folder):
    lines = [f"[red]{k % 3},:smile: {k % 4},{k}" for k in range(60)]
    (folder / "[bold]x.csv").write_text("source,destination,time\n" + "\n".join(lines))
    words = ("evaluate", "[bold]x.csv", "--seeds", "1", "--epochs", "1")
    assert "[bold]x.csv" in on_a_terminal(folder, words, 200, NO_COLOR="1", TERM="dumb")
