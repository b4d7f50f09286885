"""Learn the weights from training events, look at them, and go on observing."""

from linkgram import Configuration
from linkgram.datasets.film_world import film_world
from linkgram.evaluation import fit
from linkgram.evaluation.own import protocol_for

world = film_world(events=4000)
protocol = protocol_for(world, name="films")

fitted = fit(
    protocol.before_test,  # no test event can reach the weights: they are not even given
    protocol.split.training_end,
    protocol.validation,
    Configuration(additions=["co-occurrence"]),
    seeds=[1, 2, 3],
)
print(f"validation MRR {100 * fitted.validation_mrr:.1f} % (event-wise, all films as candidates)")
for name, weight in fitted.mean_weights.items():
    print(f"{name:<16} {weight:+.3f}")

predictor = fitted.predictor(world)
now = float(world.times[-1])
predictor.observe("Ann", "Silent Harbour", now + 60)
print("Ann's next film:", predictor.top_k("Ann", now + 120, k=1)[0][0])
