"""What the commands are tried on: a small file of events, `linkgram` in its own process."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import pytest


@dataclass(frozen=True)
class Answer:
    """What a command said."""

    code: int
    out: str
    err: str


class Linkgram(Protocol):
    """Runs the command in a folder of its own."""

    def __call__(self, *words: str, env: dict[str, str] | None = None) -> Answer: ...


def environment(changes: dict[str, str] | None = None) -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if k not in ("LINKGRAM_DATA", "COLUMNS")}
    return kept | (changes or {})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    draws = random.Random(1)
    lines = [f"u{draws.randrange(9)},v{draws.randrange(30)},{at}" for at in range(400)]
    (tmp_path / "events.csv").write_text("source,destination,time\n" + "\n".join(lines) + "\n")
    return tmp_path


@pytest.fixture
def linkgram(folder: Path) -> Linkgram:
    def run(*words: str, env: dict[str, str] | None = None) -> Answer:
        found = subprocess.run(
            [sys.executable, "-W", "error", "-m", "linkgram", *words],
            cwd=folder, env=environment(env), stdin=subprocess.DEVNULL, capture_output=True,
            text=True, encoding="utf-8", check=False, timeout=120,
        )  # fmt: skip
        return Answer(found.returncode, found.stdout, found.stderr)

    return run
