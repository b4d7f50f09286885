"""Instructions an operation, counted by callgrind: the same on every run, on every busy machine.

    python -m benchmarks.instructions [--check]

With --check it ends with 1 if a count is more than a twentieth above the one kept in
benchmarks/instructions.toml.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from concurrent.futures import ThreadPoolExecutor

from benchmarks.figures import ROOT, Figure
from benchmarks.kernels import built

# Figure, stream, kernel, two numbers of operations (the count is of those between), parts of one.
KERNELS = (
    ("update instructions", "small", "update", 50_000, 150_000, 1),
    ("score instructions", "small", "score", 1_000, 3_000, 101),
    ("score all instructions", "wiki", "whole", 1_000, 3_000, 1_000),
    ("score all instructions", "small", "whole", 1_000, 3_000, 1_000),
)
ALLOWED = 1.05


def counted(stream: str, features: int, kernel: str, count: int) -> int:
    """Instructions of the whole program."""
    with tempfile.TemporaryDirectory() as folder:
        command = [
            *("valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out"),
            *(str(built()), "--stream", stream, "--features", str(features)),
            *("--kernel", kernel, "--count", str(count)),
        ]
        run = subprocess.run(command, capture_output=True, text=True, check=False)
    found = re.search(r"Collected : (\d+)", run.stderr)
    if run.returncode or found is None:
        raise SystemExit(f"error: {' '.join(command)}\n{run.stderr}")
    return int(found.group(1))


def figures() -> list[Figure]:
    """All counts."""
    built()
    jobs = [(*kernel, features) for kernel in KERNELS for features in (8, 12)]

    def measured(job: tuple[str, str, str, int, int, int, int]) -> Figure:
        name, stream, kernel, few, many, parts, features = job
        least, most = (counted(stream, features, kernel, count) for count in (few, many))
        each = (most - least) / (many - few) / parts
        return Figure(name, f"{stream} {features}F", round(each, 2), "instructions")

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(measured, jobs))


def main(check: bool) -> int:
    """Print the counts; compare them with those kept."""
    if shutil.which("valgrind") is None:
        print("valgrind is not installed: no instructions counted")
        return 0
    if not check:
        for figure in figures():
            figure.print()
        return 0
    kept = tomllib.loads((ROOT / "benchmarks" / "instructions.toml").read_text())
    exceeded = 0
    for figure in figures():
        bound = ALLOWED * kept[figure.figure][figure.case]
        exceeded += figure.value > bound
        verdict = "more than" if figure.value > bound else "within"
        print(f"{figure.figure:<24} {figure.case:<10} {figure.value:8.2f}  {verdict} {bound:.2f}")
    return int(exceeded > 0)


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv[1:]))
