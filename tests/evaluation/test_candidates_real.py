"""TGB's candidates rebuilt from real events: EdgeBank on them gives its published numbers."""

from pathlib import Path

import numpy as np
import pytest

from linkgram.evaluation.candidates import historical_random
from linkgram.events import EventStream

DATA = Path(__file__).parents[2] / ".." / "shared" / "data"
WINDOW_SHARE = 0.15


def benchmark(name):
    """The stream over its whole destination block, and the ends of training and validation."""
    path = DATA / f"tgbl_{name}" / f"tgbl-{name}_edgelist.csv.gz"
    if not path.exists():
        pytest.skip(f"{path} is not on this machine")
    read = EventStream.read(path, source="u", destination="i", time="ts")
    external = read.destination_ids[read.destinations]
    vocabulary = np.arange(external.min(), external.max() + 1)
    dense = (external - vocabulary[0]).astype(np.uint32)
    stream = EventStream(read.sources, dense, read.times, read.source_ids, vocabulary)
    ends = np.searchsorted(stream.times, np.quantile(stream.times, [0.70, 0.85]), side="right")
    return stream, int(ends[0]), int(ends[1])


@pytest.fixture(scope="module", params=["uci", "enron"])
def drawn(request):
    stream, training_end, validation_end = benchmark(request.param)
    validation, test = historical_random(
        stream, training_end=training_end, validation_end=validation_end, k=1000
    )
    return request.param, stream, training_end, validation_end, validation, test


def edgebank(stream, training_end, test_start, test, batch):
    """Test MRR in percent, (unlimited, window), under a schedule that releases `batch` events."""
    mrr = np.zeros(2)
    training = stream.times[:training_end]
    width, end = WINDOW_SHARE * (training[-1] - training[0]), training[-1]
    pairs = list(zip(stream.sources.tolist(), stream.destinations.tolist(), strict=True))
    last_time = dict(zip(pairs[:test_start], stream.times[:test_start], strict=True))
    end = max(end, stream.times[test_start - 1])
    for start in range(test_start, len(stream), batch):
        stop = min(start + batch, len(stream))
        for at in range(start, stop):
            source, positive = pairs[at]
            negatives = test[at - test_start]
            times = np.array([last_time.get((source, z), -np.inf) for z in negatives.tolist()])
            own = last_time.get((source, positive), -np.inf)
            for variant, oldest in enumerate([-np.finfo(float).max, end - width]):
                score = own >= oldest
                scores = times >= oldest
                higher, equal = np.sum(scores > score), np.sum(scores == score)
                mrr[variant] += 1 / (1 + higher + equal / 2)
        for at in range(start, stop):
            last_time[pairs[at]] = stream.times[at]
        end = max(end, stream.times[stop - 1])
    return tuple(100 * mrr / (len(stream) - test_start))


PUBLISHED = {
    ("uci", 1): (10.86, 32.40),
    ("uci", 200): (7.85, 22.16),
    ("enron", 1): (10.78, 15.60),
    ("enron", 200): (10.08, 14.14),
}


@pytest.mark.parametrize("batch", [1, 200])
def test_edgebank_reaches_its_published_numbers_on_the_rebuilt_candidates(drawn, batch):
    name, stream, training_end, validation_end, _, test = drawn
    found = edgebank(stream, training_end, validation_end, test, batch)
    assert tuple(round(value, 2) for value in found) == PUBLISHED[name, batch]


def test_splits_have_the_published_sizes(drawn):
    name, stream, training_end, _, validation, test = drawn
    sizes = {"uci": (41_884, 8_975, 8_976, 1_898), "enron": (87_664, 18_786, 18_785, 184)}
    found = (training_end, len(validation), len(test), len(stream.destination_ids))
    assert found == sizes[name]


def test_real_streams_are_drawn_as_numpy_draws_them(drawn):
    from tests.evaluation.test_candidates_historical import twin

    _, stream, training_end, validation_end, validation, test = drawn
    random = np.random.RandomState(42)
    for found, (start, stop) in zip(
        (validation, test),
        [(training_end, validation_end), (validation_end, len(stream))],
        strict=True,
    ):
        for query, expected in enumerate(twin(stream, training_end, start, stop, 1000, random)):
            assert np.array_equal(found[query], expected), query
