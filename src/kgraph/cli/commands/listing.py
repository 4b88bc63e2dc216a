"""list, sql."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

from kgraph.cli.answering import Answer, one_line
from kgraph.cli.commands import Command
from kgraph.cli.options import count, number
from kgraph.cli.session import Session
from kgraph.compose import graphs
from kgraph.errors import UsageError
from kgraph.plurals import counted

KINDS = ("graphs", "nodes", "claims", "edges", "sources", "transactions")
FORMATS = ("table", "csv", "json")
WIDEST = 60  # characters of a column on a terminal; csv and json have it whole


def _configure_list(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "what", nargs="?", default="graphs", choices=KINDS,
        help="graphs (the default), nodes, claims, edges, sources or transactions",
    )  # fmt: skip
    parser.add_argument("--type", default="", metavar="TYPE", help="nodes: of this type")
    parser.add_argument("--kind", default="", metavar="KIND", help="of this kind (decision …)")
    parser.add_argument("--predicate", default="", metavar="P", help="edges: of this predicate")
    parser.add_argument(
        "--from", dest="start", default="", metavar="REF", help="edges: from this node"
    )
    parser.add_argument("--to", dest="end", default="", metavar="REF", help="edges: to this node")
    parser.add_argument(
        "--where", action="append", default=[], metavar="CONDITION",
        help="COLUMN=VALUE, also != < <= > >= and ~ (contains); may be repeated, all must hold",
    )  # fmt: skip
    parser.add_argument("--sort", default="", metavar="COLUMN", help="order by this column")
    parser.add_argument("--desc", action="store_true", help="the greatest first")
    parser.add_argument("--group", default="", metavar="COLUMN", help="count per value of a column")
    parser.add_argument("--count", action="store_true", help="only how many there are")
    parser.add_argument("--columns", default="", metavar="A,B", help="the columns to be shown")
    parser.add_argument(
        "--limit",
        type=count,
        default=100,
        metavar="N",
        help="at most so many rows (100; 0 for all)",
    )
    parser.add_argument(
        "--format", choices=FORMATS, default="", help="table (on a terminal), csv or json (piped)"
    )


def _list(session: Session, options: argparse.Namespace) -> Answer:
    if options.what == "graphs":
        return Answer(
            {"root": session.place.root, "graphs": graphs(session.place.root)}, words=_graphs_words
        )
    from kgraph.graph.listing import ListOptions

    graph = session.graph()
    where = [
        f"{key}={value}"
        for key in ("type", "kind", "predicate")
        if (value := getattr(options, key))
    ]
    for key, ref in (("source_id", options.start), ("target_id", options.end)):
        if ref:
            where.append(f"{key}={graph.show(ref)['node']['id']}")
    columns = tuple(name.strip() for name in options.columns.split(",") if name.strip())
    asked = ListOptions(
        (*where, *options.where),
        ("-" if options.desc else "") + options.sort,
        options.group,
        options.count,
        options.limit,
        columns,
    )
    found = graph.list_rows(options.what, asked)
    body = {
        options.what: [dict(zip(found.columns, row, strict=True)) for row in found.rows],
        "total": found.total, "truncated": found.truncated,
    }  # fmt: skip
    if found.truncated:
        session.say(f"the first {len(found.rows)} of them; --limit 0 for all")
    return _shown(options.format, body, found.columns, found.rows)


def _shown(form: str, body: Any, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> Answer:
    def words(_: Any) -> str:
        return _table(columns, rows)

    if form == "csv":
        return Answer(body, text=_csv(columns, rows), as_text=True)
    if form == "table":
        return Answer(body, text=_table(columns, rows) + "\n", as_text=True)
    return Answer(body, words=words)


def _csv(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    import csv
    import io

    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([["" if value is None else value for value in row] for row in rows])
    return out.getvalue()


def _table(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    if list(columns) == ["count"]:
        return str(rows[0][0])
    cells = [[_cell(value) for value in row] for row in rows]
    widths = [max([len(name), *(len(row[at]) for row in cells)]) for at, name in enumerate(columns)]
    lines = [
        "  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip()
        for row in [list(columns), ["-" * width for width in widths], *cells]
    ]
    return "\n".join(lines if rows else ["nothing matches"])


def _cell(value: Any) -> str:
    text = one_line("" if value is None else str(value))
    return text if len(text) <= WIDEST else text[: WIDEST - 1] + "…"


def _graphs_words(body: Any) -> str:
    if not body["graphs"]:
        return f"no graph under {body['root']}; make one with: kgraph init --name NAME"
    return "\n".join(
        f"{one_line(row['name'])}: {counted(row['nodes'], 'node')}, {counted(row['edges'], 'edge')}, {row['updated_at']}, "
        f"{one_line(row['path'])}"
        for row in body["graphs"]
    )


def _configure_sql(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("query", nargs="?", default="", metavar="SELECT", help="one SELECT")
    parser.add_argument("--schema", action="store_true", help="print the tables and their columns")
    parser.add_argument(
        "--limit",
        type=count,
        default=1000,
        metavar="N",
        help="at most so many rows (1000; 0 for all)",
    )
    parser.add_argument(
        "--seconds",
        type=number,
        default=30.0,
        metavar="N",
        help="stop a query that takes longer (30)",
    )
    parser.add_argument(
        "--format", choices=FORMATS, default="", help="table (on a terminal), csv or json (piped)"
    )


def _sql(session: Session, options: argparse.Namespace) -> Answer:
    if options.schema:
        return _schema()
    if not options.query.strip():
        raise UsageError("which query? none was given", "give a SELECT, or --schema for the tables")
    found = session.graph().sql(options.query, options.limit, options.seconds)
    body = {"columns": list(found.columns), "rows": [list(row) for row in found.rows], "truncated": found.truncated}  # fmt: skip
    if found.truncated:
        session.say(f"the first {len(found.rows)} rows; --limit 0 for all")
    return _shown(options.format, body, found.columns, found.rows)


def _schema() -> Answer:
    from kgraph.index.tables import TABLES

    body = {
        "tables": [
            {"name": name, "about": table.about, "columns": table.columns}
            for name, table in TABLES.items()
        ]
    }
    lines = []
    for name, table in TABLES.items():
        lines += [f"{name}: {table.about}"]
        lines += [f"  {column:<13} {what}".rstrip() for column, what in table.columns.items()]
    return Answer(body, words=lambda _: "\n".join(lines))


COMMANDS = {
    "list": Command(
        _configure_list, _list, "kgraph list edges --predicate DEPENDS_ON --to Hub --count"
    ),
    "sql": Command(
        _configure_sql, _sql, 'kgraph sql "SELECT type, COUNT(*) FROM nodes GROUP BY type"'
    ),
}
