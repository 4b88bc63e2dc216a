"""Public benchmarks as documents, payloads and gold of ours. They read files that the user has; nothing is fetched and nothing ships.

Each converter is pure: parsed files in, ``Converted`` out. Forms that come in several shapes are told apart by their members, and a file
of no known shape is refused.
"""

from __future__ import annotations

import ast
import csv
import io
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from kgraph.errors import UsageError
from kgraph.evaluate.gold import Item
from kgraph.parsing import json_value
from kgraph.tuples import NamedTuple

Row = Mapping[str, Any]


class Converted(NamedTuple):
    """``documents``: (path, Markdown) to be extracted. ``payloads``: to be ingested with ``--lines``. ``gold``: items by stage."""

    documents: tuple[tuple[str, str], ...] = ()
    payloads: tuple[Row, ...] = ()
    gold: Mapping[str, Sequence[Item]] = {}


def convert(form: str, files: Sequence[tuple[str, str]]) -> Converted:
    """(name, text) files of a public form. Raises UsageError for a form that isn't known or files that aren't of it."""
    reader = FORMS.get(form)
    if reader is None:
        raise UsageError(f"there is no form '{form}'", f"known forms: {', '.join(FORMS)}")
    names = ", ".join(name for name, _ in files)
    try:
        converted = reader(files)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, SyntaxError) as error:
        raise _foreign(form, names, f"{type(error).__name__}: {error}") from None
    if not any(converted.gold.values()):
        raise _foreign(form, names, "there is no gold in it")
    return converted


def _foreign(form: str, names: str, why: str) -> UsageError:
    return UsageError(
        f"{names}: not in the form {form} ({why})", f"what {form} wants: {WANTED[form]}"
    )


def rows_of(text: str) -> list[Any]:
    """A JSON list, or JSON lines."""
    text = text.lstrip("\ufeff")
    return (
        list(json_value(text))
        if text.lstrip().startswith("[")
        else [json_value(line) for line in text.splitlines() if line.strip()]
    )


def _multihop(files: Sequence[tuple[str, str]]) -> Converted:
    """MuSiQue, 2WikiMultihopQA, HotpotQA: questions with their paragraphs, or a corpus beside questions."""
    passages: dict[tuple[str, str], str] = {}
    asked: list[tuple[Row, list[tuple[str, str]]]] = []
    for _, text in files:
        for row in rows_of(text):
            if "question" not in row:
                _add(passages, row["title"], row["text"])
            elif "paragraphs" in row or "context" in row:
                asked.append((row, _own_paragraphs(passages, row)))
            else:
                asked.append((row, []))
    by_title: dict[str, list[tuple[str, str]]] = {}
    for passage in passages:
        by_title.setdefault(passage[0], []).append(passage)
    by_text = {passage[1]: passage for passage in passages}
    gold = []
    for row, needed in asked:
        wanted = needed or _named(row, by_text, by_title)
        answers = row.get("answer")
        gold.append(
            {
                "id": str(row.get("id", row.get("_id", row["question"]))),
                "question": row["question"],
                "sources": sorted({passages[passage] for passage in wanted}),
                **({"answers": [answers]} if isinstance(answers, str) and answers else {}),
            }
        )
    documents = tuple((path, f"# {title}\n\n{text}\n") for (title, text), path in passages.items())
    return Converted(documents, (), {"retrieval": gold, "answer": _answers(gold)})


def _answers(gold: Sequence[Item]) -> list[Item]:
    return [
        {"id": item["id"], "question": item["question"], "answers": item["answers"]}
        for item in gold
        if "answers" in item
    ]


def _add(passages: dict[tuple[str, str], str], title: str, text: str) -> tuple[str, str]:
    passage = (title.strip(), text.strip())
    passages.setdefault(passage, f"corpus/{len(passages):05d}.md")
    return passage


def _own_paragraphs(passages: dict[tuple[str, str], str], row: Row) -> list[tuple[str, str]]:
    """The paragraphs that a question brings along; those that it needs are given back."""
    if "paragraphs" in row:
        found = [
            (_add(passages, one["title"], one["paragraph_text"]), one["is_supporting"])
            for one in row["paragraphs"]
        ]
        return [passage for passage, needed in found if needed]
    needed_titles = {title for title, _ in row["supporting_facts"]}
    passages_of = [_add(passages, title, " ".join(parts)) for title, parts in row["context"]]
    return [passage for passage in passages_of if passage[0] in needed_titles]


def _named(
    row: Row, by_text: Mapping[str, tuple[str, str]], by_title: Mapping[str, list[tuple[str, str]]]
) -> list[tuple[str, str]]:
    if "gold_texts" in row:
        return [by_text[text.strip()] for text in row["gold_texts"]]
    return [passage for title in row["gold_titles"] for passage in by_title[title.strip()]]


def _mine(files: Sequence[tuple[str, str]]) -> Converted:
    """MINE: essays with facts, and recorded graphs with a judge's verdict for each fact."""
    essays: dict[int, Row] = {}
    verdicts: dict[tuple[int, str], dict[str, bool]] = {}
    for _, text in files:
        for row in rows_of(text):
            if "verdicts" in row:
                for one in row["verdicts"]:
                    of = verdicts.setdefault((row["essay_index"], one["fact"]), {})
                    of[row["system"]] = bool(one["evaluation"])
            else:
                essays[row["id"]] = row
    documents, gold = [], []
    for number, row in sorted(essays.items()):
        facts = ast.literal_eval(row["facts"]) if isinstance(row["facts"], str) else row["facts"]
        path = f"corpus/essay-{number:03d}.md"
        body = row["text"].replace("```", "").strip()
        documents.append((path, f"# {row['topic']}\n\n{body}\n"))
        gold.append(
            {
                "id": path,
                "source": path,
                "facts": [_fact(fact, verdicts.get((number, fact))) for fact in facts],
            }
        )
    return Converted(tuple(documents), (), {"extraction": gold})


def _fact(text: str, recorded: Mapping[str, bool] | None) -> Any:
    return {"text": text, "recorded": dict(recorded)} if recorded else text


def _docred(files: Sequence[tuple[str, str]]) -> Converted:
    """DocRED: sentences as tokens, entities as clusters of mentions, relations by property."""
    documents, gold = [], []
    for number, row in enumerate(row for _, text in files for row in rows_of(text)):
        path = f"corpus/docred-{number:05d}.md"
        body = " ".join(_spaced(tokens) for tokens in row["sents"])
        documents.append((path, f"# {row['title']}\n\n{body}\n"))
        things = [
            list(dict.fromkeys(mention["name"] for mention in cluster))
            for cluster in row["vertexSet"]
        ]
        named = [{"name": names[0], "aliases": names[1:]} for names, cluster in zip(things, row["vertexSet"], strict=True) if cluster[0].get("type") not in ("NUM", "TIME")]  # fmt: skip
        ties = [
            {"subject": things[label["h"]][0], "object": things[label["t"]][0]}
            for label in row.get("labels", ())
        ]
        gold.append(
            {"id": path, "source": path, "entities": named, "relations": ties, "complete": False}
        )
    return Converted(tuple(documents), (), {"extraction": gold})


def _spaced(tokens: Sequence[str]) -> str:
    text = " ".join(tokens)
    text = re.sub(r" ([,.;:!?%)\]'’])", r"\1", text)
    return re.sub(r"([(\[$]) ", r"\1", text)


def _entity_records(files: Sequence[tuple[str, str]]) -> Converted:
    """Entity resolution: a CSV of records that name their entity, or one or two tables and a list of matching pairs."""
    if len(files) == 1:
        return _clustered(files[0][1])
    *tables, pairs = files
    table_rows = [_table(text) for _, text in tables]
    if len(table_rows) == 1:
        table_rows *= 2
    entity: dict[str, str] = {}

    def root(name: str) -> str:
        while entity.get(name, name) != name:
            name = entity[name]
        return name

    ids = [
        [f"record:{side if len(tables) == 2 else 0}:{row_id}" for row_id, _ in rows]
        for side, rows in enumerate(table_rows)
    ]
    known = {one for some in ids for one in some}
    for left, right in _pairs(pairs[1]):
        ends = [f"record:0:{left}", f"record:{len(tables) - 1}:{right}"]
        if not known.issuperset(ends):
            raise ValueError(f"the pair {left}, {right} names no record")
        entity[root(ends[0])] = root(ends[1])
    nodes = {
        one: _record(one, fields, f"table {side}")
        for side, rows in enumerate(table_rows[: len(tables)])
        for one, (_, fields) in zip(ids[side], rows, strict=True)
    }
    gold = [{"id": one, "node": one, "entity": root(one)} for one in nodes]
    return Converted(
        (), tuple({"nodes": [node], "edges": []} for node in nodes.values()), {"resolution": gold}
    )


def _clustered(text: str) -> Converted:
    """Records with ``mention`` and ``entity_id``. A context column is left out: it often tells the entity."""
    payloads, gold = [], []
    for number, row in enumerate(csv.DictReader(io.StringIO(text))):
        one = f"record:0:{row.get('record_id', number)}"
        payloads.append(
            {"nodes": [_record(one, {"name": row["mention"]}, f"record {number}")], "edges": []}
        )
        gold.append({"id": one, "node": one, "entity": row["entity_id"]})
    return Converted((), tuple(payloads), {"resolution": gold})


def _record(one: str, fields: Mapping[str, str], where: str) -> Row:
    """A record as an Entity of its own: the qualifier keeps equal names two nodes."""
    names = [value for key, value in fields.items() if key in ("name", "title", "mention")]
    name = " ".join((names or list(fields.values()) or [one])[0].split()) or one
    rest = {key: value for key, value in fields.items() if value and value != name}
    return {
        "type": "Entity", "id": one, "name": name[:2000], "qualifier": f"{where}, {one}",
        "description": "; ".join(f"{key}: {value}" for key, value in rest.items()), "attrs": rest,
    }  # fmt: skip


def _table(text: str) -> list[tuple[str, dict[str, str]]]:
    reader = csv.reader(io.StringIO(text), delimiter=_delimiter(text))
    head = next(reader)
    return [(row[0], dict(zip(head[1:], row[1:], strict=False))) for row in reader if row]


def _pairs(text: str) -> list[tuple[str, str]]:
    rows = [
        row for row in csv.reader(io.StringIO(text), delimiter=_delimiter(text)) if len(row) >= 2
    ]
    named = rows and not any(cell.strip().isdecimal() for cell in rows[0])
    return [(row[0].strip(), row[1].strip()) for row in rows[1 if named else 0 :]]


def _delimiter(text: str) -> str:
    head = text.split("\n", 1)[0]
    return max("|%\t;,", key=head.count)


def _locomo(files: Sequence[tuple[str, str]]) -> Converted:
    """LoCoMo: long conversations in sessions, questions with the turns that answer them."""
    documents: list[tuple[str, str]] = []
    gold: list[Item] = []
    for talk in (row for _, text in files for row in rows_of(text)):
        name = re.sub(r"\W+", "-", str(talk["sample_id"]))
        held = talk["conversation"]
        where: dict[str, str] = {}
        for key in sorted(
            (key for key in held if re.fullmatch(r"session_\d+", key)), key=lambda key: int(key[8:])
        ):
            path = f"corpus/{name}-{key}.md"
            lines = [f"**{turn['speaker']}**: {turn['text']}" for turn in held[key]]
            documents.append(
                (
                    path,
                    f"# {key.replace('_', ' ')}, {held.get(key + '_date_time', '')}\n\n"
                    + "\n\n".join(lines)
                    + "\n",
                )
            )
            where.update({turn["dia_id"]: path for turn in held[key]})
        for number, row in enumerate(talk["qa"]):
            sources = sorted({where[turn] for turn in row.get("evidence", ()) if turn in where})
            if sources:
                answers = [str(row["answer"])] if row.get("answer") not in (None, "") else []
                gold.append(
                    {
                        "id": f"{name}-{number}",
                        "question": row["question"],
                        "sources": sources,
                        **({"answers": answers} if answers else {}),
                    }
                )
    return Converted(tuple(documents), (), {"retrieval": gold, "answer": _answers(gold)})


FORMS: dict[str, Callable[[Sequence[tuple[str, str]]], Converted]] = {
    "multihop": _multihop,
    "mine": _mine,
    "docred": _docred,
    "er": _entity_records,
    "locomo": _locomo,
}
WANTED = {
    "multihop": "questions of MuSiQue, 2WikiMultihopQA or HotpotQA, or a corpus of {title, text} and questions with gold_titles or gold_texts",
    "mine": "essays {id, topic, text, facts}, and recorded graphs {system, essay_index, verdicts} if there are any",
    "docred": "documents {title, sents, vertexSet, labels}",
    "er": "one CSV with mention and entity_id, or one or two tables whose first column is an id, and then a list of matching pairs",
    "locomo": "conversations {sample_id, conversation, qa}",
}  # fmt: skip
