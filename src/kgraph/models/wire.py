"""One JSON request over HTTP, and every way it can fail as a ``CallFailed``. httpx is imported at the first call.

Redirects are not followed (a key must not travel to another host), an answer has a size and a time that it may not exceed.
"""

from __future__ import annotations

import hashlib
import json
import re
import threading
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NoReturn
from urllib.parse import urlsplit

from kgraph.errors import MissingExtra, UsageError
from kgraph.model import Json
from kgraph.models.failures import (
    CallFailed,
    Closed,
    CutOff,
    Filtered,
    KeyRefused,
    RateLimited,
    Refused,
    ServerFailed,
    TooLong,
    TooSlow,
    Unreachable,
)
from kgraph.models.secrets import Mask
from kgraph.parsing import json_value
from kgraph.tuples import NamedTuple

if TYPE_CHECKING:
    import httpx

MAX_BYTES = 64_000_000
_AGAIN = frozenset((408, 409, 425))
_NO_MONEY = ("insufficient_quota", "billing", "credit balance")


class Address(NamedTuple):
    """Where a provider is and what it wants to see. ``headers`` may hold a key: they are never shown."""

    base_url: str
    headers: Mapping[str, str]


class Wire:
    """``post(path, body) -> answer``. ``clock`` gives seconds that only grow, ``timeout_seconds`` bounds the whole exchange."""

    def __init__(
        self, address: Address, timeout_seconds: float, clock: Callable[[], float], mask: Mask
    ) -> None:
        parts = urlsplit(address.base_url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise UsageError(
                f"'{mask(address.base_url)}' is not a web address",
                "give --base-url as http://host:port or https://host/path",
            )
        self._base = address.base_url.rstrip("/")
        # A user name, a password or a query may be secret.
        self._shown = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"
        self._headers = dict(address.headers)
        self._timeout_seconds = timeout_seconds
        self._clock = clock
        self._mask = mask
        self._loopback = parts.hostname in ("localhost", "127.0.0.1", "::1")
        self._client: httpx.Client | None = None
        self._closed = False
        self._opening = threading.Lock()

    @property
    def base_url(self) -> str:
        return self._base

    def post(
        self,
        path: str,
        body: Json,
        read: Callable[[bytes], Json] = json_value,
        heard: Callable[[bytes], None] | None = None,
    ) -> Json:
        """The provider's answer as JSON, by ``read``, which raises ValueError for what isn't whole. Raises ``CallFailed``.

        ``heard`` gets each piece of a good answer as it arrives.
        """
        return self._send("POST", path, json.dumps(body).encode(), read=read, heard=heard)

    def get(self, path: str) -> Json:
        return self._send("GET", path, None)

    def upload(self, path: str, name: str, text: str, fields: Mapping[str, str]) -> Json:
        """Send a text as a file in a form."""
        border = "kgraph-" + hashlib.sha256(text.encode()).hexdigest()[:24]
        parts = [
            f'--{border}\r\ncontent-disposition: form-data; name="{key}"\r\n\r\n{value}\r\n'
            for key, value in fields.items()
        ]
        head = f'content-disposition: form-data; name="file"; filename="{name}"\r\ncontent-type: application/jsonl'
        parts.append(f"--{border}\r\n{head}\r\n\r\n{text}\r\n--{border}--\r\n")
        return self._send(
            "POST", path, "".join(parts).encode(), f"multipart/form-data; boundary={border}"
        )

    def get_text(self, path: str) -> str:
        """The body as text, for answers that are lines of JSON."""
        return self._exchange("GET", path, None).decode("utf-8", "replace")

    def _send(
        self,
        method: str,
        path: str,
        content: bytes | None,
        kind: str = "application/json",
        read: Callable[[bytes], Json] = json_value,
        heard: Callable[[bytes], None] | None = None,
    ) -> Json:
        raw = self._exchange(method, path, content, kind, heard)
        try:
            return read(raw)
        except ValueError:
            raise CutOff(
                f"the answer of {self._shown} is not whole JSON ({len(raw)} bytes)"
            ) from None

    def _exchange(
        self,
        method: str,
        path: str,
        content: bytes | None,
        kind: str = "application/json",
        heard: Callable[[bytes], None] | None = None,
    ) -> bytes:
        client = self._open()
        import httpx

        url = self._base + path
        headers = {"content-type": kind} if content is not None else {}
        try:
            with client.stream(method, url, content=content, headers=headers) as response:
                good = 200 <= response.status_code < 300
                raw = self._read(response, heard if good else None)
                if not 200 <= response.status_code < 300:
                    self.fail(response.status_code, response.headers, raw)
                return raw
        except httpx.TimeoutException:
            raise TooSlow(
                f"{self._shown} gave no whole answer in {self._timeout_seconds:g} s",
                "raise --timeout",
            ) from None
        except (
            httpx.RemoteProtocolError,
            httpx.ReadError,
            httpx.WriteError,
            httpx.DecodingError,
        ) as error:
            raise CutOff(
                f"the connection to {self._shown} ended early ({self._mask(str(error))})"
            ) from None
        except (httpx.HTTPError, httpx.InvalidURL, OSError) as error:
            said = self._mask(str(error))
            raise Unreachable(
                f"{self._shown} can't be reached ({said})",
                "is the address right, and the server up?",
            ) from None

    def _read(
        self, response: httpx.Response, heard: Callable[[bytes], None] | None = None
    ) -> bytes:
        end = self._clock() + self._timeout_seconds
        unpacked = self._unpacking(response.headers.get("content-encoding", ""))
        pieces, size = [], 0
        for packed in response.iter_raw():
            piece = unpacked(packed, MAX_BYTES + 1 - size)
            pieces.append(piece)
            size += len(piece)
            if heard is not None and size <= MAX_BYTES:
                heard(piece)
            if size > MAX_BYTES:
                raise ServerFailed(f"the answer of {self._shown} is longer than {MAX_BYTES} bytes")
            if self._clock() > end:
                raise TooSlow(
                    f"{self._shown} gave no whole answer in {self._timeout_seconds:g} s",
                    "raise --timeout",
                )
        return b"".join(pieces)

    def _unpacking(self, coding: str) -> Callable[[bytes, int], bytes]:
        """``unpacked(piece, at_most)``. A few bytes unpack to gigabytes, and packed twice to all there is: it is done in bounds, and once."""
        coding = coding.strip().lower()
        if coding in ("", "identity"):
            return lambda piece, _: piece
        if coding not in ("gzip", "x-gzip", "deflate"):
            said = repr(coding[:40])
            raise ServerFailed(f"the answer of {self._shown} is packed as {said}, which isn't read")
        import zlib

        unpacker = zlib.decompressobj(wbits=47)  # gzip or zlib, as its head says

        def unpacked(piece: bytes, at_most: int) -> bytes:
            try:
                return unpacker.decompress(piece, at_most)
            except zlib.error as error:
                raise CutOff(f"the answer of {self._shown} can't be unpacked ({error})") from None

        return unpacked

    def fail(self, status: int, headers: Mapping[str, str], raw: bytes) -> NoReturn:
        """Raise what an HTTP status and its body mean."""
        said = self._mask(_message_in(raw))
        text = f"{self._shown} answered {status}" + (f": {said}" if said else "")
        wait_seconds = wait_in(headers, raw)
        if status == 413 or (status in (400, 422, 500) and _TOO_LONG.search(said)):
            raise TooLong(text, "lower --unit-tokens", status=status)
        if status == 400 and _FILTERED.search(said):
            raise Filtered(text, status=status)
        if status == 429 and not any(word in said.lower() for word in _NO_MONEY):
            raise RateLimited(text, "lower --jobs, or wait", wait_seconds, status)
        if status >= 500 or status in _AGAIN:
            raise ServerFailed(text, wait_seconds=wait_seconds, status=status)
        if status in (401, 402, 403, 404, 405, 429):
            raise KeyRefused(text, _KEY_HINTS[status], status=status)
        if 300 <= status < 400:
            raise KeyRefused(
                text,
                "redirects are not followed: give the final address as --base-url",
                status=status,
            )
        raise Refused(text, status=status)

    def _open(self) -> httpx.Client:
        with self._opening:
            if self._closed:
                raise Closed(f"the connection to {self._shown} was closed")
            if self._client is None:
                require_httpx()
                import httpx

                # A proxy for the outside is no way to a server on this machine.
                self._client = httpx.Client(
                    headers={"accept-encoding": "gzip", **self._headers},
                    timeout=self._timeout_seconds,
                    trust_env=not self._loopback,
                )
            return self._client

    def close(self) -> None:
        with self._opening:
            self._closed = True
            if self._client is not None:
                self._client.close()
                self._client = None


def require_httpx() -> None:
    """httpx, or the command that installs it: better said before the first unit than at it."""
    try:
        import httpx  # noqa: F401
    except ImportError:
        raise MissingExtra("calling a model", "models") from None


_KEY_HINTS = {
    401: "the key is missing or wrong: set the provider's environment variable",
    402: "the account has no money left",
    403: "this key may not use this model",
    404: "no such model there, or --base-url is not the API's (an OpenAI-compatible one includes /v1)",
    405: "--base-url is not the API's (an OpenAI-compatible one includes /v1)",
    429: "the account has no money left",
}
_TOO_LONG = re.compile(
    r"(?i)context[\s_-]*(?:length|window|size|limit)|maximum context|n_ctx|(?:prompt|input|request|messages?)\b.{0,40}\btoo (?:long|large|many)"
    r"|too many (?:input |prompt )?tokens|exceed\w*.{0,40}\b(?:context|token limit|maximum (?:input|prompt)|max_model_len|maximum number of tokens)"
    r"|input token count|reduce the length"
)
_FILTERED = re.compile(
    r"(?i)content[\s_]*(?:filter|management|policy)|responsible\s?ai|safety system|data_inspection"
)


def wait_in(headers: Mapping[str, str], raw: bytes) -> float | None:
    """Seconds that the provider wants to be left alone: Retry-After as a number or a date, or Gemini's ``retryDelay``."""
    for name, factor in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        value = headers.get(name, "").strip()
        if not value:
            continue
        try:
            return max(0.0, float(value) * factor)
        except ValueError:
            return _until(value, headers.get("date", ""))
    for detail in _details_in(raw):
        delay = detail.get("retryDelay") if isinstance(detail, dict) else None
        if isinstance(delay, str) and delay.endswith("s"):
            try:
                return max(0.0, float(delay[:-1]))
            except ValueError:
                return None
    return None


def _until(value: str, now: str) -> float | None:
    """Seconds from the server's own ``Date`` to the date it names: no clock of ours is involved."""
    from email.utils import parsedate_to_datetime

    try:
        return max(0.0, (parsedate_to_datetime(value) - parsedate_to_datetime(now)).total_seconds())
    except (ValueError, TypeError):
        return None


def _details_in(raw: bytes) -> list[Json]:
    error = _error_in(raw)
    details = error.get("details") if isinstance(error, dict) else None
    return details if isinstance(details, list) else []


def _message_in(raw: bytes) -> str:
    error = _error_in(raw)
    if isinstance(error, dict):
        words = [
            str(error[key])
            for key in ("code", "type", "message", "detail", "param")
            if error.get(key)
        ]
        inner = shape_of(error, "metadata", "raw")  # what stands behind a gateway said
        return " ".join([*words, inner] if isinstance(inner, str) else words)[:700]
    if isinstance(error, list):
        return json.dumps(error)[:500]
    if isinstance(error, str):
        return error[:500]
    return " ".join(raw[:200].decode("utf-8", "replace").split())


def _error_in(raw: bytes) -> Json:
    try:
        answer = json_value(raw)
    except ValueError:
        return None
    if isinstance(answer, list) and answer:
        answer = answer[0]  # Gemini's way on some errors
    if not isinstance(answer, dict):
        return None
    return next(
        (answer[key] for key in ("error", "detail", "message", "errors") if answer.get(key)), None
    )


def shape_of(answer: Json, *path: str | int) -> Json:
    """The value at ``path`` in a provider's answer, or None where the answer has no such place. Providers leave fields out freely."""
    for step in path:
        if isinstance(step, int):
            answer = answer[step] if isinstance(answer, list) and len(answer) > step else None
        else:
            answer = answer.get(step) if isinstance(answer, dict) else None
    return answer


def number_at(answer: Json, *path: str | int) -> int:
    found = shape_of(answer, *path)
    return found if isinstance(found, int) and not isinstance(found, bool) and found > 0 else 0


def text_at(answer: Json, *path: str | int) -> str:
    found = shape_of(answer, *path)
    return found if isinstance(found, str) else ""


__all__ = ["Address", "CallFailed", "Wire", "number_at", "shape_of", "text_at", "wait_in"]
