"""Ten small graphs to hold statements against. Each is a list of payloads; ``open_world`` makes a graph of them in memory."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from typing import Any

from kgraph.graph import writing
from kgraph.graph.answers import Ingestion
from kgraph.graph.citing import SourceCache
from kgraph.graph.engine import Engine
from kgraph.index.read import Reader
from kgraph.index.sqlite import SqliteIndex
from kgraph.log.memory import MemoryLog

Payload = dict[str, Any]


def said(claim: str, source: str = "doc.md", about: Iterable[str] = (), **fields: Any) -> Payload:
    """A claim with its source and what it mentions."""
    edges: list[Payload] = [
        {
            "predicate": "SUPPORTS",
            "source": source,
            "target": claim,
            "source_doc": f"{source}#L1",
            "confidence": 0.9,
        }
    ]
    edges += [{"predicate": "MENTIONS", "source": claim, "target": name} for name in about]
    return {
        "nodes": [{"type": "Source", "name": source}, {"type": "Claim", "name": claim, **fields}],
        "edges": edges,
    }


def guessed(claim: str, about: Iterable[str] = ()) -> Payload:
    edges = [{"predicate": "MENTIONS", "source": claim, "target": name} for name in about]
    return {"nodes": [{"type": "Claim", "name": claim, "inference": True}], "edges": edges}


def things(**named: str | list[str]) -> Payload:
    """Entities by name, ``_`` for a space, each with its aliases or a description."""
    nodes = []
    for name, more in named.items():
        node: Payload = {
            "type": "Entity",
            "name": name.replace("_", " "),
            "description": f"{name} of this world",
        }
        nodes.append(
            node | ({"aliases": more} if isinstance(more, list) else {"description": more})
        )
    return {"nodes": nodes, "edges": []}


def tie(predicate: str, source: str, target: str, **fields: Any) -> Payload:
    return {
        "nodes": [],
        "edges": [{"predicate": predicate, "source": source, "target": target, **fields}],
    }


SUPPLY = [
    things(
        Vendor_X=["VendorX Ltd", "VX"],
        Vendor_W="paints",
        Component_Z="a valve",
        Incident_Y="an outage",
        Component_Q="a pump",
    ),
    said("Vendor X supplied Component Z", "parts.md", ["Vendor X", "Component Z"]),
    said("Component Z was involved in Incident Y", "report.md", ["Component Z", "Incident Y"]),
    said("Vendor W supplied paint", "parts.md", ["Vendor W"]),
    said("Incident Y lasted 47 minutes", "report.md", ["Incident Y"]),
    said("Component Q was delivered on 11 March 2026", "parts.md", ["Component Q"]),
]
TIMELINE = [
    things(Dana_Okafor=["Dana"], Label_Service="a service", Scanner_3="a scanner"),
    said(
        "09:20 Dana Okafor restarted the Label Service",
        "incident.md",
        ["Dana Okafor", "Label Service"],
    ),
    said(
        "2026-04-17 10:05 Dana Okafor mounted Scanner 3",
        "incident.md",
        ["Dana Okafor", "Scanner 3"],
    ),
    said("09:40 is the limit of Scanner 3", "incident.md", ["Scanner 3"]),
    said(
        "Scanner 3 is on the Label Service since the works",
        "incident.md",
        ["Scanner 3", "Label Service"],
    ),
]
CONFLICT = [
    things(Vendor_X="a supplier", Component_Z="a valve", Component_K="a seal"),
    said("Vendor X supplied Component Z", "inventory.md", ["Vendor X", "Component Z"]),
    said("Vendor X never supplied Component Z", "audit.md", ["Vendor X", "Component Z"]),
    tie(
        "CONTRADICTS",
        "Vendor X never supplied Component Z",
        "Vendor X supplied Component Z",
        source_doc="audit.md",
    ),
    said("Vendor X tested Component K", "inventory.md", ["Vendor X", "Component K"]),
    guessed("Vendor X could not have tested Component K", ["Vendor X"]),
    tie("CONTRADICTS", "Vendor X could not have tested Component K", "Vendor X tested Component K"),
    said("Component K was not certified", "audit.md", ["Component K"]),
]
CHANGED = [
    things(
        Billing="a service",
        Postgres="a database",
        MySQL="a database",
        Alice="an engineer",
        Bob="an engineer",
        Cart="a service",
    ),
    said("Billing stores invoices in MySQL", "adr-1.md", ["Billing", "MySQL"]),
    said("Billing stores invoices in Postgres", "adr-2.md", ["Billing", "Postgres"]),
    tie("SUPERSEDES", "Billing stores invoices in Postgres", "Billing stores invoices in MySQL"),
    said("The limit is 100 requests", "limits.md"),
    said("The limit is 250 requests", "limits-2.md"),
    tie("REVISES", "The limit is 250 requests", "The limit is 100 requests"),
    said(
        "Alice owns Billing",
        "teams.md",
        ["Alice", "Billing"],
        valid_from="2024-01-01",
        valid_to="2025-01-01",
    ),
    said("Bob owns Billing", "teams.md", ["Bob", "Billing"], valid_from="2025-01-01"),
    said("Alice owned Cart", "teams.md", ["Alice", "Cart"]),
]
GUESSES = [
    things(Alpha="a service", Beta="a service", Gamma="a service"),
    guessed("Alpha is down", ["Alpha"]),
    guessed("Alpha calls Beta", ["Alpha", "Beta"]),
    said("Beta calls Gamma", "calls.md", ["Beta", "Gamma"]),
    said("Gamma is down", "status.md", ["Gamma"]),
]
CALLS = [
    things(
        Checkout="a service",
        Payments="a service",
        Token_Vault="a store",
        Disk_Array="hardware",
        Search="a service",
        Island="a thing",
    ),
    said("Checkout depends on Payments", "arch.md", ["Checkout", "Payments"]),
    said("Payments depends on Token Vault", "arch.md", ["Payments", "Token Vault"]),
    said("Token Vault depends on Disk Array", "ops.md", ["Token Vault", "Disk Array"]),
    said("Search depends on Disk Array", "ops.md", ["Search", "Disk Array"]),
    said("Token Vault encrypts Payments", "arch.md", ["Token Vault", "Payments"]),
    {
        "nodes": [{"type": "Source", "name": "arch.md"}],
        "edges": [{"predicate": "MENTIONS", "source": "arch.md", "target": "Island"}],
    },
]
SHARED = [
    things(Apollo="a project", Hermes="a project", Zeus="a team", Hera="a team"),
    said("Apollo was finished early", "review.md", ["Apollo"]),
    said("Hermes was cancelled", "review.md", ["Hermes"]),
    said("Zeus leads Apollo", "teams.md", ["Zeus", "Apollo"]),
    said("Hera leads Hermes", "teams.md", ["Hera", "Hermes"]),
    said("Zeus is not related to Hera", "teams.md", ["Zeus", "Hera"]),
]
FIGURES = [
    things(Gateway="a service", Cache="a store", Reactor="a plant"),
    said("Gateway answers within 200 ms", "slo.md", ["Gateway"]),
    said("Gateway served 1,500,000 requests in March 2026", "slo.md", ["Gateway"]),
    said("Cache holds at most 4 GB", "slo.md", ["Cache"]),
    said("Reactor produced 5 MW on 2026-03-11", "log.md", ["Reactor"]),
    said("Most servers failed on Monday", "log.md"),
    said("Gateway may lose messages", "slo.md", ["Gateway"]),
    said("Cache error rate fell by 20%", "slo.md", ["Cache"]),
]
PEOPLE = [
    things(Ada_Byron=["Ada Lovelace"], Charles="an engineer", Engine="a machine", Paris="a city", France="a country"),
    {"nodes": [{"type": "Entity", "name": "J. Silva", "qualifier": "chemist", "description": "a chemist"},
               {"type": "Entity", "name": "J. Silva", "qualifier": "painter", "description": "a painter"}], "edges": []},
    said("Ada Byron wrote the first program", "history.md", ["Ada Byron"]),
    said("Charles built the Engine", "history.md", ["Charles", "Engine"]),
    said("Paris is the capital of France", "atlas.md", ["Paris", "France"]),
    said("Charles defeated Ada Byron", "games.md", ["Charles", "Ada Byron"]),
]  # fmt: skip
BROKEN = [
    things(Pump="a machine", Valve="a part"),
    said("Pump leaks", "lost.md", ["Pump"]),
    said("Valve is stuck", "old.md", ["Valve"]),
    said("Valve was replaced", "new.md", ["Valve"]),
    {"nodes": [], "edges": [{"predicate": "REVISES", "source": "new.md", "target": "old.md"}]},
]
CODE = [
    {"nodes": [{"type": "Source", "name": "app.py", "uri": "app.py"}, {"type": "Entity", "name": "app", "description": "module"},
               {"type": "Entity", "name": "db", "description": "module"}, {"type": "Entity", "name": "log", "description": "module"},
               {"type": "Entity", "name": "ui", "description": "module"}],
     "edges": [{"predicate": "DEPENDS_ON", "source": "app", "target": "db", "kind": "import", "source_doc": "app.py#L1"},
               {"predicate": "DEPENDS_ON", "source": "db", "target": "log", "kind": "import", "source_doc": "app.py#L2"},
               {"predicate": "DEPENDS_ON", "source": "ui", "target": "app", "kind": "import"}]},
]  # fmt: skip
PAIRS = [
    things(
        Alpha="a service",
        Beta="a service",
        Gamma="a team",
        Delta="a team",
        北京="a city",
        中国="a country",
        東京="a city",
        日本="a country",
    ),
    said("Alpha and Beta share a database", "pairs.md", ["Alpha", "Beta"]),
    said("Alpha writes to Gamma and Delta", "pairs.md", ["Alpha", "Gamma", "Delta"]),
    said("Gamma owns Alpha and Delta owns Beta", "pairs.md", ["Alpha", "Beta", "Gamma", "Delta"]),
    said(
        "Gamma and Delta own Alpha and Beta respectively",
        "pairs.md",
        ["Alpha", "Beta", "Gamma", "Delta"],
    ),
    said("北京是中国的首都", "atlas.md", ["北京", "中国"]),
    said("東京は日本の首都である", "atlas.md", ["東京", "日本"]),
    said("Alpha was released on 3 May 2023", "news.md", ["Alpha"]),
    said("Gamma restarted Beta at 10:15 UTC", "news.md", ["Gamma", "Beta"]),
]

WORLDS: dict[str, list[Payload]] = {
    "supply": SUPPLY, "timeline": TIMELINE, "conflict": CONFLICT, "changed": CHANGED, "guesses": GUESSES, "calls": CALLS,
    "shared": SHARED, "figures": FIGURES, "people": PEOPLE, "broken": BROKEN, "code": CODE, "pairs": PAIRS,
}  # fmt: skip


def engine_of(payloads: Iterable[Mapping[str, Any]]) -> Engine:
    ticks = itertools.count()

    def clock() -> str:
        return f"2026-01-01T00:{next(ticks) // 60:02d}:00.000000Z"

    log = MemoryLog([])
    engine = Engine(log, SqliteIndex(log, ":memory:"), clock, lambda: "token")
    shelf = SourceCache("/nowhere")
    for number, payload in enumerate(payloads):
        receipt = writing.ingest(engine, payload, Ingestion(run_id=f"run-{number}"), shelf)
        assert not receipt.errors and not receipt.invariant_violations, (
            receipt.errors,
            receipt.invariant_violations,
        )
    return engine


def open_world(name: str) -> Reader:
    return engine_of(WORLDS[name]).reader()
