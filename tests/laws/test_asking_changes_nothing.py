"""Only `observe` changes the state: every question leaves the digest as it was."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import settings as run
from hypothesis import strategies as st
from tests.support.predictors import bits, fed_predictor, settings_of, stream_of
from tests.support.strategies import event_lists, settings

QUESTIONS = {
    "features": lambda p, u, zs, t: p.features(u, zs, t),
    "score": lambda p, u, zs, t: p.score(u, zs, t),
    "rank": lambda p, u, zs, t: p.rank(u, zs[0], zs[1:], t),
    "top_k": lambda p, u, _, t: p.top_k(u, t, k=3),
    "explain": lambda p, u, zs, t: p.explain(u, zs[0], t),
    "describe": lambda p, *_: p.describe(),
}


@given(
    chosen=settings(),
    events=event_lists(),
    asked=st.lists(
        st.tuples(
            st.sampled_from(sorted(QUESTIONS)),
            st.integers(0, 5),
            st.lists(st.integers(0, 9), min_size=1, max_size=6, unique=True),
            st.sampled_from([0.0, 1.0, 1e3, 1e9]),
        ),
        min_size=1,
        max_size=6,
    ),
)
@run(max_examples=150, deadline=None)
def test_scoring_ranking_top_k_and_explain_leave_the_digest_unchanged(
    chosen, events, asked
) -> None:
    predictor = fed_predictor(chosen, events)
    before, now = predictor.digest(), events[-1][2]
    control = bits(predictor.features(0, [0, 1, 2], now))
    for name, source, candidates, wait in asked:
        QUESTIONS[name](predictor, source, candidates, now + wait)
        assert predictor.digest() == before, name
    assert bits(predictor.features(0, [0, 1, 2], now)) == control


def test_many_threads_may_ask_while_one_observes() -> None:
    events = [(k % 5, (k * k) % 11, float(k)) for k in range(400)]
    predictor = fed_predictor(settings_of(), events)
    candidates, later = list(range(12)), 1e6
    expected = [bits(predictor.features(source, candidates, later)) for source in range(5)]

    def ask(source: int) -> bool:
        found = {tuple(bits(predictor.features(source, candidates, later))) for _ in range(50)}
        predictor.rank(source, 1, [2, 3], later)
        return found == {tuple(expected[source])}

    def observe_nothing() -> None:
        for _ in range(50):
            predictor.observe(stream_of(events)[:0])

    with ThreadPoolExecutor(4) as pool:
        feeding = pool.submit(observe_nothing)
        answers = [pool.submit(ask, source) for source in range(5)]
        assert all(answer.result(timeout=60) for answer in answers)
        feeding.result(timeout=60)


@pytest.mark.parametrize("name", sorted(QUESTIONS))
def test_asking_about_ids_never_seen_does_not_make_them_known(name) -> None:
    events = [(0, 1, 0.0), (0, 2, 1.0)]
    predictor = fed_predictor(settings_of(), events)
    before = bits(predictor.features(0, [1, 2], 1.0))
    QUESTIONS[name](predictor, 77, [8, 9, 10], 500.0)
    assert bits(predictor.features(0, [1, 2], 1.0)) == before
    assert [z for z, _ in predictor.top_k(0, 1.0, k=10)] == [
        z for z, _ in fed_predictor(settings_of(), events).top_k(0, 1.0, k=10)
    ]


class Feeding:
    """Ids that feed the predictor while it takes them."""

    def __init__(self, predictor, *ids):
        self.predictor, self.ids = predictor, ids

    def feed(self):
        self.predictor.observe(0, 3, 1.0)

    def __iter__(self):
        for z in self.ids:
            self.feed()
            yield z

    def __index__(self):
        self.feed()
        return self.ids[0]


@pytest.mark.parametrize(
    "ask",
    [
        lambda p, feeding: p.features(0, feeding, 1.0),
        lambda p, feeding: p.score(feeding, feeding, 1.0),
        lambda p, feeding: p.rank(0, feeding, feeding, 1.0),
        lambda p, feeding: p.top_k(feeding, 1.0),
        lambda p, feeding: p.explain(feeding, feeding, 1.0),
    ],
)
def test_code_of_the_caller_that_runs_inside_a_question_may_feed_the_predictor(ask) -> None:
    predictor = fed_predictor(settings_of(), [(0, 1, 0.0), (0, 2, 1.0)])
    answers: list[object] = []
    asking = threading.Thread(
        target=lambda: answers.append(ask(predictor, Feeding(predictor, 1, 2))), daemon=True
    )
    asking.start()
    asking.join(timeout=30)
    assert len(answers) == 1, "it waits for itself"
    assert predictor.describe()["events"] > 2
