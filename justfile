# What .ci/run calls and what the README names. `just` comes with the development tools (rust-just on PyPI).

python := ".venv/bin/python"
bin := ".venv/bin/"

# List the recipes.
default:
    @just --list

# Make .venv with linkgram and everything needed to test it.
setup:
    python3 -m venv .venv
    {{python}} -m pip install --quiet --editable '.[dev,samples]'

# Compile the core into .venv.
build:
    {{bin}}maturin develop --release --quiet

# All tests: Rust, Python, and every example in the documentation.
test: test-core
    {{python}} -m pytest

# The Rust tests alone.
test-core:
    cargo test --quiet --locked --workspace --exclude linkgram-python

# Formatting, lints, types, layers.
check:
    cargo fmt --all --check
    cargo clippy --quiet --locked --all-targets --workspace -- -D warnings
    {{bin}}ruff format --check .
    {{bin}}ruff check .
    {{bin}}mypy
    {{bin}}lint-imports

# Rewrite the reference pages from the code.
docs:
    {{python}} docs/reference/make.py

# Measure the tables of docs/what-a-count-baseline-can-do.md anew.
tables:
    {{python}} -m tests.support.count_page

# Make the linked report of a sample and its picture anew; needs Chromium.
report-page:
    {{python}} -m tests.support.report_page

# Measure speed and memory, as ratios within one run; see benchmarks/README.md.
bench *options:
    {{python}} -m benchmarks {{options}}
    {{python}} -m benchmarks.page

# Count the instructions of the kernels and hold them against what is kept; needs valgrind.
instructions:
    {{python}} -m benchmarks.instructions --check

# Everything CI runs.
ci: check instructions test

# Rewrite sources in the house format.
format:
    cargo fmt --all
    {{bin}}ruff format .
    {{bin}}ruff check --fix .
