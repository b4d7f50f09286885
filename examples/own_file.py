"""Evaluate on a file of one's own, with dates for times and rows out of order.

The command line does the same: linkgram evaluate visits.csv --source who --destination what
--time when --time-format '%Y-%m-%d %H:%M' --sort
"""

import tempfile
from datetime import datetime, timedelta
from pathlib import Path

from linkgram import EventStream
from linkgram.evaluation import evaluate
from linkgram.evaluation.own import protocol_for

begin = datetime(2026, 1, 1)
rows = [
    f"u{k % 7},v{(k * k + k // 50) % 11},{begin + timedelta(minutes=k):%Y-%m-%d %H:%M}"
    for k in range(600)
]
rows[10], rows[400] = rows[400], rows[10]

with tempfile.TemporaryDirectory() as folder:
    path = Path(folder, "visits.csv")
    path.write_text("who,what,when\n" + "\n".join(rows) + "\n", encoding="utf-8")
    stream = EventStream.read(
        path,
        source="who",
        destination="what",
        time="when",
        time_format="%Y-%m-%d %H:%M",
        sort=True,
    )
print(stream.describe())

result = evaluate(protocol_for(stream, name="visits"), seeds=[1, 2])
rule = result.facts["candidates"]["test"]["rule"]["rule"]
print(f"test MRR {100 * result.mrr('event-wise'):.1f} % (event-wise, candidates: {rule})")
