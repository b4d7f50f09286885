"""Results: strict JSON, whole or not at all, never computed twice, every score with its rules."""

from __future__ import annotations

import importlib
import json
import math
import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.support.protocols import busy, stream_over

from linkgram import Configuration
from linkgram.errors import LinkgramError
from linkgram.evaluation import CandidateSet, FitSettings, Result, Split, evaluate
from linkgram.evaluation.result import FORMAT, best, key_of, path_of, write_whole

QUICK = FitSettings(batch=16, epochs=3, patience=2)


@pytest.fixture(scope="module")
def protocol():
    return replace(busy(6, count=300), provenance={"file": "events.csv", "digest": "ab" * 32})


def run(protocol, configuration=None, **options):
    options = {"seeds": (1, 2), "settings": QUICK} | options
    return evaluate(protocol, configuration, **options)


def strict(text):
    """Read JSON as the standard has it: no NaN, no Infinity, no name twice."""

    def refuse(constant):
        raise AssertionError(f"{constant} is not JSON")

    def once(pairs):
        names = [name for name, _ in pairs]
        assert len(set(names)) == len(names)
        return dict(pairs)

    return json.loads(text, parse_constant=refuse, object_pairs_hook=once)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"seeds": (1,)},
        {"configuration": Configuration(decay=math.inf)},
        {"schedules": ["event-wise", "batch(200)", "strict-timestamp"]},
    ],
    ids=["plain", "one seed", "undecayed", "schedules"],
)
def test_the_stored_form_is_strict_json_and_comes_back_as_it_was(protocol, tmp_path, options):
    result = run(protocol, results=tmp_path, **options)
    (path,) = tmp_path.iterdir()
    facts = strict(path.read_text(encoding="utf-8"))
    assert facts == strict(result.to_json())
    loaded = Result.load(path)
    assert loaded.facts == facts
    assert loaded.to_json() == result.to_json()
    assert (loaded.name, loaded.backoff) == ("busy 6", "marginal")
    assert loaded.schedules == result.schedules
    assert loaded.validation_mrr == result.validation_mrr
    for schedule in loaded.schedules:
        assert loaded.mrr(schedule) == result.mrr(schedule)


def test_undecayed_counts_are_stored_as_a_word(protocol):
    facts = strict(run(protocol, Configuration(decay=math.inf)).to_json())
    assert facts["configuration"]["decay"] == "inf"
    assert isinstance(facts["configuration"]["recency"], float)


def test_every_score_says_its_schedule_and_its_candidates(protocol):
    chosen = ["event-wise", "batch(7)", "strict-timestamp"]
    facts = strict(run(protocol, schedules=chosen).to_json())
    assert list(facts["metrics"]) == chosen == facts["schedules"]
    for stored in facts["runs"]:
        assert list(stored["metrics"]) == chosen
    for part, rows in (("validation", protocol.validation), ("test", protocol.test)):
        assert facts["candidates"][part] == {
            "rule": dict(rows.rule), "digest": rows.digest(), "queries": len(rows),
        }  # fmt: skip
    assert "midrank" in facts["candidates"]["ties"]
    assert facts["data"]["digest"] == protocol.stream.digest()
    assert facts["data"]["provenance"] == dict(protocol.provenance)
    assert facts["split"] == {
        "rule": {"rule": "by hand"}, "training": 180, "validation": 60, "test": 60,
    }  # fmt: skip
    configuration = dict(facts["configuration"])
    configuration["additions"] = tuple(configuration["additions"])
    assert Configuration.from_dict(configuration).is_resolved
    assert facts["seeds"] == [1, 2]
    assert facts["fit"] == {
        "negatives": 1, "learning_rate": 0.01, "batch": 16, "clip": 1.0, "epochs": 3, "patience": 2,
    }  # fmt: skip
    assert {"linkgram", "python", "numpy", "platform"} <= set(facts["versions"])
    assert facts["peak_memory_bytes"] > 0


def test_a_finished_run_is_not_repeated(protocol, tmp_path, monkeypatch):
    module = importlib.import_module("linkgram.evaluation.evaluate")
    calls = []
    real = module.fit
    monkeypatch.setattr(module, "fit", lambda *a, **o: calls.append(1) or real(*a, **o))
    first = run(protocol, results=tmp_path)
    again = run(protocol, results=str(tmp_path), threads=2)
    assert len(calls) == 1
    assert again.facts == strict(first.to_json())
    run(protocol)
    assert len(calls) == 2
    run(protocol, results=tmp_path, seeds=(3,))
    assert len(calls) == 3
    assert len(list(tmp_path.iterdir())) == 2


def other_stream(protocol):
    stream = protocol.stream
    events = list(
        zip(stream.sources.tolist(), stream.destinations.tolist(), stream.times.tolist(),
            strict=True)
    )  # fmt: skip
    events[-1] = (events[-1][0], (events[-1][1] + 1) % 40, events[-1][2])
    return stream_over(events, 40, sources=25)


def key(protocol, configuration=None, **options):
    return run(protocol, configuration, **options).facts["key"]


def test_every_changed_input_changes_the_key(protocol):
    rows = [row.tolist() for row in protocol.test]
    rows[17] = [*rows[17], 3]
    changed = CandidateSet.from_rows(rows, protocol.test.rule)
    validation = CandidateSet.from_rows(list(protocol.validation), {"rule": "renamed"})
    keys = {
        "nothing": key(protocol),
        "name": key(replace(protocol, name="other")),
        "last event": key(replace(protocol, stream=other_stream(protocol))),
        "split rule": key(replace(protocol, split=Split(180, 240, 300, {"rule": "other"}))),
        "test candidates": key(replace(protocol, test=changed)),
        "candidate rule": key(replace(protocol, validation=validation)),
        "provenance": key(replace(protocol, provenance={"file": "events.csv"})),
        "backoff": key(protocol, Configuration(backoff="continuation")),
        "additions": key(protocol, Configuration(additions=("global-recency",))),
        "depth": key(protocol, Configuration(depth=4)),
        "alpha": key(protocol, Configuration(alpha=0.5)),
        "decay": key(protocol, Configuration(decay=3.0)),
        "undecayed": key(protocol, Configuration(decay=math.inf)),
        "recency share": key(protocol, Configuration(recency_share=0.1)),
        "cells": key(protocol, Configuration(cells="float64")),
        "seeds": key(protocol, seeds=(1, 3)),
        "order of seeds": key(protocol, seeds=(2, 1)),
        "schedules": key(protocol, schedules=["batch(200)"]),
        "two schedules": key(protocol, schedules=["event-wise", "batch(200)"]),
    }
    for name in ("negatives", "learning_rate", "batch", "clip", "epochs", "patience"):
        settings = replace(QUICK, **{name: getattr(QUICK, name) + 1})
        keys[name] = key(protocol, settings=settings)
    assert len(set(keys.values())) == len(keys)
    assert all(len(one) == 16 for one in keys.values())


def test_what_changes_no_number_does_not_change_the_key(protocol):
    plain = key(protocol)
    assert key(protocol, threads=3) == plain
    assert key(protocol, settings=replace(QUICK, validation_memory=0)) == plain
    # The same scales, given or found.
    training, validation = protocol.split.durations(protocol.stream)
    given = Configuration(decay=validation, recency=0.01 * training)
    assert key(protocol, given) == plain
    assert key(protocol, schedules=iter(["event-wise"])) == plain
    assert key(protocol, seeds=range(1, 3)) == plain


def test_the_file_is_named_after_data_configuration_and_key(protocol, tmp_path):
    named = replace(protocol, name="../my data/é:1")
    result = run(named, Configuration(backoff="continuation"), results=tmp_path / "new" / "place")
    (path,) = (tmp_path / "new" / "place").iterdir()
    expected = f".._my_data_é_1.continuation.reference.{result.facts['key']}.json"
    assert path.name == expected
    assert path == path_of(tmp_path / "new" / "place", result.facts)


@pytest.mark.parametrize("step", ["write", "replace"])
def test_a_failing_write_leaves_the_old_file_or_none(tmp_path, monkeypatch, step):
    target = tmp_path / "one.json"

    def fail(*_, **__):
        raise OSError("no space left")

    def attempt(text):
        with monkeypatch.context() as patch:
            if step == "replace":
                patch.setattr(Path, "replace", fail)
            else:
                patch.setattr(Path, "write_text", full_disk)
            with pytest.raises(OSError, match="no space left"):
                write_whole(target, text)

    attempt("first")
    assert list(tmp_path.iterdir()) == []
    write_whole(target, "old")
    attempt("new")
    assert [path.name for path in tmp_path.iterdir()] == ["one.json"]
    assert target.read_text() == "old\n"
    write_whole(target, "new")
    assert target.read_text() == "new\n"


def full_disk(path, text, **_):
    """Take some of the text and then fail."""
    path.write_bytes(text[:2].encode())
    raise OSError("no space left")


def test_what_json_cannot_hold_is_refused_before_the_work(protocol, tmp_path, monkeypatch):
    module = importlib.import_module("linkgram.evaluation.evaluate")
    monkeypatch.setattr(module, "fit", lambda *_, **__: pytest.fail("a fit was begun"))
    for value in (math.nan, math.inf, object()):
        odd = replace(protocol, provenance={"value": value})
        with pytest.raises((ValueError, TypeError)):
            run(odd, results=tmp_path)
    assert list(tmp_path.iterdir()) == []


GARBAGE = {
    "empty": b"",
    "text": b"not json",
    "cut": b'{"format": "linkgram-result-1", "key":',
    "binary": b"\xff\xfe\x00",
    "list": b"[]",
    "number": b"1",
    "no format": b"{}",
    "other format": b'{"format": "linkgram-result-0"}',
    "deep": b"[" * 100_000,
}


@pytest.mark.parametrize("content", GARBAGE.values(), ids=GARBAGE)
def test_what_is_not_a_result_is_refused(tmp_path, content):
    path = tmp_path / "result.json"
    path.write_bytes(content)
    with pytest.raises(LinkgramError, match=r"result\.json is not a"):
        Result.load(path)


def test_a_file_that_is_not_there_is_said_so(tmp_path):
    with pytest.raises(FileNotFoundError):
        Result.load(tmp_path / "nothing.json")


def test_numbers_of_numpy_are_stored_as_numbers():
    facts = {"format": FORMAT, "a": np.float64(0.5), "b": np.arange(3), "c": np.int64(2)}
    assert strict(Result(facts).to_json()) == {"format": FORMAT, "a": 0.5, "b": [0, 1, 2], "c": 2}
    assert key_of({"a": np.int64(1), "b": 2}) == key_of({"b": 2, "a": 1}) != key_of({"a": 1})
    with pytest.raises(TypeError, match="set cannot be stored"):
        Result({"a": {1, 2}}).to_json()
    with pytest.raises(ValueError, match="JSON compliant"):
        Result({"a": math.nan}).to_json()


def test_validation_chooses_and_not_the_test():
    def made(validation, test):
        return Result({
            "validation_mrr": {"mean": validation},
            "metrics": {"event-wise": {"mrr": {"mean": test}}},
        })  # fmt: skip

    worse, better = made(0.4, 0.9), made(0.5, 0.1)
    assert best([worse, better]) is best([better, worse]) is better


@pytest.mark.skipif(os.name != "posix", reason="permissions are POSIX's")
def test_what_is_written_may_be_read_by_whom_the_user_lets(tmp_path):
    before = os.umask(0o022)
    try:
        path = write_whole(tmp_path / "page.html", "text")
    finally:
        os.umask(before)
    assert path.stat().st_mode & 0o777 == 0o644
