"""Writing events anywhere and reading them back changes nothing."""

import numpy as np
import pandas
import polars
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from linkgram.events import EventStream, blocks

integers = st.integers(0, 2**63 - 1) | st.integers(0, 5)
# A file of text cannot tell a text of digits from a number, so every text here holds a letter.
texts = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=6).map("x".__add__)
times = st.floats(-1e12, 1e12) | st.integers(0, 3).map(float)


@st.composite
def columns(draw):
    count = draw(st.integers(1, 30))
    some = [draw(st.sampled_from([integers, texts])) for _ in range(2)]
    pools = [draw(st.lists(ids, min_size=1, max_size=8)) for ids in some]
    drawn = [draw(st.lists(st.sampled_from(p), min_size=count, max_size=count)) for p in pools]
    moments = draw(st.lists(times, min_size=count, max_size=count))
    return {"source": drawn[0], "destination": drawn[1], "time": sorted(moments)}


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(columns(), st.sampled_from([7, 64, 4 << 20]))
def test_every_container_gives_the_digest_of_the_arrays(tmp_path, data, block_bytes):
    expected = EventStream.from_arrays(*data.values())
    frame = polars.DataFrame(data)
    frame.write_csv(tmp_path / "e.csv", quote_style="non_numeric")
    frame.write_csv(tmp_path / "e.tsv", separator="\t")
    frame.write_parquet(tmp_path / "e.parquet")
    pandas.DataFrame(data).to_csv(tmp_path / "e.csv.gz", index=False, lineterminator="\r\n")
    kept, blocks.BLOCK_BYTES = blocks.BLOCK_BYTES, block_bytes
    try:
        streams = {
            name: EventStream.read(tmp_path / name)
            for name in ("e.csv", "e.tsv", "e.csv.gz", "e.parquet")
        }
    finally:
        blocks.BLOCK_BYTES = kept
    streams["polars"] = EventStream.read(frame)
    streams["arrow"] = EventStream.read(frame.to_arrow())
    streams["pandas"] = EventStream.read(pandas.DataFrame(data))
    streams["arrays"] = EventStream.read({name: np.array(v) for name, v in data.items()})
    for name, stream in streams.items():
        assert stream.digest() == expected.digest(), name
        assert stream == expected, name


@given(columns(), st.randoms())
def test_sorting_gives_the_stream_of_the_stably_sorted_events(data, chance):
    rows = list(zip(*data.values(), strict=True))
    chance.shuffle(rows)
    shuffled = [list(column) for column in zip(*rows, strict=True)]
    ordered = sorted(rows, key=lambda event: event[2])
    stream = EventStream.from_arrays(*shuffled, sort=True)
    assert [stream.external(i) for i in range(len(stream))] == ordered


@given(columns(), st.integers(0, 30), st.integers(0, 30))
def test_a_slice_is_the_stream_of_its_events(data, start, stop):
    stream = EventStream.from_arrays(*data.values())[start:stop]
    alone = EventStream.from_arrays(*(column[start:stop] for column in data.values()))
    assert stream == alone
