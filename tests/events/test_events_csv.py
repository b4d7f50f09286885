"""Delimited text: no id is lost to a guessed type, fields are split as they were written."""

import gzip

import polars
import pytest

from linkgram.errors import EventError, SettingError
from linkgram.events import EventStream, blocks


@pytest.fixture(params=[4 << 20, 64], ids=["one block", "many blocks"])
def block_bytes(request, monkeypatch):
    monkeypatch.setattr(blocks, "BLOCK_BYTES", request.param)


@pytest.fixture
def read(tmp_path):
    def read(text, name="e.csv", **options):
        path = tmp_path / name
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return EventStream.read(path, **{"source": "u", "destination": "v", "time": "t"} | options)

    return read


def lines(sources, filler=40):
    """A file whose middle is long enough to put its ends into different blocks."""
    middle = [f"{n},9,{n}" for n in range(filler)]
    return "\n".join(["u,v,t", *middle, *(f"{s},9,100" for s in sources), ""])


@pytest.mark.usefixtures("block_bytes")
@pytest.mark.parametrize(
    ("written", "expected"),
    [
        (["1", "2"], [1, 2]),
        (["1.0", "2.0"], [1, 2]),
        (["1", "2.0", "3."], [1, 2, 3]),
        ([" 1", "2 "], [1, 2]),
        (["007", "7"], ["007", "7"]),
        (["+7", "7"], ["+7", "7"]),
        (["1e3", "1000"], ["1e3", "1000"]),
        (["1", "x"], ["1", "x"]),
        (["-1", "x"], ["-1", "x"]),
        (["1.5", "x"], ["1.5", "x"]),
        (["9223372036854775807"], [2**63 - 1]),
        (["9223372036854775808", "x"], ["9223372036854775808", "x"]),
        (['""', '"a ""b"""'], ["", 'a "b"']),
        (['"a\nb"', '"\r\n,"', '"\n\n"'], ["a\nb", "\r\n,", "\n\n"]),
        (["nan", "NULL"], ["nan", "NULL"]),
    ],
    ids=str,
)
def test_ids_are_integers_when_all_are_whole_numbers_and_text_otherwise(read, written, expected):
    stream = read(lines(written))
    kind = type(expected[0])
    ids = [stream.external(i)[0] for i in range(len(stream))]
    assert ids == [kind(n) for n in range(40)] + expected


@pytest.mark.usefixtures("block_bytes")
@pytest.mark.parametrize(
    ("written", "match", "value"),
    [
        ("-3", "event 40: id -3 in column 'u' is negative", -3),
        ("9223372036854775808", "event 40: id 9223372036854775808 .*fit", "9223372036854775808"),
        ("1.5", "event 40: id 1.5 in column 'u' is not a whole number", 1.5),
        ("", "event 40: column 'u' has no value", None),
    ],
)
def test_bad_ids_are_refused_by_row(read, written, match, value):
    with pytest.raises(EventError, match=match) as caught:
        read(lines([written, "5"]))
    assert (caught.value.row, caught.value.column, caught.value.value) == (40, "u", value)


@pytest.mark.usefixtures("block_bytes")
@pytest.mark.parametrize(
    ("written", "match"),
    [
        ("soon", "event 40: time 'soon' in column 't' is not a number"),
        ("2020-01-01", "event 40: time '2020-01-01' .* time_format"),
        ("", "event 40: column 't' has no value"),
        ("nan", "event 40: time nan in column 't' is not a usable number"),
        ("1e301", "event 40: time 1e[+]301 in column 't' is not a usable number"),
        ("-inf", "event 40: time -inf in column 't' is not a usable number"),
        ("3.5", "event 40: time 3.5 is before the previous event's 39.0"),
    ],
)
def test_bad_times_are_refused_by_row(read, written, match):
    text = lines([]) + f"1,2,{written}\n1,2,1000\n"
    with pytest.raises(EventError, match=match) as caught:
        read(text)
    assert (caught.value.row, caught.value.column) == (40, "t")


@pytest.mark.usefixtures("block_bytes")
def test_nanoseconds_that_merge_across_blocks_are_refused(read):
    times = [1_700_000_000_000_000_000 + 10**6 * n for n in range(40)]
    good = "u,v,t\n" + "".join(f"1,2,{t}\n" for t in times)
    assert read(good).describe().distinct_times == 40
    with pytest.raises(
        EventError, match=r"event 40: time .* would become equal to event 39's"
    ) as e:
        read(good + f"1,2,{times[-1] + 1}\n")
    assert e.value.row == 40
    mixed = good + f"1,2,{times[-1] + 10**6}.5\n"
    assert len(read(mixed)) == 41


@pytest.mark.usefixtures("block_bytes")
def test_times_may_change_from_whole_to_fractional(read):
    stream = read(lines([]) + "1,2,39.5\n1,2, 4e1\n")
    assert stream.times[-3:].tolist() == [39.0, 39.5, 40.0]


@pytest.mark.usefixtures("block_bytes")
@pytest.mark.parametrize(
    ("written", "seconds"),
    [
        ("1970-01-03", 172_800.0),
        ("1970-01-01 01:00", 3_600.0),
        ("1970-01-01T00:00:05", 5.0),
        ("1970-01-01 00:00:05.25", 5.25),
        ("1970-01-01T01:00:05Z", 3_605.0),
        ("1970-01-01T01:00:05.5+01:00", 5.5),
        ("1970-01-01 01:00+0200", -3_600.0),
        ('"1970-01-01T00:00:05"', 5.0),
    ],
)
def test_dates_of_iso_8601_need_no_format(read, written, seconds):
    stream = read("u,v,t\n" + f"1,2,{written}\n" * 40)
    assert (stream.times == seconds).all()
    assert stream.time_unit == "s"


def test_a_fraction_that_is_zero_may_be_left_out(read):
    stream = read("u,v,t\n1,2,1970-01-01T00:00:05\n1,2,1970-01-01T00:00:05.000001\n")
    assert stream.times.tolist() == [5.0, 5.000001]


@pytest.mark.usefixtures("block_bytes")
@pytest.mark.parametrize(
    "other", ["5", "1970-01-02", "1970-01-02 00:00:00+01:00", "1970-13-01 00:00:00", "soon"]
)
def test_the_first_date_decides_how_all_are_written(read, other):
    text = "u,v,t\n" + "1,2,1970-01-01 00:00:00\n" * 40 + f"1,2,{other}\n"
    with pytest.raises(EventError, match=r"event 40: time .* in the format '%Y-%m-%d") as caught:
        read(text)
    assert caught.value.row == 40


def test_fields_that_another_mark_separates_are_recognised(read):
    with pytest.raises(EventError, match="no column is named 'u'") as caught:
        read("u;v;t\n1;2;3\n")
    assert caught.value.hint == "the fields seem to be separated by ';': pass separator= to say so"
    assert len(read("u;v;t\n1;2;3\n", separator=";")) == 1


@pytest.mark.usefixtures("block_bytes")
def test_dates_are_read_with_a_format(read):
    text = "u,v,t\n" + "".join(f'1,2,"0{m}/02/21 01:00 PM"\n' for m in range(1, 10))
    stream = read(text, time_format="%m/%d/%y %I:%M %p")
    assert stream.time_unit == "s"
    assert (stream.times[0], len(stream)) == (1609592400.0, 9)
    with pytest.raises(EventError, match=r"event 9: time '5' .* is not a date in the format") as e:
        read(text + "1,2,5\n", time_format="%m/%d/%y %I:%M %p")
    assert (e.value.row, e.value.value) == (9, "5")


@pytest.mark.usefixtures("block_bytes")
def test_dates_of_any_year_are_seconds_in_every_block(read):
    years = [1500, 1600, 1970, 1971]
    text = "u,v,t\n" + "".join(f"1,2,{year}-01-01 00:00:00.5\n" for year in years)
    stream = read(text, time_format="%Y-%m-%d %H:%M:%S%.f")
    assert stream.time_unit == "s"
    assert stream.times.tolist() == [-14831769599.5, -11676095999.5, 0.5, 31536000.5]


@pytest.mark.usefixtures("block_bytes")
def test_fields_that_differ_in_number_are_refused_by_row(read):
    with pytest.raises(
        EventError, match="event 40: found 4 fields where the first line has 3"
    ) as e:
        read(lines([]) + "1,2,50,4\n")
    assert (e.value.row, e.value.value) == (40, 4)
    assert "ragged=True" in e.value.hint
    with pytest.raises(
        EventError, match="event 40: found 2 fields where the first line has 3"
    ) as e:
        read(lines([]) + "1,2\n")
    assert (e.value.row, e.value.hint) == (40, None)


@pytest.mark.usefixtures("block_bytes")
def test_ragged_drops_surplus_fields_and_still_needs_three(read):
    text = "u,v,t,features\n" + "".join(f"{n},2,{n},0.1,0.2,0.3\n" for n in range(30))
    with pytest.raises(EventError, match="event 0: found 6 fields where the first line has 4"):
        read(text)
    stream = read(text + '30,"2",30\n', ragged=True)
    assert (len(stream), stream.external(29), stream.external(30)) == (
        31,
        (29, 2, 29.0),
        (30, 2, 30.0),
    )
    with pytest.raises(EventError, match="event 30: column 't' has no value"):
        read(text + "30,2\n", ragged=True)


@pytest.mark.usefixtures("block_bytes")
def test_empty_lines_are_not_events(read):
    text = "\n\r\nu,v,t\n\n1,2,3\r\n\r\n\n" + "\n" * 200 + '4,"5\n\n",6\n\n1,2,8\n' + "\r\n" * 100
    stream = read(text)
    assert [stream.external(i) for i in range(3)] == [
        (1, "2", 3.0),
        (4, "5\n\n", 6.0),
        (1, "2", 8.0),
    ]
    with pytest.raises(EventError, match="event 3: time 'x'"):
        read(text + "1,2,x")


def test_the_last_line_needs_no_newline(read):
    assert len(read("u,v,t\n1,2,3\n1,2,4")) == 2


@pytest.mark.usefixtures("block_bytes")
@pytest.mark.parametrize("line", ['1,x"y,50', '1,"x"y,50', '1,"x,50'])
def test_quotes_that_do_not_enclose_a_field_are_refused_by_row(read, line):
    with pytest.raises(EventError, match=r"event 40: .*quote") as caught:
        read(lines([]) + line + "\n")
    assert caught.value.row == 40


@pytest.mark.usefixtures("block_bytes")
def test_a_stray_pair_of_quotes_never_shifts_events(read):
    with pytest.raises(EventError, match=r"event 4[01]: .*quote"):
        read(lines([]) + '1,5" disk,50\n1,z,51\n1,7" disk,52\n')


@pytest.mark.usefixtures("block_bytes")
def test_invalid_utf8_is_refused_by_row(read):
    with pytest.raises(EventError, match="event 40: byte 0xff is not valid UTF-8") as caught:
        read(lines([]).encode() + b"1,\xff,50\n")
    assert (caught.value.row, caught.value.value) == (40, 0xFF)
    with pytest.raises(EventError, match="the header: byte 0xe9"):
        read("u,v,t,é\n1,2,3,4\n".encode("latin-1"))
    with pytest.raises(EventError, match="UTF-16; only UTF-8"):
        read("u,v,t\n1,2,3\n".encode("utf-16"))


@pytest.mark.usefixtures("block_bytes")
def test_unneeded_columns_may_hold_anything(read):
    text = "note,u,x,v,t\n" + "".join(f'"a,""{n}""\n",1,,2,{n}\n' for n in range(50))
    assert len(read(text)) == 50


@pytest.mark.parametrize("separator", ["", ",,", '"', "\n", "é"])
def test_unusable_separators_are_refused(read, separator):
    with pytest.raises(SettingError, match=r"separator .* is not usable") as caught:
        read("u,v,t\n1,2,3\n", separator=separator)
    assert (caught.value.setting, caught.value.value) == ("separator", separator)


def test_the_separator_comes_from_the_suffix_unless_given(read):
    assert len(read("u\tv\tt\n1\t2\t3\n", name="e.tsv")) == 1
    assert len(read("u;v;t\n1;2;3\n", name="e.tsv", separator=";")) == 1
    with pytest.raises(EventError, match="no column is named 'u'; the columns found are 'u;v;t'"):
        read("u;v;t\n1;2;3\n")


def test_what_polars_writes_is_what_is_read(tmp_path):
    frame = polars.DataFrame(
        {"source": ["a\nb", '"', "", ","], "destination": [1, 2, 1, 2], "time": [1, 1, 2, 3]}
    )
    frame.write_csv(tmp_path / "e.csv")
    (tmp_path / "e.csv.gz").write_bytes(gzip.compress((tmp_path / "e.csv").read_bytes()))
    assert EventStream.read(tmp_path / "e.csv") == EventStream.read(frame)
    assert EventStream.read(tmp_path / "e.csv.gz") == EventStream.read(frame)
