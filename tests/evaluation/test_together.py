"""Shared passes give what separate fits give, bit for bit: weights, epochs, ranks."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from tests.support.protocols import busy, small

from linkgram import Configuration
from linkgram.configuration import ADDITIONS
from linkgram.evaluation import FitSettings, Schedule, fit, rank_test_queries
from linkgram.evaluation import together as module
from linkgram.evaluation.together import (
    columns_of,
    fit_together,
    rank_together,
    shared_passes,
)

SETTINGS = FitSettings(epochs=6, patience=3)
SETS = [set_ for size in range(4) for set_ in itertools.combinations(ADDITIONS, size)]


def separately(protocol, configuration, seeds, schedules):
    fitted = fit(
        protocol.before_test, protocol.split.training_end, protocol.validation, configuration,
        seeds=seeds, settings=SETTINGS, training_start=protocol.split.training_start,
    )  # fmt: skip
    return fitted.runs, [rank_test_queries(protocol, fitted, one) for one in schedules]


def check_equal(protocol, configurations, seeds=(1, 2), schedules=("event-wise", "batch(7)")):
    fits = fit_together(protocol, configurations, seeds, settings=SETTINGS)
    weighted = [
        (one, [run.weights for run in runs]) for one, runs in zip(configurations, fits, strict=True)
    ]
    ranks = [rank_together(protocol, weighted, schedule) for schedule in schedules]
    for at, configuration in enumerate(configurations):
        runs, expected = separately(protocol, configuration, seeds, schedules)
        assert fits[at] == runs, configuration
        for mine, theirs in zip(ranks, expected, strict=True):
            np.testing.assert_array_equal(mine[at], theirs)


@pytest.mark.parametrize("cells", ["float32", "float64"])
@pytest.mark.parametrize("backoff", ["marginal", "continuation"])
def test_every_feature_set_is_as_if_it_were_fitted_alone(backoff, cells):
    check_equal(
        busy(3, 900), [Configuration(backoff=backoff, additions=one, cells=cells) for one in SETS]
    )


@pytest.mark.parametrize("backoff", ["marginal", "continuation"])
def test_every_depth_is_a_prefix_and_as_if_it_were_fitted_alone(backoff):
    depths = [Configuration(backoff=backoff, depth=k) for k in (1, 2, 3, 5, 8, 20)]
    assert len(shared_passes(depths)) == 1
    check_equal(busy(4, 900), depths)


@pytest.mark.parametrize("seed", range(6))
def test_also_on_nasty_streams(seed):
    case = small(seed)
    base = {"alpha": case.settings.alpha, "backoff": case.settings.backoff}
    check_equal(
        case.protocol,
        [
            Configuration(depth=3, **base),
            Configuration(depth=1, additions=("multi-scale",), **base),
            Configuration(depth=2, additions=("co-occurrence",), **base),
            Configuration(depth=3, additions=ADDITIONS, **base),
        ],
        schedules=("event-wise", "strict-timestamp"),
    )


def test_a_small_budget_of_copies_changes_nothing(monkeypatch):
    protocol = busy(5, 900)
    configurations = [Configuration(depth=k) for k in (1, 2, 3)]
    at_once = fit_together(protocol, configurations, (1, 2), settings=SETTINGS)
    monkeypatch.setattr(module, "MOST_COPIED", 1)
    assert fit_together(protocol, configurations, (1, 2), settings=SETTINGS) == at_once


def test_only_what_can_be_shared_is():
    configurations = [
        Configuration(),
        Configuration(depth=9),
        Configuration(alpha=2.0),
        Configuration(backoff="continuation"),
        Configuration(additions=("multi-scale",)),
        Configuration(additions=("co-occurrence",)),
        Configuration(additions=("co-occurrence", "global-recency")),
        Configuration(depth=2, additions=("co-occurrence",)),
    ]
    passes = shared_passes(configurations)
    assert [one.members for one in passes] == [(0, 1, 4), (2,), (3,), (5, 6), (7,)]
    assert passes[0].widest == Configuration(depth=9, additions=("multi-scale",))
    for one in passes:
        for member in one.members:
            names = configurations[member].feature_names
            columns = columns_of(configurations[member], one.widest)
            assert tuple(one.widest.feature_names[column] for column in columns) == names
            assert columns == sorted(columns)


def test_schedules_may_be_given_as_such():
    protocol = busy(6, 300)
    weighted = [(Configuration(depth=1), [[0.1, 0.5, 1.0, 2.0]])]
    by_text = rank_together(protocol, weighted, "batch(5)")
    np.testing.assert_array_equal(rank_together(protocol, weighted, Schedule("batch", 5)), by_text)
