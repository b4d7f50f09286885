"""Historical-random candidates against a slow twin that lets NumPy itself draw."""

import os
import signal
import threading
from time import monotonic

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.strategies import event_lists

from linkgram.errors import SettingError
from linkgram.evaluation.candidates import CandidateSet, historical_random
from linkgram.events import EventStream


def twin(stream, training_end, start, stop, k, random):
    """The rule as it is told: sets, NumPy's own `choice`, and a table with the last draw."""
    columns = zip(
        stream.sources.tolist(), stream.destinations.tolist(), stream.times.tolist(), strict=True
    )
    events = list(columns)
    every = np.arange(len(stream.destination_ids))
    seen, own, table = {}, {}, {}
    for source, destination, _ in events[:training_end]:
        seen.setdefault(source, set()).add(destination)
    for source, destination, time in events[start:stop]:
        own.setdefault((source, time), set()).add(destination)
    for event in events[start:stop]:
        companions = list(own[event[0], event[2]])
        historical = np.empty(0, np.int64)
        past = list(seen.get(event[0], ()))
        if past:
            pool = np.setdiff1d(past, companions)
            historical = random.choice(pool, min(k // 2, len(pool)), replace=False)
        rest = np.setdiff1d(every, companions + past)
        wanted = k - len(historical)
        if wanted <= len(rest):
            rest = random.choice(rest, wanted, replace=False)
        table[event] = np.concatenate([historical, rest])
    return [table[event] for event in events[start:stop]]


def over(events, vocabulary_size):
    """A stream whose dense ids are the ids as written."""
    sources, destinations, times = (np.array(column) for column in zip(*events, strict=True))
    return EventStream(
        sources.astype(np.uint32),
        destinations.astype(np.uint32),
        times.astype(np.float64),
        np.arange(sources.max() + 1),
        np.arange(vocabulary_size),
    )


@settings(deadline=None, max_examples=300)
@given(
    event_lists(min_size=2, max_size=40, sources=3, destinations=9),
    st.integers(0, 30),
    st.integers(1, 24),
    st.integers(0, 2**32 - 1),
    st.tuples(st.integers(0, 40), st.integers(0, 40)),
)
def test_candidates_are_what_numpy_draws(events, unseen, k, seed, ends):
    stream = over(events, 9 + unseen)
    training_end, validation_end = sorted(min(end, len(stream)) for end in ends)
    made = historical_random(
        stream, training_end=training_end, validation_end=validation_end, k=k, seed=seed
    )
    random = np.random.RandomState(seed)
    bounds = [(training_end, validation_end), (validation_end, len(stream))]
    for found, (start, stop) in zip(made, bounds, strict=True):
        expected = twin(stream, training_end, start, stop, k, random)
        assert len(found) == len(expected)
        assert [row.tolist() for row in found] == [row.tolist() for row in expected]


def long_stream(events=3000, vocabulary_size=5000):
    rng = np.random.default_rng(3)
    return EventStream(
        rng.integers(0, 50, events).astype(np.uint32),
        rng.integers(0, vocabulary_size, events).astype(np.uint32),
        np.sort(rng.integers(0, 2000, events)).astype(np.float64),
        np.arange(50),
        np.arange(vocabulary_size),
    )


def test_a_large_vocabulary_needs_more_bits_and_draws_the_same():
    stream = long_stream(events=60, vocabulary_size=70_000)
    made = historical_random(stream, training_end=20, validation_end=40, k=7)
    random = np.random.RandomState(42)
    for found, start in zip(made, (20, 40), strict=True):
        expected = twin(stream, 20, start, start + 20, 7, random)
        assert [row.tolist() for row in found] == [row.tolist() for row in expected]


def test_a_directory_holds_the_same_candidates_memory_mapped(tmp_path):
    stream, ends = long_stream(), {"training_end": 2000, "validation_end": 2500, "k": 30}
    kept = historical_random(stream, **ends)
    mapped = historical_random(stream, **ends, directory=tmp_path / "new" / "place")
    for split, one, other in zip(("validation", "test"), kept, mapped, strict=True):
        assert isinstance(other.destinations, np.memmap)
        assert other.digest() == one.digest()
        assert other.rule == one.rule
        loaded = CandidateSet.load(tmp_path / "new" / "place" / split)
        assert loaded.digest() == one.digest()
    assert sorted(path.name for path in (tmp_path / "new" / "place").iterdir()) == [
        "test",
        "validation",
    ]


def test_the_rule_says_all_that_is_needed_to_draw_again():
    stream = long_stream()
    _, test = historical_random(stream, training_end=2000, validation_end=2500, k=30, seed=9)
    names = ("k", "seed", "training_end", "validation_end")
    _, again = historical_random(stream, **{name: test.rule[name] for name in names})
    assert (test.rule["rule"], test.rule["split"]) == ("historical-random", "test")
    assert again.digest() == test.digest()


def test_progress_rises_to_the_number_of_queries_and_is_not_called_often():
    heard = []
    historical_random(
        long_stream(), training_end=1000, validation_end=2000, k=9, progress=heard.append
    )
    assert heard == sorted(heard)
    assert heard[-1] == 2000
    assert len(heard) < 100


def test_an_error_in_the_progress_callback_stops_the_work_and_leaves_nothing(tmp_path):
    class StopNowError(Exception):
        pass

    def progress(done):
        raise StopNowError(done)

    stream = long_stream(events=4000, vocabulary_size=100_000)
    with pytest.raises(StopNowError) as stopped:
        historical_random(
            stream,
            training_end=0,
            validation_end=2000,
            k=5,
            progress=progress,
            directory=tmp_path / "out",
        )
    assert 0 < stopped.value.args[0] < 4000
    assert list((tmp_path / "out").iterdir()) == []


@pytest.mark.skipif(os.name != "posix", reason="sends a signal to this process")
def test_ctrl_c_is_heard_within_a_second():
    # Left alone, 20,000 permutations of 300,000 numbers take ten seconds or more.
    stream = long_stream(events=20_000, vocabulary_size=300_000)
    sent = []

    def press():
        sent.append(monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(0.3, press)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        historical_random(stream, training_end=0, validation_end=0, k=5)
    assert monotonic() - sent[0] < 1


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("k", 0),
        ("k", 2.5),
        ("k", True),
        ("k", 2**31),
        ("seed", -1),
        ("seed", 2**32),
        ("training_end", -1),
        ("training_end", 2501),
        ("validation_end", 3001),
        ("validation_end", "all"),
    ],
)
def test_bad_settings_are_refused_by_name(name, value):
    arguments = {"training_end": 2000, "validation_end": 2500, "k": 10, name: value}
    with pytest.raises(SettingError, match=f"`{name}` is") as caught:
        historical_random(long_stream(), **arguments)
    assert (caught.value.setting, caught.value.value) == (name, value)
