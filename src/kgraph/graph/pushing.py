"""``push``: a graph into a running Neo4j or FalkorDB, by its official driver, in batches with parameters; running it again changes nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any
from urllib.parse import urlsplit

from kgraph.errors import MissingExtra, TryAgain, UsageError
from kgraph.tuples import NamedTuple
from kgraph.views.exchange.engines import edge_rows, node_rows
from kgraph.views.snapshot import Snapshot

TARGETS = ("neo4j", "falkordb")
ROWS = 1000
RUNNING = "is the server running, and is this its address?"
Query = Callable[[str, Mapping[str, Any]], None]


class Server(NamedTuple):
    """``kind``: one of TARGETS. ``database``: its database or graph, '' for the default."""

    kind: str
    url: str
    database: str = ""


class Pushed(NamedTuple):
    nodes: int
    edges: int
    batches: int


def push(snapshot: Snapshot, query: Query) -> Pushed:
    """Every node and edge, merged by id. ``query`` carries out one statement with its parameters."""
    nodes = _send(node_rows(snapshot), query, NODES)
    edges = _send(edge_rows(snapshot), query, EDGES)
    return Pushed(nodes[0], edges[0], nodes[1] + edges[1])


NODES = "UNWIND $rows AS row MERGE (n:Kgraph {{id: row.id}}) SET n:`{kind}`, n += row.properties"
EDGES = (
    "UNWIND $rows AS row MATCH (a:Kgraph {{id: row.source}}), (b:Kgraph {{id: row.target}}) "
    "MERGE (a)-[r:`{kind}` {{id: row.id}}]->(b) SET r += row.properties"
)


def _send(
    rows: Iterable[tuple[str, dict[str, Any]]], query: Query, statement: str
) -> tuple[int, int]:
    waiting: dict[str, list[dict[str, Any]]] = {}
    for kind, row in rows:
        waiting.setdefault(kind, []).append(row)
    count = batches = 0
    for kind, held in waiting.items():
        for some in _batches(held):
            query(statement.format(kind=kind.replace("`", "")), {"rows": some})
            count += len(some)
            batches += 1
    return count, batches


def _batches(rows: list[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    listed = iter(rows)
    while some := list(islice(listed, ROWS)):
        yield some


def connected(
    target: str, url: str, name: str, environ: Mapping[str, str]
) -> tuple[Query, Callable[[], None]]:
    """(query, close) for a server. The password comes from KGRAPH_PUSH_PASSWORD, never from the command line.

    Raises UsageError for an address that isn't one, MissingExtra without the driver, TryAgain when the server can't be reached.
    """
    parts = urlsplit(url)
    if not parts.hostname:
        raise UsageError(f"'{url}' is no address of a server", "for example neo4j://localhost:7687")
    if parts.password:
        raise UsageError(
            "the address holds a password, which others on this machine could read",
            "leave it out and set KGRAPH_PUSH_PASSWORD",
        )
    password = environ.get("KGRAPH_PUSH_PASSWORD", "")
    return (_neo4j if target == "neo4j" else _falkordb)(url, parts.username or "", password, name)


def _neo4j(url: str, user: str, password: str, name: str) -> tuple[Query, Callable[[], None]]:
    try:
        import neo4j
    except ImportError:
        raise MissingExtra("push neo4j", "push") from None
    address = url.replace(f"{user}@", "", 1) if user else url
    auth = (user or "neo4j", password) if password else None
    driver = neo4j.GraphDatabase.driver(
        address, auth=auth, connection_timeout=5, max_transaction_retry_time=5
    )
    database = name or None

    def query(statement: str, values: Mapping[str, Any]) -> None:
        try:
            driver.execute_query(statement, dict(values), database_=database)
        except neo4j.exceptions.DriverError as error:
            raise TryAgain(f"{address}: {error}", RUNNING) from None
        except neo4j.exceptions.Neo4jError as error:
            raise UsageError(f"{address}: {error.message}", "see the server's log") from None

    try:
        driver.verify_connectivity()
    except neo4j.exceptions.DriverError as error:
        driver.close()
        raise TryAgain(f"{address}: {error}", RUNNING) from None
    query("CREATE CONSTRAINT kgraph_id IF NOT EXISTS FOR (n:Kgraph) REQUIRE n.id IS UNIQUE", {})
    return query, driver.close


def _falkordb(url: str, user: str, password: str, name: str) -> tuple[Query, Callable[[], None]]:
    try:
        import falkordb
        import redis
    except ImportError:
        raise MissingExtra("push falkordb", "push") from None
    parts = urlsplit(url)
    try:
        client = falkordb.FalkorDB(
            host=parts.hostname,
            port=parts.port or 6379,
            username=user or None,
            password=password or None,
        )
    except redis.exceptions.ConnectionError as error:
        raise TryAgain(f"{url}: {error}", RUNNING) from None
    graph = client.select_graph(name or "kgraph")

    def query(statement: str, values: Mapping[str, Any]) -> None:
        try:
            graph.query(statement, dict(values))
        except redis.exceptions.ConnectionError as error:
            raise TryAgain(f"{url}: {error}", RUNNING) from None
        except redis.exceptions.ResponseError as error:
            raise UsageError(f"{url}: {error}", "see the server's log") from None

    return query, lambda: None
