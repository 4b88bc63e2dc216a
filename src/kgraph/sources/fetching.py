"""A web page as a file below the source root: fetched only when that is asked for, and read like any other file from then on."""

from __future__ import annotations

import hashlib
import os
import re
from urllib.parse import unquote, urlsplit

from kgraph.errors import MissingExtra, TryAgain, UsageError
from kgraph.sources.formats import BY_EXTENSION
from kgraph.sources.limits import DEFAULT

FOLDER = "fetched"
REDIRECTS = 5
_EXTENSIONS = {
    "text/html": ".html", "application/xhtml+xml": ".html", "application/pdf": ".pdf", "text/plain": ".txt", "text/markdown": ".md",
    "application/json": ".json", "text/csv": ".csv", "application/xml": ".xml", "text/xml": ".xml", "application/rss+xml": ".rss",
    "application/atom+xml": ".atom",
}  # fmt: skip


def is_web_address(path: str) -> bool:
    return path.lower().startswith(("http://", "https://"))


def fetch(url: str, folder: str, timeout_seconds: float = 30.0) -> str:
    """Fetch a page into ``folder/fetched/HOST/…``; the file's path. Raises UsageError for an answer that is no page, TryAgain, MissingExtra.

    At most as many bytes as a file may have; redirects are followed a few times.
    """
    try:
        import httpx
    except ImportError:
        raise MissingExtra("fetching a web page", "models") from None
    try:
        with (
            httpx.Client(
                follow_redirects=True, max_redirects=REDIRECTS, timeout=timeout_seconds
            ) as client,
            client.stream("GET", url, headers={"user-agent": "kgraph"}) as answer,
        ):
            if answer.status_code != 200:
                raise UsageError(f"'{url}' answered {answer.status_code}", "is the address right?")
            pieces, size = [], 0
            for piece in answer.iter_bytes():
                pieces.append(piece)
                size += len(piece)
                if size > DEFAULT.file_bytes:
                    raise UsageError(
                        f"'{url}' holds more than {DEFAULT.file_bytes} bytes",
                        "save it yourself and cut it",
                    )
            kind = answer.headers.get("content-type", "").partition(";")[0].strip().lower()
    except (httpx.HTTPError, httpx.InvalidURL, OSError) as error:
        raise TryAgain(
            f"'{url}' can't be fetched ({error})", "is the address right, and the network up?"
        ) from None
    path = os.path.join(folder, FOLDER, *place_of(url, kind))
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(b"".join(pieces))
    return path


def place_of(url: str, kind: str) -> list[str]:
    """Folders and name of a page's file: readable, and none that leads elsewhere. A query is told by its hash."""
    parts = urlsplit(url)
    names = [
        _plain(name)
        for name in [parts.hostname or "host", *unquote(parts.path).split("/")]
        if name.strip(". ")
    ]
    if len(names) == 1:
        names.append("index")
    stem, extension = os.path.splitext(names[-1])
    if extension.lower() not in BY_EXTENSION:
        stem, extension = names[-1], _EXTENSIONS.get(kind, ".html")
    if parts.query:
        stem += "-" + hashlib.sha256(parts.query.encode()).hexdigest()[:8]
    return [*names[:-1], stem + extension]


def _plain(name: str) -> str:
    return re.sub(r"[^\w.-]+", "-", name).strip(".-")[:80] or "page"
