# fmt: off
"""Generated from ontology.toml by ``python -m kgraph.ontology.generate``: change that file instead."""

from __future__ import annotations

from kgraph.ontology.kinds import Band, Field, NodeType, Predicate, Rule, Value, predicate

NODE_TYPES: dict[str, NodeType] = {
    "Entity": NodeType("Entity", "ent", "a thing: person, organisation, service, module, package, concept", "a statement", ("entity", "thing", "object", "item", "person", "organisation", "organization", "service", "module", "package", "concept"), (Field("kind", ("string",), False, True, "what kind of thing it is", "entity_kind"),)),
    "Claim": NodeType("Claim", "clm", "a statement that can be true or false", "a thing", ("claim", "statement", "fact"), (Field("inference", ("boolean",), False, True, "true for what was reasoned and stands in no source"), Field("kind", ("string",), False, True, "what kind of statement it is", "claim_kind"), Field("event_time", ("moment",), False, True, "when what it tells of happened: ISO 8601 date, instant with a zone, or interval A/B"))),
    "Source": NodeType("Source", "src", "a document, file, page, thread, transcript", "what it says", ("source", "document", "file", "page", "thread", "transcript"), (Field("uri", ("string",), False, True, "path from the source root, or a web address; the identity of the source"), Field("sha256", ("string",), False, False, "hash of the bytes that were read"))),
    "Artifact": NodeType("Artifact", "art", "something a run produced: report, patch, build output", "a source that was read", ("artifact", "report", "patch", "output"), (Field("version", ("string", "number"), False, True, "text or number, kept as given"),)),
    "AgentRun": NodeType("AgentRun", "run", "one bounded execution by one agent", "the agent", ("agentrun", "agent", "run", "execution"), ()),
    "Evaluation": NodeType("Evaluation", "evl", "a judgement against a rubric; a test suite, a benchmark", "an opinion", ("evaluation", "judgement", "benchmark", "test", "suite"), (Field("rubric", ("string",), False, True, "what it is judged against"), Field("result", ("any",), False, True, "what the judgement was"))),
    "Task": NodeType("Task", "tsk", "planned work", "work already done", ("task", "work"), ()),
    "Commit": NodeType("Commit", "cmt", "a point in a lineage", "a code file", ("commit",), ()),
    "Metric": NodeType("Metric", "met", "a named measurable quantity (latency, coverage, bundle size)", "one measured value", ("metric", "measure", "quantity"), ()),
}

PREDICATES: dict[str, Predicate] = {
    "MENTIONS": predicate("MENTIONS", (("Source", "Claim", "Artifact", "Evaluation", "Task", "Commit"), ("Entity", "Artifact", "AgentRun", "Evaluation", "Task", "Commit", "Metric")), ("Source, Claim, Artifact, Evaluation, Task, Commit", "anything but Source and Claim"), "refers to", frozenset({"evidence"})),
    "SUPPORTS": predicate("SUPPORTS", (("Source", "Claim", "Artifact", "Evaluation"), ("Claim",)), ("Source, Claim, Artifact, Evaluation", "Claim"), "is evidence for", frozenset({"evidence"})),
    "CONTRADICTS": predicate("CONTRADICTS", (("Source", "Claim", "Artifact", "Evaluation"), ("Claim",)), ("Source, Claim, Artifact, Evaluation", "Claim"), "is evidence against", frozenset({"evidence"})),
    "DERIVED_FROM": predicate("DERIVED_FROM", (("Entity", "Claim", "Source", "Artifact", "AgentRun", "Evaluation", "Task", "Commit", "Metric"), ("Entity", "Claim", "Source", "Artifact", "AgentRun", "Evaluation", "Task", "Commit", "Metric")), ("any", "any other node"), "was built from, forked from", frozenset({"evidence"})),
    "PRODUCED": predicate("PRODUCED", (("AgentRun",), ("Artifact", "Claim", "Evaluation", "Commit", "Metric", "Task")), ("AgentRun", "Artifact, Claim, Evaluation, Commit, Metric, Task"), "the run authored it", frozenset()),
    "EVALUATES": predicate("EVALUATES", (("Evaluation",), ("Entity", "Claim", "Source", "Artifact", "AgentRun", "Evaluation", "Task", "Commit", "Metric")), ("Evaluation", "any"), "judged it", frozenset()),
    "REVISES": predicate("REVISES", (("Entity", "Claim", "Source", "Artifact", "AgentRun", "Evaluation", "Task", "Commit", "Metric"), ("Entity", "Claim", "Source", "Artifact", "AgentRun", "Evaluation", "Task", "Commit", "Metric")), ("X", "X (same type)"), "newer version of the same thing", frozenset({"same_type"})),
    "SUPERSEDES": predicate("SUPERSEDES", (("Entity", "Claim", "Source", "Artifact", "AgentRun", "Evaluation", "Task", "Commit", "Metric"), ("Entity", "Claim", "Source", "Artifact", "AgentRun", "Evaluation", "Task", "Commit", "Metric")), ("X", "X (same type)"), "a different thing that replaces it; the old one stays addressable", frozenset({"same_type"})),
    "DEPENDS_ON": predicate("DEPENDS_ON", (("Entity", "Claim", "Source", "Artifact", "AgentRun", "Evaluation", "Task", "Commit", "Metric"), ("Entity", "Claim", "Source", "Artifact", "AgentRun", "Evaluation", "Task", "Commit", "Metric")), ("any", "any other node"), "requires (imports and calls in code)", frozenset({"evidence"})),
    "PARENT_OF": predicate("PARENT_OF", (("Entity", "Claim", "Source", "Artifact", "AgentRun", "Evaluation", "Task", "Commit", "Metric"), ("Entity", "Claim", "Source", "Artifact", "AgentRun", "Evaluation", "Task", "Commit", "Metric")), ("X", "X (same type)"), "lineage, containment, decomposition", frozenset({"same_type"})),
    "RESOLVED_TO": predicate("RESOLVED_TO", (("Entity", "Claim", "Source", "Artifact", "AgentRun", "Evaluation", "Task", "Commit", "Metric"), ("Entity", "Claim", "Source", "Artifact", "AgentRun", "Evaluation", "Task", "Commit", "Metric")), ("X", "X (same type)"), "alias → canonical; written by `resolve` only, never by a payload", frozenset({"same_type", "reserved"})),
}

RULES: dict[str, Rule] = {
    "E101": Rule("E101", "malformed", "error", "not UTF-8 JSON, not an object, duplicate keys, NaN or infinity, nesting deeper than 64, a lone surrogate, a required member missing, a wrong type of a field, a blank or overlong name, control characters or bidirectional overrides in a name, alias or id", "`kgraph schema` prints what a payload looks like"),
    "E102": Rule("E102", "unknown-type", "error", "a node type that is none of the nine", "did you mean {nearest}? Known: {known}"),
    "E103": Rule("E103", "unknown-predicate", "error", "a predicate that is none of the eleven", "did you mean {nearest}? Known: {known}"),
    "E104": Rule("E104", "signature", "error", "subject or object type not allowed for the predicate", "{predicate} runs {subject} → {object}{remedy}"),
    "E105": Rule("E105", "unknown-endpoint", "error", "an end that names no node of the payload and no live node of the graph", "add the node to the payload, or name one that is there{nearest}"),
    "E106": Rule("E106", "ambiguous-endpoint", "error", "an end that names several nodes which the predicate can't tell apart", "name one of them by its id: {candidates}"),
    "E107": Rule("E107", "confidence-range", "error", "a confidence that is not a number in [0, 1]", "a number from 0.5 to 1, or leave it out"),
    "E108": Rule("E108", "confidence-floor", "error", "a confidence below 0.5: such a fact must not be emitted", "leave the edge out"),
    "E109": Rule("E109", "self-loop", "error", "an edge from a node to itself", "leave the edge out, or name another node"),
    "E110": Rule("E110", "reserved", "error", "`RESOLVED_TO` in a payload", "merges are decided with `kgraph resolve`; give other spellings as `aliases`"),
    "E111": Rule("E111", "identity-clash", "error", "one id for two different things, in the payload or against the graph", "leave `id` out, or choose another one"),
    "E112": Rule("E112", "foreign-source", "error", "a Source that is not the unit's", "cite only {sources}"),
    "E113": Rule("E113", "credential", "error", "a text that looks like a credential: a key, a token, a password", "leave it out; where it is none, or is meant to be kept, say --allow-secrets"),
    "I1": Rule("I1", "unsourced-claim", "invariant", "a Claim with neither a Source (`Source SUPPORTS Claim` or `Claim DERIVED_FROM Source`) nor `inference: true`; or with both in one payload (inference-with-source)", "add the edge `Source SUPPORTS Claim` with its quote; mark what was reasoned, or what the source only denies, with \"inference\": true (a Source that CONTRADICTS a Claim is no tie)"),
    "I2": Rule("I2", "artifact", "invariant", "an Artifact without `AgentRun PRODUCED` it, or without a version", "add the AgentRun with a PRODUCED edge, and a version; something that was read is a Source"),
    "I3": Rule("I3", "evaluation", "invariant", "an Evaluation without a rubric", "say in `rubric` what it is judged against"),
    "I4": Rule("I4", "superseded", "invariant", "an object of SUPERSEDES or REVISES that is not addressable", "restore the old node, or assert it in the same payload"),
    "E201": Rule("E201", "usage", "command", "options or arguments that can't be used so", "see --help of the command"),
    "E202": Rule("E202", "run-conflict", "command", "a run id in the payload and a different one on the command line", "give one of them"),
    "E203": Rule("E203", "no-graph", "command", "there is no graph", "make it with `kgraph init`"),
    "E204": Rule("E204", "unknown-reference", "command", "a reference that names nothing", "look it up with `kgraph query`"),
    "E205": Rule("E205", "ambiguous-reference", "command", "a reference that names several nodes", "use one of the ids, or narrow it as Type:name"),
    "E206": Rule("E206", "exists", "command", "something is there already", "choose another name"),
    "E207": Rule("E207", "not-allowed", "command", "a request that the rules do not allow", "the message says which rule"),
    "E208": Rule("E208", "locked", "command", "another process writes to the graph", "try again, or wait longer with --wait"),
    "E209": Rule("E209", "log-damaged", "command", "a line of the log does not parse, does not recompute or lacks its parent", "`kgraph rebuild` names the line; restore it from a copy"),
    "E210": Rule("E210", "newer-log", "command", "the log was written by a newer version", "update kgraph"),
    "E211": Rule("E211", "try-again", "command", "the outside failed in a way that may pass: network, full disk, rate limit", "try again"),
    "W201": Rule("W201", "source-not-first", "warning", "the payload has a Source, and its first node is another", "put the Source first"),
    "W202": Rule("W202", "claim-as-entity", "warning", "an Entity name that reads as a statement", "make it a Claim, with the things it speaks of as Entities"),
    "W203": Rule("W203", "no-description", "warning", "an Entity that has no description here or in the graph", "say what tells it from another of the same name"),
    "W204": Rule("W204", "empty-words", "warning", "a description that only repeats the name or a type word", "say what tells it from another of the same name"),
    "W205": Rule("W205", "isolated-entity", "warning", "an Entity without an edge in payload or graph", "connect it, or leave it out"),
    "W206": Rule("W206", "flat-confidence", "warning", "of five or more edges that state a confidence, at least four fifths state the same", "state each by its band: {bands}"),
    "W207": Rule("W207", "no-citation", "warning", "a Source→Claim SUPPORTS with neither quote nor anchor", "add the words that say it as `quote`"),
    "W208": Rule("W208", "restated", "warning", "two claims of one source that say the same", "keep one of them"),
    "W209": Rule("W209", "dropped-alias", "warning", "the source spells the entity another way, and the alias is missing", "add it to `aliases`"),
    "W210": Rule("W210", "boilerplate", "warning", "licence header, navigation or changelog scaffolding extracted as a claim", "leave it out"),
    "W211": Rule("W211", "possible-homonym", "warning", "one name, and descriptions without a content word in common, each having three or more", "if they are two things, give this one a `qualifier`; `kgraph split` parts them later"),
    "W212": Rule("W212", "metric-value", "warning", "a Metric that is one measured value", "name the quantity; the value belongs into a Claim"),
    "W213": Rule("W213", "no-confidence", "warning", "a Source→Claim SUPPORTS without confidence", "state it by its band: {bands}"),
    "W214": Rule("W214", "unknown-key", "warning", "a key that the contract does not know; kept in `attrs`", "put it into `attrs`{nearest}"),
    "W215": Rule("W215", "unrelated-sources", "warning", "several Sources of different documents in one payload", "one payload for each document"),
    "W216": Rule("W216", "doubtful-support", "warning", "the quote doesn't carry the statement: another number, a negation, another actor or direction, a hedge dropped, nothing in common, or too short", "quote the words that say it, or say what the quote says"),
    "W217": Rule("W217", "edge-without-words", "warning", "a typed edge between things (DEPENDS_ON, PARENT_OF, DERIVED_FROM, SUPERSEDES, REVISES) with neither quote nor anchor", "add the words that say it as `quote`, and where they stand as `source_doc`"),
    "W218": Rule("W218", "claim-mentions-nothing", "warning", "a Claim without a MENTIONS edge in payload or graph: whoever asks for a thing won't find it", "add a MENTIONS edge to each thing that it speaks of"),
    "W219": Rule("W219", "alias-not-in-text", "warning", "an alias that stands nowhere in the text of the payload's Sources", "leave out what the text doesn't call it"),
    "W220": Rule("W220", "unknown-kind", "warning", "a kind or role that neither the ontology nor a profile of the graph recommends, or a role on another predicate than MENTIONS", "did you mean {nearest}? Known: {known}"),
    "W221": Rule("W221", "source-replaced-whole", "warning", "a Source that replaces another as a whole, where only one of that one's statements is replaced: the others count as outdated", "let the Claims supersede each other, unless the whole document is void"),
    "W301": Rule("W301", "quote-not-found", "warning", "the quote is not in the source", "quote verbatim"),
    "W302": Rule("W302", "anchor-not-found", "warning", "the anchor is not in the source", "use a heading's slug, L10, L10-L20 or path:10"),
    "W303": Rule("W303", "source-unreadable", "warning", "the source can't be read here, so the citation was not checked", "give the folder with --source-root"),
}

ENVELOPE_FIELDS: tuple[Field, ...] = (
    Field("nodes", ("array",), True, True, "the nodes; may be empty"),
    Field("edges", ("array",), True, True, "the edges; may be empty"),
    Field("run_id", ("string",), False, False, "the run that wrote the payload"),
    Field("agent_id", ("string",), False, False, "the agent that ran"),
    Field("model", ("string",), False, False, "the language model, as provider/name"),
    Field("prompt_sha256", ("string",), False, False, "hash of the prompt that was used"),
    Field("usage", ("object",), False, False, "tokens and cost, as the provider reported them"),
)

NODE_FIELDS: tuple[Field, ...] = (
    Field("type", ("string",), True, True, "one of the node types"),
    Field("name", ("string",), True, True, "as the source spells it; one line, at most 2,000 characters"),
    Field("id", ("string",), False, True, "opaque; left out, a stable one is made from type and name (Source: uri)"),
    Field("description", ("string",), False, True, "tells the thing from another of the same name"),
    Field("aliases", ("strings",), False, True, "other spellings, as they stand in the text"),
    Field("qualifier", ("string",), False, True, "keeps two things of one name apart"),
    Field("run_id", ("string",), False, False, "the run that asserts it, where it is not the payload's"),
    Field("valid_from", ("time",), False, True, "from when it is true of the world: ISO 8601 date, or instant with a zone"),
    Field("valid_to", ("time",), False, True, "the first moment at which it is true no longer"),
    Field("attrs", ("object",), False, False, "anything else"),
)

EDGE_FIELDS: tuple[Field, ...] = (
    Field("predicate", ("string",), True, True, "one of the predicates (`type` is a synonym)"),
    Field("source", ("string",), True, True, "the subject: name, alias or id of a node (`from` is a synonym)"),
    Field("target", ("string",), True, True, "the object: name, alias or id of a node (`to` is a synonym)"),
    Field("source_doc", ("string",), False, True, "where it is said: name#anchor, uri#anchor, path:12 or path:12-20"),
    Field("quote", ("string",), False, True, "the words that say it, verbatim"),
    Field("confidence", ("number",), False, True, "from 0.5 to 1"),
    Field("kind", ("string",), False, True, "free text that tells parallel edges apart (in code: import, call)"),
    Field("role", ("string",), False, True, "on MENTIONS: the part that the thing plays in the statement", "role"),
    Field("run_id", ("string",), False, False, "the run that asserts it, where it is not the payload's"),
    Field("valid_from", ("time",), False, True, "from when it is true of the world: ISO 8601 date, or instant with a zone"),
    Field("valid_to", ("time",), False, True, "the first moment at which it is true no longer"),
    Field("attrs", ("object",), False, False, "anything else"),
)

VALUES: dict[str, tuple[Value, ...]] = {
    "entity_kind": (Value("person", "a human being"), Value("organization", "a company, institution, authority or project community"), Value("team", "a group of people within an organization"), Value("role", "an office or duty that people hold (incident commander, maintainer)"), Value("product", "what an organization offers to its users"), Value("service", "a running system that others call"), Value("component", "a part of a system: module, process, table, queue, host"), Value("library", "software that other software is built with: package, framework, tool"), Value("dataset", "a body of data: table, corpus, bucket"), Value("metric", "a measure by which something is watched"), Value("place", "a location: region, city, data centre"), Value("event", "something that happened: an outage, a release, a meeting"), Value("document", "a text that can be cited: standard, report, record"), Value("version", "a release of something"), Value("setting", "a configuration option, flag or parameter"), Value("term", "a word or abbreviation that a document defines"), Value("concept", "an idea, method or pattern")),
    "claim_kind": (Value("cause", "why something happened: root cause, trigger, contributing factor"), Value("impact", "what it did to whom, and how badly"), Value("detection", "how it came to be noticed"), Value("resolution", "what ended it"), Value("lesson", "what was learned from it"), Value("event", "something that happened at a time"), Value("decision", "what was chosen"), Value("rejected option", "what was considered and not chosen"), Value("consequence", "what follows from a decision"), Value("action", "work that was agreed on"), Value("requirement", "what has to hold"), Value("ownership", "who is responsible for what"), Value("definition", "what a term means, or what a thing is"), Value("measurement", "a value that was measured or promised"), Value("status", "the state that something is in"), Value("change", "what a version changed"), Value("comparison", "how things differ")),
    "role": (Value("subject", "what the statement is about"), Value("object", "what the subject acts on or relates to"), Value("cause", "what brought it about"), Value("effect", "what came of it"), Value("agent", "who did it"), Value("owner", "who is responsible"), Value("value", "what was chosen, measured or set"), Value("place", "where it was"), Value("time", "the event or period that it falls into"), Value("instrument", "what it was done with")),
}

BANDS: tuple[Band, ...] = (
    Band("0.9-1.0", "stated in so many words"),
    Band("0.7-0.9", "strongly implied"),
    Band("0.5-0.7", "inferred across sentences"),
    Band("below 0.5", "do not emit it"),
)
