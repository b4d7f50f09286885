"""Own data: the stated defaults, and every one of them overridden."""

from __future__ import annotations

import numpy as np
import pytest

from linkgram import EventStream
from linkgram.errors import SettingError
from linkgram.evaluation import FitSettings, by_fraction, by_quantile, evaluate
from linkgram.evaluation.candidate_rule import CandidateRule
from linkgram.evaluation.own import protocol_for


def stream_of(destinations, count=400):
    rng = np.random.default_rng(destinations)
    what = np.concatenate([np.arange(destinations), rng.integers(0, destinations, count)])
    who = rng.integers(0, 9, len(what)).astype(str)
    return EventStream.from_arrays(who, what, np.arange(len(what)) // 3)


def test_the_defaults_are_tgb_s_split_and_all_destinations():
    stream = stream_of(1000)
    protocol = protocol_for(stream)
    assert protocol.name == "own data"
    assert protocol.split == by_quantile(stream)
    assert protocol.vocabulary_size == 1000
    for rows in (protocol.validation, protocol.test):
        assert rows.offsets is None
        assert len(rows.negatives(0, 5)) == 999


def test_large_vocabularies_get_100_uniform_candidates():
    stream = stream_of(1001)
    protocol = protocol_for(stream)
    first = protocol.split.validation_end
    assert dict(protocol.test.rule)["rule"] == "uniform"
    for at, row in enumerate(protocol.test):
        assert len(row) == 100
        assert stream.destinations[first + at] not in row


def test_everything_can_be_overridden():
    stream = stream_of(30, count=370)
    protocol = protocol_for(
        stream, name="mine", split=by_fraction(stream, test=0.3),
        candidates=CandidateRule("distinct", 5, seed=1), threads=2, provenance={"file": "a.csv"},
    )  # fmt: skip
    assert protocol.name == "mine"
    assert protocol.split.rule["rule"] == "event-fractions"
    assert protocol.split.sizes == (220, 60, 120)
    assert [len(set(row.tolist())) for row in protocol.test] == [5] * 120
    assert protocol.describe()["data"]["provenance"] == {"file": "a.csv"}
    other = protocol_for(
        stream, split=by_fraction(stream, test=0.3), candidates=CandidateRule("distinct", 5)
    )
    assert other.test.digest() != protocol.test.digest()


def test_text_ids_and_all_can_be_evaluated():
    result = evaluate(
        protocol_for(stream_of(20)), seeds=(1,), settings=FitSettings(epochs=2, patience=1)
    )
    assert 0 < result.mrr() < 1
    # Destinations are drawn at random: the rank of one among 20 is what chance gives.
    assert result.mrr() == pytest.approx(np.mean(1 / np.arange(1, 21)), abs=0.1)


def test_streams_that_cannot_be_split_are_refused():
    with pytest.raises(SettingError, match="cannot be split in three"):
        protocol_for(EventStream.from_arrays([0, 0], [0, 1], [0, 1]))
    with pytest.raises(SettingError, match="split is empty"):
        protocol_for(EventStream.from_arrays([0] * 9, [0, 1, 2] * 3, [0] * 9))
