"""What models said, kept beside the graph: every reply as it came (``replies/``), and good ones to be used again (``cache/``).

Both go through the mask. Nothing here is part of the graph: both folders can be deleted at any time.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Callable

from kgraph.model import Reply
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
