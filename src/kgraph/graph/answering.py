"""``ask``: an answer of which every statement is held against the graph before anybody sees it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from kgraph.errors import NotAllowed, TryAgain, UsageError
from kgraph.model import Reply, Usage
from kgraph.models import CallFailed, Request
from kgraph.models.port import StreamingModel
from kgraph.models.prices import Price
from kgraph.retrieve.answering import (
    Draft,
    Shown,
    Statement,
    StatementReader,
    from_graph,
    prompt,
    read_draft,
    request,
    shown_in,
)
from kgraph.retrieve.ground import GroundOptions
from kgraph.retrieve.printing import count_tokens
from kgraph.retrieve.question import Asked, Question
from kgraph.retrieve.verdict import Support
from kgraph.support import Level, judge
from kgraph.tuples import NamedTuple

if TYPE_CHECKING:
    from kgraph.graph import Graph
    from kgraph.models import Model

JSON_ROOM = 3
TEXT = "text"  # the status of what only a source's text carries
QUESTION_TOKENS = 200  # room for a question in an estimate


class AskOptions(NamedTuple):
    """How much of the graph the model may see, what a call may cost (US dollars), and what a token does. ``at``: a moment of the world."""

    max_tokens: int = 2000
    hops: int = 2
    at: str = ""
    max_cost: float | None = None
    price: Price | None = None
    max_output_tokens: int = 2000


class Judged(NamedTuple):
    """A statement and what the graph says of it. ``why`` tells what it lacks; '' where it is carried."""

    text: str
    cites: tuple[str, ...]
    decision: str
    support: tuple[Support, ...]
    why: str = ""

    @property
    def carried(self) -> bool:
        return not self.why


class AskAnswer(NamedTuple):
    """``statements`` are carried, ``dropped`` are not. ``model`` is '' where none was asked; ``cost`` None where no price is known."""

    question: str
    statements: tuple[Judged, ...]
    dropped: tuple[Judged, ...]
    missing: tuple[str, ...]
    model: str = ""
    usage: Usage = Usage()
    cost: float | None = None
    problem: str = ""

    def as_json(self) -> dict[str, Any]:
        """``{question, statements: [{text, cites, support}], dropped: [{text, cites, decision, why}], missing, model, usage, cost}``."""
        found: dict[str, Any] = {
            "question": self.question,
            "statements": [
                {"text": one.text, "cites": list(one.cites), "support": [_support_json(tie) for tie in one.support]}
                for one in self.statements
            ],
            "dropped": [
                {"text": one.text, "cites": list(one.cites), "decision": one.decision, "why": one.why}
                for one in self.dropped
            ],
            "missing": list(self.missing),
        }  # fmt: skip
        if self.model:
            found |= {"model": self.model, "usage": self.usage._asdict(), "cost": self.cost}
        return found | ({"problem": self.problem} if self.problem else {})


def _support_json(tie: Support) -> dict[str, Any]:
    return {"edges": list(tie.edges), "evidence": [tie.status], "quote": tie.quote, "source_doc": tie.source_doc}  # fmt: skip


def question_prompt(graph: Graph, question: str, options: AskOptions) -> str:
    """What an agent is given; its reply is judged by ``judge_reply``."""
    return prompt(question, _excerpt(graph, question, options))


def judge_reply(graph: Graph, question: str, reply: str, options: AskOptions) -> AskAnswer:
    """An agent's answer, held against the graph. The excerpt is made again, so that it may cite only what it was shown."""
    shown = shown_in(_excerpt(graph, question, options))
    return _judged(graph, question, read_draft(reply), shown, options)


def ask(
    graph: Graph,
    question: str,
    model: Model | None,
    options: AskOptions,
    told: Callable[[Judged], None] | None = None,
) -> AskAnswer:
    """Answer a question. Without a model the graph's own claims answer.

    ``told`` hears of each statement as soon as it is judged, while a model that can be overheard is still writing.

    Raises UsageError where a cap is set and no price is known, NotAllowed where the call could cost more than the cap, TryAgain where
    the model can't be reached.
    """
    if model is None:
        return _from_graph(graph, question, options)
    excerpt = _excerpt(graph, question, options)
    asked = request(question, excerpt, options.max_output_tokens)
    _within_cap(asked.instructions + asked.prompt, options)
    shown = shown_in(excerpt)
    try:
        reply = _completed(graph, model, asked, _Listening(shown, options.at, told))
    except CallFailed as failure:
        raise TryAgain(f"the model could not answer ({failure})", "try again, or ask without --model") from failure  # fmt: skip
    draft = read_draft(reply.text)
    if reply.stop != "end":
        draft = Draft(
            problem=f"the model stopped early ({reply.stop}); nothing of its answer is used"
        )
    cost = options.price.cost(reply.usage) if options.price else None
    answer = _judged(graph, question, draft, shown, options)
    return answer._replace(model=reply.model or model.name, usage=reply.usage, cost=cost)


class _Listening(NamedTuple):
    """Who hears of statements while they are written, and by what they are judged."""

    shown: Shown
    at: str
    told: Callable[[Judged], None] | None


def _completed(graph: Graph, model: Model, asked: Request, listening: _Listening) -> Reply:
    told = listening.told
    if told is None or not isinstance(model, StreamingModel):
        return model.complete(asked)
    reader = StatementReader()

    def heard(text: str) -> None:
        for statement in reader.take(text):
            told(_judge(graph, statement, listening.shown, listening.at))

    return model.complete_overheard(asked, heard)


def _from_graph(graph: Graph, question: str, options: AskOptions) -> AskAnswer:
    """The graph's own claims. They are looked for as JSON, which takes more room than the excerpt that a model would be shown."""
    room = options.max_tokens * JSON_ROOM
    asked = Question(question, options.hops, max_tokens=room, at=options.at)
    body = graph.query(asked, Asked("json")).body
    draft = from_graph(question, body)
    shown = Shown(frozenset(cited for one in draft.statements for cited in one.cites))
    return _judged(graph, question, draft, shown, options)


def _excerpt(graph: Graph, question: str, options: AskOptions) -> str:
    asked = Question(question, options.hops, max_tokens=options.max_tokens, at=options.at)
    return graph.query(asked, Asked("context")).text or ""


def _within_cap(text: str, options: AskOptions) -> None:
    if options.max_cost is None:
        return
    if options.price is None:
        raise UsageError("the price of this model isn't known, so --max-cost can't be kept", "give --price IN,OUT")  # fmt: skip
    tokens = count_tokens(text)
    most = options.price.cost(Usage(tokens, options.max_output_tokens))
    if most > options.max_cost:
        raise NotAllowed(
            f"the call could cost ${most:.4f}, and the cap is ${options.max_cost:.4f}; nothing was sent",
            "raise --max-cost, or lower --max-tokens or --max-output-tokens",
        )


def _judged(
    graph: Graph, question: str, draft: Draft, shown: Shown, options: AskOptions
) -> AskAnswer:
    judged = [_judge(graph, one, shown, options.at) for one in draft.statements]
    return AskAnswer(
        question,
        tuple(one for one in judged if one.carried),
        tuple(one for one in judged if not one.carried),
        draft.missing,
        problem=draft.problem,
    )


def _judge(graph: Graph, statement: Statement, shown: Shown, at: str) -> Judged:
    """Carried when it cites only what was shown, and ``ground`` approves it or a cited passage's own words state it."""
    strange = [one for one in statement.cites if not shown.holds(one)]
    if strange:
        return Judged(statement.text, statement.cites, "", (), f"it cites {', '.join(strange)}, which was not shown")  # fmt: skip
    if not statement.cites:
        return Judged(statement.text, (), "", (), "it cites nothing")
    try:
        verdict = graph.ground(GroundOptions(statement.text, at=at))
    except UsageError as refused:
        return Judged(statement.text, statement.cites, "", (), refused.message)
    if verdict.decision == "revise":
        quoted = _by_text(statement, shown)
        if quoted:
            return Judged(statement.text, statement.cites, verdict.decision, quoted)
    why = "" if verdict.decision == "approve" else verdict.reason
    return Judged(statement.text, statement.cites, verdict.decision, verdict.support, why)


def _by_text(statement: Statement, shown: Shown) -> tuple[Support, ...]:
    """The cited passages whose words state it: text of a source that is no statement of the graph, and marked as that."""
    return tuple(
        Support((), TEXT, shown.passages[place], place)
        for place in statement.cites
        if place in shown.passages
        and judge(statement.text, shown.passages[place], {}, place).level is Level.STATED
    )


def statement_words(one: Judged) -> list[str]:
    """A statement for a person, with its words and place below it."""
    return [
        one.text,
        *(f"    {tie.source_doc} [{tie.status}] “{tie.quote}”" for tie in one.support),
    ]


def most_cost(questions: int, options: AskOptions) -> float:
    """US dollars that so many questions could cost at the most. Raises UsageError where no price is known."""
    if options.price is None:
        raise UsageError("the price of this model isn't known", "give --price IN,OUT")
    fixed = count_tokens(request("", "").instructions) + QUESTION_TOKENS
    each = Usage(options.max_tokens + fixed, options.max_output_tokens)
    return questions * options.price.cost(each)


def shown_words(answer: AskAnswer, spoken: bool = False) -> Sequence[str]:
    """The answer for a person: statements with their sources, what was thrown away, what is missing. ``spoken``: the statements were
    shown already."""
    lines = [] if spoken else [line for one in answer.statements for line in statement_words(one)]
    if not answer.statements:
        lines.append("nothing in the graph carries an answer")
    if answer.problem:
        lines.append(f"not usable: {answer.problem}")
    if answer.dropped:
        lines += ["", f"left out, since the graph doesn't carry it: {len(answer.dropped)}"]
        lines += [f"  {one.text} ({one.why})" for one in answer.dropped]
    if answer.missing:
        lines += ["", "missing:", *(f"  {one}" for one in answer.missing)]
    if answer.model:
        cost = "" if answer.cost is None else f", ${answer.cost:.4f}"
        lines += ["", f"{answer.model}: {answer.usage.input_tokens} tokens in, {answer.usage.output_tokens} out{cost}"]  # fmt: skip
    return lines
