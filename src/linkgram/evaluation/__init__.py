"""Evaluation: split, candidates, schedule, fit, ranks and metrics, by rules written down.

`evaluate(protocol)` does it all, `compare(protocol)` does it for the count baselines too; the parts
stand alone as well. What others published is in `linkgram.evaluation.reference`.
"""

from linkgram.evaluation.candidates import CandidateSet
from linkgram.evaluation.compare import compare
from linkgram.evaluation.comparison import Comparison
from linkgram.evaluation.evaluate import evaluate, rank_test_queries
from linkgram.evaluation.fit import Fit, FitSettings, SeedFit, fit
from linkgram.evaluation.metrics import bootstrap_interval, mean_and_sd, metrics
from linkgram.evaluation.protocol import Protocol
from linkgram.evaluation.ranker import Questions, Ranker, midrank, rank
from linkgram.evaluation.result import Result
from linkgram.evaluation.schedule import Schedule
from linkgram.evaluation.split import Split, by_fraction, by_mask, by_quantile, by_time

__all__ = [
    "CandidateSet",
    "Comparison",
    "Fit",
    "FitSettings",
    "Protocol",
    "Questions",
    "Ranker",
    "Result",
    "Schedule",
    "SeedFit",
    "Split",
    "bootstrap_interval",
    "by_fraction",
    "by_mask",
    "by_quantile",
    "by_time",
    "compare",
    "evaluate",
    "fit",
    "mean_and_sd",
    "metrics",
    "midrank",
    "rank",
    "rank_test_queries",
]
