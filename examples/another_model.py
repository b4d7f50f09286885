"""Rank a model of your own under the same rules: any object with `observe` and `score`.

It is called once for each group of the schedule, so a neural model can work in batches.
"""

import numpy as np

from linkgram.datasets.film_world import film_world
from linkgram.evaluation import metrics, rank
from linkgram.evaluation.own import protocol_for


class LastVisit:
    """Scores a destination by when the source was last there."""

    def __init__(self, sources: int, destinations: int) -> None:
        self.last = np.full((sources, destinations), -np.inf)

    def observe(self, events):
        """Learn from events; they come in the order of the stream."""
        self.last[events.sources, events.destinations] = events.times

    def score(self, questions):
        """One score a candidate; candidates of all questions stand in one flat array."""
        asked = np.repeat(questions.sources, np.diff(questions.offsets))
        return self.last[asked, questions.candidates]


protocol = protocol_for(film_world(events=4000), name="films")
for schedule in ("event-wise", "batch(200)"):
    model = LastVisit(len(protocol.stream.source_ids), protocol.vocabulary_size)
    found = metrics(rank(model, protocol, schedule=schedule))
    print(f"last visit, {schedule}, every film: MRR {100 * found['mrr']:.2f} %")
