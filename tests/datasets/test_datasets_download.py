"""Downloads against a server that cuts, refuses and lies."""

import hashlib
import random
import threading

import pytest
from tests.support.file_server import Served

from linkgram.datasets.download import download
from linkgram.errors import DownloadError

CONTENT = random.Random(1).randbytes(300_000)


@pytest.fixture
def pauses():
    return []


@pytest.fixture
def get(server, tmp_path, pauses):
    def get(**settings):
        settings = {"limit": 1_000_000, "pause": pauses.append, "timeout": 5.0} | settings
        return download(f"{server.address}/a.zip", tmp_path / "in" / "a.zip", **settings)

    return get


def left(tmp_path):
    folder = tmp_path / "in"
    return sorted(path.name for path in folder.iterdir()) if folder.exists() else []


def test_a_whole_file_arrives(server, get, tmp_path):
    server.files["/a.zip"] = Served(CONTENT)
    told = []
    done = get(progress=lambda *facts: told.append(facts))
    assert done.path.read_bytes() == CONTENT
    assert (done.bytes, done.sha256) == (300_000, hashlib.sha256(CONTENT).hexdigest())
    assert told[-1] == ("a.zip", 300_000, 300_000)
    assert left(tmp_path) == ["a.zip"]


def test_cut_connections_are_resumed(server, get, pauses):
    server.files["/a.zip"] = Served(CONTENT, cuts=[100_000, 50_000, 1])
    assert get().path.read_bytes() == CONTENT
    asked = [None, "bytes=100000-", "bytes=150000-", "bytes=150001-"]
    assert server.ranges("/a.zip") == asked
    assert len(pauses) == 3


def test_a_later_process_goes_on_where_the_first_stopped(server, get, tmp_path):
    server.files["/a.zip"] = Served(CONTENT, cuts=[200_000], refusals=[])

    def interrupted(_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        get(pause=interrupted)
    assert left(tmp_path) == ["a.zip.part", "a.zip.part.json"]
    assert get().path.read_bytes() == CONTENT
    assert server.ranges("/a.zip") == [None, "bytes=200000-"]


def test_a_server_that_ignores_ranges_starts_again(server, get):
    server.files["/a.zip"] = Served(CONTENT, ranges=False, cuts=[100_000])
    assert get().path.read_bytes() == CONTENT


@pytest.mark.parametrize("etag", [None, 'W/"weak"'])
def test_without_a_validator_nothing_is_resumed(server, get, etag):
    server.files["/a.zip"] = Served(CONTENT, etag=etag, cuts=[100_000])
    assert get().path.read_bytes() == CONTENT
    assert server.ranges("/a.zip") == [None, None]


def test_a_changed_file_is_not_spliced(server, get):
    server.files["/a.zip"] = Served(CONTENT, cuts=[100_000])

    def changed(_):
        server.files["/a.zip"] = Served(CONTENT[::-1], etag='"2"')

    assert get(pause=changed).path.read_bytes() == CONTENT[::-1]


def test_a_date_is_a_validator_too(server, get):
    date = "Fri, 31 Dec 1999 23:59:59 GMT"
    file = Served(CONTENT, etag=None, cuts=[100_000], headers={"Last-Modified": date})
    server.files["/a.zip"] = file

    def named(_):
        file.etag = date  # the server compares If-Range with this

    assert get(pause=named).path.read_bytes() == CONTENT
    assert server.ranges("/a.zip") == [None, "bytes=100000-"]


def test_a_length_that_never_arrives(server, get, tmp_path):
    server.files["/a.zip"] = Served(CONTENT, length=400_000, ranges=False)
    with pytest.raises(DownloadError, match="ended after 300,000 of 400,000 bytes"):
        get()
    assert "a.zip" not in left(tmp_path)


def test_no_length_is_accepted(server, get):
    server.files["/a.zip"] = Served(CONTENT, length="none")
    assert get().path.read_bytes() == CONTENT


def test_too_long_is_refused_before_and_while_it_arrives(server, get, tmp_path):
    server.files["/a.zip"] = Served(CONTENT)
    with pytest.raises(DownloadError, match=r"at most 1,000 bytes are accepted, found 300,000"):
        get(limit=1_000)
    server.files["/a.zip"] = Served(CONTENT, length="none")
    with pytest.raises(DownloadError, match=r"at most 1,000 bytes are accepted, found more"):
        get(limit=1_000)
    assert left(tmp_path) == []


def test_a_missing_file_is_final(server, get, pauses):
    with pytest.raises(DownloadError, match=r"a.zip does not exist .*404") as caught:
        get()
    assert caught.value.value == 404
    assert "--from DIR" in caught.value.hint
    assert (pauses, len(server.asked)) == ([], 1)


def test_a_refusal_is_final(server, get, pauses):
    server.files["/a.zip"] = Served(CONTENT, refusals=[(403, {})])
    with pytest.raises(DownloadError, match="answers 403"):
        get()
    assert pauses == []


def test_a_busy_server_is_asked_again(server, get, pauses):
    refusals = [(503, {}), (429, {"Retry-After": "7"}), (500, {"Retry-After": "86400"})]
    server.files["/a.zip"] = Served(CONTENT, refusals=refusals)
    assert get().path.read_bytes() == CONTENT
    assert pauses == [1.0, 7.0, 60.0]


def test_a_server_that_stays_busy(server, get, pauses):
    server.files["/a.zip"] = Served(CONTENT, refusals=[(503, {})] * 20)
    with pytest.raises(DownloadError, match="could not be downloaded: the server answers 503"):
        get()
    assert len(server.asked) == 5
    assert pauses == sorted(pauses)


def test_nobody_listens(tmp_path, pauses):
    with pytest.raises(DownloadError, match="no connection"):
        download("http://127.0.0.1:9/a", tmp_path / "a", limit=1, pause=pauses.append)


def test_an_unexpected_digest_is_refused(server, get, tmp_path):
    server.files["/a.zip"] = Served(CONTENT)
    with pytest.raises(DownloadError, match="is not the expected file: its sha256 is"):
        get(sha256="0" * 64)
    assert left(tmp_path) == []
    assert get(sha256=hashlib.sha256(CONTENT).hexdigest()).bytes == 300_000


@pytest.mark.parametrize("target", ["file:///etc/passwd", "ftp://127.0.0.1/a"])
def test_redirects_stay_on_the_web(server, get, target):
    server.files["/a.zip"] = Served(b"", refusals=[(302, {"Location": target})])
    with pytest.raises(DownloadError, match=r"is not (followed|allowed)"):
        get()


def test_redirects_are_followed(server, get):
    server.files["/b"] = Served(CONTENT)
    server.files["/a.zip"] = Served(b"", refusals=[(302, {"Location": f"{server.address}/b"})])
    assert get().path.read_bytes() == CONTENT


def test_an_unwritable_place_is_a_download_error(server, tmp_path):
    server.files["/a.zip"] = Served(CONTENT)
    (tmp_path / "file").touch()
    with pytest.raises(DownloadError, match=r"downloading .* failed"):
        download(f"{server.address}/a.zip", tmp_path / "file" / "a.zip", limit=10**6)


def test_a_broken_memory_of_the_part_starts_again(server, get, tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.zip.part").write_bytes(b"of another file")
    (tmp_path / "in" / "a.zip.part.json").write_text('["not", "facts"]')
    server.files["/a.zip"] = Served(CONTENT)
    assert get().path.read_bytes() == CONTENT


def test_the_progress_may_stop_the_download(server, get):
    server.files["/a.zip"] = Served(CONTENT)

    def stop(*_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        get(progress=stop)
    assert threading.active_count() < 10
