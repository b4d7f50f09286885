"""Metrics by hand and by law: midrank, MRR, hits, NDCG, and how sure a mean is."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkgram.evaluation import bootstrap_interval, mean_and_sd, metrics, midrank

SCORES = st.lists(st.sampled_from([-np.inf, -1.0, -0.0, 0.0, 0.5, 7.0]), min_size=1, max_size=30)


def exact_mean_rank(scores, place):
    """The positive is at 1, 2, ... tied places beyond the higher ones, each equally likely."""
    higher = sum(score > scores[place] for score in scores)
    tied = sum(score == scores[place] for score in scores)
    return sum(Fraction(higher + at, tied) for at in range(1, tied + 1))


@given(SCORES, st.data())
def test_midrank_is_the_mean_rank_over_all_ways_to_break_ties(scores, data):
    place = data.draw(st.integers(0, len(scores) - 1))
    assert Fraction(midrank(np.array(scores), place)) == exact_mean_rank(scores, place)


def test_midrank_is_the_mean_over_random_tie_breaking():
    rng = np.random.default_rng(1)
    for _ in range(20):
        scores = rng.integers(0, 4, 12).astype(float)
        place, draws = int(rng.integers(12)), 4000
        noise = rng.random((draws, 12))
        ranks = [
            1 + np.sum((scores > scores[place]) | ((scores == scores[place]) & (row > row[place])))
            for row in noise
        ]
        spread = np.std(ranks) / math.sqrt(draws)
        assert abs(np.mean(ranks) - midrank(scores, place)) <= 5 * spread


@given(SCORES, st.randoms(use_true_random=False))
def test_midrank_does_not_depend_on_the_order_of_candidates(scores, random):
    order = list(range(len(scores)))
    random.shuffle(order)
    shuffled = np.array([scores[at] for at in order])
    assert midrank(shuffled, order.index(0)) == midrank(np.array(scores), 0)


def test_a_fully_tied_query_of_a_hundred_negatives_ranks_51():
    assert midrank(np.zeros(101), 17) == 51.0
    assert metrics(np.array([51.0]))["mrr"] == 1 / 51
    # Neither first nor last: a model that says nothing earns next to nothing.
    assert metrics(np.array([51.0]))["hits@10"] == 0.0


def test_scores_of_any_kind_are_ranked():
    assert midrank(np.array([3, 1, 2]), 2) == 2.0
    assert midrank(np.array([True, False]), 0) == 1.0
    assert midrank(np.array([-np.inf, -np.inf]), 0) == 1.5
    assert midrank(np.array([0.5], np.float32), 0) == 1.0


def test_metrics_by_hand():
    found = metrics(np.array([1.0, 1.5, 2.0, 3.0, 3.5, 10.0, 10.5, 100.0]))
    assert found["mrr"] == pytest.approx(
        (1 + 2 / 3 + 1 / 2 + 1 / 3 + 2 / 7 + 0.1 + 2 / 21 + 0.01) / 8, abs=1e-15
    )
    # TGB counts a fractional midrank as a hit if it is at most k.
    assert found["hits@1"] == 1 / 8
    assert found["hits@3"] == 4 / 8
    assert found["hits@10"] == 6 / 8
    gains = [1 / math.log2(1 + rank) for rank in (1, 1.5, 2, 3, 3.5, 10)]
    assert found["ndcg@10"] == pytest.approx(sum(gains) / 8, abs=1e-15)
    assert list(found) == ["mrr", "hits@1", "hits@3", "hits@10", "ndcg@10"]
    assert set(metrics(np.ones(5)).values()) == {1.0}


@given(st.lists(st.integers(2, 400).map(lambda twice: twice / 2), min_size=1, max_size=50))
def test_metrics_are_shares_in_order(ranks):
    found = metrics(np.array(ranks))
    assert 0 <= found["hits@1"] <= found["hits@3"] <= found["hits@10"] <= 1
    assert found["hits@1"] <= found["ndcg@10"] <= found["hits@10"]
    assert found["hits@1"] <= found["mrr"] <= 1


def test_mean_and_sample_deviation():
    assert mean_and_sd([2.0, 4.0, 9.0]) == {"mean": 5.0, "sd": pytest.approx(math.sqrt(13))}
    assert mean_and_sd([0.25]) == {"mean": 0.25, "sd": None}


def reciprocal(rng, count):
    return 1.0 / rng.geometric(0.4, count)


def test_the_interval_covers_the_true_mean_about_as_often_as_it_says():
    rng = np.random.default_rng(5)
    truth = -0.4 * math.log(0.4) / 0.6
    covered = 0
    for _ in range(200):
        low, high = bootstrap_interval(reciprocal(rng, 300), draws=300)
        assert low < high
        covered += low <= truth <= high
    # 95% of 200 with a deviation of 3.1, and a percentile interval is a little narrow.
    assert 178 <= covered <= 199


def test_the_interval_is_as_wide_as_the_central_limit_says():
    values = reciprocal(np.random.default_rng(7), 5000)
    low, high = bootstrap_interval(values, draws=4000)
    normal = 2 * 1.96 * values.std() / math.sqrt(len(values))
    assert (high - low) / normal == pytest.approx(1, abs=0.1)
    assert (low + high) / 2 == pytest.approx(values.mean(), abs=normal / 10)


def test_fewer_queries_and_more_confidence_make_it_wider():
    values = reciprocal(np.random.default_rng(6), 8000)

    def width(part, confidence=0.95):
        low, high = bootstrap_interval(part, confidence=confidence)
        return high - low

    widths = [width(values[:count]) for count in (100, 400, 1600, 6400)]
    assert widths == sorted(widths, reverse=True)
    assert widths[0] / widths[2] == pytest.approx(4, rel=0.35)
    assert width(values, 0.5) < width(values, 0.9) < width(values, 0.99)


def test_neighbours_that_are_alike_make_it_wider():
    """Queries drawn one by one would claim too much: 5,000 numbers that are 500 said ten times."""
    values = reciprocal(np.random.default_rng(8), 500)
    repeated = np.repeat(values, 10)
    low, high = bootstrap_interval(repeated)
    independent = 2 * 1.96 * values.std() / math.sqrt(len(repeated))
    assert high - low > 2 * independent


def test_the_interval_is_deterministic():
    values = reciprocal(np.random.default_rng(9), 700)
    assert bootstrap_interval(values) == bootstrap_interval(values.copy())
    assert bootstrap_interval(values) != bootstrap_interval(values, seed=1)


@pytest.mark.parametrize("count", [1, 2, 999, 1000, 1001, 2500])
def test_any_number_of_queries_has_an_interval(count):
    assert bootstrap_interval(np.full(count, 0.5), draws=20) == (0.5, 0.5)
    low, high = bootstrap_interval(reciprocal(np.random.default_rng(2), count), draws=50)
    assert 0 < low <= high <= 1
