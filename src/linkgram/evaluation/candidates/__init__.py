"""Candidates: the destinations that a query's positive has to outrank.

A `CandidateSet` holds the negatives of consecutive queries. The functions here draw one by a rule:
`historical_random` as TGB drew its files, `tgb_seq` as TGB-Seq drew its own, `uniform`,
`popularity` and `all_destinations`. The rule and its seed stay with the set.
"""

from linkgram.evaluation.candidates.candidate_set import CandidateSet
from linkgram.evaluation.candidates.historical import historical_random
from linkgram.evaluation.candidates.seeded import all_destinations, popularity, tgb_seq, uniform

__all__ = [
    "CandidateSet",
    "all_destinations",
    "historical_random",
    "popularity",
    "tgb_seq",
    "uniform",
]
