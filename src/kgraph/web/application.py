"""The application: commands under ``/api/v1``, what only a page needs beside them, events of new transactions, and the page itself."""

from __future__ import annotations

import asyncio
import json
import os
import re
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from kgraph.errors import KgraphError, NotAllowed, UsageError
from kgraph.graph import Graph
from kgraph.resources import text as resource
from kgraph.web import Call, Commands, Wanted
from kgraph.web.api import HTTP_STATUS, READS, WRITES, call_of, openapi
from kgraph.web.neighbourhood import beginnings, surroundings
from kgraph.web.queues import queue
from kgraph.web.sources import source_page

LOOK_SECONDS = 0.4  # between looks at the log for new transactions
MOST_LISTENERS = 64
ASSETS = {"serve.js": "text/javascript", "serve.css": "text/css"}
LONGEST_NAME = 120
LARGEST_UPLOAD = 32 << 20


def application(commands: Commands, wanted: Wanted) -> Starlette:
    """All routes. Every blocking call runs in a thread with a graph of its own; the engine's lock puts writers in order."""
    served = _Served(commands, wanted)
    extra = {
        "source": served.source, "neighbours": served.neighbours, "beginnings": served.beginnings,
        "queue": served.queue, "session": served.session, "openapi.json": served.openapi,
    }  # fmt: skip
    routes = [
        *(Route(f"/api/v1/{name}", endpoint) for name, endpoint in extra.items()),
        Route("/api/v1/events", served.events),
        Route("/api/v1/upload", served.upload, methods=["POST"]),
        Route("/api/v1/{name}", served.read),
        Route("/api/v1/{name}", served.write, methods=["POST"]),
        *(Route(f"/{name}", _asset(name, kind)) for name, kind in ASSETS.items()),
        Route("/api", _asset("api.html", "text/html")),
        Route("/", _asset("serve.html", "text/html")),
    ]
    return Starlette(routes=routes)


def _asset(name: str, kind: str) -> Callable[[Request], Response]:
    def endpoint(_: Request) -> Response:
        return Response(resource("kgraph.web", f"assets/{name}"), media_type=kind)

    return endpoint


class _Served:
    """The endpoints of one served graph."""

    def __init__(self, commands: Commands, wanted: Wanted) -> None:
        self._commands = commands
        self._wanted = wanted
        self._listeners = 0
        self._log = ""  # the log's path, once it is known: it is looked at a few times a second

    async def read(self, request: Request) -> Response:
        name = request.path_params["name"]
        if name not in READS:
            return _refused(UsageError(f"there is nothing to read at '{name}'", f"there are: {', '.join(READS)}"), 404)  # fmt: skip
        given: dict[str, Any] = {}
        for key in request.query_params:
            values = request.query_params.getlist(key)
            given[key] = values if len(values) > 1 else values[0]
        return await self._command(name, given, False)

    async def write(self, request: Request) -> Response:
        name = request.path_params["name"]
        if name not in WRITES:
            return _refused(UsageError(f"there is nothing to write at '{name}'", f"there are: {', '.join(WRITES)}"), 404)  # fmt: skip
        if not self._wanted.allow_write:
            return _refused(NotAllowed("this server only reads", "start it with --allow-write"), 403)  # fmt: skip
        try:
            given = json.loads(await request.body())
        except (ValueError, RecursionError):
            return _refused(UsageError("the body isn't JSON", "send one JSON object"), 400)
        if not isinstance(given, dict):
            return _refused(UsageError("the body isn't a JSON object", "send one JSON object"), 400)
        return await self._command(name, given, True)

    async def _command(self, name: str, given: Mapping[str, Any], writing: bool) -> Response:
        try:
            call = call_of(self._commands, name, given, writing)
        except KgraphError as error:
            return _refused(error, 400)
        answered = await run_in_threadpool(self._commands.run, call)
        status = HTTP_STATUS.get(answered.exit_status, 500)
        return Response(answered.text, status, media_type="application/json")

    async def session(self, _: Request) -> Response:
        def about(graph: Graph) -> dict[str, Any]:
            return {"graph": graph.name, "allow_write": self._wanted.allow_write, "heads": list(graph.reader().index.heads)}  # fmt: skip

        return await self._page(about)

    async def openapi(self, _: Request) -> Response:
        return JSONResponse(openapi(self._commands, self._wanted.allow_write))

    async def source(self, request: Request) -> Response:
        asked = request.query_params
        return await self._page(
            lambda graph: source_page(graph, asked.get("uri", ""), asked.get("edge", ""), _count(asked.get("line", "1")))
        )  # fmt: skip

    async def neighbours(self, request: Request) -> Response:
        asked = request.query_params
        return await self._page(
            lambda graph: surroundings(graph, asked.get("ref", ""), _count(asked.get("skip", "0")))
        )

    async def beginnings(self, _: Request) -> Response:
        return await self._page(beginnings)

    async def queue(self, request: Request) -> Response:
        asked = request.query_params
        return await self._page(
            lambda graph: queue(graph, asked.get("name", ""), _count(asked.get("skip", "0")))
        )

    async def _page(self, made: Callable[[Graph], dict[str, Any]]) -> Response:
        def work() -> Response:
            try:
                with self._commands.open() as graph:
                    return JSONResponse({"ok": True, **made(graph)})
            except KgraphError as error:
                return _refused(error, 404 if error.code == "E204" else 400)

        return await run_in_threadpool(work)

    async def events(self, request: Request) -> Response:
        if self._listeners >= MOST_LISTENERS:
            return _refused(UsageError("too many pages are listening", "close some"), 503)
        return StreamingResponse(self._news(request), media_type="text/event-stream")

    async def _news(self, request: Request) -> AsyncIterator[str]:
        """A line for each time the log has grown; the page asks for what it shows again."""
        self._listeners += 1
        try:
            known = await run_in_threadpool(self._heads)
            yield f"event: heads\ndata: {json.dumps(known)}\n\n"
            seen = await run_in_threadpool(self._stamp)
            while not await request.is_disconnected():
                await asyncio.sleep(LOOK_SECONDS)
                now = await run_in_threadpool(self._stamp)
                if now == seen:
                    continue
                seen = now
                heads = await run_in_threadpool(self._heads)
                if heads != known:
                    known = heads
                    yield f"event: heads\ndata: {json.dumps(known)}\n\n"
        finally:
            self._listeners -= 1

    def _stamp(self) -> tuple[int, int]:
        if not self._log:
            with self._commands.open() as graph:
                self._log = os.path.join(graph.path, "log.jsonl")
        try:
            found = os.stat(self._log)
        except OSError:
            return (0, 0)
        return (found.st_size, found.st_mtime_ns)

    def _heads(self) -> list[str]:
        with self._commands.open() as graph:
            return list(graph.reader().index.heads)

    async def upload(self, request: Request) -> Response:
        """Keep a file below the source root, and read it: ``?name=``, the bytes as body; ``?dry_run=1`` tells the units first."""
        if not self._wanted.allow_write:
            return _refused(NotAllowed("this server only reads", "start it with --allow-write"), 403)  # fmt: skip
        name = safe_name(request.query_params.get("name", ""))
        if not name:
            return _refused(UsageError("the file has no name that can be kept", "give it one with letters and an ending"), 400)  # fmt: skip
        body = await request.body()
        if len(body) > LARGEST_UPLOAD:
            return _refused(UsageError(f"at most {LARGEST_UPLOAD >> 20} MiB a file", "split it, or use kgraph extract"), 413)  # fmt: skip
        return await run_in_threadpool(self._read_file, name, body)

    def _read_file(self, name: str, body: bytes) -> Response:
        try:
            with self._commands.open() as graph:
                folder = os.path.join(graph.source_root, "uploads")
        except KgraphError as error:
            return _refused(error, 400)
        os.makedirs(folder, exist_ok=True)
        path = os.path.join(folder, name)
        if os.path.lexists(path):
            held = os.path.isfile(path) and not os.path.islink(path)
            if not held or _bytes(path) != body:
                return _refused(NotAllowed(f"uploads/{name} is there already, with other bytes", "give the file another name"), 409)  # fmt: skip
        else:
            with open(path, "xb") as file:
                file.write(body)
        answered = self._commands.run(Call("extract", ("--extractor=offline",), {"paths": [path]}))
        return Response(answered.text, HTTP_STATUS.get(answered.exit_status, 500), media_type="application/json")  # fmt: skip


def _bytes(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def safe_name(given: str) -> str:
    """A base name without path, control characters or a leading dot; '' where nothing is left."""
    base = re.split(r"[/\\]", given)[-1]
    kept = "".join(char if char.isalnum() or char in "._- ()" else "-" for char in base).strip(". ")
    return kept[-LONGEST_NAME:].strip(". ")


def _count(text: str) -> int:
    if not text.isdecimal() or len(text) > 9:
        raise UsageError(f"'{text}' isn't a whole number", "give a number of at least 0")
    return int(text)


def _refused(error: KgraphError, status: int) -> Response:
    problem = {"code": error.code, "path": "", "message": error.message, "hint": error.hint, **error.details}  # fmt: skip
    return JSONResponse({"ok": False, "errors": [problem]}, status)
