"""Archives that mean harm, and those that are merely broken."""

import io
import random
import stat
import struct
import zipfile

import pytest
from tests.support.benchmark_files import tgb_files, zipped
from tests.support.file_server import Served

from linkgram import datasets
from linkgram.datasets.archive import unpack
from linkgram.errors import DataSetMissingError, DownloadError


def archive(path, *members):
    """A zip of (name or ZipInfo, content)."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in members:
            file.writestr(name, content)
    return path


def refusal(path, tmp_path, wanted=("events.csv",), limit=10_000):
    folder = tmp_path / "out"
    folder.mkdir(exist_ok=True)
    with pytest.raises(DownloadError) as caught:
        unpack(path, wanted, folder, limit=limit)
    outside = {path.name for path in tmp_path.iterdir()} - {"out", "a.zip"}
    assert outside == set()
    return str(caught.value)


@pytest.mark.parametrize(
    "name",
    [
        "../events.csv",
        "a/../../events.csv",
        "/etc/events.csv",
        "\\events.csv",
        "..\\events.csv",
        "C:\\events.csv",
        "C:events.csv",
    ],
)
def test_names_that_leave_the_folder(name, tmp_path):
    harmless = ("events.csv", "u,v,t")
    path = archive(tmp_path / "a.zip", harmless, (zipfile.ZipInfo(name), "evil"))
    assert "would leave the folder" in refusal(path, tmp_path)
    assert list((tmp_path / "out").iterdir()) == []


@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFIFO, stat.S_IFCHR])
def test_links_and_devices(kind, tmp_path):
    member = zipfile.ZipInfo("events.csv")
    member.external_attr = (kind | 0o777) << 16
    path = archive(tmp_path / "a.zip", (member, "/etc/passwd"))
    assert "is a link or a device" in refusal(path, tmp_path)


def test_a_bomb_is_refused_before_it_is_unpacked(tmp_path):
    path = archive(tmp_path / "a.zip", ("events.csv", b"\0" * 10_000_000))
    assert path.stat().st_size < 20_000
    assert "unpacks to 10,000,000 bytes, more than the 10,000" in refusal(path, tmp_path)


def test_a_bomb_that_lies_about_its_size(tmp_path):
    path = archive(tmp_path / "a.zip", ("events.csv", b"\0" * 10_000_000))
    content = path.read_bytes().replace(struct.pack("<I", 10_000_000), struct.pack("<I", 9_000))
    path.write_bytes(content)
    refusal(path, tmp_path)
    files = list((tmp_path / "out").iterdir())
    assert sum(file.stat().st_size for file in files) <= 10_000


def test_two_members_of_one_name(tmp_path):
    path = archive(tmp_path / "a.zip", ("a/events.csv", "1"), ("b/events.csv", "2"))
    assert "two members are named 'events.csv'" in refusal(path, tmp_path)


def test_too_many_members(tmp_path):
    members = [(f"{i}.txt", "") for i in range(10_001)]
    assert "has 10,001 members" in refusal(archive(tmp_path / "a.zip", *members), tmp_path)


def test_a_table_of_members_that_would_fill_the_memory(tmp_path):
    path = tmp_path / "a.zip"
    entries = 200_000
    member = struct.pack(
        "<4s6H3L5H2L",
        b"PK\1\2",
        20,
        20,
        *[0] * 14,
    )
    with path.open("wb") as file:
        file.write(member * entries)
        end = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 1, 1, len(member) * entries, 0, 0)
        file.write(end)
    assert "its table of members has 9,200,000 bytes" in refusal(path, tmp_path)


def test_encrypted_members(tmp_path):
    path = archive(tmp_path / "a.zip", ("events.csv", "x"))
    content = bytearray(path.read_bytes())
    content[content.index(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(content)
    assert "is encrypted" in refusal(path, tmp_path)


def test_every_truncation_and_many_changes_are_errors_or_the_same(tmp_path):
    text = random.Random(0).randbytes(500)
    path = archive(tmp_path / "a.zip", ("deep/events.csv", text))
    whole = path.read_bytes()
    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        assert "not a whole zip archive" in refusal(path, tmp_path)
    draw = random.Random(1)
    for attempt in range(1_000):
        changed = bytearray(whole)
        changed[draw.randrange(len(whole))] ^= 1 << draw.randrange(8)
        path.write_bytes(changed)
        folder = tmp_path / "out" / str(attempt)
        folder.mkdir(parents=True)
        try:
            unpacked = unpack(path, ["events.csv"], folder, limit=10_000)
        except DownloadError:
            continue
        assert all(file.read_bytes() == text for file in unpacked.values())


def test_only_wanted_members_are_unpacked(tmp_path):
    path = archive(tmp_path / "a.zip", ("x/events.csv", "1"), ("x/features.npy", "2"), ("x/", ""))
    assert list(unpack(path, ["events.csv", "none.pkl"], tmp_path, limit=10)) == ["events.csv"]
    assert sorted(file.name for file in tmp_path.iterdir()) == ["a.zip", "events.csv"]


def fetched(server, content):
    server.files["/tgbl-uci.zip"] = Served(content)
    return datasets.fetch("uci", source=server.address)


def test_an_evil_archive_installs_nothing(server, tmp_path, home):
    content = zipped(tmp_path / "z", tgb_files("tgbl-uci", "uci") | {"../evil.py": b"evil"})
    with pytest.raises(DownloadError, match="would leave the folder"):
        fetched(server, content)
    assert not (home / "tgbl_uci").exists()
    assert list(tmp_path.rglob("evil.py")) == []
    assert list(home.rglob("*.zip")) == [], "what was refused does not stay"


def test_an_archive_whose_unpacking_was_interrupted_is_not_downloaded_again(server, tmp_path, home):
    content = zipped(tmp_path / "z", tgb_files("tgbl-uci", "uci"))
    server.files["/tgbl-uci.zip"] = Served(content)

    def interrupted(what, done, total):
        if what.endswith(".csv"):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        datasets.fetch("uci", source=server.address, progress=interrupted)
    assert not (home / "tgbl_uci").exists()
    assert fetched(server, content).directory == home / "tgbl_uci"
    assert len(server.asked) == 1
    assert list(home.rglob("*.zip")) == []


def test_a_damaged_archive_installs_nothing_and_is_fetched_again(server, tmp_path, home):
    good = zipped(tmp_path / "z", tgb_files("tgbl-uci", "uci"))
    bad = bytearray(good)
    bad[1_000] ^= 1
    with pytest.raises(DownloadError, match="not a whole zip archive"):
        fetched(server, bytes(bad))
    assert not (home / "tgbl_uci").exists()
    assert fetched(server, good).directory == home / "tgbl_uci"


def test_an_archive_of_another_version(server, tmp_path):
    content = zipped(tmp_path / "z", tgb_files("tgbl-uci", "uci", version=7))
    with pytest.raises(DataSetMissingError, match=r"does not hold tgbl-uci_edgelist\.csv"):
        fetched(server, content)


def test_what_is_not_an_archive(server):
    with pytest.raises(DownloadError, match="not a whole zip archive"):
        fetched(server, b"<html>Sign in</html>")
    buffer = io.BytesIO()
    zipfile.ZipFile(buffer, "w").close()
    with pytest.raises(DataSetMissingError, match="does not hold"):
        fetched(server, buffer.getvalue())
