"""Comparisons: the same queries for all, paired intervals, nothing computed twice."""

from __future__ import annotations

import importlib
import json
import math
from dataclasses import replace

import numpy as np
import pytest
from tests.support.protocols import busy

from linkgram import Configuration
from linkgram.errors import LinkgramError, SettingError
from linkgram.evaluation import FitSettings, Schedule, evaluate, metrics, reference
from linkgram.evaluation.baselines import evaluate_baselines
from linkgram.evaluation.compare import compare, paper_configurations
from linkgram.evaluation.comparison import Comparison
from linkgram.evaluation.comparison_records import FIELDS, document, records
from linkgram.evaluation.comparison_tables import (
    main_table,
    methods_table,
    no_published_figures,
    tables_of,
    timing_table,
)

MODULE = importlib.import_module("linkgram.evaluation.compare")
QUICK = FitSettings(batch=16, epochs=3, patience=2)
SCHEDULES = ("event-wise", "batch(7)")


@pytest.fixture(scope="module")
def protocol():
    return busy(4, count=600)


def run(protocol, configurations=None, **options):
    options = {"seeds": (1, 2), "settings": QUICK, "schedules": SCHEDULES} | options
    return compare(protocol, configurations, **options)


@pytest.fixture(scope="module")
def comparison(protocol):
    return run(protocol)


@pytest.fixture(scope="module")
def ranks(protocol):
    """What each method's rows of ranks are, by name, from its own command."""
    found = {
        one.name: {name: row[np.newaxis] for name, row in one.ranks.items()}
        for one in evaluate_baselines(protocol, SCHEDULES)
    }
    for configuration in paper_configurations(protocol):
        result = evaluate(
            protocol, configuration, seeds=(1, 2), settings=QUICK, schedules=SCHEDULES
        )
        found[f"ours ({result.backoff})"] = dict(result.ranks)
    return found


def benchmark_like(protocol, name="tgbl-enron", candidates="the benchmark's"):
    return replace(protocol, name=name, provenance={"benchmark": "TGB", "candidates": candidates})


def test_every_method_has_the_metrics_of_its_own_evaluation(comparison, ranks):
    assert [row["name"] for row in comparison.methods] == list(ranks)
    for row in comparison.methods:
        for schedule in SCHEDULES:
            by_seed = [metrics(one) for one in ranks[row["name"]][schedule]]
            for name, value in row["metrics"][schedule].items():
                assert value["mean"] == pytest.approx(np.mean([one[name] for one in by_seed]))
                assert (value["sd"] is None) == (row["kind"] == "baseline")


def test_validation_chooses_the_backoff(comparison):
    assert [row["chosen"] for row in comparison.ours].count(True) == 1
    best = max(row["validation_mrr"]["mean"] for row in comparison.ours)
    assert comparison.chosen["validation_mrr"]["mean"] == best
    assert not any(row["chosen"] for row in comparison.methods if row["kind"] == "baseline")
    assert all(comparison.chosen["behind"].get(schedule) is None for schedule in SCHEDULES)


def slow_interval(values):
    """Percentile bootstrap over blocks of neighbouring queries, one number at a time."""
    count = len(values)
    blocks = min(count, 1000)
    edges = [int(count * at / blocks) for at in range(blocks + 1)]
    random = np.random.Generator(np.random.PCG64(0))
    means = []
    for _ in range(1000):
        drawn = []
        for block in random.integers(0, blocks, blocks).tolist():
            drawn += values[edges[block] : edges[block + 1]]
        means.append(math.fsum(drawn) / len(drawn))
    means.sort()

    def quantile(share):
        place = share * (len(means) - 1)
        below = math.floor(place)
        return means[below] + (place - below) * (means[below + 1] - means[below])

    return quantile(0.025), quantile(0.975)


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_differences_are_paired_by_query(comparison, ranks, schedule):
    def per_query(name):
        rows = ranks[name][schedule].tolist()
        return [
            math.fsum(1 / rank for rank in query) / len(rows) for query in zip(*rows, strict=True)
        ]

    ours = per_query(comparison.chosen["name"])
    for name in ("EdgeBank", "heuristic", "PopTrack"):
        differences = [a - b for a, b in zip(ours, per_query(name), strict=True)]
        found = comparison.method(name)["behind"][schedule]
        assert found["mean"] == pytest.approx(math.fsum(differences) / len(differences), abs=1e-12)
        assert found["interval"] == pytest.approx(slow_interval(differences), abs=1e-12)


def test_a_paired_interval_is_narrower_than_the_two_it_is_made_of(protocol):
    """The backoffs err on the same queries, so their difference is known better than either."""
    comparison = run(protocol)
    (other,) = (row for row in comparison.ours if not row["chosen"])
    low, high = other["behind"]["event-wise"]["interval"]
    alone = other["metrics"]["event-wise"]["mrr"]["interval"]
    assert high - low < (alone[1] - alone[0]) / 2


def test_threads_and_repetition_change_nothing(protocol, comparison):
    again = run(protocol, threads=3)
    ignored = ("seconds", "threads", "peak_memory_bytes")
    for name in comparison.facts.keys() - set(ignored):
        assert again.facts[name] == comparison.facts[name], name


def test_a_finished_comparison_is_not_repeated(protocol, tmp_path, monkeypatch):
    first = run(protocol, results=tmp_path)
    assert len(list(tmp_path.iterdir())) == 3
    for name in ("evaluate", "evaluate_baselines"):
        monkeypatch.setattr(MODULE, name, lambda *_, **__: pytest.fail("begun again"))
    again = run(protocol, results=tmp_path, threads=2)
    assert again == first
    assert len(list(tmp_path.iterdir())) == 3


def test_baselines_of_other_settings_are_another_comparison(protocol, tmp_path, monkeypatch):
    first = run(protocol, results=tmp_path)
    baselines = importlib.import_module("linkgram.evaluation.baselines")
    monkeypatch.setattr(baselines, "POP_TRACK_DECAYS", (1.0,))
    monkeypatch.setattr(MODULE, "FAMILIES", baselines.FAMILIES | {"PopTrack": [200, (1.0,)]})
    again = run(protocol, results=tmp_path)
    assert again.facts["key"] != first.facts["key"]
    assert again.method("PopTrack")["settings"]["decay"] == 1.0


def test_an_interrupted_comparison_goes_on_from_the_fits(
    protocol, tmp_path, monkeypatch, comparison
):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(MODULE, "evaluate_baselines", interrupted)
        with pytest.raises(KeyboardInterrupt):
            run(protocol, results=tmp_path)
    stored = sorted(path.name for path in tmp_path.iterdir())
    assert len(stored) == 2
    evaluating = importlib.import_module("linkgram.evaluation.evaluate")
    monkeypatch.setattr(evaluating, "fit", lambda *_, **__: pytest.fail("fitted again"))
    found = run(protocol, results=tmp_path)
    assert found.facts["methods"] == comparison.facts["methods"]
    assert set(stored) < {path.name for path in tmp_path.iterdir()}


@pytest.mark.parametrize("changes", [{}, {"decay": math.inf}, {"cells": "float64", "depth": 2}])
def test_a_stored_result_ranks_as_its_fit_did(protocol, tmp_path, changes):
    configuration = Configuration(additions=("co-occurrence",), **changes)
    result = evaluate(
        protocol, configuration, seeds=(1, 5), settings=QUICK, schedules=SCHEDULES, results=tmp_path
    )
    loaded = type(result).load(next(tmp_path.iterdir()))
    assert not loaded.ranks
    schedules = [Schedule.parse(schedule) for schedule in SCHEDULES]
    again = MODULE._ranks(protocol, loaded, schedules, 2, None)
    for schedule in SCHEDULES:
        np.testing.assert_array_equal(again[schedule], result.ranks[schedule])


def test_other_inputs_are_another_comparison(protocol, comparison):
    keys = {
        comparison.facts["key"],
        run(protocol, seeds=(1, 3)).facts["key"],
        run(protocol, schedules=("event-wise",)).facts["key"],
        run(protocol, [Configuration()]).facts["key"],
        run(protocol, [Configuration(depth=2)]).facts["key"],
        run(replace(protocol, name="other")).facts["key"],
    }
    assert len(keys) == 6
    assert run(protocol).facts["key"] == comparison.facts["key"]
    twice = run(protocol, schedules=[*SCHEDULES, "batch-7", "event-wise"])
    assert twice.facts["key"] == comparison.facts["key"]


def test_it_is_stored_as_strict_json(comparison, tmp_path):
    path = comparison.save(tmp_path)
    assert path.name == f"busy_4.comparison.{comparison.facts['key']}.json"
    assert Comparison.load(path) == comparison
    assert json.loads(path.read_text(), parse_constant=pytest.fail) == comparison.facts
    undecayed = run(busy(5, count=300), [Configuration(decay=math.inf)], seeds=(1,))
    assert Comparison.load(undecayed.save(tmp_path)) == undecayed


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[]",
        b"{}",
        b'{"format": "linkgram-result-1"}',
        b'{"format": "linkgram-comparison-1", "key": ""}',
        b"[" * 9999,
    ],
)
def test_what_is_no_comparison_is_refused(tmp_path, content):
    path = tmp_path / "c.json"
    path.write_bytes(content)
    with pytest.raises(LinkgramError, match=r"c\.json is not a"):
        Comparison.load(path)


@pytest.mark.parametrize(
    ("configurations", "schedules", "match"),
    [
        ([], SCHEDULES, "accepted: one or two configurations of different backoffs"),
        ([Configuration(), Configuration(depth=2)], SCHEDULES, "different backoffs"),
        (None, (), "needs a schedule"),
        (None, ("batch(0)",), "1 or more"),
    ],
)
def test_senseless_comparisons_are_refused(protocol, configurations, schedules, match):
    with pytest.raises(SettingError, match=match):
        run(protocol, configurations, schedules=schedules)


def test_own_data_has_no_published_figures_and_says_so(comparison):
    assert comparison.paper is None
    assert document(comparison)["published"] == []
    assert "busy 4 is in none of the paper's tables" in document(comparison)["note"]
    assert all(record["published"] is None for record in records(comparison))
    for table in tables_of(comparison)[:2]:
        assert any("no published figures" in note for note in table.notes)
        assert [row[1] for row in table.rows] == ["measured"] * len(table.rows)
        assert not any("neural" in column.heading for column in table.columns)


def test_a_benchmark_s_name_alone_brings_no_figures(protocol):
    for other in (
        replace(protocol, name="tgbl-enron"),
        replace(protocol, name="tgbl-enron", provenance={"file": "tgbl-enron"}),
        benchmark_like(protocol, candidates="asked for"),
        replace(benchmark_like(protocol), name="Yelp"),
    ):
        comparison = run(other, [Configuration()], seeds=(1,), schedules=("event-wise",))
        assert comparison.paper is None
        assert "the benchmark's own events and candidates" in no_published_figures(comparison)


@pytest.fixture(scope="module")
def published(protocol):
    """A comparison that is taken for the benchmark's, to see where its figures go."""
    schedules = ("event-wise", "batch(200)", "strict-timestamp")
    return run(benchmark_like(protocol), schedules=schedules)


def texts(row):
    return [cell if isinstance(cell, str) else cell.text for cell in row]


def test_the_main_table_has_the_paper_s_row_below_ours(published):
    table = main_table(published)
    measured, paper, difference = table.rows
    assert texts(paper) == [
        "", "paper", "15.60", "84.66", "48.65", "86.82 ± 0.01", "86.83 ± 0.03", "37.90", "TNCN",
    ]  # fmt: skip
    for ours, theirs, change in zip(measured[2:7], paper[2:7], difference[2:7], strict=True):
        assert change.value == pytest.approx(float(ours.mean) - theirs.value, abs=1e-9)
        assert change.signed
    assert [cell.bold for cell in paper[2:8]] == [False, False, False, False, True, False]
    assert "as its authors measured it" in " ".join(table.notes)


def test_the_timing_table_has_a_block_a_schedule(published):
    table = timing_table(published)
    assert [row[1] for row in table.rows] == ["measured", "paper", "difference"] * 3
    assert [row[0] for row in table.rows if row[0]] == published.schedules
    assert texts(table.rows[4])[2:6] == ["14.14", "54.93", "45.17", "52.46 ± 0.17"]
    assert texts(table.rows[7])[2:6] == ["", "", "", "53.50 ± 0.18"]


@pytest.mark.parametrize("backoff", ["marginal", "continuation"])
def test_one_backoff_alone_says_what_the_paper_s_is(protocol, backoff):
    """The paper chose continuation on tgbl-enron; its timing table is of that."""
    comparison = run(benchmark_like(protocol), [Configuration(backoff=backoff)], seeds=(1,))
    rest = (
        "here and in the paper" if backoff == "continuation" else "here, continuation in the paper"
    )
    note = f"ours is the backoff that was asked for: {backoff} {rest}"
    assert note in timing_table(comparison).notes


def test_a_batch_that_the_paper_does_not_have_stands_alone(protocol):
    comparison = run(benchmark_like(protocol), seeds=(1,), schedules=("batch(7)",))
    assert [row[1] for row in timing_table(comparison).rows] == ["measured"]
    assert [row[1] for row in main_table(comparison).rows] == ["measured"]


def test_every_table_says_schedule_candidates_and_ties(published, comparison):
    for made in (published, comparison):
        for table in tables_of(made):
            assert table.notes[0].startswith("schedule: ")
            assert "test candidates: ragged" in table.notes[0]
            assert "ties: midrank" in table.notes[0]
        for schedule in made.schedules:
            assert schedule in methods_table(made, schedule).title


def test_all_methods_stand_in_their_table_without_single_rules(published):
    rows = methods_table(published, "event-wise").rows
    assert [row[0] for row in rows] == [
        "EdgeBank", "EdgeBank unlimited", "EdgeBank window", "heuristic", "heuristic (64 orders)",
        "PopTrack", "Base3", "Base3 tuned", "t-CoMem",
        *(f"{row['name']}{' *' if row['chosen'] else ''}" for row in published.ours),
    ]  # fmt: skip
    assert {len(row) for row in rows} == {len(methods_table(published, "event-wise").columns)}


def test_a_record_a_score_with_its_rules(published):
    found = records(published)
    measured = [record for record in found if record["kind"] != "published"]
    assert len(measured) == 3 * len(published.methods)
    for record in found:
        assert tuple(record) == FIELDS
        assert record["schedule"]
        assert record["candidates"]
        assert (record["kind"] == "published") == (record["mrr"] is None)
    neural = next(record for record in found if record["method"] == "TNCN")
    figure = reference.paper("tgbl-enron").neural
    assert (neural["published"], neural["source"]) == (37.90, figure.source.title)
    assert neural["schedule"] == figure.schedule
