"""A home of its own and a server on this machine for every test of data sets."""

import pytest
from tests.support.file_server import file_server


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    """An empty home: tests neither see nor change the data sets of whoever runs them."""
    folder = tmp_path / "home"
    monkeypatch.setenv("LINKGRAM_DATA", str(folder))
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.delenv("HF_ENDPOINT", raising=False)
    return folder


@pytest.fixture
def server():
    with file_server() as served:
        yield served
