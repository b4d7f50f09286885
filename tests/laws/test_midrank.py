"""Midrank: the mean rank over all ways to break the ties, counted one by one."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import settings as run
from hypothesis import strategies as st
from tests.support.naive import midrank
from tests.support.predictors import fed_predictor, settings_of
from tests.support.strategies import event_lists, settings


def mean_rank_over_tie_breaks(positive: float, negatives: list[float]) -> Fraction:
    """Sort in every order the list can arrive in; the positive's mean place in the result."""
    entries = [(positive, True), *((score, False) for score in negatives)]
    places = []
    for arrival in itertools.permutations(entries):
        result = sorted(arrival, key=lambda entry: -entry[0])
        places.append(1 + [is_positive for _, is_positive in result].index(True))
    return Fraction(sum(places), len(places))


@given(
    chosen=settings(),
    events=event_lists(max_size=10),
    source=st.integers(0, 3),
    asked=st.lists(st.integers(0, 12), min_size=1, max_size=6, unique=True),
)
@run(max_examples=60, deadline=None)
def test_midrank_equals_the_mean_over_random_tie_breaking(chosen, events, source, asked) -> None:
    predictor = fed_predictor(chosen, events)
    now, (positive, *negatives) = events[-1][2], asked
    # Alone against the positive a negative makes its rank 1, 1.5 or 2: below, level, above.
    alone = [predictor.rank(source, positive, [z], now) for z in negatives]
    rank = predictor.rank(source, positive, negatives, now)
    assert Fraction(rank) == mean_rank_over_tie_breaks(1.5, alone)
    assert rank == midrank(1.5, alone)


@given(
    chosen=settings(),
    events=event_lists(max_size=10),
    source=st.integers(0, 3),
    asked=st.lists(st.integers(0, 8), min_size=2, max_size=2, unique=True),
)
@run(max_examples=100, deadline=None)
def test_the_rank_follows_the_scores(chosen, events, source, asked) -> None:
    predictor = fed_predictor(chosen, events)
    now, (positive, negative) = events[-1][2], asked
    own, other = predictor.score(source, asked, now)
    rank = predictor.rank(source, positive, [negative], now)
    # A rank is taken before the part all candidates share is added, so it may see a difference
    # that the rounding of that sum hides; it never sees one the other way round.
    if own != other:
        assert rank == (2.0 if other > own else 1.0)
    elif rank != 1.5:
        assert predictor.rank(source, negative, [positive], now) == 3.0 - rank


@pytest.mark.parametrize("count", [0, 1, 2, 9, 100])
def test_among_destinations_never_seen_the_positive_stands_in_the_middle(count) -> None:
    predictor = fed_predictor(settings_of(), [(0, 1, 0.0), (0, 2, 1.0)])
    assert predictor.rank(0, 500, list(range(1000, 1000 + count)), 2.0) == 1 + count / 2
