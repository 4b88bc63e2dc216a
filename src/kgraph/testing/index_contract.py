"""What every index keeps to, whatever it is kept in. Subclass ``IndexContract`` in a test module and say how to make one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from kgraph.events import Draft, Event, Transaction, edge_id, encode
from kgraph.index.read import Reader
from kgraph.index.sqlite import SqliteIndex
from kgraph.log import Log


def node(name: str, **members: Any) -> Event:
    return {"kind": "node", "id": name, "type": "Entity", "name": name.title(), **members}


def edge(source: str, target: str, **members: Any) -> Event:
    name = edge_id("DEPENDS_ON", (source, target))
    return {
        "kind": "edge",
        "id": name,
        "predicate": "DEPENDS_ON",
        "source": source,
        "target": target,
        **members,
    }


def withdrawal(transaction: Transaction) -> Event:
    return {"kind": "withdraw", "assertions": {}, "transactions": [transaction.id]}


class Tale:
    """Lines of a log in the making: each behind the heads that are given, a second later than the one before."""

    def __init__(self) -> None:
        self.lines: list[bytes] = []
        self._last: list[str] = []

    def tell(self, *events: Event, after: list[str] | None = None) -> Transaction:
        ts = f"2026-03-11T09:{len(self.lines) // 60:02d}:{len(self.lines) % 60:02d}.000000Z"
        transaction, line = encode(
            Draft("ingest", list(events), "r1"), self._last if after is None else after, ts
        )
        self.lines.append(line)
        self._last = [transaction.id]
        return transaction


def picture(index: SqliteIndex) -> dict[str, Any]:
    """Everything that an index says, in words that don't depend on its inner numbers."""
    reader = Reader(index)
    ids = {one.nid: one.id for one in reader.every_node()}
    nodes = {
        one.id: (one.type, one.name, sorted(one.aliases), one.description, one.assertions)
        for one in reader.every_node()
    }
    edges = {
        one.id: (ids[one.src], ids[one.dst], one.confidence, one.status, one.quote, one.assertions)
        for one in reader.every_edge()
    }
    words = sorted(ids[nid] for nid, _ in reader.search('"alpha" OR "beta"', 100))
    return {
        "nodes": nodes,
        "edges": edges,
        "words": words,
        "counters": reader.counters(),
        "heads": index.heads,
    }


class IndexContract:
    """Promises of an index: it means what the log means, and it never stands between the log and its reader."""

    def new_log(self, folder: Path) -> Log:
        raise NotImplementedError

    def new_index(self, log: Log, folder: Path) -> SqliteIndex:
        """An index over the log; one made a second time finds what the first left, if it leaves anything."""
        raise NotImplementedError

    def opened(self, log: Log, folder: Path) -> SqliteIndex:
        index = self.new_index(log, folder)
        index.for_reading()
        return index

    def test_an_index_says_what_the_log_says(self, tmp_path: Path) -> None:
        log, tale = self.new_log(tmp_path), Tale()
        first = tale.tell(
            node("alpha", description="a service"),
            node("beta"),
            edge("alpha", "beta", confidence=0.9, quote="alpha calls beta"),
        )
        tale.tell(node("alpha", aliases=["Al"]))
        log.append(tale.lines)
        seen = picture(self.opened(log, tmp_path))
        assert seen["nodes"] == {
            "alpha": ("Entity", "Alpha", ["Al"], "a service", 2),
            "beta": ("Entity", "Beta", [], "", 1),
        }
        assert list(seen["edges"].values()) == [
            ("alpha", "beta", 0.9, "unchecked", "alpha calls beta", 1)
        ]
        assert seen["words"] == ["alpha", "beta"]
        assert seen["heads"] != [first.id]

    def test_it_catches_up_with_what_others_wrote_and_agrees_with_a_new_one(
        self, tmp_path: Path
    ) -> None:
        log, tale = self.new_log(tmp_path), Tale()
        index = self.opened(log, tmp_path)
        for events in (
            [node("alpha")],
            [node("beta"), edge("alpha", "beta")],
            [node("alpha", description="said again")],
        ):
            tale.tell(*events)
            log.append(tale.lines[-1:])
            index.for_reading()
            fresh = SqliteIndex(log, ":memory:")
            fresh.for_reading()
            assert picture(index) == picture(fresh)

    def test_lines_in_any_order_mean_the_same(self, tmp_path: Path) -> None:
        tale = Tale()
        root = tale.tell(node("alpha"))
        tale.tell(node("beta"), edge("alpha", "beta"), after=[root.id])
        tale.tell(node("alpha", description="of the other branch"), after=[root.id])
        seen = []
        for number, order in enumerate(([0, 1, 2], [2, 1, 0], [0, 2, 1])):
            folder = tmp_path / str(number)
            folder.mkdir()
            log = self.new_log(folder)
            log.append([tale.lines[at] for at in order])
            seen.append(picture(self.opened(log, folder)))
        assert seen[0] == seen[1] == seen[2]
        assert len(seen[0]["heads"]) == 2

    def test_what_is_withdrawn_is_gone_and_what_is_restored_is_back(self, tmp_path: Path) -> None:
        log, tale = self.new_log(tmp_path), Tale()
        tale.tell(node("alpha"))
        second = tale.tell(node("beta"), edge("alpha", "beta"))
        log.append(tale.lines)
        index = self.opened(log, tmp_path)
        before = picture(index)
        taken = tale.tell(withdrawal(second))
        log.append(tale.lines[-1:])
        index.for_reading()
        assert set(picture(index)["nodes"]) == {"alpha"} and picture(index)["edges"] == {}
        tale.tell(withdrawal(taken))
        log.append(tale.lines[-1:])
        index.for_reading()
        assert {**picture(index), "heads": []} == {**before, "heads": []}

    def test_a_change_that_fails_leaves_neither_log_nor_index_changed(self, tmp_path: Path) -> None:
        log, tale = self.new_log(tmp_path), Tale()
        tale.tell(node("alpha"))
        log.append(tale.lines)
        index = self.opened(log, tmp_path)
        before, stamp = picture(index), log.stamp()
        later = tale.tell(node("beta"))
        with pytest.raises(ZeroDivisionError), index.changing(log.next_position()) as change:
            change.add(later, tale.lines[-1])
            raise ZeroDivisionError
        assert (picture(index), log.stamp()) == (before, stamp)

    def test_a_change_is_in_log_and_index_when_it_is_done(self, tmp_path: Path) -> None:
        log, tale = self.new_log(tmp_path), Tale()
        index = self.opened(log, tmp_path)
        with index.changing(log.next_position()) as change:
            for name in ("alpha", "beta"):
                change.add(tale.tell(node(name)), tale.lines[-1])
            log.append(change.lines)
            change.flushed(log.stamp())
        assert set(picture(index)["nodes"]) == {"alpha", "beta"}
        assert picture(self.opened(log, tmp_path)) == picture(index)
        assert [raw.data for raw in log.scan()] == tale.lines

    def test_damage_is_told_and_the_intact_lines_are_read(self, tmp_path: Path) -> None:
        log, tale = self.new_log(tmp_path), Tale()
        tale.tell(node("alpha"))
        tale.tell(node("beta"))
        log.append([tale.lines[0], tale.lines[1].replace(b"Beta", b"Bela")])
        index = self.opened(log, tmp_path)
        assert set(picture(index)["nodes"]) == {"alpha"}
        assert [damage.code for damage in index.damage()] == ["E209"]

    def test_a_missing_parent_is_told_and_a_line_of_a_later_version_as_well(
        self, tmp_path: Path
    ) -> None:
        log, tale = self.new_log(tmp_path), Tale()
        tale.tell(node("alpha"))
        tale.tell(node("beta"))
        tale.tell({"kind": "of the future"})
        log.append(tale.lines[1:])
        index = self.opened(log, tmp_path)
        assert set(picture(index)["nodes"]) == {"beta"}
        assert sorted(damage.code for damage in index.damage()) == [
            "E209",
            "E210",
        ]
