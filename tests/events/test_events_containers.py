"""Equal events give equal streams, whatever holds them."""

import datetime
import gzip

import numpy as np
import pandas
import polars
import pyarrow
import pyarrow.parquet
import pytest

from linkgram.errors import EventError, SettingError
from linkgram.events import EventStream

SOURCES = [7, 7, 3, 900]
DESTINATIONS = ["b", "a,x", "b", "é"]
TIMES = [1.0, 2.5, 2.5, 40.0]
EXPECTED = EventStream.from_arrays(SOURCES, DESTINATIONS, TIMES)
TABLE = {"time": TIMES, "other": [0, 1, 2, 3], "destination": DESTINATIONS, "source": SOURCES}
CSV = 'time,other,destination,source\n1.0,0,b,7\n2.5,1,"a,x",7\n2.5,2,b,3\n40,3,é,900\n'


class ArrowStream:
    """The least an Arrow producer offers."""

    def __init__(self, table):
        self.table = table

    def __arrow_c_stream__(self, requested_schema=None):
        return self.table.__arrow_c_stream__(requested_schema)


def structured():
    rows = list(zip(*TABLE.values(), strict=True))
    types = [("time", "f8"), ("other", "i4"), ("destination", "U8"), ("source", "u2")]
    return np.array(rows, dtype=types)


IN_MEMORY = {
    "polars": polars.DataFrame(TABLE),
    "polars lazy": polars.LazyFrame(TABLE),
    "polars categorical": polars.DataFrame(TABLE).with_columns(
        polars.col("destination").cast(polars.Categorical)
    ),
    "polars enum": polars.DataFrame(TABLE).with_columns(
        polars.col("destination").cast(polars.Enum(["é", "a,x", "b"]))
    ),
    "polars float ids": polars.DataFrame(TABLE).with_columns(polars.col("source").cast(float)),
    "polars small ids": polars.DataFrame(TABLE).with_columns(
        polars.col("source").cast(polars.UInt16)
    ),
    "pandas": pandas.DataFrame(TABLE),
    "pandas object": pandas.DataFrame(TABLE).astype(object),
    "pandas categorical": pandas.DataFrame(TABLE).astype({"destination": "category"}),
    "pandas nullable": pandas.DataFrame(TABLE).astype({"source": "Int64"}),
    "pandas float ids": pandas.DataFrame(TABLE).astype({"source": float}),
    "pandas filtered": pandas.DataFrame(TABLE).set_index("time", drop=False),
    "arrow": pyarrow.table(TABLE),
    "arrow capsule": ArrowStream(pyarrow.table(TABLE)),
    "arrow dictionary": pyarrow.table(
        TABLE | {"destination": pyarrow.array(DESTINATIONS).dictionary_encode()}
    ),
    "mapping of lists": TABLE,
    "mapping of arrays": {name: np.array(values) for name, values in TABLE.items()},
    "mapping of pandas": {name: pandas.Series(values) for name, values in TABLE.items()},
    "mapping of polars": {name: polars.Series(values) for name, values in TABLE.items()},
    "mapping of arrow": {name: pyarrow.array(values) for name, values in TABLE.items()},
    "mapping of objects": {name: np.array(v, dtype=object) for name, v in TABLE.items()},
    "structured": structured(),
    "record array": structured().view(np.recarray),
    "structured strided": np.repeat(structured(), 2)[::2],
}


@pytest.mark.parametrize("container", IN_MEMORY)
def test_every_container_in_memory_gives_the_same_stream(container):
    stream = EventStream.read(IN_MEMORY[container])
    assert stream == EXPECTED
    assert stream.digest() == EXPECTED.digest()
    assert [stream.external(i) for i in range(4)] == list(
        zip(SOURCES, DESTINATIONS, TIMES, strict=True)
    )


@pytest.mark.parametrize("name", ["e.csv", "e.csv.gz", "e.tsv", "e.tsv.gz", "e.txt", "e.data"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_delimited_text_gives_the_same_stream(tmp_path, name, newline, mark):
    text = mark + CSV.replace("\n", newline)
    separator = None
    if ".csv" not in name:
        text = text.replace('"a,x"', "a;x").replace(",", "\t").replace("a;x", "a,x")
    if name == "e.data":
        separator = "\t"
    path = tmp_path / name
    write = gzip.open if name.endswith(".gz") else open
    with write(path, "wb") as handle:
        handle.write(text.encode())
    assert EventStream.read(path, separator=separator) == EXPECTED
    assert EventStream.read(str(path), separator=separator) == EXPECTED


def test_parquet_gives_the_same_stream_and_skips_other_columns(tmp_path):
    polars.DataFrame(TABLE).write_parquet(tmp_path / "polars.parquet", row_group_size=2)
    nested = pyarrow.table(TABLE | {"other": [[1], [], None, [2, 3]]})
    pyarrow.parquet.write_table(nested, tmp_path / "[arrow]*.parquet")
    assert EventStream.read(tmp_path / "polars.parquet") == EXPECTED
    assert EventStream.read(tmp_path / "[arrow]*.parquet") == EXPECTED


def test_columns_are_chosen_by_name_or_position(tmp_path):
    data = {"a": TIMES, "b": SOURCES, "c": DESTINATIONS}
    path = tmp_path / "e.csv"
    polars.DataFrame(data).write_csv(path)
    for container in (data, polars.DataFrame(data), pandas.DataFrame(data), path):
        assert EventStream.read(container, source="b", destination="c", time="a") == EXPECTED
        assert EventStream.read(container, source=1, destination=2, time=0) == EXPECTED


def test_a_file_without_a_header_is_read_by_position(tmp_path):
    path = tmp_path / "e.txt"
    path.write_text("1 2 10\n3 4 11\n")
    stream = EventStream.read(path, source=0, destination=1, time=2, separator=" ", header=False)
    assert stream == EventStream.from_arrays([1, 3], [2, 4], [10, 11])
    with pytest.raises(SettingError, match="the first line was taken as the header") as caught:
        EventStream.read(path, source=0, destination=1, time=2, separator=" ")
    assert caught.value.setting == "header"
    with pytest.raises(SettingError, match="header=False says that there are no names") as caught:
        EventStream.read(path, separator=" ", header=False)
    assert caught.value.setting == "source"


@pytest.mark.parametrize("kind", ["csv", "parquet", "polars", "pandas", "mapping", "arrow"])
def test_a_missing_column_is_refused_with_the_columns_found(tmp_path, kind):
    table = {"u": [1], "v": [2], "when": [3]}
    polars.DataFrame(table).write_csv(tmp_path / "e.csv")
    polars.DataFrame(table).write_parquet(tmp_path / "e.parquet")
    data = {
        "csv": tmp_path / "e.csv",
        "parquet": tmp_path / "e.parquet",
        "polars": polars.DataFrame(table),
        "pandas": pandas.DataFrame(table),
        "mapping": table,
        "arrow": pyarrow.table(table),
    }[kind]
    with pytest.raises(
        EventError, match=r"named 'time'; the columns found are 'u', 'v', 'when'"
    ) as e:
        EventStream.read(data, source="u", destination="v")
    assert e.value.column == "time"
    with pytest.raises(
        EventError, match=r"no column at position 3.* 3 columns were found: 'u'"
    ) as e:
        EventStream.read(data, source=0, destination=1, time=3)
    assert e.value.value == 3


def test_a_column_name_that_occurs_twice_is_refused(tmp_path):
    path = tmp_path / "e.csv"
    path.write_text("u,u,t\n1,2,3\n")
    with pytest.raises(EventError, match="2 columns are named 'u'"):
        EventStream.read(path, source="u", destination="t", time=1)
    frame = pandas.DataFrame([[1, 2, 3]], columns=["u", "u", "t"])
    with pytest.raises(EventError, match="2 columns are named 'u'"):
        EventStream.read(frame, source="u", destination="t", time=1)


@pytest.mark.parametrize(
    ("names", "setting"),
    [
        ({"source": "a", "destination": "a", "time": "t"}, "destination"),
        ({"source": "a", "destination": "b", "time": "a"}, "time"),
        ({"source": None, "destination": "b", "time": "a"}, "source"),
        ({"source": "a", "destination": True, "time": "t"}, "destination"),
    ],
)
def test_unusable_column_choices_are_refused(names, setting):
    with pytest.raises(SettingError) as caught:
        EventStream.read({"a": [1], "b": [2], "t": [3]}, **names)
    assert caught.value.setting == setting


@pytest.mark.parametrize(
    ("setting", "value"), [("separator", ";"), ("header", False), ("ragged", True)]
)
def test_settings_for_text_are_refused_elsewhere(setting, value):
    with pytest.raises(SettingError, match=f"{setting} is for files of delimited text") as caught:
        EventStream.read(TABLE, source=3, destination=2, time=0, **{setting: value})
    assert caught.value.setting == setting


def test_other_inputs_are_refused_by_their_type(tmp_path):
    for data, found in [(3, "int"), ([(1, 2, 3)], "list"), (np.zeros((2, 3)), "ndarray")]:
        with pytest.raises(EventError, match=f"cannot be read from {found}; accepted are paths"):
            EventStream.read(data)
    column = ArrowStream(pyarrow.chunked_array([[1, 2]]))
    with pytest.raises(EventError):
        EventStream.read(column)
    (tmp_path / "e.xlsx").write_bytes(b"PK")
    with pytest.raises(EventError, match=r"'e\.xlsx' has a suffix .* accepted are \.csv, \.tsv"):
        EventStream.read(tmp_path / "e.xlsx")


def test_a_missing_file_is_the_usual_error(tmp_path):
    for name in ("none.csv", "none.csv.gz", "none.parquet"):
        with pytest.raises(FileNotFoundError):
            EventStream.read(tmp_path / name)


def test_a_damaged_parquet_file_is_refused(tmp_path):
    path = tmp_path / "e.parquet"
    polars.DataFrame(TABLE).write_parquet(path)
    whole = path.read_bytes()
    for damaged in (b"", b"PAR1", whole[:-20], whole[:40] + b"\xff" * 60 + whole[100:]):
        path.write_bytes(damaged)
        with pytest.raises(EventError, match=r"e\.parquet is not a readable Parquet file"):
            EventStream.read(path)


def test_a_file_without_events_is_refused_and_an_empty_table_is_not(tmp_path):
    (tmp_path / "none.csv").write_bytes(b"")
    (tmp_path / "header.csv").write_bytes(b"source,destination,time\n")
    empty = polars.DataFrame({"source": [], "destination": [], "time": []})
    empty.write_parquet(tmp_path / "none.parquet")
    for name in ("none.csv", "header.csv", "none.parquet"):
        with pytest.raises(EventError, match=f"{name} has no events"):
            EventStream.read(tmp_path / name)
    for data in (empty, empty.to_arrow(), pandas.DataFrame(TABLE).head(0), empty.to_dict()):
        assert len(EventStream.read(data)) == 0


def test_columns_of_unequal_length_are_refused_with_the_lengths():
    with pytest.raises(EventError, match="'u' has 2, 'v' has 1, 't' has 3") as caught:
        EventStream.read(
            {"u": [1, 2], "v": [1], "t": [1, 2, 3]}, source="u", destination="v", time="t"
        )
    assert caught.value.value == (2, 1, 3)
    with pytest.raises(EventError, match="'source' has 0, 'destination' has 1, 'time' has 1"):
        EventStream.from_arrays([], [1], [2])


def test_dates_in_every_container_are_seconds(tmp_path):
    moments = [datetime.datetime(2001, 9, 9, 1, 46, 40, 500000), datetime.datetime(2020, 1, 1)]
    seconds = [1_000_000_000.5, 1_577_836_800.0]
    ids = [1, 2]
    expected = EventStream.from_arrays(ids, ids, seconds)
    utc = [m.replace(tzinfo=datetime.UTC) for m in moments]
    tokyo = pandas.Series(utc).dt.tz_convert("Asia/Tokyo")
    columns = {
        "list": moments,
        "list in UTC": utc,
        "list of timestamps": [pandas.Timestamp(m) for m in moments],
        "milliseconds": np.array(moments, dtype="M8[ms]"),
        "nanoseconds": np.array(moments, dtype="M8[ns]"),
        "polars": polars.Series(moments),
        "polars in Tokyo": polars.Series(moments)
        .dt.replace_time_zone("UTC")
        .dt.convert_time_zone("Asia/Tokyo"),
        "pandas": pandas.Series(moments),
        "pandas in Tokyo": tokyo,
        "pandas objects": tokyo.astype(object),
        "arrow": pyarrow.array(moments),
    }
    for name, column in columns.items():
        stream = EventStream.from_arrays(ids, ids, column)
        assert stream.times.tolist() == seconds, name
        assert (stream, stream.time_unit) == (expected, "s"), name
    assert expected.time_unit == "as given"
    frame = polars.DataFrame({"source": ids, "destination": ids, "time": moments})
    frame.write_parquet(tmp_path / "e.parquet")
    assert EventStream.read(tmp_path / "e.parquet") == expected
    assert EventStream.read(pandas.DataFrame(frame.to_dict(as_series=False))) == expected


def test_dates_of_coarse_resolution_are_seconds():
    for column in (
        [datetime.date(1970, 1, 2)],
        polars.Series([datetime.date(1970, 1, 2)]),
        np.array(["1970-01-02"], dtype="M8[D]"),
        np.array(["1970-01-02T00"], dtype="M8[h]"),
        np.array(["1970-01-02T00:00:00"], dtype="M8[s]"),
        np.array([86400], dtype="m8[s]"),
        polars.Series([datetime.timedelta(days=1)]),
    ):
        stream = EventStream.from_arrays([1], [1], column)
        assert (stream.times.tolist(), stream.time_unit) == ([86400.0], "s")
