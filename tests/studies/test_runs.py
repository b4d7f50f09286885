"""Runs are made once, kept whole, and go on where they stopped."""

from __future__ import annotations

import json

import pytest

from linkgram import Configuration
from linkgram.errors import LinkgramError
from linkgram.studies import STUDIES, Subject, run_study, runs
from linkgram.studies import subject as subject_module
from linkgram.studies.paper import run_studies

CONFIGURATIONS = [Configuration(depth=1), Configuration(depth=3)]


class Spy:
    """Counts the calls of a function, and may end one as Ctrl-C would."""

    def __init__(self, function, interrupt_at=None):
        self.function, self.calls, self.interrupt_at = function, [], interrupt_at

    def __call__(self, *args, **named):
        self.calls.append(args)
        if len(self.calls) == self.interrupt_at:
            raise KeyboardInterrupt
        return self.function(*args, **named)


@pytest.fixture
def spies(monkeypatch):
    found = {}
    for module, name in (
        (runs, "fit_together"), (runs, "rank_together"), (subject_module, "compare"),
    ):  # fmt: skip
        found[name] = Spy(getattr(module, name))
        monkeypatch.setattr(module, name, found[name])
    return found


def again(subject: Subject) -> Subject:
    """The same data set in a new process, as it were."""
    return Subject(subject.protocol, subject.directory, subject.seeds, subject.settings)


def contents(folder):
    return {
        path: (path.stat().st_mtime_ns, path.read_bytes())
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_a_second_run_of_every_study_does_nothing(subject, spies):
    assert all(run_study(name, subject)[1] for name in STUDIES)
    assert spies["compare"].calls
    before = contents(subject.directory)
    for spy in spies.values():
        spy.calls.clear()
    later = again(subject)
    for name in STUDIES:
        result, made = run_study(name, later)
        assert not made
        assert result.study == name
    assert not any(spy.calls for spy in spies.values())
    assert contents(subject.directory) == before


def test_no_configuration_is_fitted_twice(subject, spies):
    for name in ("features", "backoff", "weights", "depth", "smoothing"):
        run_study(name, subject)
    fitted = [one for call in spies["fit_together"].calls for one in call[1]]
    assert len(fitted) == len(set(fitted)) == 10 + 19 + 2


def test_more_seeds_and_schedules_are_added_to_those_there_are(subject, spies):
    first = subject.runs.of(CONFIGURATIONS, [1, 2])
    later = again(subject).runs
    more = later.of(CONFIGURATIONS, [1, 2, 3], ["event-wise", "batch(5)"])
    assert [call[2] for call in spies["fit_together"].calls] == [(1, 2), (3,)]
    for old, new in zip(first, more, strict=True):
        assert [run.weights for run in old] == [run.weights for run in new[:2]]
        assert [set(run.mrr) for run in new] == [{"event-wise", "batch(5)"}] * 3
    at_once = Subject(subject.protocol, subject.directory / "other", 3, subject.settings)
    assert at_once.runs.of(CONFIGURATIONS, [1, 2, 3], ["event-wise", "batch(5)"]) == more


def test_other_settings_are_other_runs(subject, spies):
    subject.runs.of(CONFIGURATIONS[:1], [1])
    subject.runs.of([Configuration(depth=1, alpha=2.0)], [1])
    assert len(spies["fit_together"].calls) == 2
    assert len(list((subject.directory / runs.FOLDER).iterdir())) == 2


@pytest.mark.parametrize("at", [1, 2, 3])
def test_an_interrupted_study_leaves_whole_files_and_goes_on(subject, monkeypatch, at):
    spy = Spy(runs.fit_together, interrupt_at=at)
    monkeypatch.setattr(runs, "fit_together", spy)
    names = ("features", "depth", "smoothing")
    with pytest.raises(KeyboardInterrupt):
        run_studies(subject, names)
    kept = contents(subject.directory)
    assert not [path for path in kept if path.suffix != ".json"]
    for _, text in kept.values():
        json.loads(text)
    spy.interrupt_at = None
    spy.calls.clear()
    later = again(subject)
    resumed = [run_study(name, later)[0] for name in names]
    assert len(spy.calls) == {1: 3, 2: 2, 3: 1}[at]
    untouched = Subject(
        subject.protocol, subject.directory / "other", subject.seeds, subject.settings
    )
    for one, other in zip(resumed, (run_study(name, untouched)[0] for name in names), strict=True):
        assert (one.key, one.rows) == (other.key, other.rows)


def test_an_interruption_while_a_file_is_written_leaves_the_old_one(subject, monkeypatch):
    subject.runs.of(CONFIGURATIONS[:1], [1])
    before = contents(subject.directory)

    def interrupted(self, target):
        raise KeyboardInterrupt

    monkeypatch.setattr("pathlib.Path.replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        again(subject).runs.of(CONFIGURATIONS[:1], [1, 2])
    assert contents(subject.directory) == before


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"format": "other", "runs": []}', '{"runs": [{"seed": "x"}]}']
)
def test_a_file_that_holds_no_runs_is_refused_with_its_name(subject, text):
    subject.runs.of(CONFIGURATIONS[:1], [1])
    (path,) = (subject.directory / runs.FOLDER).iterdir()
    path.write_text(text)
    with pytest.raises(LinkgramError, match=f"{path.name}.*delete it"):
        again(subject).runs.of(CONFIGURATIONS[:1], [1])


def test_an_unknown_study_is_refused_with_the_known_ones(subject):
    with pytest.raises(LinkgramError, match="study 'depht' is unknown; accepted: profile,"):
        run_study("depht", subject)
