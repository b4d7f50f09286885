"""Where data sets come to lie: fetched, adopted, found, listed; and two processes at once."""

import json
import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
from tests.support.benchmark_files import tgb_files, zipped
from tests.support.file_server import Served

from linkgram import datasets
from linkgram.datasets.lock import locked
from linkgram.datasets.registry import registered, registry
from linkgram.errors import DataSetMissingError, DownloadError, SettingError


@pytest.fixture
def theirs(tmp_path):
    folder = tmp_path / "theirs" / "tgbl_uci"
    folder.mkdir(parents=True)
    for name, content in tgb_files("tgbl-uci", "uci").items():
        (folder / name).write_bytes(content)
    return folder


def test_the_registry_is_complete():
    sets = registry()
    assert len([s for s in sets.values() if s.benchmark == "TGB"]) == 10
    assert len([s for s in sets.values() if s.benchmark == "TGB-Seq"]) == 8
    for name, facts in sets.items():
        assert facts.url.startswith("https://")
        assert facts.candidates["rule"] in ("historical-random", "uniform", "all-destinations")
        assert facts.package is not None or 10**9 <= facts.max_bytes <= facts.max_unpacked
        assert facts.archive is None or facts.archive.endswith(".zip")
        assert "events" in facts.files, name
    ks = {n.removeprefix("tgbl-"): s.candidates["k"] for n, s in list(sets.items())[:10]}
    assert ks == {
        "wiki": 12_000,
        "uci": 1_000,
        "enron": 1_000,
        "subreddit": 1_000,
        "lastfm": 2_000,
        "review": 100,
        "review-v3": 100,
        "coin": 20,
        "comment": 20,
        "flight": 20,
    }
    versioned = {n for n, s in sets.items() if s.archive and "-v2" in s.archive}
    assert versioned == {"tgbl-wiki", "tgbl-review", "tgbl-coin", "tgbl-flight"}
    assert registered("review-v3").file("events") == "tgbl-review_edgelist_v3.csv"


@pytest.mark.parametrize(
    "name", ["tgbl-uci", "TGBL-UCI", "uci", "Uci ", "tgbl_uci", "ml-20m", "ML_20M", "googlelocal"]
)
def test_names_are_found_as_people_write_them(name):
    assert registered(name).name in ("tgbl-uci", "ML-20M", "GoogleLocal")


def test_an_unknown_name_is_refused_with_close_ones():
    with pytest.raises(SettingError, match="close names are tgbl-flight") as caught:
        datasets.load("tgbl-fligth")
    assert (caught.value.setting, caught.value.value) == ("name", "tgbl-fligth")


def test_what_is_missing_says_where_and_how(tmp_path, home):
    with pytest.raises(DataSetMissingError) as caught:
        datasets.load("wiki", directory=tmp_path / "data")
    message = str(caught.value)
    for part in (
        str(tmp_path / "data"),
        str(home),
        "`linkgram datasets fetch tgbl-wiki`",
        "--from DIR",
    ):
        assert part in message
    assert isinstance(caught.value, FileNotFoundError)


def test_an_archive_beside_the_files_is_pointed_out(tmp_path):
    zipped(tmp_path / "tgbl-uci.zip", tgb_files("tgbl-uci", "uci"))
    with pytest.raises(DataSetMissingError, match=r"is not unpacked: only .*tgbl-uci\.zip"):
        datasets.find("uci", tmp_path)


def test_adopted_files_are_linked_and_remembered(theirs, home):
    files = datasets.adopt("uci", theirs.parent)
    assert files.directory == home / "tgbl_uci"
    for path in files.paths.values():
        assert path.samefile(theirs / path.name)
    manifest = json.loads((files.directory / "linkgram.json").read_text())["files"]
    assert set(manifest) == {path.name for path in files.paths.values()}
    assert manifest["tgbl-uci_edgelist.csv"]["origin"] == str(theirs)
    assert datasets.find("uci") == files
    assert datasets.adopt("uci", theirs) == files
    assert sorted(p.name for p in theirs.iterdir()) == sorted(tgb_files("tgbl-uci", "uci"))


def test_adopted_files_are_copied_where_links_do_not_work(theirs, home, monkeypatch):
    def refuse(*_):
        raise OSError(18, "Invalid cross-device link")

    monkeypatch.setattr(os, "link", refuse)
    files = datasets.adopt("uci", theirs)
    for path in files.paths.values():
        assert not path.samefile(theirs / path.name)
        assert path.read_bytes() == (theirs / path.name).read_bytes()


def test_an_archive_is_adopted(tmp_path, home):
    zipped(tmp_path / "wiki" / "tgbl-wiki-v2.zip", tgb_files("tgbl-wiki", "wiki", 2))
    files = datasets.adopt("wiki", tmp_path / "wiki")
    assert set(files.paths) == {"events", "validation", "test"}
    assert files.directory == home / "tgbl_wiki"


def test_nothing_to_adopt(tmp_path):
    with pytest.raises(DataSetMissingError, match=r"looked for tgbl-uci_edgelist\.csv, .*\.zip"):
        datasets.adopt("uci", tmp_path)


def test_the_digest_is_believed_only_while_the_file_stays(theirs):
    files = datasets.adopt("uci", theirs)
    first = datasets.load("uci").files[0]
    manifest = files.directory / "linkgram.json"
    manifest.write_text(manifest.read_text().replace(first.sha256, "0" * 64))
    assert datasets.load("uci").files[0].sha256 == "0" * 64
    os.utime(first.path, ns=(0, 0))
    assert datasets.load("uci").files[0].sha256 == first.sha256
    manifest.write_text('{"files": []}')
    assert datasets.load("uci").files[0].sha256 == first.sha256


def test_missing_negatives_are_fetched_after_adopting_events_alone(theirs, server, tmp_path):
    for path in theirs.glob("*.pkl"):
        path.unlink()
    datasets.adopt("uci", theirs)
    server.files["/tgbl-uci.zip"] = Served(zipped(tmp_path / "z", tgb_files("tgbl-uci", "uci")))
    assert set(datasets.fetch("uci", source=server.address).paths) == {
        "events",
        "validation",
        "test",
    }


def test_an_archive_without_negatives_is_fetched_once(server, tmp_path):
    events = {"tgbl-uci_edgelist.csv": tgb_files("tgbl-uci", "uci")["tgbl-uci_edgelist.csv"]}
    server.files["/tgbl-uci.zip"] = Served(zipped(tmp_path / "z", events))
    for _ in range(2):
        assert set(datasets.fetch("uci", source=server.address).paths) == {"events"}
    assert len(server.asked) == 1


def test_sizes_are_bounded_by_the_registry(server, monkeypatch, tmp_path):
    server.files["/tgbl-uci.zip"] = Served(b"x" * 1_000, length=10**12)
    with pytest.raises(DownloadError, match="1,000,000,000,000 bytes"):
        datasets.fetch("uci", source=server.address)


def test_never_into_installed_packages():
    with pytest.raises(SettingError, match="belongs to installed packages"):
        datasets.fetch("uci", directory=Path(sysconfig.get_path("purelib")) / "linkgram")


def test_a_home_that_cannot_be_written(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(DownloadError, match="failed"):
        datasets.fetch("uci", directory=tmp_path / "file" / "data")


def test_the_list(theirs):
    before = {record.name: record for record in datasets.list_data_sets()}
    assert not before["tgbl-uci"].present
    assert before["tgbl-uci"].where is None
    assert before["tgbl-uci"].size == "59,835 events"
    files = datasets.adopt("uci", theirs)
    after = {record.name: record for record in datasets.list_data_sets()}
    assert (after["tgbl-uci"].present, after["tgbl-uci"].where) == (True, files.directory)
    assert after["tgbl-uci"].source.startswith("https://")
    assert after["flights"].licence == "CC0-1.0"


def test_two_processes_fetch_once(server, tmp_path, home):
    content = zipped(tmp_path / "z", tgb_files("tgbl-uci", "uci"))
    server.files["/tgbl-uci.zip"] = Served(content)
    program = (
        "from linkgram import datasets\n"
        f"files = datasets.fetch('uci', source={server.address!r})\n"
        "print(len(datasets.load('uci').shipped.arrays('test')[1]))\n"
    )
    processes = [
        subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    answers = [process.communicate(timeout=60)[0] for process in processes]
    assert [process.returncode for process in processes] == [0, 0, 0]
    assert len(set(answers)) == 1
    assert len(server.asked) == 1
    assert sorted(path.name for path in home.iterdir()) == [".incoming", "converted", "tgbl_uci"]


def test_a_lock_that_is_held_too_long(tmp_path):
    path = tmp_path / "lock"
    with (
        locked(path),
        pytest.raises(DownloadError, match="another process holds"),
        locked(path, patience=0.05, interval=0.01),
    ):
        pass
    with locked(path, patience=0.0):
        pass


def printed(program):
    command = [sys.executable, "-c", program]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_imports_stay_light():
    ours = "print([name for name in sys.modules if name.startswith('linkgram.datasets')])"
    assert printed(f"import sys, linkgram; {ours}") == "[]\n"
    heavy = "print(sorted({'polars', 'pandas', 'networkx'} & set(sys.modules)))"
    assert printed(f"import sys, linkgram.datasets; {heavy}") == "[]\n"
