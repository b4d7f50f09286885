"""The names people import are pinned, documented, and the stub of the compiled core is true."""

from __future__ import annotations

import importlib
import subprocess
import sys
import tomllib
import types
from pathlib import Path

import pytest

PINNED = tomllib.loads(Path(__file__).with_name("exports.toml").read_text(encoding="utf-8"))
PACKAGES = [*PINNED["packages"], *PINNED["at_least"]]


@pytest.mark.parametrize("package", PINNED["packages"])
def test_a_package_exports_exactly_the_pinned_names(package):
    assert sorted(importlib.import_module(package).__all__) == sorted(PINNED["packages"][package])


@pytest.mark.parametrize("package", PINNED["at_least"])
def test_a_growing_package_still_exports_the_pinned_names(package):
    assert set(PINNED["at_least"][package]) <= set(importlib.import_module(package).__all__)


@pytest.mark.parametrize("package", PACKAGES)
def test_nothing_but_modules_is_public_beside_the_exports(package):
    module = importlib.import_module(package)
    for name in module.__all__:  # some are loaded when they are first asked for
        getattr(module, name)
    public = {
        name
        for name, value in vars(module).items()
        if not name.startswith("_") and not isinstance(value, types.ModuleType)
    }
    assert public == {name for name in module.__all__ if not name.startswith("_")}


@pytest.mark.parametrize("package", PACKAGES)
def test_every_export_is_documented(package):
    module = importlib.import_module(package)
    for name in module.__all__:
        value = getattr(module, name)
        if callable(value):
            assert (value.__doc__ or "").strip(), f"{package}.{name}"


@pytest.mark.parametrize("name", PINNED["classes"])
def test_a_class_has_exactly_the_pinned_members(name):
    package, _, attribute = name.rpartition(".")
    members = {m for m in dir(getattr(importlib.import_module(package), attribute)) if m[0] != "_"}
    assert members == set(PINNED["classes"][name])


def test_the_stub_of_the_compiled_core_is_true(tmp_path):
    """Names, parameters and defaults of `_core.pyi` against the compiled module itself."""
    only_types = tmp_path / "allowed"
    only_types.write_text(
        "linkgram._core.Candidates\nlinkgram._core.Columns\nlinkgram._core.Watch\n"
        "linkgram._core.__all__\n"
    )
    settings = tmp_path / "mypy.ini"
    settings.write_text("[mypy]\n")
    found = subprocess.run(
        [
            sys.executable, "-m", "mypy.stubtest", "linkgram._core",
            "--allowlist", only_types, "--mypy-config-file", settings, "--ignore-unused-allowlist",
        ],
        capture_output=True, text=True, check=False, cwd=tmp_path,
    )  # fmt: skip
    assert found.returncode == 0, found.stdout + found.stderr


def test_importing_linkgram_loads_no_reading_or_plotting_library():
    """A proxy for its speed that no other load on the machine can disturb."""
    heavy = "polars pandas pyarrow matplotlib rich click urllib.request networkx scipy"
    code = f"import sys, linkgram; print([m for m in {heavy.split()!r} if m in sys.modules])"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
