"""Real streams, with the faults they ship with."""

from pathlib import Path

import pytest

from linkgram.errors import EventError
from linkgram.events import EventStream

DATA = Path(__file__).parents[2] / ".." / "shared" / "data"


def real(name):
    path = DATA / name
    if not path.exists():
        pytest.skip(f"{path} is not on this machine")
    return path


def test_mathoverflow_goes_back_in_time():
    path = real("sx-mathoverflow.csv.gz")
    names = {"source": "u", "destination": "i", "time": "t"}
    with pytest.raises(EventError, match=r"event 36294: time 1300010980.0 is before") as caught:
        EventStream.read(path, **names)
    assert (caught.value.row, caught.value.column) == (36294, "t")
    assert "sort=True" in caught.value.hint
    description = EventStream.read(path, sort=True, **names).describe()
    assert (description.events, description.span) == (506_550, 203_069_367.0)
    assert (description.sources, description.destinations) == (19_774, 21_980)


def test_movielens_is_not_sorted():
    path = real("ml-100k.csv.gz")
    names = {"source": "u", "destination": "i", "time": "t"}
    with pytest.raises(EventError, match=r"event 2: time 878887116.0 is before") as caught:
        EventStream.read(path, **names)
    assert caught.value.row == 2
    description = EventStream.read(path, sort=True, **names).describe()
    assert (description.events, description.duplicates) == (100_000, 0)
    assert (description.sources, description.destinations) == (943, 1_682)
    assert description.distinct_pairs == 100_000


def test_enron_ships_with_duplicates_and_self_loops():
    path = real("tgbl_enron/tgbl-enron_edgelist.csv.gz")
    stream = EventStream.read(path, source="u", destination="i", time="ts")
    description = stream.describe()
    assert (description.events, description.duplicates) == (125_235, 87_104)
    assert (description.sources, description.destinations) == (181, 184)
    assert description.self_loops == 16_410
    assert stream.external(0) == (115, 170, 0.0)


def test_uci_is_read_as_it_ships():
    path = real("tgbl_uci/tgbl-uci_edgelist.csv.gz")
    description = EventStream.read(path, source="u", destination="i", time="ts").describe()
    assert (description.events, description.sources) == (59_835, 1_350)
    assert (description.destinations, description.first_time) == (1_862, 1082008561.0)
