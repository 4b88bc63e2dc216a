"""Every index keeps to the contract of indexes."""

from __future__ import annotations

from pathlib import Path

from kgraph.index.sqlite import SqliteIndex
from kgraph.log import Log
from kgraph.log.jsonl import JsonlLog
from kgraph.log.memory import MemoryLog
from kgraph.testing.index_contract import IndexContract


class TestIndexInAFile(IndexContract):
    def new_log(self, folder: Path) -> Log:
        return JsonlLog(str(folder))

    def new_index(self, log: Log, folder: Path) -> SqliteIndex:
        return SqliteIndex(log, str(folder / "index.sqlite"))


class TestIndexInMemory(IndexContract):
    def new_log(self, folder: Path) -> Log:
        return MemoryLog()

    def new_index(self, log: Log, folder: Path) -> SqliteIndex:
        return SqliteIndex(log, ":memory:")


class TestIndexInMemoryOverAFile(TestIndexInMemory):
    """As in a folder that can't be written."""

    def new_log(self, folder: Path) -> Log:
        return JsonlLog(str(folder))
