"""What models said, kept beside the graph: every reply as it came (``replies/``), and good ones to be used again (``cache/``).

Both go through the mask. Nothing here is part of the graph: both folders can be deleted at any time.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
from collections.abc import Callable, Iterable

from kgraph.model import Reply, Usage
from kgraph.models.port import Request
from kgraph.parsing import json_value
from kgraph.tuples import NamedTuple


class Sent(NamedTuple):
    """Which call a reply belongs to. ``number`` counts the calls for one unit in one run, from 1."""

    run_id: str
    unit: str
    number: int


class ReplyFolder:
    """``replies/<run>/<unit>-<number>.json``. Saving comes before parsing, so a reply that breaks the parser is there to be looked at."""

    def __init__(self, graph_folder: str, mask: Callable[[str], str]) -> None:
        self._folder = os.path.join(graph_folder, "replies")
        self._mask = mask

    def save(self, sent: Sent, reply: Reply) -> str:
        """Write it; the path, relative to the graph's folder."""
        place = os.path.join(_plain(sent.run_id), f"{_plain(sent.unit)}-{sent.number}.json")
        held = {"unit": sent.unit, **reply._asdict(), "usage": reply.usage._asdict()}
        _write(
            os.path.join(self._folder, place),
            self._mask(json.dumps(held, ensure_ascii=False, indent=1)),
        )
        return os.path.join("replies", place)


class CacheKey(NamedTuple):
    """All that an answer depends on. ``parameters`` holds the output limit, temperature, passes and the schema's hash."""

    unit_sha256: str
    prompt_sha256: str
    model: str
    parameters: str

    def digest(self) -> str:
        return hashlib.sha256("\0".join(self).encode("utf-8", "surrogatepass")).hexdigest()


class ReplyCache:
    """Replies that passed every check. A failed or refused one never gets in, and a damaged entry is no entry."""

    def __init__(self, graph_folder: str, mask: Callable[[str], str]) -> None:
        self._folder = os.path.join(graph_folder, "cache", "replies")
        self._mask = mask

    def get(self, key: CacheKey) -> Reply | None:
        try:
            with open(self._path(key), encoding="utf-8") as file:
                held = json_value(file.read())
        except (OSError, ValueError):
            return None
        if (
            not isinstance(held, dict)
            or held.get("key") != list(key)
            or not isinstance(held.get("text"), str)
        ):
            return None
        return Reply(held["text"], model=str(held.get("model", "")))

    def put(self, key: CacheKey, reply: Reply) -> None:
        """Keep the text. One in which something had to be masked isn't kept: it would not be what the model said."""
        if self._mask(reply.text) != reply.text:
            return
        _write(
            self._path(key),
            json.dumps(
                {"key": list(key), "text": reply.text, "model": reply.model}, ensure_ascii=False
            ),
        )

    def _path(self, key: CacheKey) -> str:
        return os.path.join(self._folder, key.digest()[:40] + ".json")


class Journal:
    """Replies that were paid for and whose unit has not ended yet: written as they come in, before anything judges them, so that a run that
    is stopped or killed pays for none of them again. An entry goes when its unit's end is in the log.

    Safe for several threads: each reply has a file of its own.
    """

    def __init__(self, graph_folder: str, model: str, mask: Callable[[str], str]) -> None:
        self._folder = os.path.join(graph_folder, "cache", "journal")
        self._model = model
        self._mask = mask
        self._known: set[str] = (
            set()
        )  # what this run has had already: asking the same again is meant

    def get(self, request: Request) -> Reply | None:
        """The reply to a request that was sent before, in a run that didn't come to its end."""
        path = self._path(request)
        if path in self._known:
            return None
        self._known.add(path)
        try:
            with open(path, encoding="utf-8") as file:
                held = json_value(file.read())
            reply = Reply(
                held["text"],
                held["stop"],
                Usage(*map(int, held["usage"])),
                held["model"],
                bool(held["thinking_only"]),
            )
            cut_short = reply.stop == "length" and held["limit"] != request.max_output_tokens
        except (OSError, ValueError, TypeError, KeyError):
            return None
        texts = (reply.text, reply.stop, reply.model)
        return reply if not cut_short and all(isinstance(one, str) for one in texts) else None

    def put(self, request: Request, reply: Reply) -> None:
        """Keep it. One in which something had to be masked isn't kept: it would not be what the model said."""
        if self._mask(reply.text) != reply.text:
            return
        held = {
            **reply._asdict(),
            "usage": list(reply.usage),
            "limit": request.max_output_tokens,
        }
        _write(self._path(request), json.dumps(held, ensure_ascii=False))

    def drop(self, requests: Iterable[Request]) -> None:
        for request in requests:
            with contextlib.suppress(OSError):
                os.unlink(self._path(request))

    def _path(self, request: Request) -> str:
        """By all that a reply depends on but the limit on its length, which changes with what is left of a budget."""
        said = json.dumps([self._model, *request._replace(max_output_tokens=0)], sort_keys=True)
        digest = hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest()
        return os.path.join(self._folder, digest[:40] + ".json")


def _plain(text: str) -> str:
    """A file name that can't leave its folder, readable, and different for different texts."""
    kept = re.sub(r"[^A-Za-z0-9._-]+", "-", text).strip(".-")[:60]
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return kept if kept == text else f"{kept}-{digest}"


def _write(path: str, text: str) -> None:
    os.makedirs(os.path.dirname(path), exist_ok=True)
    waiting = f"{path}.{os.getpid()}.tmp"
    with open(waiting, "w", encoding="utf-8", errors="surrogatepass", newline="\n") as file:
        file.write(text)
    os.replace(waiting, path)
