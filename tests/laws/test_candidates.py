"""A candidate's score is its own: its neighbours, its place and its double do not touch one bit."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as run
from hypothesis import strategies as st
from tests.support.naive import NaiveModel
from tests.support.predictors import bits, fed_predictor, observe_all, settings_of
from tests.support.strategies import event_lists, settings
from tests.support.streams import random_case

CELLS = st.sampled_from(["float64", "float32"])
CANDIDATE_LISTS = st.lists(st.integers(0, 8), min_size=1, max_size=12)


@given(
    chosen=settings(),
    events=event_lists(),
    cells=CELLS,
    candidates=CANDIDATE_LISTS,
    order=st.randoms(use_true_random=False),
)
@run(max_examples=150, deadline=None)
def test_the_order_of_candidates_does_not_matter(chosen, events, cells, candidates, order) -> None:
    predictor = fed_predictor(chosen, events, cells=cells)
    now, places = events[-1][2] + 0.5, list(range(len(candidates)))
    order.shuffle(places)
    shuffled = [candidates[place] for place in places]
    for ask in (predictor.features, predictor.score):
        assert bits(ask(1, candidates, now)[places]) == bits(ask(1, shuffled, now))


@given(chosen=settings(), events=event_lists(), cells=CELLS, candidates=CANDIDATE_LISTS)
@run(max_examples=150, deadline=None)
def test_a_candidate_scores_the_same_alone_and_twice_in_a_list(
    chosen, events, cells, candidates
) -> None:
    predictor = fed_predictor(chosen, events, cells=cells)
    now = events[-1][2]
    alone = {z: bits(predictor.score(0, [z], now)) for z in candidates}
    together = predictor.score(0, candidates + candidates, now)
    for z, score in zip(candidates + candidates, together, strict=True):
        assert bits([score]) == alone[z]


@pytest.mark.parametrize("cells", ["float64", "float32"])
@pytest.mark.parametrize("seed", range(8))
def test_long_rows_score_a_candidate_alike_among_few_and_among_all(seed, cells) -> None:
    case = random_case(50_000 + seed, length=(1500, 1600), width=120)
    predictor = fed_predictor(case.settings, case.events, cells=cells)
    everything = sorted({z for _, z, _ in case.events})
    now = case.events[-1][2]
    for source in sorted({u for u, _, _ in case.events})[:6]:
        features = predictor.features(source, everything, now)
        scores = predictor.score(source, everything, now)
        for size in (1, 2, 7, 40):
            for start in range(0, len(everything), max(size, 13)):
                part = everything[start : start + size]
                found = predictor.features(source, part, now)
                assert bits(found) == bits(features[start : start + size])
                found = predictor.score(source, part, now)
                assert bits(found) == bits(scores[start : start + size])


@given(
    chosen=settings(),
    events=event_lists(max_size=14, destinations=8),
    cells=CELLS,
    source=st.integers(0, 3),
)
@run(max_examples=200, deadline=None)
def test_equal_evidence_gives_equal_scores_bit_for_bit(chosen, events, cells, source) -> None:
    twin = NaiveModel(chosen)
    observe_all(twin, events)
    predictor = fed_predictor(chosen, events, cells=cells)
    candidates = list(range(10))
    scores = predictor.score(source, candidates, events[-1][2] + 1.0)
    evidence = [twin.evidence(source, z) for z in candidates]
    for a, b in itertools.combinations(candidates, 2):
        if evidence[a] == evidence[b]:
            assert bits(scores[a]) == bits(scores[b]), (a, b)
            rank = predictor.rank(source, a, [b], events[-1][2] + 1.0)
            assert rank == 1.5


@given(
    chosen=settings(),
    events=event_lists(destinations=8),
    k=st.integers(1, 12),
    source=st.integers(0, 3),
    wait=st.sampled_from([0.0, 2.0, 1e7]),
    growing=st.booleans(),
)
@run(max_examples=150, deadline=None)
def test_top_k_is_the_head_of_the_full_sort(chosen, events, k, source, wait, growing) -> None:
    vocabulary = None if growing else [3, 1, 4, 5, 9, 2, 6, 0, 7, 8]
    predictor = fed_predictor(chosen, events, destinations=vocabulary)
    known = list(vocabulary or dict.fromkeys(v for _, v, _ in events))
    now = events[-1][2] + wait
    scores = predictor.score(source, known, now)
    best = sorted(range(len(known)), key=lambda place: (-scores[place], place))[:k]
    assert predictor.top_k(source, now, k=k) == [(known[p], scores[p]) for p in best]


@pytest.mark.parametrize("seed", range(6))
def test_top_k_of_a_large_vocabulary_is_the_head_of_the_full_sort(seed) -> None:
    case = random_case(60_000 + seed, length=(1500, 1600), width=120)
    predictor = fed_predictor(case.settings, case.events)
    known = list(dict.fromkeys(z for _, z, _ in case.events))
    for source, _, _ in case.events[:5]:
        scores = predictor.score(source, known, case.events[-1][2])
        best = np.argsort(-scores, kind="stable")
        for k in (1, 10, len(known)):
            found = predictor.top_k(source, case.events[-1][2], k=k)
            assert found == [(known[p], scores[p]) for p in best[:k]]


def test_no_candidates_give_no_answers() -> None:
    settings = settings_of()
    predictor = fed_predictor(settings, [(0, 1, 0.0)])
    assert predictor.score(0, [], 0.0).shape == (0,)
    assert predictor.features(0, [], 0.0).shape == (0, 10)
    assert predictor.rank(0, 1, [], 0.0) == 1.0
