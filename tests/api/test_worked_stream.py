"""The paper's worked stream through `LinkPredictor`, every number of it."""

from __future__ import annotations

import math
import tomllib
from pathlib import Path

import numpy as np
import pytest

from linkgram import Configuration, EventStream, LinkPredictor

GOLDEN = tomllib.loads(
    (Path(__file__).parents[1] / "golden" / "worked_stream.toml").read_text(encoding="utf-8")
)
QUERY = GOLDEN["query"]
ASKED = (QUERY["source"], QUERY["candidates"], QUERY["time"])
TOLERANCE = {"float64": 1e-12, "float32": 1e-6}
BACKOFFS = ("marginal", "continuation")


def worked_predictor(backoff: str, cells: str, growing: bool = False, **changes) -> LinkPredictor:
    given = {**GOLDEN["settings"], "backoff": backoff, "cells": cells} | changes
    vocabulary = None if growing else given["vocabulary"]
    del given["vocabulary"]
    given["additions"] = tuple(given["additions"])
    predictor = LinkPredictor(Configuration(**given), destinations=vocabulary)
    columns = ([event[name] for event in GOLDEN["events"]] for name in GOLDEN["events"][0])
    predictor.observe(EventStream.from_arrays(*columns))
    return predictor


def numbers_of(features: np.ndarray, names: tuple[str, ...]) -> dict[str, list[float]]:
    """Probabilities for the estimators, recencies as they are."""
    found = {}
    for name, column in zip(names, features.T, strict=True):
        found[name] = list(column if "recency" in name else np.exp(column))
    return found


@pytest.mark.parametrize("growing", [False, True])
@pytest.mark.parametrize("cells", ["float64", "float32"])
@pytest.mark.parametrize("backoff", BACKOFFS)
def test_every_number_of_the_worked_stream_comes_out(backoff, cells, growing) -> None:
    predictor = worked_predictor(backoff, cells, growing)
    expected = {k: v for k, v in GOLDEN["expected"][backoff].items() if k != "backoff_probability"}
    names = predictor.configuration.feature_names
    assert names == tuple(expected)
    found = numbers_of(predictor.features(*ASKED), names)
    for name, numbers in expected.items():
        assert found[name] == pytest.approx(numbers, abs=TOLERANCE[cells], rel=0), name


@pytest.mark.parametrize("cells", ["float64", "float32"])
@pytest.mark.parametrize("backoff", BACKOFFS)
def test_the_reference_configuration_has_the_features_without_the_additions(backoff, cells) -> None:
    predictor = worked_predictor(backoff, cells, additions=())
    names = predictor.configuration.feature_names
    assert names == (
        "popularity", "source_history", "transition_1", "transition_2", "source_recency"
    )  # fmt: skip
    for name, numbers in numbers_of(predictor.features(*ASKED), names).items():
        expected = GOLDEN["expected"][backoff][name]
        assert numbers == pytest.approx(expected, abs=TOLERANCE[cells], rel=0), name


@pytest.mark.parametrize("cells", ["float64", "float32"])
@pytest.mark.parametrize("backoff", BACKOFFS)
def test_the_other_source_gets_the_backoff_from_the_empty_row_of_d(backoff, cells) -> None:
    predictor = worked_predictor(backoff, cells)
    features = predictor.features("w", QUERY["candidates"], QUERY["time"])
    found = numbers_of(features, predictor.configuration.feature_names)
    expected = GOLDEN["expected"][backoff]["backoff_probability"]
    assert found["transition_1"] == pytest.approx(expected, abs=TOLERANCE[cells], rel=0)
    assert not features[:, 3].any(), "the second history position of w does not exist"


def test_the_events_can_be_observed_one_by_one() -> None:
    at_once = worked_predictor("marginal", "float64")
    one_by_one = LinkPredictor(at_once.configuration, destinations=QUERY["candidates"])
    for event in GOLDEN["events"]:
        one_by_one.observe(event["source"], event["destination"], event["time"])
    assert one_by_one.digest() == at_once.digest()


def test_the_score_weighs_the_features_of_the_table() -> None:
    predictor = worked_predictor("marginal", "float64")
    expected = GOLDEN["expected"]["marginal"]
    predictor.weights = dict.fromkeys(predictor.configuration.feature_names, 0.0) | {
        "source_history": 2.0,
        "source_recency": -0.5,
    }
    wanted = [
        2.0 * math.log(p) - 0.5 * r
        for p, r in zip(expected["source_history"], expected["source_recency"], strict=True)
    ]
    found = predictor.score(*ASKED) - predictor.bias
    assert list(found) == pytest.approx(wanted, abs=1e-12)
    assert predictor.rank("u", "b", ["a", "c", "d"], 6.0) == 1.0
    assert [z for z, _ in predictor.top_k("u", 6.0, k=2)] == ["b", "c"]
