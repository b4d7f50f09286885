"""TGB-Seq: the split column, test negatives as one array, Hugging Face's addresses and cache."""

import gzip

import numpy as np
import pytest
from tests.support.benchmark_files import seq_negatives, seq_text
from tests.support.file_server import Served

from linkgram import datasets
from linkgram.datasets import rectangle
from linkgram.datasets.protocol import protocol_of
from linkgram.errors import CandidateError, DownloadError, EventError
from linkgram.evaluation import candidates


def npy(array, path):
    np.save(path, array)
    return path.read_bytes()


@pytest.fixture
def yelp(tmp_path):
    folder = tmp_path / "data" / "Yelp"
    folder.mkdir(parents=True)
    (folder / "Yelp.csv").write_text(seq_text())
    np.save(folder / "Yelp_test_ns.npy", seq_negatives())
    return folder


def check(data_set):
    rows = [line.split(",") for line in seq_text().splitlines()[1:]]
    stream = data_set.stream
    expected = [(int(s), int(d), float(t)) for s, d, t, _ in rows]
    assert [stream.external(i) for i in range(140)] == expected
    assert stream.destination_ids.tolist() == list(range(1, 31))
    assert (data_set.training_end, data_set.validation_end) == (100, 120)
    offsets, destinations = data_set.shipped.arrays("test")
    assert offsets.tolist() == list(range(0, 2_001, 100))
    assert destinations.dtype == np.int32
    assert isinstance(destinations, np.memmap)
    assert np.array_equal(destinations.reshape(20, 100) + 1, seq_negatives())


def test_a_folder_is_read_as_it_is(yelp):
    data_set = datasets.load("Yelp", directory=yelp.parent)
    check(data_set)
    assert list(data_set.shipped) == ["test"]
    assert data_set.candidate_rule == {"rule": "uniform", "k": 100, "seed": 42}
    assert data_set.split_rule == {"rule": "split-column"}


def test_files_come_from_the_hub(server, monkeypatch, tmp_path, home):
    monkeypatch.setenv("HF_ENDPOINT", server.address)
    base = "/datasets/TGB-Seq/Yelp/resolve/main"
    content = npy(seq_negatives(), tmp_path / "n.npy")
    server.files[f"{base}/Yelp.csv"] = Served(seq_text().encode())
    server.files[f"{base}/Yelp_test_ns.npy"] = Served(content, cuts=[1_000])
    files = datasets.fetch("yelp")
    assert files.paths["test"] == home / "Yelp" / "Yelp_test_ns.npy"
    check(datasets.load("yelp"))


def test_a_set_is_there_only_when_all_its_files_are(server, monkeypatch):
    monkeypatch.setenv("HF_ENDPOINT", server.address)
    base = "/datasets/TGB-Seq/Yelp/resolve/main"
    server.files[f"{base}/Yelp.csv"] = Served(seq_text().encode())
    with pytest.raises(DownloadError, match=r"Yelp_test_ns.npy does not exist"):
        datasets.fetch("Yelp")
    with pytest.raises(FileNotFoundError):
        datasets.find("Yelp")


def test_what_hugging_face_has_cached_is_used(yelp, tmp_path, server):
    cache = tmp_path / "hub" / "datasets--TGB-Seq--Yelp"
    (cache / "refs").mkdir(parents=True)
    (cache / "refs" / "main").write_text("abc123")
    (cache / "snapshots").mkdir()
    (cache / "snapshots" / "abc123").symlink_to(yelp)
    assert datasets.find("Yelp").directory == cache / "snapshots" / "abc123"
    check(datasets.load("Yelp"))
    assert datasets.fetch("Yelp").directory == cache / "snapshots" / "abc123"
    elsewhere = datasets.fetch("Yelp", directory=tmp_path / "mine")
    assert elsewhere.directory == tmp_path / "mine" / "Yelp"
    assert server.asked == []


def test_extra_history_comes_first_and_is_not_learned_from(tmp_path):
    (tmp_path / "Patent.csv").write_text(seq_text(extra=10))
    np.save(tmp_path / "Patent_test_ns.npy", seq_negatives())
    data_set = datasets.load("Patent", directory=tmp_path)
    assert data_set.split_rule == {"rule": "split-column", "observed_only": 10}
    assert (data_set.training_end, data_set.validation_end) == (110, 130)
    assert (len(data_set.training), len(data_set.validation), len(data_set.test)) == (100, 20, 20)
    assert set(data_set.stream.times[:10]) == {data_set.stream.times[10]}
    assert any("were later than the first training event" in note for note in data_set.notes)
    _, destinations = data_set.shipped.arrays("test")
    assert np.array_equal(destinations.reshape(20, 100) + 1, seq_negatives())


def test_splits_that_overlap_in_time_are_refused(tmp_path):
    lines = seq_text().splitlines()
    late = lines[110].rsplit(",", 2)[0] + ",99999.0,1"
    (tmp_path / "Patent.csv").write_text("\n".join([*lines[:110], late, *lines[111:]]))
    with pytest.raises(EventError, match=r"in test is before the end of validation") as caught:
        datasets.load("Patent", directory=tmp_path)
    assert (caught.value.row, caught.value.column) == (120, "time")


def test_rows_follow_their_events_when_the_file_is_not_sorted(tmp_path):
    lines = seq_text().splitlines()
    order = np.random.default_rng(0).permutation(140)
    (tmp_path / "Yelp.csv").write_text("\n".join([lines[0], *(lines[i + 1] for i in order)]))
    tests = [i - 120 for i in order if i >= 120]
    np.save(tmp_path / "Yelp_test_ns.npy", seq_negatives()[tests])
    data_set = datasets.load("Yelp", directory=tmp_path)
    _, destinations = data_set.shipped.arrays("test")
    found = sorted(
        (*data_set.test.external(i), *row)
        for i, row in enumerate((destinations.reshape(20, 100) + 1).tolist())
    )
    plain = [line.split(",") for line in lines[121:]]
    expected = sorted(
        (int(s), int(d), float(t), *row)
        for (s, d, t, _), row in zip(plain, seq_negatives().tolist(), strict=True)
    )
    assert found == expected


def test_blocks_join(yelp, monkeypatch):
    monkeypatch.setattr(rectangle, "BLOCK_NUMBERS", 700)
    check(datasets.load("Yelp", directory=yelp))


def test_a_compressed_array(yelp):
    path = yelp / "Yelp_test_ns.npy"
    (yelp / "Yelp_test_ns.npy.gz").write_bytes(gzip.compress(path.read_bytes()))
    path.unlink()
    check(datasets.load("Yelp", directory=yelp))


def refusal(folder, array, kind=DownloadError):
    path = folder / "Yelp_test_ns.npy"
    if isinstance(array, bytes):
        path.write_bytes(array)
    else:
        np.save(path, array)
    with pytest.raises(kind) as caught:
        datasets.load("Yelp", directory=folder).shipped.arrays("test")
    return str(caught.value)


def test_arrays_that_are_not_negatives_are_refused(yelp, tmp_path):
    good = seq_negatives()
    assert "has 19 rows" in refusal(yelp, good[:19], CandidateError)
    assert "float64" in refusal(yelp, good.astype(float))
    assert "of shape (2000,)" in refusal(yelp, good.ravel())
    wrong = good.copy()
    wrong[7, 3] = 31
    found = refusal(yelp, wrong, CandidateError)
    assert "query 7: negative 3 in Yelp_test_ns.npy is destination 31; destinations are" in found
    wrong[7, 3] = 0
    assert "is destination 0" in refusal(yelp, wrong, CandidateError)
    whole = npy(good, tmp_path / "n.npy")
    for length in (0, 5, 60, 128, len(whole) - 1):
        assert "is not a whole array" in refusal(yelp, whole[:length])
    assert "is not a whole array" in refusal(yelp, b"PK\x05\x06" + b"\0" * 18)
    programs = np.empty((20, 100), dtype=object)
    assert "holds object of shape (20, 100)" in refusal(yelp, npy(programs, tmp_path / "n.npy"))
    huge = whole.replace(b"(20, 100), }        ", b"(99999999999, 100), }")
    assert len(huge) == len(whole) + 1
    huge = huge.replace(b" \n", b"\n", 1)
    assert "has 99,999,999,999 rows of 100" in refusal(yelp, huge, CandidateError)
    wide = whole.replace(b"(20, 100), }     ", b"(20, 99999999), }")
    assert "has 20 rows of 99,999,999;" in refusal(yelp, wide, CandidateError)


def test_a_compressed_array_becomes_no_more_than_it_says(yelp, tmp_path):
    path = yelp / "Yelp_test_ns.npy.gz"
    whole = npy(seq_negatives(), tmp_path / "n.npy")
    (yelp / "Yelp_test_ns.npy").unlink()
    for content, words in (
        (whole + bytes(10**8), "it holds more than its header says"),
        (bytes(10**8), "is not a whole array of numbers"),
        (whole[:-8], "is not a whole array of numbers"),
    ):
        path.write_bytes(gzip.compress(content, 1))
        with pytest.raises(DownloadError, match=words):
            datasets.load("Yelp", directory=yelp).shipped.arrays("test")


def test_unknown_splits_are_refused(tmp_path):
    (tmp_path / "Yelp.csv").write_text(seq_text().replace(",1\n", ",3\n"))
    with pytest.raises(EventError, match=r"event 100: split 3 is unknown") as caught:
        datasets.load("Yelp", directory=tmp_path)
    assert caught.value.row == 100


def test_only_what_was_not_shipped_is_drawn(yelp, monkeypatch, tmp_path):
    data_set = datasets.load("Yelp", directory=yelp)
    drawn = []
    uniform = candidates.uniform

    def watched(stream, first, end, **options):
        drawn.append((first, end))
        return uniform(stream, first, end, **options)

    monkeypatch.setattr(candidates, "uniform", watched)
    protocol = protocol_of(data_set, directory=tmp_path / "drawn")
    assert drawn == [(100, 120)]
    assert protocol.test.rule["rule"] == "shipped"
    assert isinstance(protocol.validation.destinations, np.memmap)
