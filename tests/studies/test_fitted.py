"""Studies of fitted weights against fits made one by one, and plain arithmetic on them."""

from __future__ import annotations

import statistics

import numpy as np
import pytest
from tests.studies.conftest import SETTINGS

from linkgram import Configuration
from linkgram.configuration import BACKOFFS
from linkgram.evaluation import choices, fit, rank_test_queries
from linkgram.studies.catalogue import run_study
from linkgram.studies.depth import DEPTHS
from linkgram.studies.subject import SCHEDULES, Subject
from linkgram.studies.weights import reference_seeds

SEEDS = (1, 2)


def alone(protocol, configuration, seeds=SEEDS):
    return fit(
        protocol.before_test, protocol.split.training_end, protocol.validation, configuration,
        seeds=seeds, settings=SETTINGS,
    )  # fmt: skip


def mrr_of(protocol, configuration, schedule="event-wise", seeds=SEEDS):
    ranks = rank_test_queries(protocol, alone(protocol, configuration, seeds), schedule)
    return [100 * float(np.mean([1 / rank for rank in row])) for row in ranks]


def check_cell(cell, values):
    assert cell["values"] == pytest.approx(values, abs=1e-12)
    assert cell["mean"] == pytest.approx(statistics.fmean(values), abs=1e-12)
    assert cell["sd"] == pytest.approx(statistics.stdev(values), abs=1e-12)


def test_backoff(finished):
    (row,) = run_study("backoff", finished)[0].rows
    marginal, continuation = (
        mrr_of(finished.protocol, Configuration(backoff=one)) for one in BACKOFFS
    )
    check_cell(row["marginal"], marginal)
    check_cell(row["continuation"], continuation)
    check_cell(row["difference"], [c - m for c, m in zip(continuation, marginal, strict=True)])


def test_features(finished):
    rows = run_study("features", finished)[0].rows
    assert len(rows) == 10
    for backoff in BACKOFFS:
        reference = mrr_of(finished.protocol, Configuration(backoff=backoff))
        for name, additions in choices.feature_sets().items():
            (row,) = (r for r in rows if (r["backoff"], r["features"]) == (backoff, name))
            configuration = Configuration(backoff=backoff, additions=additions)
            mrr = mrr_of(finished.protocol, configuration)
            check_cell(row["mrr"], mrr)
            check_cell(row["change"], [a - b for a, b in zip(mrr, reference, strict=True)])
            runs = alone(finished.protocol, configuration).runs
            check_cell(row["validation_mrr"], [100 * max(run.validation_mrr) for run in runs])


def test_weights(finished):
    result, _ = run_study("weights", finished)
    for backoff in BACKOFFS:
        for name, additions in choices.feature_sets().items():
            configuration = Configuration(backoff=backoff, additions=additions)
            runs = alone(finished.protocol, configuration).runs
            rows = [r for r in result.rows if (r["backoff"], r["features"]) == (backoff, name)]
            assert [row["feature"] for row in rows] == list(configuration.feature_names)
            for at, row in enumerate(rows):
                values = [run.weights[at] for run in runs]
                check_cell(row["weight"], values)
                signs = {value > 0 for value in values}
                assert row["sign"] == (
                    "mixed" if len(signs) == 2 else "+" if values[0] > 0 else "-"
                )
                position = row["feature"].removeprefix("transition_")
                assert row["position"] == (int(position) if position.isdigit() else None)
        means = alone(finished.protocol, Configuration(backoff=backoff)).mean_weights
        found = result.series[f"transition_{backoff}"]
        assert found == pytest.approx([means[f"transition_{k}"] for k in range(1, 6)])


def test_small_data_sets_have_more_seeds_of_the_reference_weights(finished, monkeypatch):
    protocol, folder = finished.protocol, finished.directory
    assert reference_seeds(Subject(protocol, folder)) == list(range(1, 21))
    assert reference_seeds(Subject(protocol, folder, seeds=2)) == [1, 2]
    monkeypatch.setattr("linkgram.studies.weights.FEW_EVENTS", protocol.split.training_end - 1)
    assert reference_seeds(Subject(protocol, folder)) == [1, 2, 3]


def test_weights_of_the_reference_are_over_its_own_seeds(finished, tmp_path):
    subject = Subject(finished.protocol, tmp_path, settings=SETTINGS)
    result, _ = run_study("weights", subject)
    assert result.settings["seeds"] == list(range(1, 21))
    assert result.settings["seeds_of_additions"] == [1, 2, 3]
    for row in result.rows:
        seeds = 20 if row["features"] == "reference" else 3
        assert len(row["weight"]["values"]) == seeds
    three = alone(finished.protocol, Configuration(), seeds=(1, 2, 3)).runs
    assert result.rows[0]["weight"]["values"][:3] == [run.weights[0] for run in three]
    assert any("over 20 seeds, the additions over 3" in note for note in result.notes)


def test_depth_has_the_fits_of_every_depth_bit_for_bit(finished):
    result, _ = run_study("depth", finished)
    assert result.column("depth") == list(range(1, 21))
    first = None
    for depth, row in zip(DEPTHS, result.rows, strict=True):
        mrr = mrr_of(finished.protocol, Configuration(depth=depth))
        first = first or mrr
        # No rounding: the shared pass is the separate one.
        assert row["mrr"]["values"] == mrr
        check_cell(row["change"], [a - b for a, b in zip(mrr, first, strict=True)])


def test_smoothing(finished):
    rows = run_study("smoothing", finished)[0].rows
    usual = mrr_of(finished.protocol, Configuration())
    for alpha, row in zip((0.1, 1.0, 10.0), rows, strict=True):
        mrr = mrr_of(finished.protocol, Configuration(alpha=alpha))
        assert row["alpha"] == alpha
        check_cell(row["mrr"], mrr)
        check_cell(row["change"], [a - b for a, b in zip(mrr, usual, strict=True)])


def test_main_and_timing_have_the_same_weights_under_every_schedule(finished):
    main, timing = (run_study(name, finished)[0] for name in ("main", "timing"))
    three = choices.additions_of("all-three")
    by_backoff = {backoff: Configuration(backoff=backoff, additions=three) for backoff in BACKOFFS}
    judged = {}
    for row in main.rows[:2]:
        configuration = by_backoff[row["backoff"]]
        check_cell(row["mrr"], mrr_of(finished.protocol, configuration))
        judged[row["backoff"]] = alone(finished.protocol, configuration).validation_mrr
        assert row["validation_mrr"]["mean"] == pytest.approx(100 * judged[row["backoff"]])
    chosen = max(judged, key=judged.__getitem__)
    assert [row["backoff"] for row in main.rows if row["chosen"]] == [chosen]
    ours = [row for row in timing.rows if row["kind"] == "ours"]
    assert [row["schedule"] for row in ours] == list(SCHEDULES)
    event_wise = mrr_of(finished.protocol, by_backoff[chosen])
    for row in ours:
        mrr = mrr_of(finished.protocol, by_backoff[chosen], row["schedule"])
        check_cell(row["mrr"], mrr)
        check_cell(row["change"], [a - b for a, b in zip(mrr, event_wise, strict=True)])


def test_baselines_of_main_and_timing_agree(finished):
    main, timing = (run_study(name, finished)[0] for name in ("main", "timing"))
    there = {row["method"]: row["mrr"] for row in main.rows if row["kind"] == "baseline"}
    assert {"EdgeBank", "heuristic", "PopTrack", "Base3", "t-CoMem"} <= there.keys()
    for row in timing.rows:
        if row["kind"] == "baseline":
            event_wise = there[row["method"]]
            if row["schedule"] == "event-wise":
                assert (row["mrr"], row["change"]) == (event_wise, 0.0)
            assert row["mrr"] - row["change"] == pytest.approx(event_wise)


def test_every_score_says_its_schedule_candidates_ties_and_split(finished):
    for name in ("main", "backoff", "features", "depth", "smoothing", "timing", "examples"):
        measured = run_study(name, finished)[0].measured
        assert measured["schedule"].startswith("event-wise")
        assert measured["candidates"]["rule"] == "ragged"
        assert measured["ties"].startswith("midrank")
        assert measured["split"]["test"] == finished.protocol.split.sizes[2]
