"""Lazy decay equals eager decay: epochs, landmarks and rescaled rows never show."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from tests.support.naive import NaiveModel
from tests.support.predictors import bits, fed_predictor, observe_all, predictor_of, settings_of
from tests.support.streams import BACKOFFS

TOLERANCE = {"float64": 1e-9, "float32": 1e-5}
DESTINATIONS = list(range(8))
EPOCH = 58 * np.log(2)  # units of tau between two landmarks


def gaps_of(kind: str, rng: np.random.Generator, count: int) -> np.ndarray:
    """Gaps between events in units of tau."""
    return {
        "just below an epoch": np.full(count, EPOCH - 0.001),
        "just above an epoch": np.full(count, EPOCH + 0.001),
        "one epoch exactly": np.full(count, EPOCH),
        "creeping": np.full(count, 0.9),
        "far apart": rng.choice([0.0, 0.1, 41.0, 90.0, 1000.0, 1e6], size=count),
        "a hundred thousand tau": rng.exponential(1e5 / count, size=count),
    }[kind]


KINDS = (
    "just below an epoch",
    "just above an epoch",
    "one epoch exactly",
    "creeping",
    "far apart",
    "a hundred thousand tau",
)


@pytest.mark.parametrize("cells", ["float64", "float32"])
@pytest.mark.parametrize("backoff", BACKOFFS)
@pytest.mark.parametrize("kind", KINDS)
def test_lazy_decay_equals_eager_decay(kind, backoff, cells) -> None:
    rng = np.random.default_rng([3, KINDS.index(kind)])
    tau, count = 7.0, 120
    times = np.cumsum(gaps_of(kind, rng, count)) * tau
    sources, destinations = rng.integers(0, 3, count), rng.integers(0, 6, count)
    events = list(zip(sources.tolist(), destinations.tolist(), times.tolist(), strict=True))
    chosen = settings_of(backoff=backoff, decay=tau, recency=30 * tau)
    twin, predictor = NaiveModel(chosen, 8), predictor_of(
        chosen, cells=cells, destinations=DESTINATIONS
    )  # fmt: skip
    for start in range(0, count, 10):
        chunk = events[start : start + 10]
        observe_all(twin, chunk)
        observe_all(predictor, chunk)
        for source, wait in itertools.product(range(4), (0.0, 0.3, 39.9, 41.0, 1e6)):
            time = chunk[-1][2] + wait * tau
            found = predictor.features(source, DESTINATIONS, time)
            expected = np.array(twin.features(source, DESTINATIONS, time))
            assert np.abs(found - expected).max() <= TOLERANCE[cells], (start, source, wait)


@pytest.mark.parametrize("cells", ["float64", "float32"])
@pytest.mark.parametrize("additions", [(), ("co-occurrence",)])
def test_long_rows_decay_as_eagerly_as_short_ones(additions, cells) -> None:
    rng = np.random.default_rng(5)
    count, all_destinations = 600, list(range(200))
    gaps = rng.choice(
        [0.0, 0.01, 0.5, EPOCH, 3 * EPOCH], size=count, p=[0.3, 0.4, 0.27, 0.02, 0.01]
    )
    events = list(
        zip(
            rng.integers(0, 2, count).tolist(),
            np.minimum(rng.geometric(0.02, count), 199).tolist(),
            np.cumsum(gaps).tolist(),
            strict=True,
        )
    )
    chosen = settings_of(decay=1.0, recency=30.0, additions=additions)
    twin = NaiveModel(chosen, len(all_destinations))
    predictor = predictor_of(chosen, cells=cells, destinations=all_destinations)
    for start in range(0, count, 100):
        chunk = events[start : start + 100]
        observe_all(twin, chunk)
        observe_all(predictor, chunk)
        for source, wait in itertools.product(range(3), (0.0, EPOCH)):
            asked = (source, all_destinations, chunk[-1][2] + wait)
            found, expected = predictor.features(*asked), np.array(twin.features(*asked))
            assert np.abs(found - expected).max() <= TOLERANCE[cells], (start, source, wait)


def test_an_event_keeps_its_weight_when_its_row_sleeps_through_epochs() -> None:
    chosen = settings_of(decay=1.0)
    busy = [(1, 2, 30.0 * k) for k in range(1, 20)]
    events = [(0, 1, 0.0), (0, 3, 0.5), *busy, (0, 1, 600.0), (0, 3, 600.25)]
    twin = NaiveModel(chosen, 8)
    observe_all(twin, events)
    predictor = fed_predictor(chosen, events, destinations=DESTINATIONS)
    found = predictor.features(0, DESTINATIONS, 601.0)
    assert found == pytest.approx(np.array(twin.features(0, DESTINATIONS, 601.0)), abs=1e-9)


@pytest.mark.parametrize("gap", [1.0, 50.0, 1e4, 1e6, 1e12])
def test_a_transition_seen_once_is_never_new_again(gap) -> None:
    chosen = settings_of(backoff="continuation", decay=1.0)
    events = [(0, 1, 0.0), (0, 2, 1.0), (0, 1, 1.0 + gap), (0, 2, 1.0 + 2 * gap)]
    predictor = fed_predictor(chosen, events, cells="float32", destinations=DESTINATIONS)
    backoff = np.exp(predictor.features(99, DESTINATIONS, events[-1][2])[:, 1])
    assert backoff == pytest.approx([0.1, 0.2, 0.2, 0.1, 0.1, 0.1, 0.1, 0.1], abs=1e-7)


def test_without_decay_waiting_changes_only_the_recencies() -> None:
    chosen = settings_of(decay=float("inf"))
    events = [(k % 3, (k * k) % 5, float(k)) for k in range(40)]
    predictor = fed_predictor(chosen, events, destinations=DESTINATIONS)
    names = predictor.configuration.feature_names
    now, later = (predictor.features(1, DESTINATIONS, time) for time in (40.0, 1e9))
    for name, early, late in zip(names, now.T, later.T, strict=True):
        if "recency" not in name:
            assert bits(early) == bits(late), name
