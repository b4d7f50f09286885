"""Fit: the slow twin's weights, the same bits however it is done, and no test event in them."""

from __future__ import annotations

import itertools
from dataclasses import astuple, replace

import numpy as np
import pytest
from tests.support import naive_fit as twin
from tests.support.protocols import busy, small, stream_over

from linkgram import Configuration, EventStream, LinkPredictor, _core
from linkgram.errors import LinkgramError, SettingError
from linkgram.evaluation import CandidateSet, FitSettings, Split, fit
from linkgram.evaluation.evaluate import rank_test_queries

ALL = ("co-occurrence", "global-recency", "multi-scale")
SEEDS = (7, 2**64 - 1, 0)
BRISK = FitSettings(batch=16, epochs=40, patience=8)
REPLAYED = replace(BRISK, validation_memory=0)


@pytest.fixture(scope="module")
def protocol():
    return busy(1)


def fitted(protocol, configuration=None, **options):
    options = {"seeds": SEEDS, "settings": BRISK} | options
    return fit(
        protocol.before_test, protocol.split.training_end, protocol.validation,
        configuration or Configuration(additions=ALL),
        training_start=protocol.split.training_start, **options,
    )  # fmt: skip


def runs(fitted):
    """Everything a fit decided; floats compare by value, and there is no NaN among them."""
    return [astuple(run) for run in fitted.runs]


def check_against_twin(events, settings, protocol, configuration, seeds, chosen):
    """Compare with the slow twin; returns whether no rank hung on a rounding."""
    start, training_end = protocol.split.training_start, protocol.split.training_end
    size = protocol.vocabulary_size
    found = fitted(protocol, configuration, seeds=seeds, settings=chosen)
    validation = twin.asked(
        events, settings, size, (training_end, protocol.split.validation_end), protocol.validation
    )
    decided = True
    for run in found.runs:
        rows = twin.training_rows(
            events[:training_end], settings, size, run.seed, chosen.negatives, start
        )
        told = len(run.validation_mrr)
        weights = list(itertools.islice(twin.epochs(rows, run.seed, chosen), told))
        np.testing.assert_allclose(run.weights, weights[run.epoch - 1], rtol=0, atol=1e-6)
        bounds = np.array([twin.mrr(validation, w) for w in weights])
        assert np.all(bounds[:, 0] - 1e-6 <= run.validation_mrr)
        assert np.all(run.validation_mrr <= bounds[:, 2] + 1e-6)
        # Fed with its own MRRs, the rule must end where the run ended.
        stop = (run.epoch, len(run.validation_mrr))
        assert twin.stopping(run.validation_mrr, chosen.patience) == stop
        assert stop[1] == chosen.epochs or stop[1] == run.epoch + chosen.patience
        if np.array_equal(bounds[:, 0], bounds[:, 2]):
            assert twin.stopping(bounds[:, 1].round(9).tolist(), chosen.patience) == stop
        else:
            decided = False
    return decided


@pytest.mark.parametrize("negatives", [1, 3])
def test_weights_epoch_and_validation_mrr_are_the_slow_twin_s(negatives):
    chosen = replace(BRISK, negatives=negatives)
    decided = [
        check_against_twin(
            case.events, case.settings, case.protocol, case.configuration, (seed, seed + 1), chosen
        )
        for seed in range(24)
        for case in [small(seed, length=(100, 160))]
    ]
    # Huge gaps fade all evidence to differences that only rounding decides; most streams have none.
    assert sum(decided) >= 12


@pytest.mark.parametrize("backoff", ["marginal", "continuation"])
@pytest.mark.parametrize("negatives", [1, 3])
def test_default_settings_and_open_time_scales_are_the_slow_twin_s(backoff, negatives):
    protocol = busy(3, count=520)
    stream = protocol.stream
    events = list(
        zip(stream.sources.tolist(), stream.destinations.tolist(), stream.times.tolist(),
            strict=True)
    )  # fmt: skip
    split = protocol.split
    settings = twin.resolved(
        twin.Settings(depth=2, backoff=backoff, additions=ALL),
        stream.times[: split.validation_end].tolist(),
        split.training_end,
    )
    configuration = Configuration(depth=2, backoff=backoff, additions=ALL, cells="float64")
    # 312 training queries: the last batch of 256 is a short one.
    chosen = FitSettings(negatives=negatives, epochs=30, patience=6)
    assert check_against_twin(events, settings, protocol, configuration, (1,), chosen)


@pytest.mark.parametrize("start", [1, 37])
def test_events_before_the_training_start_are_history_and_teach_nothing(start):
    case = small(11, length=(100, 160))
    split = replace(case.protocol.split, training_start=start)
    protocol = replace(case.protocol, split=split)
    assert check_against_twin(
        case.events, case.settings, protocol, case.configuration, SEEDS, BRISK
    )
    assert runs(fitted(protocol)) != runs(fitted(case.protocol))
    # The duration that sets the recency scale begins there too.
    times = protocol.stream.times
    opened = fitted(protocol, Configuration()).configuration
    assert opened.recency == 0.01 * (times[split.training_end - 1] - times[start])


def test_negatives_are_the_documented_draws():
    """The matrix of every seed, and not only what a fit makes of it."""
    case = small(16, length=(100, 160))
    end, size = case.protocol.split.training_end, case.protocol.vocabulary_size
    model = _core.Model(case.configuration.to_dict(), len(case.protocol.stream.source_ids), size)
    matrices = model.extract(case.protocol.stream, 0, end, list(SEEDS), 2, 2)
    for seed, matrix in zip(SEEDS, matrices, strict=True):
        rows = twin.training_rows(case.events[:end], case.settings, size, seed, 2)
        np.testing.assert_allclose(matrix.reshape(rows.shape), rows, rtol=1e-6, atol=1e-6)
    assert not np.array_equal(matrices[0], matrices[1])


def test_a_negative_that_is_the_positive_teaches_nothing():
    events = [(0, 0, float(t)) for t in range(20)]
    stream = stream_over(events, vocabulary_size=1)
    found = fit(stream, 10, CandidateSet.from_rows([[0]] * 10, {}), seeds=[1], settings=BRISK)
    assert found.runs[0].weights == (0.0,) * 8
    assert found.runs[0].validation_mrr == pytest.approx([1 / 1.5] * 9, abs=1e-15)


@pytest.mark.parametrize("cells", ["float32", "float64"])
@pytest.mark.parametrize("backoff", ["marginal", "continuation"])
def test_the_same_fit_gives_the_same_bits_on_any_thread_count_kept_or_replayed(
    protocol, cells, backoff
):
    configuration = Configuration(backoff=backoff, additions=ALL, cells=cells)
    first = fitted(protocol, configuration)
    assert first.validation_kept
    assert first.validation_bytes > 0
    assert len({run.weights for run in first.runs}) == len(SEEDS)
    for threads in (1, 2, 3):
        kept = fitted(protocol, configuration, threads=threads)
        replayed = fitted(protocol, configuration, threads=threads, settings=REPLAYED)
        assert runs(kept) == runs(first)
        assert runs(replayed) == runs(first)
        assert (kept.validation_kept, replayed.validation_kept) == (True, False)


def test_replayed_validation_stops_where_kept_validation_does_beyond_one_pass():
    # 25 epochs are judged in one pass; these runs need one, and two, and end in the middle.
    protocol = busy(5, count=600)
    for epochs in (24, 25, 26, 60):
        kept = replace(BRISK, epochs=epochs, patience=60, learning_rate=1e-3)
        one, other = (
            fitted(protocol, settings=replace(kept, validation_memory=memory))
            for memory in (1 << 30, 0)
        )
        assert runs(one) == runs(other)
        assert len(one.runs[0].validation_mrr) == epochs


def test_memory_that_almost_suffices_gives_the_same_weights(protocol):
    first = fitted(protocol)
    enough = replace(BRISK, validation_memory=first.validation_bytes)
    short = replace(BRISK, validation_memory=first.validation_bytes - 1)
    found = [fitted(protocol, settings=settings, threads=2) for settings in (enough, short)]
    assert [one.validation_kept for one in found] == [True, False]
    assert runs(found[0]) == runs(found[1]) == runs(first)


@pytest.mark.parametrize("share", [0.0, 0.5, 1.5, 2.5])
def test_histories_that_do_not_fit_into_memory_change_nothing(protocol, share):
    """Kept between passes, made again for each pass, or by fewer threads: the same bits."""
    first = fitted(protocol)
    history = LinkPredictor(first.configuration)
    history.observe(protocol.stream)
    size = sum(table["bytes"] for table in history.describe()["tables"].values())
    short = replace(BRISK, history_memory=int(share * size))
    for settings in (short, replace(short, validation_memory=0)):
        found = fitted(protocol, settings=settings, threads=2)
        assert runs(found) == runs(first)
        for schedule in ("event-wise", "batch(7)", "strict-timestamp"):
            expected = rank_test_queries(protocol, first, schedule)
            ranks = rank_test_queries(protocol, found, schedule, threads=2)
            assert ranks.tobytes() == expected.tobytes()


def test_no_test_event_can_change_the_weights(protocol):
    """Law 13: whatever the test split holds, even nothing, the weights are the same bits."""
    stream, end = protocol.stream, protocol.split.validation_end
    before, rng = runs(fitted(protocol)), np.random.default_rng(4)
    shuffled = end + rng.permutation(len(stream) - end)
    size, sources = protocol.vocabulary_size, len(stream.source_ids)

    def with_test(who, what, when):
        columns = zip(
            (stream.sources, stream.destinations, stream.times), (who, what, when), strict=True
        )
        joined = [np.concatenate([old[:end], new.astype(old.dtype)]) for old, new in columns]
        return EventStream(*joined, stream.source_ids, stream.destination_ids)

    count = len(stream) - end
    others = {
        "permuted": with_test(
            stream.sources[shuffled], stream.destinations[shuffled], stream.times[end:]
        ),
        "changed": with_test(
            rng.integers(0, sources, count),
            rng.integers(0, size, count),
            stream.times[-1] + np.arange(count) * 1e6,
        ),
        "truncated": stream[: end + 1],
    }
    for name, other in others.items():
        queries = len(other) - end
        changed = replace(
            protocol,
            stream=other,
            split=Split(protocol.split.training_end, end, len(other), {}),
            test=CandidateSet.from_rows([[0]] * queries, {}),
        )
        assert not np.array_equal(other.destinations, stream.destinations), name
        assert runs(fitted(changed)) == before, name


def test_training_and_validation_events_do_change_the_weights(protocol):
    """The law above could hold of a fit that looks at nothing."""
    before = runs(fitted(protocol))
    for row in (10, protocol.split.training_end - 1):
        what = protocol.stream.destinations.copy()
        what[row] = (what[row] + 1) % protocol.vocabulary_size
        stream = protocol.stream
        other = EventStream(
            stream.sources, what, stream.times, stream.source_ids, stream.destination_ids
        )
        assert runs(fitted(replace(protocol, stream=other))) != before
    candidates = CandidateSet.from_rows([[0, 1]] * len(protocol.validation), {})
    assert runs(fitted(replace(protocol, validation=candidates))) != before


def test_the_order_and_the_company_of_seeds_are_irrelevant(protocol):
    together = {run.seed: astuple(run) for run in fitted(protocol).runs}
    for order in ((0, 7, 2**64 - 1), (7,), (2**64 - 1, 0)):
        found = fitted(protocol, seeds=order, threads=2)
        assert [run.seed for run in found.runs] == list(order)
        assert [astuple(run) for run in found.runs] == [together[seed] for seed in order]


def test_the_kept_epoch_is_the_first_of_the_best(protocol):
    for run in fitted(protocol).runs:
        assert run.best_validation_mrr == max(run.validation_mrr)
        assert run.epoch == 1 + run.validation_mrr.index(max(run.validation_mrr))


def test_summaries_are_of_the_runs(protocol):
    found = fitted(protocol)
    best = [run.best_validation_mrr for run in found.runs]
    assert found.validation_mrr == pytest.approx(np.mean(best), abs=1e-15)
    assert found.best_run.best_validation_mrr == max(best)
    means = np.mean([run.weights for run in found.runs], axis=0)
    assert found.mean_weights == dict(
        zip(found.configuration.feature_names, means.tolist(), strict=True)
    )
    assert found.configuration.is_resolved


def test_time_scales_are_set_as_the_paper_sets_them(protocol):
    training, validation = protocol.split.durations(protocol.stream)
    found = fitted(protocol).configuration
    assert (found.decay, found.recency) == (validation, 0.01 * training)
    given = fitted(protocol, Configuration(decay=3.0, recency=2.0)).configuration
    assert (given.decay, given.recency) == (3.0, 2.0)


def test_durations_of_zero_become_one_unit():
    events = [(0, t % 3, 5.0) for t in range(12)]
    found = fit(
        stream_over(events, 3), 8, CandidateSet.all_destinations(4, 3), seeds=[1], settings=BRISK
    )
    assert (found.configuration.decay, found.configuration.recency) == (1.0, 1.0)


def test_a_predictor_of_a_fit_has_its_best_weights_and_the_stream(protocol):
    found = fitted(protocol)
    predictor = found.predictor(protocol.stream, fixed_vocabulary=True)
    by_hand = LinkPredictor(
        found.configuration,
        weights=found.best_run.weights,
        destinations=protocol.stream.destination_ids,
    )
    by_hand.observe(protocol.stream)
    assert predictor.digest() == by_hand.digest()
    growing = found.predictor(protocol.stream[:5])
    assert growing.describe()["destinations"] == len(set(protocol.stream.destinations[:5]))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("negatives", 0), ("negatives", 1.0), ("negatives", True), ("negatives", 2**31),
        ("batch", 0), ("batch", None), ("epochs", 0), ("epochs", -1), ("patience", 0),
        ("patience", "10"), ("learning_rate", 0), ("learning_rate", float("nan")),
        ("learning_rate", float("inf")), ("learning_rate", "0.1"), ("clip", -1.0),
        ("clip", float("inf")), ("validation_memory", -1), ("validation_memory", 1.5),
        ("validation_memory", 2**62), ("history_memory", -1), ("history_memory", True),
    ],
)  # fmt: skip
def test_settings_that_cannot_be_are_refused(name, value):
    with pytest.raises(SettingError, match=f"setting `{name}` is .*; accepted: a") as caught:
        FitSettings(**{name: value})
    assert caught.value.setting == name


@pytest.mark.parametrize("seeds", [(), (1, 1), (-1,), (2**64,), (1.5,), ("1",), (None,)], ids=str)
def test_seeds_that_cannot_be_are_refused(protocol, seeds):
    with pytest.raises(SettingError, match="setting `seeds`"):
        fitted(protocol, seeds=seeds)


@pytest.mark.parametrize(
    ("start", "end"), [(0, 0), (0, -1), (0, 1600), (0, 2000), (1200, 1200), (-1, 1200)]
)
def test_both_splits_must_have_events(protocol, start, end):
    with pytest.raises(SettingError, match=f"training is rows {start} to {end} of 1600") as caught:
        fit(protocol.before_test, end, protocol.validation, training_start=start)
    assert caught.value.setting == "training_end"


def test_candidates_that_do_not_fit_the_queries_or_the_vocabulary_are_refused(protocol):
    queries = len(protocol.validation)
    for rows, message in (
        (CandidateSet.from_rows([[0]] * (queries + 1), {}), f"for {queries + 1} queries"),
        (CandidateSet.from_rows([[0]] * (queries - 1), {}), f"for {queries - 1} queries"),
        (CandidateSet.from_rows([[0]] * 5 + [[40]] * (queries - 5), {}), "of query 5 is 40"),
    ):
        with pytest.raises(LinkgramError, match=message):
            fitted(replace(protocol, validation=rows) if len(rows) == queries else Odd(rows))


class Odd:
    """A protocol whose candidates are for another number of queries, which `Protocol` refuses."""

    def __init__(self, rows):
        protocol = busy(1)
        self.before_test, self.split, self.validation = protocol.before_test, protocol.split, rows


def test_progress_is_told_and_an_error_in_it_ends_the_fit(protocol):
    endless = FitSettings(batch=1, epochs=10**8, patience=10**8)
    heard = []

    def stop(*said):
        heard.append(said)
        if len(heard) == 2:
            raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        fitted(protocol, settings=endless, progress=stop, threads=2)
    assert len(heard) == 2
    for phase, done, total in heard:
        assert phase in ("extract", "fit")
        assert 0 <= done <= total


def test_more_rows_than_memory_can_hold_are_a_memory_error():
    stream = busy(2, count=100).stream
    settings = Configuration(decay=1.0, recency=1.0).to_dict()
    model = _core.Model(settings, len(stream.source_ids), len(stream.destination_ids))
    with pytest.raises(MemoryError):
        model.extract(stream, 0, 100, [1], 2**40, 1)
    for first, end in ((0, 101), (50, 40), (0, 2**63)):
        with pytest.raises(ValueError, match="of 100 events"):
            model.extract(stream, first, end, [], 1, 1)
