"""Observe events one by one, ask for the next destination, and see why.

Counts only: the weights are set by hand here. `fitted_weights.py` learns them.
"""

from linkgram import Configuration, LinkPredictor

HOUR, DAY = 3600.0, 86_400.0

settings = Configuration(depth=2, decay=30 * DAY, recency=HOUR)
weights = {
    "popularity": 0.1,
    "source_history": 0.2,
    "transition_1": 1.0,
    "transition_2": 0.1,
    "source_recency": 0.3,
}
predictor = LinkPredictor(settings, weights=weights)

visits = [
    ("ann", "home"), ("ben", "home"), ("ann", "search"), ("ann", "basket"),
    ("ben", "search"), ("ben", "basket"), ("eva", "home"), ("eva", "search"),
]  # fmt: skip
for minute, (visitor, page) in enumerate(visits):
    predictor.observe(visitor, page, 60.0 * minute)

now = 60.0 * len(visits)
for page, score in predictor.top_k("eva", now, k=3):
    print(f"{page:<8} {score:+.3f}")
print(predictor.explain("eva", "basket", now))
