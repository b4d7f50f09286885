"""The five examples: chosen by the stated rule, explained by what the predictor would say."""

from __future__ import annotations

import numpy as np
import pytest

from linkgram import LinkPredictor
from linkgram.evaluation.together import rank_together, resolved_on
from linkgram.studies.catalogue import run_study
from linkgram.studies.coverage import coverage
from linkgram.studies.examples import chosen_queries


@pytest.fixture
def explained(finished):
    result, _ = run_study("examples", finished)
    return result.series["queries"]


def predictor_of(subject, row):
    chosen = subject.comparison.chosen
    best = max(chosen["runs"], key=lambda run: max(run["validation_mrr"]))
    configuration = next(
        resolved_on(subject.protocol, one)
        for one in _configurations(subject)
        if one.backoff == chosen["settings"]["backoff"]
    )
    stream = subject.protocol.stream
    predictor = LinkPredictor(
        configuration, weights=list(best["weights"].values()),
        destinations=stream.destination_ids.tolist(),
    )  # fmt: skip
    predictor.observe(stream[:row])
    return predictor, configuration, list(best["weights"].values())


def _configurations(subject):
    from linkgram.evaluation.compare import paper_configurations

    return paper_configurations(subject.protocol)


def test_they_are_the_deciles_of_rank_among_queries_with_a_history(finished, explained):
    _, configuration, weights = predictor_of(finished, 1)
    (ranks,) = rank_together(finished.protocol, [(configuration, [weights])])
    has_history = coverage(finished.protocol.stream, finished.protocol.split).has_history
    ordered = sorted((rank, at) for at, rank in enumerate(ranks[0]) if has_history[at])
    wanted = [ordered[int(share * len(ordered))] for share in (0.1, 0.3, 0.5, 0.7, 0.9)]
    assert [(one["rank"], one["query"]) for one in explained] == wanted


def test_rank_history_and_contributions_are_the_predictor_s(finished, explained):
    stream, first = finished.protocol.stream, finished.protocol.split.validation_end
    for one in explained:
        row = first + one["query"]
        predictor, configuration, _ = predictor_of(finished, row)
        source, positive, time = stream.external(row)
        assert (one["source"], one["positive"], one["time"]) == (source, positive, time)
        negatives = finished.protocol.test.negatives(one["query"], int(stream.destinations[row]))
        ids = [int(stream.destination_ids[z]) for z in negatives]
        assert one["rank"] == predictor.rank(source, positive, ids, time)
        assert one["candidates_ranked"] == len(ids) + 1
        mine = [at for at in range(row) if stream.sources[at] == stream.sources[row]]
        newest = [stream.external(at)[1:] for at in mine[::-1][: configuration.depth]]
        assert [(h["destination"], h["time"]) for h in one["history"]] == newest
        scores = [candidate["score"] for candidate in one["candidates"]]
        assert [c["is_positive"] for c in one["candidates"]].count(True) == 1
        assert scores[:5] == sorted(scores[:5], reverse=True)
        best = max(predictor.score(source, [*ids, positive], time))
        assert scores[0] == pytest.approx(best)
        everything = sorted({*ids, positive})
        parts = predictor.features(source, everything, time) * list(predictor.weights.values())
        for candidate in one["candidates"]:
            told = predictor.explain(source, candidate["destination"], time).contributions
            assert candidate["contributions"] == pytest.approx(told)
            assert sum(told.values()) == pytest.approx(candidate["score"])
            against = np.array(list(told.values())) - parts.mean(axis=0)
            assert list(candidate["against_average"].values()) == pytest.approx(against, abs=1e-9)


def test_few_queries_give_few_examples_and_none_twice():
    ranks, all_of_them = np.array([2.0, 1.0]), np.array([True, True])
    assert chosen_queries(ranks, all_of_them) == [1, 0]
    assert chosen_queries(ranks, ~all_of_them) == []
