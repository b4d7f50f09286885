"""Seeded candidates: what each rule draws, how often, and that only seed and query matter."""

import numpy as np
import pytest

from linkgram.errors import CandidateError, SettingError
from linkgram.evaluation.candidates import (
    CandidateSet,
    all_destinations,
    popularity,
    tgb_seq,
    uniform,
)
from linkgram.events import EventStream

TRAINING_END = 600


def stream_of(destinations, vocabulary_size):
    destinations = np.asarray(destinations, dtype=np.uint32)
    sources = np.zeros(len(destinations), dtype=np.uint32)
    times = np.arange(len(destinations), dtype=np.float64)
    return EventStream(sources, destinations, times, np.arange(1), np.arange(vocabulary_size))


@pytest.fixture(scope="module")
def stream():
    rng = np.random.default_rng(11)
    shares = np.array([0, 30, 0, 12, 7, 5, 20, 1, 9, 3, 13, 0]) / 100
    return stream_of(rng.choice(12, size=2000, p=shares), 12)


RULES = {
    "uniform": lambda stream, *part, **rest: uniform(stream, *part, k=7, **rest),
    "distinct": lambda stream, *part, **rest: uniform(stream, *part, k=7, distinct=True, **rest),
    "tgb-seq": lambda stream, *part, **rest: tgb_seq(stream, *part, k=7, **rest),
    "popularity": lambda stream, *part, **rest: popularity(
        stream, *part, k=7, training_end=TRAINING_END, **rest
    ),
}


@pytest.fixture(params=RULES)
def rule(request):
    return request.param


def matrix(candidates):
    return candidates.destinations.reshape(len(candidates), -1)


def test_the_positive_is_never_among_the_negatives(stream, rule):
    drawn = matrix(RULES[rule](stream, 500, 2000, seed=1))
    assert drawn.shape == (1500, 7)
    assert not np.any(drawn == stream.destinations[500:, None])
    assert (drawn >= 0).all()
    assert (drawn < 12).all()


def test_any_thread_count_gives_the_same_candidates(rule):
    # Blocks hold 9,362 queries of 7: three of them, the last one short.
    many = stream_of(np.random.default_rng(2).integers(0, 30, 20_000), 31)
    one = RULES[rule](many, 0, 20_000, seed=5, threads=1)
    for threads in (2, 3, 64, None):
        assert RULES[rule](many, 0, 20_000, seed=5, threads=threads).digest() == one.digest()


def test_a_query_has_the_same_candidates_in_any_chunk(stream, rule):
    whole = matrix(RULES[rule](stream, 0, 2000, seed=5))
    for start, stop in [(0, 1), (3, 900), (900, 2000)]:
        assert np.array_equal(matrix(RULES[rule](stream, start, stop, seed=5)), whole[start:stop])


def test_another_seed_gives_other_candidates(stream, rule):
    one, other = (RULES[rule](stream, 0, 2000, seed=seed) for seed in (0, 2**64 - 1))
    assert one.digest() != other.digest()
    assert one.rule["seed"] == 0


def test_rules_of_one_seed_do_not_share_their_draws(stream):
    drawn = {name: matrix(make(stream, 0, 2000, seed=3)) for name, make in RULES.items()}
    for one, other in [("uniform", "tgb-seq"), ("uniform", "distinct")]:
        assert np.mean(drawn[one] == drawn[other]) < 0.2


def expected_shares(rule, stream, positive):
    """The chance of each destination in one place of the row, straight from the rule's words."""
    shares = np.ones(12)
    if rule == "tgb-seq":
        shares[11] = 0
    if rule == "popularity":
        shares = np.bincount(stream.destinations[:TRAINING_END], minlength=12).astype(float)
    shares[positive] = 0
    return shares / shares.sum()


@pytest.mark.parametrize("positive", [0, 1, 7, 11])
def test_destinations_are_drawn_as_often_as_the_rule_says(stream, rule, positive):
    tail = np.full(20_000, positive)
    long = stream_of(np.concatenate([stream.destinations[:TRAINING_END], tail]), 12)
    drawn = matrix(RULES[rule](long, TRAINING_END, len(long), seed=8))
    shares = expected_shares(rule, stream, positive)
    possible = np.flatnonzero(shares)
    # All places of the row together; then, where draws are independent, each place alone.
    places = [drawn] if rule == "distinct" else [drawn, drawn[:, 0], drawn[:, 6]]
    for place in places:
        counts = np.bincount(place.ravel(), minlength=12)
        assert counts[shares == 0].sum() == 0
        expected = place.size * shares[possible]
        chi_square = np.sum((counts[possible] - expected) ** 2 / expected)
        # The mean is below len(possible), the standard deviation below sqrt(2 len(possible)).
        assert chi_square < len(possible) + 5 * np.sqrt(2 * len(possible))


@pytest.mark.parametrize("rule", ["uniform", "tgb-seq", "popularity"])
def test_draws_of_one_query_are_independent(stream, rule):
    long = stream_of(np.concatenate([stream.destinations[:TRAINING_END], np.zeros(20_000)]), 12)
    drawn = matrix(RULES[rule](long, TRAINING_END, len(long), seed=8))
    shares = expected_shares(rule, stream, 0)
    joint = np.bincount(drawn[:, 0] * 12 + drawn[:, 1], minlength=144)
    expected = 20_000 * np.outer(shares, shares).ravel()
    possible = expected > 0
    chi_square = np.sum((joint[possible] - expected[possible]) ** 2 / expected[possible])
    assert chi_square < possible.sum() + 5 * np.sqrt(2 * possible.sum())


def test_distinct_candidates_are_every_subset_equally_often():
    many = stream_of(np.full(30_000, 2), 6)
    drawn = matrix(uniform(many, 0, 30_000, k=2, seed=4, distinct=True))
    assert (drawn[:, 0] != drawn[:, 1]).all()
    pairs = np.sort(drawn, axis=1)
    counts = np.unique(pairs[:, 0] * 6 + pairs[:, 1], return_counts=True)[1]
    assert len(counts) == 10
    assert np.sum((counts - 3000.0) ** 2 / 3000) < 9 + 5 * np.sqrt(18)


def test_the_most_distinct_candidates_are_everything_but_the_positive(stream):
    drawn = matrix(uniform(stream, 0, 50, k=11, seed=4, distinct=True))
    for row, positive in zip(drawn, stream.destinations, strict=False):
        assert sorted(row.tolist()) == [z for z in range(12) if z != positive]


def test_tgb_seq_draws_as_its_sampler_told_in_numpy():
    """Its row is redrawn whole while it holds the positive: the pairs drawn have equal shares."""
    many = stream_of(np.full(40_000, 1), 5)
    ours = matrix(tgb_seq(many, 0, 40_000, k=2, seed=4))
    rng = np.random.default_rng(0)
    theirs = rng.integers(0, 4, (40_000, 2))
    while (held := (theirs == 1).any(axis=1)).any():
        theirs[held] = rng.integers(0, 4, (int(held.sum()), 2))
    joint = [np.bincount(rows[:, 0] * 5 + rows[:, 1], minlength=25) for rows in (ours, theirs)]
    seen = (joint[0] + joint[1]) > 0
    assert seen.sum() == 9
    difference = (joint[0] - joint[1])[seen] ** 2 / (joint[0] + joint[1])[seen]
    assert difference.sum() < 8 + 5 * np.sqrt(16)


def test_a_directory_holds_the_same_candidates(stream, rule, tmp_path):
    kept = RULES[rule](stream, 20, 1900, seed=5)
    mapped = RULES[rule](stream, 20, 1900, seed=5, directory=tmp_path / "set")
    assert isinstance(mapped.destinations, np.memmap)
    assert (mapped.digest(), mapped.rule) == (kept.digest(), kept.rule)
    assert CandidateSet.load(tmp_path / "set").digest() == kept.digest()


def test_progress_ends_with_the_number_of_queries(stream, rule):
    heard = []
    RULES[rule](stream, 0, 2000, seed=5, progress=heard.append)
    assert heard[-1] == 2000


def test_no_query_is_a_set_too(stream, rule):
    assert len(RULES[rule](stream, 700, 700, seed=5)) == 0


def test_all_destinations_are_not_written_out(stream):
    every = all_destinations(stream, 600, 2000)
    assert (len(every), every.offsets, every.destinations) == (1400, None, None)
    assert every.negatives(0, 3).tolist() == [0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11]
    with pytest.raises(CandidateError, match="every destination but the positive"):
        every[0]
    with pytest.raises(CandidateError, match="positive 12 is outside the 12 destinations"):
        every.negatives(0, 12)


@pytest.mark.parametrize(
    ("make", "setting", "changed"),
    [
        (uniform, "k", {"k": 0}),
        (uniform, "k", {"k": 12, "distinct": True}),
        (uniform, "k", {"k": 1.0}),
        (tgb_seq, "k", {"k": -1}),
        (uniform, "seed", {"seed": 2**64}),
        (popularity, "seed", {"seed": None, "training_end": 5}),
        (popularity, "training_end", {"training_end": 0}),
        (popularity, "training_end", {"training_end": 2001}),
        (uniform, "threads", {"threads": 0}),
        (uniform, "stop", {"stop": 2001}),
        (uniform, "start", {"start": 9, "stop": 8}),
    ],
)
def test_bad_settings_are_refused_by_name(stream, make, setting, changed):
    arguments = {"start": 0, "stop": 10, "k": 3, "seed": 1, **changed}
    with pytest.raises(SettingError, match=f"`{setting}` is") as caught:
        make(stream, **arguments)
    assert caught.value.setting == setting
    assert caught.value.value == arguments[setting]


def test_too_many_or_too_few_destinations_are_refused():
    columns = np.zeros(1, np.uint32), np.zeros(1, np.uint32), np.zeros(1), np.arange(1)
    huge = EventStream(*columns, np.broadcast_to(np.int64(0), 2**31))
    lonely = EventStream(*columns, np.arange(1))
    for refused in (huge, lonely):
        with pytest.raises(SettingError, match="destinations") as caught:
            uniform(refused, 0, 1, k=1, seed=1)
        assert caught.value.setting == "stream"
    with pytest.raises(SettingError, match="at most 2147483647"):
        all_destinations(huge, 0, 1)


def test_a_query_without_any_other_destination_is_refused():
    stream = stream_of([1, 1, 0, 1], 3)
    with pytest.raises(CandidateError, match="other than destination 1"):
        popularity(stream, 3, 4, training_end=2, k=4, seed=1)
    with pytest.raises(CandidateError, match="other than destination 0"):
        tgb_seq(stream_of([1, 0], 2), 0, 2, k=4, seed=1)
