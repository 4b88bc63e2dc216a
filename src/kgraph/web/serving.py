"""Running the server on an address of this machine."""

from __future__ import annotations

import secrets
import socket
from collections.abc import Callable

from kgraph.errors import NotAllowed, TryAgain, UsageError
from kgraph.listening import IDLE_SECONDS, http_protocol
from kgraph.tuples import NamedTuple
from kgraph.web import Commands, Wanted, require_server

LOOPBACK = ("127.0.0.1", "localhost", "::1")


class Door(NamedTuple):
    """Where to listen. ``remote``: also to other machines, which always need the token."""

    host: str
    port: int
    remote: bool = False
    token: bool = True


def serve(commands: Commands, door: Door, allow_write: bool, say: Callable[[str], None], opened: Callable[[str], None]) -> None:  # fmt: skip
    """Serve until interrupted. ``say`` is told the address, ``opened`` gets it to show it in a browser.

    Raises UsageError or NotAllowed for an open door, TryAgain for an address that is taken, MissingExtra without the extra.
    """
    require_server()
    _check(door, allow_write)
    import uvicorn

    from kgraph.web.application import application
    from kgraph.web.gate import Gate

    with commands.open():
        pass  # a graph that isn't there is refused before anything listens
    token = secrets.token_urlsafe(24) if door.token else ""
    with _listening(door) as listening:
        port = listening.getsockname()[1]
        shown = f"[{door.host}]" if ":" in door.host else door.host
        address = f"http://{shown}:{port}/" + (f"?token={token}" if token else "")
        gate = Gate(application(commands, Wanted(allow_write, token)), token, _hosts(door, port))
        say(f"serving at {address}; interrupt to stop")
        opened(address)
        settings = uvicorn.Config(
            gate, http=http_protocol(), log_level="warning", lifespan="off", timeout_keep_alive=IDLE_SECONDS, limit_concurrency=200, server_header=False,
        )  # fmt: skip
        uvicorn.Server(settings).run(sockets=[listening])


def _check(door: Door, allow_write: bool) -> None:
    if door.host not in LOOPBACK and not door.remote:
        raise NotAllowed(
            f"{door.host} can be reached from other machines",
            "leave --host out, or give --allow-remote: then the token in the address is needed",
        )
    if not door.token and (door.host not in LOOPBACK or allow_write):
        raise UsageError("--no-token is for reading on this machine alone", "leave it out")


def _hosts(door: Door, port: int) -> list[str]:
    """The names under which the server answers; a name that somebody makes point at this machine is none of them."""
    names = {door.host, *(LOOPBACK if door.host in LOOPBACK else ())}
    return [f"[{name}]:{port}" if ":" in name else f"{name}:{port}" for name in names]


def _listening(door: Door) -> socket.socket:
    family = socket.AF_INET6 if ":" in door.host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((door.host, door.port))
        listening.listen(128)
    except OSError as error:
        listening.close()
        raise TryAgain(
            f"{door.host}:{door.port} can't be listened on ({error.strerror})", "give another --port, or 0 for any free one"
        ) from None  # fmt: skip
    return listening
