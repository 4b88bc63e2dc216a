"""What each tool is asked with. A tool's input schema is made from these; the words beside a field are what an agent reads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field

from kgraph.code.navigate import QUESTIONS
from kgraph.mcp.paging import SMALLEST
from kgraph.ontology import NODE_TYPES, PREDICATES
from kgraph.retrieve.question import LARGEST_HOPS
from kgraph.tuples import NamedTuple

if TYPE_CHECKING:
    CodeQuestion = str
    NodeType = str
    PredicateName = str
else:
    CodeQuestion = Literal[tuple(QUESTIONS)]
    NodeType = Literal[tuple(NODE_TYPES)]
    PredicateName = Literal[tuple(PREDICATES)]

GraphName = Annotated[
    str,
    Field(description="its name; empty: the server's own"),
]
Tokens = Annotated[
    int,
    Field(ge=SMALLEST, le=200_000, description="cut the answer to so many"),
]
Cursor = Annotated[
    str,
    Field(description="that of a truncated answer, to go on"),
]
Reference = Annotated[
    str,
    Field(min_length=1, description="id, name, alias or uri; Type:name narrows"),
]
AsOf = Annotated[str, Field(description="as the graph was then: transaction, date or instant")]
At = Annotated[
    str,
    Field(description="what held then: 2016, 2020-06, a date or instant"),
]
Sureness = Annotated[float, Field(ge=0, le=1, description="only edges at least so sure")]
Predicates = Annotated[list[PredicateName], Field(description="only these predicates")]
Run = Annotated[
    str,
    Field(
        description="the run that this write belongs to, so that it can be taken back as one; made where empty"
    ),
]
Rationale = Annotated[
    str, Field(description="what decides it, in a sentence; needed for a merge by hand")
]


class AskQuery(NamedTuple):
    text: Annotated[str, Field(description="a question, a name, words")]
    hops: Annotated[
        int, Field(ge=0, le=LARGEST_HOPS, description="how far from what the text names")
    ] = 2
    max_nodes: Annotated[int, Field(ge=1, le=2000, description="at most so many nodes")] = 60
    max_tokens: Tokens = 2000
    types: Annotated[list[NodeType], Field(description="begin at these node types")] = []
    edge_types: Predicates = []
    source: Annotated[str, Field(description="only what rests on this Source")] = ""
    run: Annotated[str, Field(description="only what this run said")] = ""
    since: Annotated[str, Field(description="only what was written since")] = ""
    until: Annotated[str, Field(description="only what was written until")] = ""
    at: At = ""
    min_confidence: Sureness = 0.0
    surface: Annotated[bool, Field(description="nodes as they were written, without merges")] = (
        False
    )
    cursor: Cursor = ""
    passages: Annotated[
        bool, Field(description="words of the sources beside what the graph states")
    ] = True
    format: Annotated[
        Literal["context", "json", "triples"],
        Field(description="context: statements with their citations"),
    ] = "context"
    as_of: AsOf = ""
    graph: GraphName = ""


class AskPath(NamedTuple):
    start: Reference
    end: Reference
    k: Annotated[int, Field(ge=1, le=20, description="at most so many routes")] = 3
    max_depth: Annotated[int, Field(ge=1, le=20, description="at most so many hops")] = 6
    edge_types: Predicates = []
    directed: Annotated[bool, Field(description="walk edges in their direction only")] = False
    min_confidence: Sureness = 0.0
    at: At = ""
    max_tokens: Tokens = 2000
    cursor: Cursor = ""
    as_of: AsOf = ""
    graph: GraphName = ""


class AskCode(NamedTuple):
    question: Annotated[
        CodeQuestion,
        Field(description="; ".join(f"{name}: {one.summary}" for name, one in QUESTIONS.items())),
    ]
    refs: Annotated[
        list[str],
        Field(
            description="of what: Cart.total, a file, file:line, an id; two for path; none for unused"
        ),
    ] = []
    diff: Annotated[
        str,
        Field(description="impact: of what differs from this git revision"),
    ] = ""
    depth: Annotated[int, Field(ge=0, description="at most so many steps; 0: to the end")] = 0
    max_tokens: Tokens = 2000
    cursor: Cursor = ""
    as_of: AsOf = ""
    graph: GraphName = ""


class AskGround(NamedTuple):
    claim: Annotated[
        str,
        Field(description="one plain sentence; or the three parts"),
    ] = ""
    subject: Annotated[str, Field(description="or: its subject")] = ""
    predicate_words: Annotated[str, Field(description="the relation")] = ""
    object: Annotated[str, Field(description="its object")] = ""
    at: At = ""
    require: Annotated[
        Literal["", "verified"], Field(description="the weakest evidence that may approve")
    ] = ""
    max_tokens: Tokens = 2000
    cursor: Cursor = ""
    as_of: AsOf = ""
    graph: GraphName = ""


class AskShow(NamedTuple):
    ref: Reference
    history: Annotated[bool, Field(description="with all that was ever said of it")] = False
    surface: Annotated[bool, Field(description="without what was merged into it")] = False
    at: At = ""
    max_tokens: Tokens = 2000
    cursor: Cursor = ""
    as_of: AsOf = ""
    graph: GraphName = ""


class AskStats(NamedTuple):
    max_tokens: Tokens = 2000
    as_of: AsOf = ""
    graph: GraphName = ""


class AskList(NamedTuple):
    max_tokens: Tokens = 2000
    cursor: Cursor = ""


PayloadObject = Annotated[
    dict[str, Any],
    Field(description='{"nodes": [...], "edges": [...]}, as kgraph://prompt says'),
]


class AskValidate(NamedTuple):
    payload: Annotated[
        dict[str, Any] | None,
        Field(description="check this, write nothing; without it, the graph"),
    ] = None
    strict: Annotated[bool, Field(description="warnings of a payload count as errors")] = False
    repair: Annotated[bool, Field(description="mend the payload first")] = False
    has: Annotated[str, Field(description="a transaction that must be in the log")] = ""
    max_tokens: Tokens = 2000
    cursor: Cursor = ""
    graph: GraphName = ""


class AskIngest(NamedTuple):
    payload: PayloadObject
    run_id: Run = ""
    agent: Annotated[str, Field(description="who made the payload")] = ""
    unit: Annotated[
        str,
        Field(
            description="the unit that this payload answers, as `kgraph units` and the prompt extract_unit name it; empty for none"
        ),
    ] = ""
    strict: Annotated[bool, Field(description="refuse on warnings too")] = False
    repair: Annotated[
        bool, Field(description="mend what models are known to get wrong, and say what was mended")
    ] = False
    dry_run: Annotated[bool, Field(description="say what would happen and write nothing")] = False
    max_tokens: Tokens = 4000
    graph: GraphName = ""


class AskResolve(NamedTuple):
    canonical: Annotated[
        str, Field(description="the node that stays: an id, a name or an alias")
    ] = ""
    aliases: Annotated[list[str], Field(description="the nodes that are the same thing")] = []
    rationale: Rationale = ""
    confidence: Annotated[float | None, Field(ge=0, le=1, description="how sure")] = None
    force: Annotated[
        bool,
        Field(description="merge although only names speak for it, or something against; recorded"),
    ] = False
    override: Annotated[
        bool, Field(description="merge although the pair was judged distinct; this is recorded")
    ] = False
    auto: Annotated[
        bool,
        Field(description="instead of canonical and aliases: merge what the policy can decide"),
    ] = False
    policy: Annotated[
        Literal["strict", "balanced", "probabilistic"],
        Field(
            description="for auto: strict puts precision first; probabilistic is for rows of a table, with attributes"
        ),
    ] = "strict"
    run_id: Run = ""
    max_tokens: Tokens = 4000
    graph: GraphName = ""


class AskRetract(NamedTuple):
    reason: Annotated[str, Field(min_length=1, description="why; it is kept in the history")]
    node: Annotated[
        str,
        Field(
            description="take back this node's assertions (exactly one of node, edge, run, source, tx)"
        ),
    ] = ""
    edge: Annotated[str, Field(description="or this edge's, by its id")] = ""
    run: Annotated[str, Field(description="or all that this run asserted")] = ""
    source: Annotated[str, Field(description="or all that rests on this Source alone")] = ""
    tx: Annotated[str, Field(description="or this transaction")] = ""
    cascade: Annotated[
        bool, Field(description="take back as well what would be left in breach of an invariant")
    ] = False
    run_id: Run = ""
    max_tokens: Tokens = 4000
    graph: GraphName = ""
