"""One fit, three schedules: what a query may know decides what its score means."""

from linkgram.datasets.film_world import film_world
from linkgram.evaluation import evaluate
from linkgram.evaluation.own import protocol_for

SCHEDULES = ["event-wise", "batch(200)", "strict-timestamp"]

protocol = protocol_for(film_world(events=6000), name="films")
result = evaluate(protocol, seeds=[1, 2, 3], schedules=SCHEDULES)

print("candidates: every film; ties: midrank; test MRR in percent, mean and sd over 3 seeds")
for schedule in result.schedules:
    mrr = result.facts["metrics"][schedule]["mrr"]
    low, high = (100 * bound for bound in mrr["interval"])
    print(
        f"{schedule:<17} {100 * mrr['mean']:.2f} ± {100 * mrr['sd']:.2f}, "
        f"95 % of resampled queries {low:.2f} to {high:.2f}"
    )
