"""What studies are tried on: a small protocol with habits, few epochs, two seeds."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tests.support.protocols import busy

from linkgram.evaluation import FitSettings, Protocol
from linkgram.studies import Subject

SETTINGS = FitSettings(epochs=4, patience=2)
BENCHMARK = {"benchmark": "TGB", "candidates": "the benchmark's"}


@pytest.fixture(scope="session")
def protocol() -> Protocol:
    return busy(11, 700)


@pytest.fixture
def subject(protocol: Protocol, tmp_path: Path) -> Subject:
    return Subject(protocol, tmp_path / "results", seeds=2, settings=SETTINGS)


@pytest.fixture(scope="session")
def finished(protocol: Protocol, tmp_path_factory: pytest.TempPathFactory) -> Subject:
    """A subject whose runs are kept over the session, named as if it were a benchmark's set."""
    named = replace(protocol, name="tgbl-uci", provenance=BENCHMARK)
    return Subject(named, tmp_path_factory.mktemp("results"), seeds=2, settings=SETTINGS)
