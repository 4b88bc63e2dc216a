"""eval: gold against the graph, templates of gold, and public benchmarks as gold."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from kgraph.cli.answering import Answer, safe
from kgraph.cli.commands import Command
from kgraph.cli.options import count, number
from kgraph.cli.session import Session
from kgraph.errors import UsageError
from kgraph.graph.evaluating import STAGES, EvalOptions
from kgraph.parsing import json_value

if TYPE_CHECKING:
    from kgraph.evaluate.compare import Comparison
    from kgraph.evaluate.score import Score

ACTIONS = ("init", "schema", "collect", "convert")
PRINTS = ("json", "table", "markdown")


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "stage",
        metavar="STAGE",
        choices=[*STAGES, *ACTIONS],
        help=f"what to score: {', '.join(STAGES)}; or init STAGE [FILE] (a gold file to begin with), schema STAGE, "
        "collect [FILE] (merges and distinctions that were decided in this graph, as gold for resolution), "
        "convert FORM FILE… --out DIR (a public benchmark as documents and gold)",
    )
    parser.add_argument(
        "words", nargs="*", metavar="WORD", help="what init, schema and convert are about"
    )
    parser.add_argument(
        "--gold", action="append", default=[], metavar="FILE", help="a gold file (JSON lines)"
    )
    parser.add_argument(
        "--against",
        default="",
        metavar="FILE",
        help="an earlier answer of this command: print what moved and which items changed",
    )
    parser.add_argument(
        "--check", action="store_true", help="with --against: exit 1 if a figure got worse"
    )
    parser.add_argument(
        "--fail-under",
        action="append",
        default=[],
        metavar="METRIC=VALUE",
        help="exit 1 if a figure is worse than this",
    )
    parser.add_argument("--format", choices=PRINTS, default="json", help="how to print the score")
    parser.add_argument(
        "--max-tokens", type=count, default=2000, metavar="N", help="retrieval: the budget (2000)"
    )
    parser.add_argument("--hops", type=count, default=2, metavar="N", help="retrieval: how far (2)")
    parser.add_argument("--no-vectors", action="store_true", help="retrieval: by words alone")
    parser.add_argument(
        "--model", default="", metavar="PROVIDER/NAME", help="answer: the model that words answers"
    )
    parser.add_argument(
        "--dry-run", action="store_true", help="answer: say what the model could cost at the most"
    )
    parser.add_argument("--base-url", default="", metavar="URL", help="another address of it")
    parser.add_argument(
        "--price", default="", metavar="IN,OUT", help="US dollars per million tokens"
    )
    parser.add_argument(
        "--max-cost",
        type=number,
        default=None,
        metavar="USD",
        help="answer: the most that one call may cost",
    )
    parser.add_argument("--out", default="", metavar="DIR", help="convert: the folder to write to")
    parser.add_argument(
        "--overwrite", action="store_true", help="init, convert: replace files that are there"
    )


def _run(session: Session, options: argparse.Namespace) -> Answer:
    if options.stage in ACTIONS:
        action = {"init": _init, "schema": _schema, "collect": _collect, "convert": _convert}[
            options.stage
        ]
        return action(session, options)
    if options.words:
        raise UsageError(
            f"'{options.words[0]}' isn't expected after '{options.stage}'",
            "name gold files with --gold FILE",
        )
    gold = _gold(options)
    graph = session.graph()
    if options.dry_run:
        return _estimated(options, len(gold))
    with _answering(options) as settings:
        score = graph.evaluate(options.stage, gold, settings)
    comparison = _compared(score, options.against)
    body: dict[str, Any] = score.as_json()
    failed = _failed(score, options.fail_under)
    if comparison is not None:
        body["against"] = comparison.as_json()
        if options.check and comparison.worse:
            failed += [f"{one.metric}: {one.before} → {one.after}" for one in comparison.moved if one.verdict == "worse"]  # fmt: skip
    if failed:
        body["failed"] = failed
    for note in score.notes:
        session.say(note)
    return _answer(body, score, comparison, options.format, 1 if failed else 0)


def _estimated(options: argparse.Namespace, questions: int) -> Answer:
    """What scoring answers of a model could cost at the most; nothing is sent."""
    from kgraph.graph.answering import AskOptions, most_cost
    from kgraph.models.prices import price_of

    if options.stage != "answer" or not options.model:
        raise UsageError(
            "--dry-run estimates what a model's answers cost", "give answer and --model"
        )
    price = price_of(options.model, options.price)
    cost = most_cost(questions, AskOptions(options.max_tokens, options.hops, price=price))
    return Answer({"stage": "answer", "model": options.model, "questions": questions, "most_cost": round(cost, 4)})  # fmt: skip


@contextmanager
def _answering(options: argparse.Namespace) -> Iterator[EvalOptions]:
    """How answers are asked for, with the model that words them, if one is named."""
    settings = EvalOptions(options.max_tokens, options.hops, options.no_vectors)
    if not options.model:
        yield settings
        return
    if options.stage != "answer":
        raise UsageError(f"no model has a part in scoring {options.stage}", "leave --model out")
    from kgraph.compose import judging_model
    from kgraph.models.prices import price_of

    price = price_of(options.model, options.price)
    model = judging_model(options.model, options.base_url)
    try:
        asking = settings.asking._replace(price=price, max_cost=options.max_cost)
        yield settings._replace(model=model, asking=asking)
    finally:
        model.close()


def _answer(
    body: dict[str, Any], score: Score, comparison: Comparison | None, form: str, status: int
) -> Answer:
    from kgraph.evaluate.printing import markdown, table

    def words(_: Mapping[str, Any]) -> str:
        return table(score, comparison)

    if form == "json":
        return Answer(body, status, words=words)
    text = (table if form == "table" else markdown)(score, comparison) + "\n"
    return Answer(body, status, text=safe(text), words=words)


def _gold(options: argparse.Namespace) -> list[Mapping[str, Any]]:
    from kgraph.evaluate.gold import read_gold

    if options.stage == "structure":
        if options.gold:
            raise UsageError("structure is scored without gold", "leave --gold out")
        return []
    if not options.gold:
        raise UsageError(
            f"scoring {options.stage} needs gold",
            f"give --gold FILE; kgraph eval init {options.stage} FILE writes one to begin with",
        )
    return read_gold(options.stage, [(path, read_text(path).splitlines()) for path in options.gold])


def read_text(path: str) -> str:
    try:
        with open(path, encoding="utf-8-sig", newline="") as file:
            return file.read()
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} isn't UTF-8 ({error.reason})", "save it as UTF-8") from None
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}", "check the path") from None


def _compared(score: Score, path: str) -> Comparison | None:
    if not path:
        return None
    from kgraph.evaluate.compare import compare

    try:
        earlier = json_value(read_text(path))
    except ValueError as error:
        raise UsageError(f"{path} isn't JSON ({error})", "give what kgraph eval --json printed") from None  # fmt: skip
    if not isinstance(earlier, dict) or earlier.get("stage") != score.stage:
        held = earlier.get("stage") if isinstance(earlier, dict) else None
        raise UsageError(
            f"{path} holds a score of '{held}', not of '{score.stage}'",
            "give what kgraph eval of this stage printed",
        )
    return compare(score, earlier)


def _failed(score: Score, limits: list[str]) -> list[str]:
    from kgraph.evaluate.score import LOWER

    failed = []
    for limit in limits:
        name, _, text = limit.rpartition("=")
        metric = score.metric(name)
        try:
            bound = float(text)
        except ValueError:
            raise UsageError(f"expected METRIC=VALUE, got '{limit}'", "for example --fail-under recall@5=0.7") from None  # fmt: skip
        if metric is None:
            known = ", ".join(one.name for one in score.metrics)
            raise UsageError(f"{score.stage} has no figure '{name}'", f"it has: {known}")
        value = metric.estimate.value
        if value > bound if metric.better == LOWER else value < bound:
            failed.append(f"{name} is {value:.4f}, the bound is {bound}")
    return failed


def _stage(words: list[str], action: str) -> str:
    from kgraph.evaluate.gold import FORMATS

    if not words or words[0] not in FORMATS:
        given = f", not '{words[0]}'" if words else ""
        raise UsageError(f"eval {action} wants a stage{given}", f"one of: {', '.join(FORMATS)}")
    return words[0]


def _schema(_: Session, options: argparse.Namespace) -> Answer:
    from kgraph.evaluate.gold import gold_schema

    schema = gold_schema(_stage(options.words, "schema"))
    return Answer({"schema": schema}, text=json.dumps(schema, indent=2) + "\n", as_text=False)


def _init(_: Session, options: argparse.Namespace) -> Answer:
    from kgraph.evaluate.gold import template

    stage = _stage(options.words, "init")
    text = template(stage)
    if len(options.words) == 1:
        return Answer({"stage": stage, "gold": text}, text=text)
    path = options.words[1]
    _write(path, text, options.overwrite)
    return Answer({"stage": stage, "file": path, "items": text.count("\n")})


def _collect(session: Session, options: argparse.Namespace) -> Answer:
    items = session.graph().decided_identities()
    text = "".join(json.dumps(item, ensure_ascii=False) + "\n" for item in items)
    if not items:
        session.say("nobody has merged or told apart anything in this graph yet")
    if not options.words:
        return Answer({"items": items}, text=text)
    _write(options.words[0], text, options.overwrite)
    return Answer({"stage": "resolution", "file": options.words[0], "items": len(items)})


def _convert(session: Session, options: argparse.Namespace) -> Answer:
    from kgraph.evaluate.public import FORMS, convert

    if len(options.words) < 2 or not options.out:
        raise UsageError(
            "eval convert wants a form, files and a folder",
            f"kgraph eval convert FORM FILE… --out DIR, with a form of: {', '.join(FORMS)}",
        )
    form, *paths = options.words
    converted = convert(form, [(path, read_text(path)) for path in paths])
    made = [(path, text) for path, text in converted.documents]
    if converted.payloads:
        lines = "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in converted.payloads)
        made.append(("payloads.ndjson", lines))
    for stage, items in converted.gold.items():
        if items:
            lines = "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in items)
            made.append((f"{stage}.gold.jsonl", lines))
    for path, text in made:
        _write(os.path.join(options.out, path), text, options.overwrite)
    first = "ingest --lines @" + os.path.join(options.out, "payloads.ndjson") if converted.payloads else f"extract {os.path.join(options.out, 'corpus')} --source-root {options.out}"  # fmt: skip
    session.say(
        f"next: kgraph {first}, then kgraph eval STAGE --gold {options.out}/STAGE.gold.jsonl"
    )
    counts = {stage: len(items) for stage, items in converted.gold.items() if items}
    return Answer({"out": options.out, "documents": len(converted.documents), "payloads": len(converted.payloads), "gold": counts})  # fmt: skip


def _write(path: str, text: str, overwrite: bool) -> None:
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    try:
        with open(path, "w" if overwrite else "x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except FileExistsError:
        raise UsageError(f"{path} is there already", "give --overwrite, or another name") from None


COMMANDS = {"eval": Command(_configure, _run, "kgraph eval retrieval --gold questions.jsonl --format table")}  # fmt: skip
