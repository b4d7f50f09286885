"""The slow twin itself: it gives the paper's worked stream, number by number."""

from __future__ import annotations

import math
import tomllib
from pathlib import Path

import pytest
from tests.support.naive import NaiveModel, Settings, midrank

GOLDEN = tomllib.loads(
    (Path(__file__).parents[1] / "golden" / "worked_stream.toml").read_text(encoding="utf-8")
)
QUERY = GOLDEN["query"]


def worked_twin(backoff: str) -> NaiveModel:
    given = dict(GOLDEN["settings"])
    size = len(given.pop("vocabulary"))
    additions = tuple(given.pop("additions"))
    twin = NaiveModel(Settings(backoff=backoff, additions=additions, **given), size)
    for event in GOLDEN["events"]:
        twin.observe(event["source"], event["destination"], event["time"])
    return twin


@pytest.mark.parametrize("backoff", ["marginal", "continuation"])
def test_every_number_of_the_worked_stream_comes_out(backoff: str) -> None:
    expected = dict(GOLDEN["expected"][backoff])
    twin = worked_twin(backoff)
    base = twin.base(QUERY["candidates"], QUERY["time"])
    assert list(base.values()) == pytest.approx(expected.pop("backoff_probability"), abs=1e-15)
    columns = zip(*twin.features(QUERY["source"], QUERY["candidates"], QUERY["time"]), strict=True)
    for (name, numbers), column in zip(expected.items(), columns, strict=True):
        found = column if "recency" in name else [math.exp(value) for value in column]
        assert list(found) == pytest.approx(numbers, abs=1e-15), name


@pytest.mark.parametrize("backoff", ["marginal", "continuation"])
def test_a_destination_nobody_left_gives_the_backoff(backoff: str) -> None:
    twin = worked_twin(backoff)
    assert twin.given_previous("d", "abcd", 6.0) == twin.base("abcd", 6.0)


def test_midrank_counts_a_tie_as_half_a_rank() -> None:
    assert midrank(1.0, [2.0, 1.0, 1.0, 0.0]) == 3.0
