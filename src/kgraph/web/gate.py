"""Who may come in: the token, the host that was asked for, where a write came from; and what a browser is told to refuse.

A page of another site can make a browser send requests here. It can't read the token, so it can't send the header that a write needs; its
Origin isn't ours; and a name that it makes resolve to this machine isn't one of the hosts that are answered.
"""

from __future__ import annotations

import hmac
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Message, Receive, Send], Awaitable[None]]

COOKIE = "kgraph_token"
HEADER = b"x-kgraph"  # a header that no form and no image can send
READING = ("GET", "HEAD")
LARGEST_BODY = 64 << 20

REFUSALS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
    "cache-control": "no-store",
}


class Gate:
    """An application behind its door."""

    def __init__(self, application: Application, token: str, hosts: Iterable[str]) -> None:
        self._application = application
        self._token = token
        self._hosts = frozenset(hosts)

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._application(scope, receive, send)
            return
        headers = dict(scope.get("headers") or ())
        refused = self._refused(scope, headers)
        if refused:
            await _plain(send, *refused)
            return
        given = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("token", [""])[0]
        if self._token and _same(given, self._token) and scope["method"] == "GET":
            await self._let_in(scope, send)
            return
        if self._token and not self._known(headers):
            await _plain(
                send, 401, "open the address that kgraph serve printed: it holds the token\n"
            )
            return
        await self._application(scope, _bounded(receive), _refusing(send))

    def _refused(
        self, scope: Message, headers: MutableMapping[bytes, bytes]
    ) -> tuple[int, str] | None:
        host = headers.get(b"host", b"").decode("latin-1")
        if host not in self._hosts:
            return 421, f"this server isn't {host}\n"
        if scope["method"] in READING:
            return None
        origin = headers.get(b"origin", b"").decode("latin-1")
        if origin and urlsplit(origin).netloc != host:
            return 403, "a write must come from this server's own page\n"
        if headers.get(HEADER) != b"1":
            return 403, "a write needs the header X-Kgraph: 1\n"
        if int(headers.get(b"content-length", b"0") or b"0") > LARGEST_BODY:
            return 413, f"at most {LARGEST_BODY >> 20} MiB at a time\n"
        return None

    def _known(self, headers: MutableMapping[bytes, bytes]) -> bool:
        bearer = headers.get(b"authorization", b"").decode("latin-1").removeprefix("Bearer ")
        if bearer and _same(bearer, self._token):
            return True
        try:
            cookies = SimpleCookie(headers.get(b"cookie", b"").decode("latin-1"))
        except CookieError:
            return False
        return COOKIE in cookies and _same(cookies[COOKIE].value, self._token)

    async def _let_in(self, scope: Message, send: Send) -> None:
        """Put the token where only this server sees it, and out of the address, which ends up in histories."""
        rest = parse_qs(scope.get("query_string", b"").decode("latin-1"))
        rest.pop("token", None)
        query = urlencode(rest, doseq=True)
        where = scope["path"] + (f"?{query}" if query else "")
        cookie = f"{COOKIE}={self._token}; HttpOnly; SameSite=Strict; Path=/"
        headers = [(b"location", where.encode()), (b"set-cookie", cookie.encode()), *_headers()]
        await send({"type": "http.response.start", "status": 303, "headers": headers})
        await send({"type": "http.response.body", "body": b""})


def _same(given: str, wanted: str) -> bool:
    return hmac.compare_digest(given.encode(), wanted.encode())


def _headers() -> list[tuple[bytes, bytes]]:
    return [(name.encode(), value.encode()) for name, value in REFUSALS.items()]


def _refusing(send: Send) -> Send:
    """Adds to every answer what a browser must refuse."""

    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message.get("headers", []), *_headers()]
        await send(message)

    return sent


def _bounded(receive: Receive) -> Receive:
    """A body that says it is short and isn't ends the request."""
    left = LARGEST_BODY

    async def received() -> Message:
        nonlocal left
        message = await receive()
        left -= len(message.get("body", b""))
        return message if left >= 0 else {"type": "http.disconnect"}

    return received


async def _plain(send: Send, status: int, text: str) -> None:
    headers = [(b"content-type", b"text/plain; charset=utf-8"), *_headers()]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": text.encode("utf-8", "replace")})
