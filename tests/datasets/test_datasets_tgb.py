"""TGB's files: fetched as a zip, adopted from a folder, read as the benchmark reads them."""

import gzip
import itertools
import json
import pickle

import numpy as np
import pytest
from tests.support.benchmark_files import plain_tgb, tgb_files, tgb_text, zipped
from tests.support.file_server import Served

from linkgram import datasets
from linkgram.datasets.protocol import protocol_of
from linkgram.datasets.tgb import read_tgb
from linkgram.errors import CandidateError, DownloadError, EventError

SETS = [
    ("tgbl-wiki", "wiki", 2),
    ("tgbl-uci", "uci", 1),
    ("tgbl-enron", "uci", 1),
    ("tgbl-subreddit", "wiki", 1),
    ("tgbl-lastfm", "wiki", 1),
    ("tgbl-review", "review", 2),
    ("tgbl-review-v3", "review", 3),
    ("tgbl-coin", "coin", 2),
    ("tgbl-comment", "comment", 1),
    ("tgbl-flight", "flight", 2),
]


def written(folder, name, layout, version=1, protocol=5):
    """The files as the benchmark's package leaves them; the folder that holds them."""
    stem = name.removesuffix("-v3")
    inside = folder / stem.replace("-", "_")
    inside.mkdir(parents=True)
    for file, content in tgb_files(stem, layout, version, protocol).items():
        (inside / file).write_bytes(content)
    return folder


def check(data_set, layout):
    """Compare a loaded data set with the plain reading, event by event."""
    plain = plain_tgb(tgb_text(layout), two_roles=layout in ("wiki", "uci"))
    stream = data_set.stream
    assert [stream.external(i) for i in range(len(stream))] == plain.rows
    assert stream.destination_ids.tolist() == list(plain.vocabulary())
    ends = [len(plain.split("training")), len(stream) - len(plain.split("test"))]
    assert [data_set.training_end, data_set.validation_end] == ends
    first = plain.vocabulary()[0]
    for split in ("validation", "test"):
        negatives = plain.negatives(split)
        offsets, destinations = data_set.shipped.arrays(split)
        assert (offsets.dtype, destinations.dtype) == (np.int64, np.int32)
        assert isinstance(destinations, np.memmap)
        expected = [[int(d) - first for d in negatives[key]] for key in plain.split(split)]
        rows = [destinations[a:b].tolist() for a, b in itertools.pairwise(offsets)]
        assert rows == expected


@pytest.mark.parametrize(("name", "layout", "version"), SETS)
def test_every_set_goes_from_the_server_to_a_stream(name, layout, version, server, tmp_path, home):
    stem = name.removesuffix("-v3")
    archive = f"{stem}-v{version}.zip" if version > 1 else f"{stem}.zip"
    content = zipped(tmp_path / "z", tgb_files(stem, layout, version))
    server.files[f"/{archive}"] = Served(content, cuts=[len(content) // 2])
    files = datasets.fetch(name, source=server.address + "/")
    assert files.directory == home / stem.replace("-", "_")
    data_set = datasets.load(name)
    check(data_set, layout)
    assert (data_set.name, data_set.benchmark, data_set.version) == (name, "TGB", version)
    assert [file.path.parent for file in data_set.files] == [files.directory] * 3
    # Fetched once; a second time nothing is asked for.
    asked = len(server.asked)
    assert datasets.fetch(name, source=server.address) == files
    assert len(server.asked) == asked
    assert list(home.rglob("*.part")) == []


@pytest.mark.parametrize("protocol", [2, 3, 4, 5])
def test_every_pickle_protocol(protocol, tmp_path):
    folder = written(tmp_path, "tgbl-uci", "uci", protocol=protocol)
    check(datasets.load("uci", directory=folder), "uci")


def test_compressed_files_are_read_too(tmp_path):
    folder = written(tmp_path, "tgbl-wiki", "wiki", 2)
    for path in list((folder / "tgbl_wiki").iterdir()):
        path.with_name(f"{path.name}.gz").write_bytes(gzip.compress(path.read_bytes()))
        path.unlink()
    check(datasets.load("wiki", directory=folder), "wiki")


def test_the_folder_itself_may_be_given_and_stays_as_it_was(tmp_path, home):
    folder = written(tmp_path / "theirs", "tgbl-uci", "uci") / "tgbl_uci"
    before = sorted(path.name for path in folder.iterdir())
    check(datasets.load("uci", directory=folder), "uci")
    assert sorted(path.name for path in folder.iterdir()) == before
    converted = sorted(path.name[:20] for path in (home / "converted").iterdir())
    assert converted == ["tgbl-uci-test-" + converted[0][14:], "tgbl-uci-validation-"]


def test_negatives_are_converted_once(tmp_path, monkeypatch):
    folder = written(tmp_path, "tgbl-uci", "uci")
    path = datasets.load("uci", directory=folder).shipped.folder("test")
    rule = json.loads((path / "rule.json").read_text())["rule"]
    assert (rule["rule"], rule["data_set"], rule["split"]) == ("shipped", "tgbl-uci", "test")
    assert (rule["vocabulary_size"], rule["entries"]) == (12, 30)
    monkeypatch.setattr("linkgram._core.convert_negatives", None)
    assert datasets.load("uci", directory=folder).shipped.folder("test") == path
    with pytest.raises(TypeError):
        datasets.load("uci", directory=folder).shipped.folder("validation")


def test_shipped_candidates_are_candidate_sets(tmp_path):
    shipped = datasets.load("uci", directory=written(tmp_path, "tgbl-uci", "uci")).shipped
    candidates = shipped["test"]
    offsets, destinations = shipped.arrays("test")
    assert len(candidates) == len(offsets) - 1
    assert candidates[3].tolist() == destinations[offsets[3] : offsets[4]].tolist()
    assert candidates.rule["sha256"] == datasets.load("uci", directory=tmp_path).files[2].sha256


def test_damaged_arrays_are_converted_again(tmp_path):
    folder = written(tmp_path, "tgbl-uci", "uci")
    shipped = datasets.load("uci", directory=folder).shipped
    digest = shipped["test"].digest()
    path = shipped.folder("test") / "destinations.npy"
    path.write_bytes(path.read_bytes()[:-4])
    assert datasets.load("uci", directory=folder).shipped["test"].digest() == digest


def test_shipped_candidates_are_the_protocols(tmp_path):
    data_set = datasets.load("uci", directory=written(tmp_path, "tgbl-uci", "uci"))
    protocol = protocol_of(data_set)
    assert protocol.test.digest() == data_set.shipped["test"].digest()
    assert protocol.validation.rule["split"] == "validation"


def test_a_changed_file_is_converted_anew(tmp_path):
    folder = written(tmp_path, "tgbl-uci", "uci")
    before = datasets.load("uci", directory=folder).shipped.folder("test")
    path = folder / "tgbl_uci" / "tgbl-uci_test_ns.pkl"
    path.write_bytes(pickle.dumps(pickle.loads(path.read_bytes()), protocol=4))
    assert datasets.load("uci", directory=folder).shipped.folder("test") != before


def test_without_negatives_there_is_still_a_rule_for_them(tmp_path):
    folder = written(tmp_path, "tgbl-uci", "uci")
    (folder / "tgbl_uci" / "tgbl-uci_val_ns.pkl").unlink()
    data_set = datasets.load("uci", directory=folder)
    assert list(data_set.shipped) == ["test"]
    assert "validation" not in data_set.shipped
    assert data_set.candidate_rule == {"rule": "historical-random", "k": 1000, "seed": 42}


def test_a_query_without_negatives_is_named(tmp_path):
    folder = written(tmp_path, "tgbl-uci", "uci")
    path = folder / "tgbl_uci" / "tgbl-uci_test_ns.pkl"
    content = pickle.loads(path.read_bytes())
    lost = list(content)[3]
    del content[lost]
    path.write_bytes(pickle.dumps(content))
    shipped = datasets.load("uci", directory=folder).shipped
    with pytest.raises(CandidateError, match=r"query \d+ \(source \d+.* has no entry") as caught:
        shipped.arrays("test")
    assert isinstance(caught.value.row, int)
    # Nothing half-made is left, and the next try says the same.
    with pytest.raises(CandidateError):
        shipped.arrays("test")


def test_negatives_of_other_events_are_refused(tmp_path):
    folder = written(tmp_path, "tgbl-uci", "uci")
    path = folder / "tgbl_uci" / "tgbl-uci_test_ns.pkl"
    content = pickle.loads(path.read_bytes())
    content[next(iter(content))] = np.array([10**6])
    path.write_bytes(pickle.dumps(content))
    with pytest.raises(CandidateError, match="holds destination 1000000; destinations are"):
        datasets.load("uci", directory=folder).shipped.arrays("test")


def test_a_program_in_place_of_negatives_does_not_run(tmp_path):
    class Program:
        def __reduce__(self):
            return (open, (str(tmp_path / "ran"), "w"))

    folder = written(tmp_path, "tgbl-uci", "uci")
    path = folder / "tgbl_uci" / "tgbl-uci_test_ns.pkl"
    path.write_bytes(pickle.dumps({(1, 2, 3): Program()}))
    with pytest.raises(DownloadError, match=r"it imports (_io|io)\.open"):
        datasets.load("uci", directory=folder).shipped.arrays("test")
    assert not (tmp_path / "ran").exists()


def test_days_are_midnights_where_the_benchmark_lives(tmp_path):
    path = tmp_path / "tgbl-flight_edgelist_v2.csv"
    path.write_text(tgb_text("days"))
    events, _ = read_tgb(path, "shared ids")
    # 2019-01-01 00:00 is 05:00 UTC in winter, 2019-07-01 04:00 UTC in summer.
    assert events.times[0] == 1546318800.0
    assert events.times[28 * 6] == 1561953600.0


def test_times_that_go_back_are_sorted_and_said(tmp_path):
    lines = tgb_text("coin").splitlines()
    lines[1], lines[150] = lines[150], lines[1]
    folder = tmp_path / "tgbl_coin"
    folder.mkdir()
    (folder / "tgbl-coin_edgelist_v2.csv").write_text("\n".join(lines))
    data_set = datasets.load("coin", directory=tmp_path)
    plain = plain_tgb("\n".join(lines), two_roles=False)
    # Numbers are given in the order of the file, before sorting.
    rows = sorted(plain.rows, key=lambda row: row[2])
    stream = data_set.stream
    assert [stream.external(i) for i in range(len(stream))] == rows
    assert any("times go back in 2 places" in note for note in data_set.notes)
    assert len(data_set.test) == len(plain.split("test"))


def test_a_file_of_another_size_is_noted(tmp_path):
    data_set = datasets.load("uci", directory=written(tmp_path, "tgbl-uci", "uci"))
    assert any("the registry expects 59,835 in version 1" in note for note in data_set.notes)


def test_a_stream_that_has_no_splits_is_refused(tmp_path):
    path = tmp_path / "tgbl-uci_edgelist.csv"
    path.write_text("u,i,ts,label,idx\n" + "1,2,5.0,0,1\n" * 10)
    with pytest.raises(EventError, match="every split needs an event"):
        datasets.load("uci", directory=tmp_path)


def test_text_ids_where_numbers_belong(tmp_path):
    path = tmp_path / "tgbl-uci_edgelist.csv"
    path.write_text("u,i,ts,label,idx\n" + "ann,2,5.0,0,1\n" * 10)
    with pytest.raises(EventError, match="sources of this layout are integers"):
        datasets.load("uci", directory=tmp_path)


def test_a_range_of_ids_that_no_memory_holds(tmp_path, monkeypatch):
    rows = [f"{i % 3},{10**9 * (i % 2)},{i}.0,0,{i}" for i in range(20)]
    text = "\n".join(["u,i,ts,label,idx", *rows])
    (tmp_path / "tgbl-uci_edgelist.csv").write_text(text)
    monkeypatch.setattr("linkgram.events.room.machine_memory", lambda: 8 << 30)
    with pytest.raises(EventError, match="destinations 3 to 1000000003 holds 1,000,000,001 ids"):
        datasets.load("uci", directory=tmp_path)
