"""Rows of a table with filters, sort, groups and counts: the questions that need no SQL."""

from __future__ import annotations

from kgraph.errors import UsageError
from kgraph.index.read import Reader
from kgraph.index.tables import TABLES, Rows, Table, select
from kgraph.ontology import fold
from kgraph.tuples import NamedTuple

COMPARISONS = ("!=", "<=", ">=", "=", "<", ">", "~")
BRIEF = {
    "nodes": ("type", "name", "kind", "description"),
    "claims": ("name", "kind", "event_time", "sources", "contradicted", "superseded"),
    "edges": ("source", "predicate", "target", "confidence", "status", "source_doc"),
    "sources": ("name", "uri", "statements"),
    "transactions": ("tx", "at", "op", "run", "nodes", "edges"),
}


class ListOptions(NamedTuple):
    """``where``: conditions ``COLUMN=VALUE``, also != < <= > >= and ~ (contains); all must hold. ``sort``: a column, '-' before it for
    descending. ``group``: count per value of a column. ``limit`` 0: all. ``columns``: those to be shown, () for the telling ones."""

    where: tuple[str, ...] = ()
    sort: str = ""
    group: str = ""
    only_count: bool = False
    limit: int = 100
    columns: tuple[str, ...] = ()


class Listing(NamedTuple):
    """``total``: how many rows match, whatever the limit."""

    columns: tuple[str, ...]
    rows: list[tuple[object, ...]]
    total: int
    truncated: bool


def listing(reader: Reader, table: str, options: ListOptions) -> Listing:
    """Rows of ``table`` (a key of TABLES). Raises UsageError for a column or condition that isn't one."""
    known = TABLES[table]
    conditions, values = [], []
    for text in options.where:
        condition, value = _condition(known, table, text)
        conditions.append(condition)
        values.append(value)
    where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
    total = int(str(select(reader, f"SELECT COUNT(*) FROM {table}{where}", values).rows[0][0]))
    if options.only_count and not options.group:
        return Listing(("count",), [(total,)], total, False)
    if options.group:
        column = _column(known, table, options.group)
        found = select(
            reader,
            f"SELECT {column}, COUNT(*) AS count FROM {table}{where} GROUP BY {column} ORDER BY count DESC, {column}",
            values,
            options.limit,
        )
        return Listing(found.columns, found.rows, total, found.truncated)
    columns = [_column(known, table, name) for name in options.columns or BRIEF[table]]
    order = _order(known, table, options.sort)
    sql = f"SELECT {', '.join(columns)} FROM {table}{where}{order}"
    rows: Rows = select(reader, sql, values, options.limit)
    return Listing(rows.columns, rows.rows, total, rows.truncated)


def _condition(known: Table, table: str, text: str) -> tuple[str, object]:
    found = [(text.find(sign), -len(sign), sign) for sign in COMPARISONS if sign in text]
    if not found:
        raise UsageError(
            f"expected COLUMN=VALUE, got '{text}'", "also != < <= > >= and ~ for 'contains'"
        )
    _, _, sign = min(found)
    name, _, value = text.partition(sign)
    column = _column(known, table, name.strip())
    value = value.strip()
    if sign == "~":
        return f"instr(lower({column}), ?) > 0", fold(value)
    if sign in ("=", "!=") and not value:
        return f"coalesce({column}, '') {sign} ?", ""
    number = _number(value)
    if sign in ("=", "!=") and number is None:
        return f"coalesce({column}, '') {sign} ? COLLATE NOCASE", value
    return f"{column} {sign} ?", value if number is None else number


def _number(text: str) -> float | int | None:
    """A number that is meant as one: a year or a date is compared as text, which orders alike."""
    try:
        value = float(text)
    except ValueError:
        return None
    if len(text) == 4 and text.isdecimal():
        return None
    return int(value) if value.is_integer() else value


def _column(known: Table, table: str, name: str) -> str:
    if name in known.columns:
        return name
    from kgraph.contract.nearness import nearest

    near = nearest(name, known.columns)
    meant = f"; did you mean '{near}'?" if near else ""
    raise UsageError(
        f"{table} have no column '{name}'{meant}", "the columns: " + ", ".join(known.columns)
    )


def _order(known: Table, table: str, sort: str) -> str:
    if not sort:
        return ""
    column = _column(known, table, sort.removeprefix("-"))
    return f" ORDER BY {column}{' DESC' if sort.startswith('-') else ''}"
