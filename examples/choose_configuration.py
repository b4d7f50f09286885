"""Let validation choose the backoff and the feature set; the test split is only reported."""

from linkgram import Configuration
from linkgram.datasets.film_world import film_world
from linkgram.evaluation import choices, evaluate
from linkgram.evaluation.own import protocol_for
from linkgram.evaluation.result import best

protocol = protocol_for(film_world(events=4000), name="films")
results = [
    evaluate(protocol, Configuration(backoff=backoff, additions=additions), seeds=[1, 2])
    for backoff in ("marginal", "continuation")
    for additions in choices.feature_sets().values()
]
chosen = best(results)
print("event-wise, every film as candidate, MRR in percent over 2 seeds")
for result in sorted(results, key=lambda result: -result.validation_mrr):
    print(
        f"{'*' if result is chosen else ' '} {result.backoff:<13} {result.facts['feature_set']:<15}"
        f" validation {100 * result.validation_mrr:.2f}  test {100 * result.mrr():.2f}"
    )
