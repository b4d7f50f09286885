"""Every bad value is refused by its row, its column and its value, in memory and in files."""

import datetime
import decimal

import numpy as np
import pandas
import polars
import pytest

from linkgram.errors import EventError, SettingError
from linkgram.events import EventStream

GOOD = [1, 2, 3]
NAN = float("nan")


def refused(match, sources=GOOD, destinations=GOOD, times=GOOD, **options):
    with pytest.raises(EventError, match=match) as caught:
        EventStream.from_arrays(sources, destinations, times, **options)
    return caught.value


@pytest.mark.parametrize(
    "values",
    [
        [1, None, None],
        ["a", None, "b"],
        ["a", NAN, "b"],
        [1.0, NAN, 2.0],
        np.array([1.0, NAN, 2.0]),
        np.ma.masked_array([1, 2, 3], [False, True, False]),
        polars.Series([1, None, 3]),
        polars.Series(["a", None, "c"]),
        polars.Series(["a", None, "c"], dtype=polars.Categorical),
        pandas.Series([1, None, 3]),
        pandas.Series([1, None, 3], dtype="Int64"),
        pandas.Series(["a", None, "b"]),
        pandas.Series(["a", pandas.NA, "b"], dtype=object),
        pandas.Series(["a", None, "b"], dtype="category"),
    ],
    ids=lambda v: f"{type(v).__module__}-{getattr(v, 'dtype', 'list')}",
)
def test_missing_ids_are_refused_by_row_and_column(values):
    error = refused("event 1: column 'source' has no value", sources=values)
    assert (error.row, error.column) == (1, "source")
    error = refused("event 1: column 'destination' has no value", destinations=values)
    assert (error.row, error.column) == (1, "destination")


@pytest.mark.parametrize(
    "values",
    [
        [1, None, 2],
        [datetime.datetime(2020, 1, 1), None, None],
        [datetime.date(2020, 1, 1), None, None],
        polars.Series([1.0, None, 2.0]),
        np.array(["2020", "NaT", "2021"], dtype="M8[s]"),
        np.array(["2020", "NaT", "2021"], dtype="M8[ns]"),
        pandas.Series([datetime.datetime(2020, 1, 1), pandas.NaT, datetime.datetime(2021, 1, 1)]),
        pandas.Series(["2020-01-01", None, "2021-01-01"]).astype("datetime64[ns, UTC]"),
    ],
    ids=str,
)
def test_missing_times_are_refused_by_row_and_column(values):
    error = refused("event 1: column 'time' has no value", times=values)
    assert (error.row, error.column) == (1, "time")


def test_all_values_missing_is_refused_at_the_first_row():
    for values in ([None] * 3, polars.Series([None] * 3), [NAN] * 3):
        assert refused("event 0: column 'source' has no value", sources=values).row == 0
    assert refused("event 0: column 'time' has no value", times=[None] * 3).row == 0


@pytest.mark.parametrize("values", [[1, -2, 3], np.array([1, -2, 3]), [1.0, -2.0, 3.0]], ids=str)
def test_negative_ids_are_refused(values):
    error = refused("event 1: id -2 in column 'source' is negative", sources=values)
    assert (error.row, error.column, error.value) == (1, "source", -2)


def test_the_smallest_integer_id_is_zero():
    assert refused("event 2: id -1 .* is negative", destinations=[5, 0, -1]).row == 2
    assert EventStream.from_arrays([0], [0], [0]).external(0) == (0, 0, 0.0)


def test_ids_above_the_largest_integer_are_refused_and_the_largest_is_not():
    largest = 2**63 - 1
    assert EventStream.from_arrays([largest], [0], [0]).external(0) == (largest, 0, 0.0)
    for values in ([1, 2, 2**63], np.array([1, 2, 2**63], dtype=np.uint64)):
        error = refused(f"event 2: .*{2**63}", destinations=values)
        assert (error.row, error.column, error.value) == (2, "destination", 2**63)


def test_ids_that_are_not_whole_are_refused():
    for values in ([1.0, 2.0, 2.5], np.array([1, 2, 2.5]), polars.Series([1.0, 2.0, 2.5])):
        error = refused("event 2: id 2.5 in column 'source' is not a whole number", sources=values)
        assert (error.row, error.column, error.value) == (2, "source", 2.5)
    for value in (float("inf"), 2.0**60):
        assert refused("event 1: id .* is not a whole number", sources=[1.0, value, 2.0]).row == 1
    error = refused(
        "event 1: id",
        sources=polars.Series([decimal.Decimal(1), decimal.Decimal("1.5")]),
        destinations=[1, 2],
        times=[1, 2],
    )
    assert error.row == 1


@pytest.mark.parametrize(
    "values",
    [
        [True, False, True],
        np.array([True, False, True]),
        polars.Series([True, False, True]),
        pandas.Series([True, False, True]),
        pandas.Series([True, False, True], dtype="boolean"),
    ],
    ids=lambda v: type(v).__module__,
)
def test_boolean_ids_and_times_are_refused(values):
    error = refused("column 'source' holds Boolean; ids are integers or text", sources=values)
    assert (error.row, error.column, error.value) == (0, "source", True)
    assert refused("column 'time' holds Boolean; times are", times=values).column == "time"


@pytest.mark.parametrize(
    ("values", "row", "value"),
    [
        ([1, True, 2], 1, True),
        ([1, 2, "a"], 2, "a"),
        (["a", 5, "b"], 1, 5),
        ([datetime.date(2020, 1, 1), 5, 5], 1, 5),
        ([{"a": 1}, 2, 3], 0, {"a": 1}),
        ([1, b"x", 3], 1, b"x"),
    ],
)
def test_mixed_and_unknown_values_are_refused_by_row(values, row, value):
    error = refused(f"event {row}: column 'source' holds ", sources=values)
    assert (error.row, error.column, error.value) == (row, "source", value)


@pytest.mark.parametrize(
    ("values", "match"),
    [
        (np.array([1j, 2, 3]), "holds complex128"),
        (np.array([b"a", b"b", b"c"]), r"holds \|S1.*decode bytes to text"),
        (np.ones((3, 1)), r"one dimension, found shape \(3, 1\)"),
        (5, "must be an array of values, found int"),
        ("abc", "must be an array of values, found str"),
        (polars.Series([[1], [2], [3]]), r"holds List\(Int64\)"),
        (polars.Series([datetime.date(2020, 1, 1)] * 3), "holds Date; ids are integers or text"),
    ],
    ids=lambda v: "" if isinstance(v, str) else type(v).__name__,
)
def test_columns_of_other_types_are_refused(values, match):
    assert refused(match, sources=values).column == "source"


@pytest.mark.parametrize("bad", [NAN, float("inf"), float("-inf"), 1.1e300, -1.1e300])
def test_times_that_are_not_finite_and_usable_are_refused(bad):
    error = refused("event 1: time .* is not a usable", times=np.array([1, bad, 3]))
    assert (error.row, error.column) == (1, "time")
    assert error.value == bad or bad != bad
    assert len(EventStream.from_arrays([1], [1], [1e300])) == 1


def test_events_out_of_order_are_refused_at_the_first_and_sorted_on_request():
    times = [100.0, 900.0, 873.0, 950.0, 1.0]
    ids = list(range(5))
    error = refused(
        r"^event 2: time 873\.0 is before the previous event's 900\.0; "
        r"events must be in time order "
        r"\(pass sort=True to sort while reading\)$",
        sources=ids,
        destinations=ids,
        times=times,
    )
    assert (error.row, error.column, error.value) == (2, "time", 873.0)
    stream = EventStream.from_arrays(ids, ids, times, sort=True)
    assert [stream.external(i)[0] for i in range(5)] == [4, 0, 2, 1, 3]
    assert stream.sources.tolist() == [0, 1, 2, 3, 4]
    assert stream.source_ids.tolist() == [4, 0, 2, 1, 3]


def test_the_column_of_an_error_is_the_callers_name():
    data = {"u": [1, 2], "v": ["a", "b"], "t": [5, 4]}
    with pytest.raises(EventError) as caught:
        EventStream.read(data, source="u", destination="v", time="t")
    assert (caught.value.row, caught.value.column) == (1, "t")


def test_sorting_is_stable():
    stream = EventStream.from_arrays(["c", "b", "a", "d"], [1, 2, 3, 4], [5, 5, 5, 1], sort=True)
    assert stream.source_ids == ("d", "c", "b", "a")


NANOSECONDS = 1_700_000_000_000_000_000


def test_nanosecond_times_that_would_merge_are_refused():
    times = [NANOSECONDS, NANOSECONDS + 10_000, NANOSECONDS + 10_001]
    error = refused(
        "event 2: time 1700000000000010001 .* event 1's 1700000000000010000", times=times
    )
    assert (error.row, error.column, error.value) == (2, "time", NANOSECONDS + 10_001)
    assert "divide nanoseconds by 1e9" in error.hint
    shuffled = [times[2], times[0], times[1]]
    assert refused("event 2: .* event 0's", times=shuffled, sort=True).row == 2
    moments = np.array(times).astype("M8[ns]")
    assert refused("event 2: time 2023-11-14", times=moments).row == 2


def test_nanosecond_times_that_stay_distinct_are_accepted():
    times = [NANOSECONDS, NANOSECONDS, NANOSECONDS + 10**9]
    assert EventStream.from_arrays(GOOD, GOOD, times).describe().distinct_times == 2
    stream = EventStream.from_arrays(GOOD, GOOD, np.array(times).astype("M8[ns]"))
    assert stream.times.tolist() == [1.7e9, 1.7e9, 1.7e9 + 1]


def test_integer_times_that_fit_nowhere_are_refused():
    assert (
        refused("event 1: .*does not fit", times=np.array([1, 2**63, 3], dtype=np.uint64)).row == 1
    )
    far = np.array([0, 2**62, 0]).astype("M8[s]")
    assert refused("event 1: time .* too far from 1970", times=far).row == 1
    assert refused("resolution 'ps'", times=np.array([1, 2, 3], dtype="M8[ps]")).column == "time"


def test_dates_as_text_need_a_format():
    texts = ["12/31/09 11:59 PM", "01/01/10 12:00 AM"]
    data = {"source": [1, 2], "destination": [1, 2], "time": texts}
    with pytest.raises(
        EventError, match=r"event 0: time '12/31/09 11:59 PM' .* is not a number"
    ) as e:
        EventStream.read(data)
    assert (e.value.row, e.value.column, e.value.value) == (0, "time", texts[0])
    assert "time_format" in e.value.hint
    stream = EventStream.read(data, time_format="%m/%d/%y %I:%M %p")
    assert (stream.times.tolist(), stream.time_unit) == ([1262303940.0, 1262304000.0], "s")
    with pytest.raises(
        EventError, match=r"event 1: time 'x' .* not a date in the format '%Y-%m-%d'"
    ):
        EventStream.read(data | {"time": ["2020-01-01", "x"]}, time_format="%Y-%m-%d")
    with pytest.raises(SettingError, match="is for times written as text") as caught:
        EventStream.read(data | {"time": [1, 2]}, time_format="%Y-%m-%d")
    assert caught.value.setting == "time_format"


def test_dates_as_text_keep_nanoseconds_and_distant_years():
    data = {"source": [1, 2], "destination": [1, 2]}
    close = ["1970-01-01 00:00:01.000000001", "1970-01-01 00:00:01.000000002"]
    for time_format in ("%Y-%m-%d %H:%M:%S%.f", "%Y-%m-%d %H:%M:%S%.9f"):
        stream = EventStream.read(data | {"time": close}, time_format=time_format)
        assert stream.times.tolist() == [1.000000001, 1.000000002]
        far = ["1500-01-01 00:00:00.500000000", "1970-01-01 00:00:00.000000000"]
        stream = EventStream.read(data | {"time": far}, time_format=time_format)
        assert stream.times.tolist() == [-14831769599.5, 0.0]


def test_an_unusable_time_format_is_refused():
    data = {"source": [1], "destination": [1], "time": ["5 PM"]}
    with pytest.raises(SettingError, match="time_format '%I' is not usable") as caught:
        EventStream.read(data, time_format="%I")
    assert (caught.value.setting, caught.value.value) == ("time_format", "%I")


def test_numbers_as_text_are_times():
    data = {"source": [1, 2], "destination": [1, 2], "time": ["1", " 2.5"]}
    assert EventStream.read(data).times.tolist() == [1.0, 2.5]


def test_dates_as_text_in_other_containers_are_recognised_too():
    data = {"source": [1, 2], "destination": [3, 4], "time": ["1970-01-02", "1970-01-03"]}
    for container in (data, polars.DataFrame(data), pandas.DataFrame(data)):
        assert EventStream.read(container).times.tolist() == [86_400.0, 172_800.0]
    with pytest.raises(EventError, match=r"event 1: time .5. .* .%Y-%m-%d."):
        EventStream.read(data | {"time": ["1970-01-02", "5"]})
