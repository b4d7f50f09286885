"""The Rust kernels: crates/core/benches/kernels, built for any machine or for x86-64-v3."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from benchmarks.figures import ROOT, Figure, run


@cache
def built(machine: str = "") -> Path:
    """The program, compiled for `machine` (a target-cpu; empty: any)."""
    environment = dict(os.environ)
    if machine:
        environment["RUSTFLAGS"] = f"-C target-cpu={machine}"
        environment["CARGO_TARGET_DIR"] = str(ROOT / "target" / machine)
    command = "cargo bench --quiet --locked -p linkgram-core --features bench --bench kernels"
    output = subprocess.run(
        [*command.split(), "--no-run", "--message-format=json"],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    ).stdout
    messages = [json.loads(line) for line in output.splitlines() if line.startswith("{")]
    programs = [message["executable"] for message in messages if message.get("executable")]
    return Path(programs[-1])


def measure(
    stream: str, measures: str, *, features: str = "8,12", scale: float = 1.0, machine: str = ""
) -> Iterator[Figure]:
    """Measure one stream."""
    yield from run(
        [
            built(machine),
            *("--stream", stream, "--measure", measures),
            *("--features", features, "--scale", str(scale)),
        ]
    )


def write(stream: str, folder: Path, *, scale: float = 1.0) -> None:
    """Write a stream, its negatives and the ranks the engine gives into a folder."""
    command = [built(), "--stream", stream, "--scale", str(scale), "--write", folder]
    subprocess.run(list(map(str, command)), check=True)
