"""Download: one file over HTTP(S), resumed when cut, checked, and named only when whole.

This is the one module that opens connections. A server is not trusted: only http and https are
followed, sizes are bounded, and nothing is believed about a length until the bytes have arrived.
Cut connections and busy servers (408, 429, 5xx) are tried again, with growing pauses or the pause
the server asks for; other refusals are final.
"""

from __future__ import annotations

import http.client
import ssl
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any, BinaryIO

from linkgram.datasets.headers import asked_pause, content_range, length
from linkgram.datasets.partial import Partial
from linkgram.datasets.write import disk_errors
from linkgram.errors import DownloadError

if TYPE_CHECKING:
    from pathlib import Path

Progress = Callable[[str, int, int | None], object]
"""Called with what is being worked on, how much of it is done, and how much there is if known."""

ATTEMPTS = 5
ROUNDS = 200
LONGEST_PAUSE = 60.0
BLOCK = 1 << 18
BUSY = (408, 425, 429)


class _Interrupted(Exception):  # noqa: N818  (not an error: the download goes on)
    """The connection ended early; `pause` is what the server asked for."""

    def __init__(self, reason: str, pause: float | None = None) -> None:
        super().__init__(reason)
        self.pause = pause


@dataclass(frozen=True, slots=True)
class Downloaded:
    """A file that arrived whole."""

    path: Path
    bytes: int
    sha256: str


def download(
    url: str,
    target: Path,
    *,
    limit: int,
    sha256: str | None = None,
    progress: Progress | None = None,
    timeout: float = 30.0,
    pause: Callable[[float], object] = time.sleep,
) -> Downloaded:
    """Download one file to `target`, of at most `limit` bytes.

    >>> from pathlib import Path
    >>> download("file:///etc/passwd", Path("copy"), limit=1)
    Traceback (most recent call last):
    linkgram.errors.DownloadError: file:///etc/passwd is not an http or https address
    """
    if urllib.parse.urlsplit(url).scheme not in ("http", "https"):
        raise DownloadError(f"{url} is not an http or https address", value=url)
    partial = Partial(target, url)
    failures = 0
    with disk_errors(f"downloading {url} to {target}"):
        for _ in range(ROUNDS):
            before = partial.size
            try:
                _receive(partial, limit, progress, timeout)
                break
            except _Interrupted as interruption:
                failures = 0 if partial.size > before else failures + 1
                if failures >= ATTEMPTS:
                    raise _given_up(partial, interruption) from None
                pause(interruption.pause or min(0.5 * 2**failures, LONGEST_PAUSE))
        else:
            raise _given_up(partial, "the connection was cut again and again")
        size, digest = partial.size, partial.sha256()
        if sha256 is not None and digest != sha256:
            partial.discard()
            raise DownloadError(
                f"{url} is not the expected file: its sha256 is {digest}, expected {sha256}",
                value=digest,
                hint="the file was replaced or damaged on its way; nothing was kept",
            )
        partial.finish()
    return Downloaded(target, size, digest)


def _receive(partial: Partial, limit: int, progress: Progress | None, timeout: float) -> None:
    """Ask once, and keep what arrives."""
    request = urllib.request.Request(
        partial.url, headers={"User-Agent": "linkgram", "Accept-Encoding": "identity"}
    )
    validator = partial.validator()
    had = partial.size if validator is not None else 0
    if validator is not None:
        request.add_header("Range", f"bytes={had}-")
        request.add_header("If-Range", validator)
    with _opened(request, partial, timeout) as response:
        headers = response.headers
        if headers.get("Content-Encoding", "identity").lower() != "identity":
            raise DownloadError(f"{partial.url} arrives encoded, which was not asked for")
        total = length(headers)
        if response.status == 206:
            start, whole = content_range(headers)
            if validator is None or start != had:
                partial.discard()
                raise _Interrupted("the server sent another part than the one asked for")
            total = whole
        partial.make_room(total, limit, 0 if response.status == 200 else had)
        file = (
            partial.go_on()
            if response.status == 206
            else partial.begin(headers.get("ETag"), headers.get("Last-Modified"))
        )
        with file:
            _copy(response, file, partial, total, limit, progress)
    size = partial.size
    if total is not None and size < total:
        raise _Interrupted(f"the connection ended after {size:,} of {total:,} bytes")
    if total is not None and size > total:
        partial.discard()
        raise _Interrupted(f"{size:,} bytes arrived of {total:,} announced")


def _copy(
    response: IO[bytes],
    file: BinaryIO,
    partial: Partial,
    total: int | None,
    limit: int,
    progress: Progress | None,
) -> None:
    size = file.tell()
    while True:
        try:
            block = response.read(BLOCK)
        except http.client.IncompleteRead as error:
            file.write(error.partial[: max(0, limit - size)])
            raise _Interrupted("the connection ended early") from None
        except (OSError, http.client.HTTPException) as error:
            raise _Interrupted(f"the connection broke: {error}") from None
        if not block:
            return
        size += len(block)
        if size > limit:
            file.close()
            raise partial.too_large(limit)
        file.write(block)
        if progress is not None:
            progress(partial.target.name, size, total)


def _opened(request: urllib.request.Request, partial: Partial, timeout: float) -> Any:
    try:
        return _OPENER.open(request, timeout=timeout)
    except DownloadError:  # is an OSError too: a redirect that is not followed
        raise
    except urllib.error.HTTPError as error:
        with error:
            raise _refusal(error, partial) from None
    except urllib.error.URLError as error:
        if isinstance(error.reason, ssl.SSLCertVerificationError):
            raise DownloadError(f"{partial.url} cannot be trusted: {error.reason}") from None
        raise _Interrupted(f"no connection: {error.reason}") from None
    except (OSError, http.client.HTTPException) as error:
        raise _Interrupted(f"no connection: {error or type(error).__name__}") from None


def _refusal(error: urllib.error.HTTPError, partial: Partial) -> Exception:
    """Say what an answer other than 200 or 206 means."""
    if error.code == 416:
        # What is there is longer than the file: it is of another file.
        partial.discard()
        return _Interrupted("the server has no such part")
    if error.code in BUSY or error.code >= 500:
        pause = asked_pause(error.headers.get("Retry-After"), LONGEST_PAUSE)
        return _Interrupted(f"the server answers {error.code} {error.reason}", pause)
    if error.code in (404, 410):
        return DownloadError(
            f"{partial.url} does not exist (the server answers {error.code})",
            value=error.code,
            hint="the file may have moved; fetch it by hand and pass --from DIR",
        )
    return DownloadError(
        f"{partial.url} is refused: the server answers {error.code} {error.reason}",
        value=error.code,
    )


def _given_up(partial: Partial, reason: object) -> DownloadError:
    kept = f"{partial.size:,} bytes were kept and the next try goes on from there"
    return DownloadError(
        f"{partial.url} could not be downloaded: {reason}",
        hint=kept if partial.validator() is not None else "try again later",
    )


class _Redirects(urllib.request.HTTPRedirectHandler):
    """Redirects to http and https only, and never from https back to http."""

    def redirect_request(
        self, req: Any, fp: Any, code: int, msg: str, headers: Any, newurl: str
    ) -> urllib.request.Request | None:
        schemes = urllib.parse.urlsplit(req.full_url).scheme, urllib.parse.urlsplit(newurl).scheme
        if schemes[1] not in ("http", "https") or schemes == ("https", "http"):
            raise DownloadError(f"{req.full_url} leads to {newurl}, which is not followed")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _opener() -> urllib.request.OpenerDirector:
    opener = urllib.request.OpenerDirector()
    for handler in (
        urllib.request.ProxyHandler(),
        urllib.request.HTTPHandler(),
        urllib.request.HTTPSHandler(),
        urllib.request.HTTPDefaultErrorHandler(),
        urllib.request.HTTPErrorProcessor(),
        _Redirects(),
    ):
        opener.add_handler(handler)
    return opener


_OPENER = _opener()
