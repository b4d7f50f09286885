"""Made-up results, and a browser that is started once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.browser import Browser, browser
from tests.support.study_files import StudyFiles

# Everything that could end an element, an attribute or a script, if it were not escaped.
HOSTILE = (
    "<script>document.title='run'</script>\"'><img src=x onerror=alert(1)></script><!--&amp;\u2028"
)


@pytest.fixture(scope="session")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Every study of three data sets of different benchmarks."""
    directory = tmp_path_factory.mktemp("results")
    StudyFiles("tgbl-uci", benchmark="TGB").save(directory)
    StudyFiles("ML-20M", benchmark="TGB-Seq").save(directory)
    StudyFiles("mine", benchmark="samples").save(directory)
    return directory


@pytest.fixture(scope="session")
def one_result(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Every study of one data set."""
    directory = tmp_path_factory.mktemp("one")
    StudyFiles("college-msg", benchmark="samples").save(directory)
    return directory


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """A browser; tests that need one are skipped where none is installed."""
    with browser() as started:
        yield started
