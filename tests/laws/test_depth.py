"""A deeper model says the same and then more."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import settings as run
from hypothesis import strategies as st
from tests.support.predictors import bits, fed_predictor, settings_of
from tests.support.strategies import event_lists, settings

CANDIDATES = list(range(6))


@given(
    chosen=settings(),
    events=event_lists(),
    deeper=st.integers(1, 64),
    source=st.integers(0, 3),
    cells=st.sampled_from(["float64", "float32"]),
)
@run(max_examples=150, deadline=None)
def test_features_at_one_depth_are_a_prefix_of_those_at_a_larger(
    chosen, events, deeper, source, cells
) -> None:
    # Co-occurrence alone looks as far back as the depth says, so it may differ.
    chosen = replace(
        chosen, additions=tuple(name for name in chosen.additions if name != "co-occurrence")
    )
    deep = replace(chosen, depth=max(deeper, chosen.depth))
    asked = (source, CANDIDATES, events[-1][2] + 1.0)
    few = fed_predictor(chosen, events, cells=cells).features(*asked)
    many = fed_predictor(deep, events, cells=cells).features(*asked)
    history, rest = 2 + chosen.depth, 2 + deep.depth
    assert bits(few[:, :history]) == bits(many[:, :history])
    assert bits(few[:, history:]) == bits(many[:, rest:])


@pytest.mark.parametrize("depth", [1, 2, 4, 64])
def test_the_history_is_newest_first_and_keeps_repeats(depth) -> None:
    visits = [(1, v, float(k)) for k, v in enumerate((0, 4, 3, 2, 2, 1))]
    # Source 100 + v has v as its newest destination: its transition_1 shows the row of v.
    showing = [(100 + v, v, 10.0) for v in CANDIDATES]
    predictor = fed_predictor(settings_of(depth=depth, additions=()), [*visits, *showing])
    features = predictor.features(1, CANDIDATES, 11.0)
    for k, visited in enumerate((1, 2, 2, 3, 4, 0)[:depth]):
        row = predictor.features(100 + visited, CANDIDATES, 11.0)[:, 2]
        assert bits(features[:, 2 + k]) == bits(row), k
    assert not features[:, 2 + 6 : 2 + depth].any()
