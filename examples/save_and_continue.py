"""Save a predictor, load it elsewhere, and continue bit for bit."""

import tempfile
from pathlib import Path

from linkgram import Configuration, LinkPredictor
from linkgram.datasets.film_world import film_world

world = film_world(events=3000)
yesterday, today = world[:2500], world[2500:]
settings = Configuration(depth=3, decay=30 * 86_400.0, recency=86_400.0)

predictor = LinkPredictor(settings)
predictor.observe(yesterday)
with tempfile.TemporaryDirectory() as folder:
    path = Path(folder, "films.linkgram")
    predictor.save(path)
    print(f"{path.stat().st_size:,} bytes")
    other = LinkPredictor.load(path)

predictor.observe(today)
other.observe(today)
print("the same history:", predictor.digest() == other.digest())
for name, table in other.describe()["tables"].items():
    print(f"{name:<12} {table}")
