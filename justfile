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
ci: check instructions memcheck test

# The unsafe code under everything that watches memory; what is not installed is left out and said.
unsafe: memcheck sanitize miri

# The core's tests under valgrind, which sees every access that an instruction makes.
memcheck:
    #!/usr/bin/env bash
    set -euo pipefail
    command -v valgrind >/dev/null || { echo "valgrind is not installed: no access of memory watched"; exit 0; }
    cargo test --quiet --locked --config 'target."cfg(all())".runner = ["valgrind", "-q", "--error-exitcode=9"]' \
        -p linkgram-core --lib --test watched --test table --test laws --test worked_stream

# All of the core's tests under AddressSanitizer, which sees neighbours on the stack too.
sanitize:
    #!/usr/bin/env bash
    set -euo pipefail
    host=$(rustc -vV | sed -n 's/^host: //p')
    compgen -G "$(rustc --print target-libdir)/librustc-*_rt.asan.a" >/dev/null ||
        { echo "Rust for $host comes without AddressSanitizer: not run"; exit 0; }
    RUSTC_BOOTSTRAP=1 RUSTFLAGS=-Zsanitizer=address \
        cargo test --quiet --locked --target "$host" --target-dir target/sanitized -p linkgram-core --lib --tests

# The tests of what calls the unsafe code under Miri, which knows Rust's rules; plain, and with AVX2 where there is some.
miri:
    #!/usr/bin/env bash
    set -euo pipefail
    cargo +nightly miri --version >/dev/null 2>&1 ||
        { echo "Miri is not installed (rustup toolchain install nightly --component miri,rust-src): not run"; exit 0; }
    export MIRIFLAGS=-Zmiri-disable-isolation
    for flags in "" $([ "$(uname -m)" != x86_64 ] || echo -Ctarget-feature=+avx2); do
        run="cargo +nightly miri test --quiet --locked --target-dir target/miri$flags -p linkgram-core"
        RUSTFLAGS=$flags $run --lib machine::
        RUSTFLAGS=$flags $run --test watched --test table --test worked_stream
    done

# Rewrite sources in the house format.
format:
    cargo fmt --all
    {{bin}}ruff format .
    {{bin}}ruff check --fix .
