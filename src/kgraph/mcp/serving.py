"""Running the server: over standard input and output, or over HTTP on an address of this machine."""

from __future__ import annotations

import hmac
import secrets
import socket
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from kgraph.errors import NotAllowed, TryAgain, UsageError
from kgraph.listening import IDLE_SECONDS, http_protocol
from kgraph.mcp import Wanted, require_sdk
from kgraph.tuples import NamedTuple

LOOPBACK = ("127.0.0.1", "localhost", "::1")
WHERE = "/mcp"

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Message, Receive, Send], Awaitable[None]]


class Address(NamedTuple):
    host: str
    port: int

    @property
    def url(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}{WHERE}"


def address_of(text: str, allow_remote: bool) -> Address:
    """``HOST:PORT``, or ``PORT`` alone for this machine; port 0 is any free one. Raises UsageError, or NotAllowed for an open door."""
    host, colon, port = text.rpartition(":")
    host = host.strip("[]") if colon else "127.0.0.1"
    if not port.isdecimal() or int(port) > 65535 or not host:
        raise UsageError(
            f"'{text}' is not HOST:PORT", "give --http 127.0.0.1:8765, or port 0 for any free one"
        )
    if host not in LOOPBACK and not allow_remote:
        raise NotAllowed(
            f"{host} can be reached from other machines",
            "give 127.0.0.1, or say --allow-remote: then a token is asked for",
        )
    return Address(host, int(port))


def serve_stdio(wanted: Wanted) -> None:
    """Answer one client until it closes our standard input."""
    require_sdk()
    from kgraph.mcp.server import make_server

    make_server(wanted).run("stdio")


def serve_http(wanted: Wanted, address: Address, say: Callable[[str], None]) -> None:
    """Answer any number of clients until interrupted. ``say`` is told the address, and the token where other machines can come in."""
    require_sdk()
    import uvicorn

    from kgraph.mcp.server import make_server

    with _listening(address) as door:
        bound = address._replace(port=door.getsockname()[1])
        application: Application = make_server(wanted).streamable_http_app(
            streamable_http_path=WHERE, host=address.host
        )
        say(f"MCP on {bound.url}; interrupt to stop")
        if address.host not in LOOPBACK or wanted.allow_write:
            token = secrets.token_urlsafe(24)
            say(f"clients must send the header: Authorization: Bearer {token}")
            application = guarded(application, token)
        settings = uvicorn.Config(
            application,
            http=http_protocol(),
            log_level="warning",
            lifespan="on",
            timeout_keep_alive=IDLE_SECONDS,
        )
        uvicorn.Server(settings).run(sockets=[door])


def guarded(application: Application, token: str) -> Application:
    """The application behind a bearer token."""
    wanted = f"Bearer {token}".encode()

    async def guard(scope: Message, receive: Receive, send: Send) -> None:
        given = dict(scope.get("headers") or ()).get(b"authorization", b"")
        if scope["type"] != "http" or hmac.compare_digest(given, wanted):
            await application(scope, receive, send)
            return
        headers = [(b"content-type", b"text/plain"), (b"www-authenticate", b"Bearer")]
        await send({"type": "http.response.start", "status": 401, "headers": headers})
        await send(
            {
                "type": "http.response.body",
                "body": b"a bearer token is needed: the server printed it when it started\n",
            }
        )

    return guard


def _listening(address: Address) -> socket.socket:
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    door = socket.socket(family, socket.SOCK_STREAM)
    try:
        door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        door.bind((address.host, address.port))
        door.listen(128)  # who reads the address may come at once
    except OSError as error:
        door.close()
        place = f"{address.host}:{address.port}"
        raise TryAgain(
            f"{place} can't be listened on ({error.strerror})",
            "give another port, or 0 for any free one",
        ) from None
    return door
