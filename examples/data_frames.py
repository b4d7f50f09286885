"""Events from Polars, pandas, Arrow and NumPy; datetimes become seconds."""

from datetime import datetime, timedelta

import numpy as np
import polars as pl

from linkgram import EventStream

NAMES = {"source": "who", "destination": "what", "time": "when"}

frame = pl.DataFrame(
    {
        "who": ["ann", "ben", "ann", "eva"],
        "what": [7, 9, 9, 7],
        "when": [datetime(2026, 1, 1) + timedelta(hours=k) for k in range(4)],
    }
)
stream = EventStream.read(frame, **NAMES)
print(stream)

containers = {"Arrow": frame.to_arrow(), "pandas": frame.to_pandas(), "mapping": frame.to_dict()}
for name, container in containers.items():
    print(f"{name}: equal events: {EventStream.read(container, **NAMES) == stream}")

numbers = np.array(
    [(1, 7, 0.5), (2, 9, 1.5)], dtype=[("who", "i8"), ("what", "i8"), ("when", "f8")]
)
print(EventStream.read(numbers, **NAMES).external(1))
