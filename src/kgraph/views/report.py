"""``REPORT.md``: for a reviewer with one minute. First what to look at, then what the graph does not know, then the figures."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from kgraph.views.figures import Figures
from kgraph.views.findings import EXAMPLES, READ, Finding, Place, Review, review
from kgraph.views.snapshot import Run, Snapshot
from kgraph.views.told import titled, told

QUOTE_CHARS = 160
MOST_FINDINGS = 7
MOST_RUNS = 12
_MARKUP = re.compile(r"[\\`*\[\]|~$]|(?<![^\W_])_|_(?![^\W_])|^[#+-]|^\d+(?=[.)])")
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]+")


def report(snapshot: Snapshot, figures: Figures) -> Iterator[str]:
    """Markdown in pieces. Every text of the graph is escaped: a name can't become a link, a heading, a cell or HTML."""
    seen = review(snapshot, figures)
    yield from _head(snapshot, figures, seen)
    yield from _first(seen)
    yield from _unknown(snapshot, figures)
    yield from _told(snapshot)
    yield from _trends(snapshot, figures)
    yield from _statements(figures, seen)
    yield from _size(figures, seen)
    yield from _runs(snapshot, figures)


def _told(snapshot: Snapshot) -> Iterator[str]:
    """Timeline, decisions and causes, as far as claims say that they are such."""
    found = told(snapshot)
    for title, claims, left in titled(found):
        yield f"\n## {title}\n\n"
        for claim in claims:
            time = claim.fields.get("event_time") if title == "Timeline" else ""
            rejected = claim.fields.get("kind") == "rejected option"
            place = found.places.get(claim.id, "")
            yield (
                "- "
                + (f"{text(str(time))}: " if time else "")
                + ("not chosen: " if rejected else "")
                + text(_shortened(claim.name))
                + (f" ({text(claim.held)})" if claim.held else "")
                + (f" ({text(place)})" if place else "")
                + "\n"
            )
        if left:
            command = "`kgraph timeline`" if title == "Timeline" else "`kgraph list claims --kind`"
            yield f"- … and {_number(left)} more: {command}\n"


def _head(snapshot: Snapshot, figures: Figures, seen: Review) -> Iterator[str]:
    meta = snapshot.meta
    yield f"<!-- written by kgraph; made again by every render -->\n# {text(meta.name)}\n\n"
    if meta.objective:
        yield f"> {text(meta.objective)}\n\n"
    claims = figures.by_node_type.get("Claim", 0)
    sources = figures.by_node_type.get("Source", 0)
    yield (
        f"**{_count(figures.nodes, 'node')}, {_count(figures.edges, 'edge')}**: {_count(claims, 'claim')} from "
        f"{_count(sources, 'source')}, {_share(figures.evidence, figures.support)}. "
    )
    yield (
        f"{_count(len(seen.findings), 'thing')} to look at.\n"
        if seen.findings
        else "Nothing that asks for a look.\n"
    )
    for words, best in (("It is about", seen.about), ("It comes from", seen.sources)):
        if best:
            yield (
                f"\n{words} "
                + ", ".join(f"{text(_shortened(node.name))} ({node.degree})" for node in best)
                + ".\n"
            )
    if meta.rendered:
        heads = (
            f", log at `{meta.heads[0][:12]}`"
            if len(meta.heads) == 1 and meta.heads[0].isalnum()
            else ""
        )
        yield f"\nAs of {text(_instant(meta.rendered))}{heads}. To walk through it: [graph.html](graph.html).\n"


def _share(evidence: Mapping[str, int], support: Mapping[str, int]) -> str:
    """Two figures that are easily taken for one: whether the words stand in the file, and whether they carry the statement."""
    cited = sum(evidence.values())
    if not cited:
        return "no citations"
    held = evidence.get("verified", 0)
    found = f"the words of {_number(held)} of {_count(cited, 'citation')} stand in their files ({100 * held // cited} %)"
    judged = sum(number for level, number in support.items() if level != "unjudged")
    if not judged:
        return f"{found}; whether they carry what is said could not be judged of any"
    carried = support.get("stated", 0)
    doubtful = support.get("doubtful", 0)
    return (
        f"{found}; of {_count(judged, 'statement')} with words {_number(carried)} are plainly carried by them "
        f"({100 * carried // judged} %), {_number(doubtful)} doubtfully"
    )


def _first(seen: Review) -> Iterator[str]:
    yield "\n## Look at this first\n\n"
    if not seen.findings:
        yield "No broken rule, no open contradiction, no weak citation, no unit unread.\n"
    for number, finding in enumerate(seen.findings[:MOST_FINDINGS], 1):
        yield from _finding(number, finding)
    more = seen.findings[MOST_FINDINGS:]
    if more:
        yield (
            "\nThen: "
            + "; ".join(f"{finding.title.lower()} ({finding.times})" for finding in more)
            + ".\n"
        )


def _finding(number: int, finding: Finding) -> Iterator[str]:
    count = f" ({finding.times})" if finding.times > 1 else ""
    yield f"{number}. **{finding.title}**{count}: {finding.why}. Next: `{finding.command}`\n"
    for place in finding.places:
        yield f"   - {_place(place)}\n"
    if finding.places and finding.times > len(finding.places):
        yield f"   - … and {finding.times - len(finding.places)} more\n"


def _place(place: Place) -> str:
    if not place.predicate:
        return text(place.source) + (f" {_code(place.id)}" if place.id else "")
    words = f"{text(place.source)} — {text(place.predicate)}" + (
        f" → {text(place.target)}" if place.target else ""
    )
    cited = ": “" + text(_shortened(place.quote)) + "”" if place.quote else ""
    where = f" in {text(place.source_doc)}" if place.source_doc else ""
    return f"{words}{cited}{where} {_code(place.id)}"


def _listed(units: list[str]) -> str:
    """One on the same line; several as a list below it, EXAMPLES at most."""
    if len(units) == 1:
        return text(units[0])
    more = f"\n  - … and {_number(len(units) - EXAMPLES)} more" if len(units) > EXAMPLES else ""
    return "".join(f"\n  - {text(unit)}" for unit in units[:EXAMPLES]) + more


_WORDS_OF_OUTCOME = {"empty": "read, in which nothing was found", "done": "that gave little"}


def _unknown(snapshot: Snapshot, figures: Figures) -> Iterator[str]:
    yield "\n## What the graph does not know\n\n"
    lines = []
    by_outcome: dict[str, list[str]] = {}
    for unit in sorted(snapshot.meta.units, key=lambda one: -one.passed_over):
        if unit.gave_little:
            by_outcome.setdefault(unit.outcome, []).append(
                unit.unit + (f" ({unit.reason})" if unit.reason else "")
            )
    for outcome, units in sorted(
        by_outcome.items(), key=lambda one: (one[0] in READ, one[0] == "done", one[0])
    ):
        lines.append(
            f"{_count(len(units), 'unit')} {_WORDS_OF_OUTCOME.get(outcome, text(outcome))}: {_listed(units)}"
        )
    for kind, count in figures.losses.items():
        lines.append(f"{count} {text(kind)} by runs on the way")
    if figures.evidence.get("stale"):
        lines.append(
            f"{_count(figures.evidence['stale'], 'citation')} of sources that changed since: what they say now is not here"
        )
    if figures.evidence.get("unchecked"):
        lines.append(
            f"{_count(figures.evidence['unchecked'], 'citation')} never held against the source"
        )
    if figures.distinct_pairs:
        lines.append(
            f"{_count(figures.distinct_pairs, 'merge')} declined: the pairs were looked at and kept apart"
        )
    if figures.violations:
        lines.append(
            f"{_count(figures.violations, 'violation')} of the rules: those statements rest on nothing that is recorded"
        )
    if figures.inferences:
        lines.append(f"{_count(figures.inferences, 'inference')}: no source says whether they hold")
    claims, sentences = (
        sum(figure)
        for figure in zip(
            (0, 0), *((unit.claims, unit.sentences) for unit in snapshot.meta.units), strict=True
        )
    )
    if claims < sentences:
        lines.append(
            f"what stands in {_count(sentences - claims, 'sentence')} read without a model: {claims} of {sentences} became claims"
        )
    if not snapshot.meta.units:
        lines.append(
            "what was not given to it: no run recorded its units, so nothing is known about parts left unread"
        )
    yield (
        "".join(f"- {line}\n" for line in lines)
        or "- nothing that it knows of: every unit was read and every citation held\n"
    )


def _trends(snapshot: Snapshot, figures: Figures) -> Iterator[str]:
    yield "\n## Since the last render\n\n"
    before = snapshot.meta.previous
    if before is None:
        yield "This is the first render.\n"
        return
    changes = []
    now = figures.as_json()
    for figure in (
        "nodes",
        "edges",
        "components",
        "isolated_nodes",
        "density",
        "contradictions_open",
        "inferences",
        "merges",
    ):
        was = before.get(figure)
        if isinstance(was, (int, float)) and was != now[figure]:
            changes.append(f"{figure.replace('_', ' ')} {was:g} → {now[figure]:g}")
    yield (", ".join(changes) if changes else "No figure moved") + ".\n"
    for movement in figures.trends:
        mark = "**" if movement.alarm else ""
        yield f"- {mark}{movement.figure.replace('_', ' ')}{mark}: {movement.meaning}\n"


def _statements(figures: Figures, seen: Review) -> Iterator[str]:
    yield "\n## Statements\n\n"
    support = figures.claims_by_support
    bare = support.get(0, 0)
    many = sum(claims for sources, claims in support.items() if sources > 2)
    yield "| | one source | two | three or more | none |\n|---|--:|--:|--:|--:|\n"
    known = (support.get(1, 0), support.get(2, 0), many)
    inferred = f" ({_number(figures.inferences)} inferred)" if figures.inferences else ""
    yield f"| claims with | {' | '.join(map(_number, known))} | {_number(bare)}{inferred} |\n\n"
    yield from _table("citations", figures.evidence)
    yield f"{_count(figures.superseded, 'node')} superseded or revised; {figures.contradictions_settled} contradictions settled by that.\n"
    if seen.contradictions:
        yield "\n### Contradictions still open\n\n"
        yield "".join(f"- {_place(place)}\n" for place in seen.contradictions)
        if figures.contradictions_open > len(seen.contradictions):
            yield f"- … and {figures.contradictions_open - len(seen.contradictions)} more\n"
    if seen.replaced or seen.ended:
        yield "\n### No longer holds\n\n"
        for node in seen.ended:
            yield f"- {text(_shortened(node.name))}: {text(node.held)}\n"
        if seen.ended_count > len(seen.ended):
            yield f"- … and {seen.ended_count - len(seen.ended)} more whose time is over\n"
        for place in seen.replaced:
            where = f" ({text(place.source_doc)})" if place.source_doc else ""
            yield f"- {text(_shortened(place.target))}: {place.predicate.lower()[:-1]}d by {text(_shortened(place.source))}{where}\n"
        if figures.superseded > len(seen.replaced):
            yield f"- … and {figures.superseded - len(seen.replaced)} more\n"


def _size(figures: Figures, seen: Review) -> Iterator[str]:
    yield "\n## Size and shape\n\n"
    yield (
        f"Density {figures.density:g} edges a node; {_count(figures.components, 'component')}, the largest of "
        f"{_count(figures.largest_component, 'node')}; {_count(figures.isolated_nodes, 'isolated node')}. "
        f"{_count(figures.surface_forms, 'surface form')} stand for {_number(figures.canonical_entities)} canonical nodes"
    )
    yield (
        f" ({figures.compression:g} forms to a merged one).\n\n"
        if figures.merges
        else ": nothing was merged.\n\n"
    )
    yield from _table("nodes", figures.by_node_type)
    yield from _table("edges", figures.by_edge_type)
    if seen.largest_clusters:
        yield (
            "\nLargest merges: "
            + ", ".join(
                f"{text(name)} ({forms + 1} forms)" for name, forms in seen.largest_clusters
            )
            + ".\n"
        )
    if figures.merges_by_run:
        yield (
            "Merges by run: "
            + ", ".join(
                f"{_code(run)} {count}"
                for run, count in list(figures.merges_by_run.items())[:MOST_RUNS]
            )
            + ".\n"
        )


def _table(what: str, counts: Mapping[str, int]) -> Iterator[str]:
    if counts:
        yield f"| | {' | '.join(text(name) for name in counts)} |\n|---|{'--:|' * len(counts)}\n"
        yield f"| {what} | {' | '.join(map(_number, counts.values()))} |\n\n"


def _runs(snapshot: Snapshot, figures: Figures) -> Iterator[str]:
    runs = sorted(snapshot.meta.runs, key=lambda run: (run.last, run.run_id), reverse=True)
    if not runs:
        return
    yield f"\n## Runs ({len(runs)})\n\n"
    yield "| run | last | by | nodes | edges | tokens in / out | cost | lost |\n|---|---|---|--:|--:|--:|--:|---|\n"
    yield from (_run(run) for run in runs[:MOST_RUNS])
    if len(runs) > MOST_RUNS:
        yield f"\n… and {len(runs) - MOST_RUNS} earlier ones (`kgraph runs`). All runs together cost ${figures.cost:.2f}.\n"


def _run(run: Run) -> str:
    lost = (
        ", ".join(f"{count} {text(kind)}" for kind, count in sorted(run.losses.items()) if count)
        or "–"
    )
    tokens = (
        f"{run.input_tokens} / {run.output_tokens}"
        if run.input_tokens or run.output_tokens
        else "–"
    )
    cost = f"${run.cost:.4f}" if run.cost else "–"
    by = text(" ".join(part for part in (run.agent, run.model) if part)) or "–"
    return f"| {text(run.run_id)} | {text(_instant(run.last))} | {by} | {run.nodes} | {run.edges} | {tokens} | {cost} | {lost} |\n"


def text(value: str) -> str:
    """A text of the graph inside Markdown, on one line, as nothing but text."""
    flat = " ".join(_CONTROL.sub(" ", value).split())
    escaped = _MARKUP.sub(
        _backslashed, flat.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    )
    return escaped.replace("://", ":&#47;&#47;").replace("@", "&#64;").replace("www.", "www&#46;")


def _backslashed(found: re.Match[str]) -> str:
    return "\\" + found[0] if not found[0].isdigit() else found[0] + "\\"


def _code(value: str) -> str:
    return "`" + _CONTROL.sub(" ", value).replace("`", "'").replace("|", "¦") + "`"


def _shortened(value: str) -> str:
    return value if len(value) <= QUOTE_CHARS else value[: QUOTE_CHARS - 1] + "…"


def _instant(ts: str) -> str:
    """To the second, as people write it."""
    return re.sub(r"^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(\.\d+)?Z$", r"\1 \2 UTC", ts)


def _count(number: int, noun: str) -> str:
    return f"{_number(number)} {noun}" + ("" if number == 1 else "s")


def _number(number: int) -> str:
    return f"{number:,}".replace(",", " ")
