"""What taking back, merging and parting changed, for a person: names first, ids behind, and how to undo it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from kgraph.cli.answering import one_line, problem_lines
from kgraph.plurals import counted

SHOWN = 20  # lines of a kind that a person is shown; --json has them all
TX = 12  # characters of a transaction's id: enough to name it

Called = Callable[[Sequence[str]], Mapping[str, str]]  # what ids stand for
Body = Mapping[str, Any]


class Changes:
    """Words for the answers of retract, restore, resolve, unresolve, distinct and split. ``options`` say which graph is meant, as they are
    to be repeated in a command that undoes the change."""

    def __init__(self, called: Called, options: str) -> None:
        self._called = called
        self._options = options

    def withdrawal(self, body: Body) -> str:
        """retract and restore."""
        if body["invariant_violations"]:
            return "\n".join(["nothing was changed", *problem_lines(body)])
        if not body["tx"]:
            by = f": transaction {body['already'][:TX]} did it" if body.get("already") else ""
            return f"nothing to do{by}"
        restored = [row["tx"] for row in body["withdrawn"] if "pos" not in row]
        said = (
            f"took transaction {restored[0][:TX]} back"
            if restored
            else f"took {counted(len(body['withdrawn']), 'assertion')} back"
        )
        lines = [f"transaction {body['tx'][:TX]} {said}"]
        for title, rows in (
            ("no longer in the graph", body["gone"]),
            ("in the graph again", body["back"]),
        ):
            lines += self._named(title, [*rows["nodes"], *rows["edges"]])
        if not restored:
            lines += self._named("still there, since something else says so", body["survives"])
        return "\n".join([*lines, self._undo(body["tx"]), *problem_lines(body)])

    def merge(self, body: Body) -> str:
        """resolve: by hand, by a policy or by a model."""
        names = self._called(
            _ids(body["merged"], "alias", "canonical")
            + _ids(body.get("distinct", ()), "left", "right")
        )
        count = len(body["merged"])
        lines = [
            f"transaction {body['tx'][:TX]} merged {counted(count, 'node')}"
            if body["tx"] and count
            else "nothing was merged"
        ]
        lines += _some(_joined(row, ("alias", "is", "canonical"), names) for row in body["merged"])
        lines += [f"  {one_line(note)}" for note in body["notes"]]
        two = body.get("distinct", ())
        lines += [f"judged to be two: {counted(len(two), 'pair')}"] if two else []
        lines += _some(_joined(row, ("left", "and", "right"), names) for row in two)
        if body.get("left"):
            lines.append(
                f"{counted(body['left'], 'pair')} left to decide: kgraph candidates{self._options}"
            )
        if body["tx"]:
            lines.append(
                self._undo(body["tx"])
                + (f"; one of them: kgraph unresolve{self._options} ALIAS" if count > 1 else "")
            )
        return "\n".join([*lines, *problem_lines(body)])

    def unmerge(self, body: Body) -> str:
        """unresolve."""
        if body["unchanged"]:
            return f"nothing to do: {one_line(body['note'])}"
        names = self._called([body["node"], *body["edges"]])
        lines = [
            f"transaction {body['tx'][:TX]} parted {_with_id(body['node'], names)} from what it was merged into"
        ]
        return "\n".join(
            [
                *lines,
                *self._named("taken back", body["edges"]),
                self._undo(body["tx"]),
                *problem_lines(body),
            ]
        )

    def distinction(self, body: Body) -> str:
        names = self._called(body["pair"])
        both = f"{_with_id(body['pair'][0], names)} and {_with_id(body['pair'][1], names)}"
        if body["unchanged"]:
            return f"nothing to do: {both} were judged to be two before"
        return "\n".join(
            [
                f"transaction {body['tx'][:TX]} records that {both} are two",
                self._undo(body["tx"]),
                *problem_lines(body),
            ]
        )

    def parting(self, body: Body) -> str:
        """split."""
        names = self._called([body["node"], body["new"]])
        kinds = (("nodes", "of it"), ("edges", "of edges at it"))
        moved = " and ".join(
            f"{counted(count, 'assertion')} {what}"
            for key, what in kinds
            if (count := body["moved"][key])
        )
        lines = [
            f"transaction {body['tx'][:TX]} parted {_with_id(body['node'], names)}",
            f"  the new node: {_with_id(body['new'], names)}, '{one_line(body['qualifier'])}'",
            f"  what went there: {moved}",
        ]
        return "\n".join([*lines, self._undo(body["tx"]), *problem_lines(body)])

    def _undo(self, tx: str) -> str:
        return f"undo: kgraph restore{self._options} --tx {tx[:TX]}"

    def _named(self, title: str, ids: Sequence[str]) -> list[str]:
        if not ids:
            return []
        names = self._called(ids[:SHOWN])
        more = [f"  and {len(ids) - SHOWN} more (--json lists them)"] if len(ids) > SHOWN else []
        return [f"{title}:", *(f"  {_with_id(name, names)}" for name in ids[:SHOWN]), *more]


def _with_id(name: str, names: Mapping[str, str]) -> str:
    return f"{one_line(names[name])} [{one_line(name)}]" if name in names else f"[{one_line(name)}]"


def _joined(row: Body, words: tuple[str, str, str], names: Mapping[str, str]) -> str:
    one, between, other = words
    return f"  {_with_id(row[one], names)} {between} {_with_id(row[other], names)}: {one_line(row['rationale'])}"


def _ids(rows: Iterable[Body], *keys: str) -> list[str]:
    return list(dict.fromkeys(row[key] for row in rows for key in keys))


def _some(lines: Iterable[str]) -> list[str]:
    whole = list(lines)
    return (
        [*whole[:SHOWN], f"  and {len(whole) - SHOWN} more (--json lists them)"]
        if len(whole) > SHOWN
        else whole
    )
