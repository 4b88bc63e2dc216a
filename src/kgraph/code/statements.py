"""What source files say beyond their imports: test suites and benchmarks, measures they hold to, rules that comments lay down."""

from __future__ import annotations

import re
from collections.abc import Callable

from kgraph.code.facts import CodeEntity, FileFacts, Links
from kgraph.code.payload import FileText, Payload, head_of
from kgraph.code.places import Lines
from kgraph.code.suites import is_of_tests, is_suite

_BENCHMARK = re.compile(r"(?:^|/)bench(?:es|marks?)?(?:/|_)|[._]bench\.[^/.]+$")
_TITLES = {
    "python": re.compile(r"^[ \t]*(?:async )?def (test\w*|bench\w*)", re.MULTILINE),
    "go": re.compile(r"^func ((?:Test|Benchmark|Example)\w*)\(", re.MULTILINE),
    "rust": re.compile(
        r"#\[(?:\w+::)?(?:test|bench)\b[^\n]*\]\s*(?:#\[[^\n]*\]\s*)*(?:pub )?(?:async )?fn (\w+)"
    ),
    "java": re.compile(
        r"@Test\b(?:\([^)]*\))?\s*(?:@\w+(?:\([^)]*\))?\s*)*(?:public |protected |private )?void (\w+)"
    ),
    "javascript": re.compile(
        r"""\b(?:describe|it|test|bench)(?:\.\w+)?\(\s*(?:'((?:[^'\\\n]|\\.)+)'|"((?:[^"\\\n]|\\.)+)"|`([^`$\n]+)`)"""
    ),
}
_MEASURED = "latency|seconds|duration|_ms|memory|_bytes|_size|coverage|throughput|budget"
_MODAL = r"(?:must(?: not| never| always)?|may (?:not|only)|never|should (?:not|never)|do(?:es)? not|don't|(?:is|are) not allowed to|can't)"
_MEASURE = re.compile(
    rf"^[ \t]*assert (?P<name>[a-z_][\w.]*(?:{_MEASURED})\w*) *(?:<=?|>=?) *(?P<limit>[\w.]+)",
    re.MULTILINE,
)
_RULE = re.compile(  # who may lean on whom, what has to come first, which decision stands behind it
    rf"\b{_MODAL}(?: (?:be|ever|directly|itself))? (?:imports?|imported|depends? on|calls?|called|reach(?:es)? into)\b"
    r"|\b(?:must|always)\b[^.!?]{0,60}\b(?:before|after)\b"
    r"|\b(?:see|per|cf\.|as decided in|according to)\b[^.!?]{0,40}(?:\bADR[- ]?\d+\b|\bdocs?/(?:adr|decisions)/\S+)",
    re.IGNORECASE,
)
_COMMENTS = {
    "python": re.compile(
        r'(?:^[ \t]*#(?!!)[^\n]*\n?)+|"""(?:[^"\\]|\\.|"(?!""))*"""', re.MULTILINE
    ),
    "other": re.compile(r"(?:^[ \t]*//[^\n]*\n?)+|/\*.*?\*/", re.MULTILINE | re.DOTALL),
}
_SENTENCE = re.compile(r"[^\s#/*\"!][^.!?]*(?:[.!?](?!\s|\"|$)[^.!?]*)*[.!?](?=\s|\"|$)")
_BLANK = re.compile(r"(?:\r\n|\n|\r)[ \t]*(?:#+|//[/!]?|\*+)?[ \t]*(?:\r\n|\n|\r)")
_CODE = re.compile(r"```|\{@|>>>|^@|\.\. |::$|[{};]$|=>")
_MOST_CLAIMS = 20  # of one file: more rules than that are prose


def state(file: FileText, facts: FileFacts, here: CodeEntity, payload: Payload) -> None:
    """Rules that the file's comments state, as claims in its own words."""
    source = payload.source(file, {})
    pattern = _COMMENTS["python" if facts.language == "python" else "other"]
    lines: Lines | None = None
    found = 0
    for comment in pattern.finditer(file.text):
        if (
            facts.language == "python"
            and comment.group().startswith('"""')
            and not _is_docstring(file.text, comment.start())
        ):
            continue
        if not _RULE.search(comment.group()):
            continue
        for sentence in _SENTENCE.finditer(comment.group()):
            name = _plain(sentence.group())
            if (
                not _RULE.search(name)
                or not 4 <= len(name.split()) <= 40
                or not name.isprintable()
                or found == _MOST_CLAIMS
            ):
                continue
            if _BLANK.search(sentence.group()) or _CODE.search(name):
                continue  # more than a sentence, or an example
            lines = lines or Lines(file.text)
            place = lines.range(
                comment.start() + sentence.start(), comment.start() + sentence.end()
            )
            claim = payload.node("Claim", name)
            payload.edge("SUPPORTS", source, claim, (file, place), confidence=1.0)
            payload.edge("MENTIONS", claim, payload.entity(here._replace(description="")))
            found += 1


def suite(
    file: FileText,
    facts: FileFacts,
    links: Links,
    payload: Payload,
    path_of: Callable[[CodeEntity], str],
) -> None:
    """The file's Evaluation, if it is a suite that says what it covers: its docstring, or the names of its tests as they are written."""
    if not is_suite(file.uri):
        return
    family = {"typescript": "javascript", "vue": "javascript"}.get(facts.language, facts.language)
    titles = [
        next(filter(None, found.groups()))
        for found in (_TITLES[family].finditer(file.text) if family in _TITLES else ())
    ]
    rubric = " ".join(facts.doc.split()) or "; ".join(dict.fromkeys(titles))
    if not rubric:
        return
    source = payload.source(file, {})
    name = links.dependencies[0].source.name if links.dependencies else file.uri
    kind = "benchmark" if _BENCHMARK.search(file.uri) else "test suite"
    evaluation = payload.node(
        "Evaluation", f"{name} ({kind})", rubric=rubric[:20_000]
    )  # the module itself has the bare name
    payload.edge("MENTIONS", source, evaluation, head_of(file))
    for link in links.dependencies:
        inner = link.target.kind in ("module", "package", "class") and link.kind.startswith(
            "import"
        )
        if inner and not is_suite(path_of(link.target)):
            payload.edge(
                "EVALUATES",
                evaluation,
                payload.entity(link.target._replace(description="")),
                (file, link.place),
            )
        if link.kind in ("call", "instantiates") and not is_of_tests(path_of(link.target)):
            payload.edge(
                "EVALUATES",
                evaluation,
                payload.entity(link.target._replace(description="")),
                (file, link.place),
                attrs={"test": link.source.name},
            )
    lines = Lines(file.text)
    for found in _MEASURE.finditer(file.text) if facts.language == "python" else ():
        metric = payload.node(
            "Metric", found.group("name"), attrs={"threshold": found.group("limit")}
        )
        payload.edge(
            "MENTIONS", evaluation, metric, (file, lines.range(found.start("name"), found.end()))
        )


def _plain(sentence: str) -> str:
    """A sentence without the comment marks that stand at the head of its lines, white space collapsed."""
    rows = re.split(r"\r\n|\n|\r", sentence)
    return " ".join(
        " ".join(
            [rows[0], *(re.sub(r"^[ \t]*(?:#+|//[/!]?|\*+)?[ \t]?", "", row) for row in rows[1:])]
        ).split()
    )


def _is_docstring(text: str, start: int) -> bool:
    before = text[max(0, start - 400) : start].rstrip()
    return not before or before.endswith(":") or before.rpartition("\n")[2].lstrip().startswith("#")
