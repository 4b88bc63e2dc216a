"""Every log keeps to the contract of logs."""

from __future__ import annotations

from pathlib import Path

from kgraph.log import Log
from kgraph.log.jsonl import JsonlLog
from kgraph.log.memory import MemoryLog
from kgraph.log.port import Raw
from kgraph.testing.log_contract import LogContract


class TestJsonlLog(LogContract):
    def new_log(self, folder: Path) -> Log:
        return JsonlLog(str(folder))

    def same_log(self, log: Log) -> Log:
        assert isinstance(log, JsonlLog)
        return JsonlLog(log.folder)

    def leave_torn(self, log: Log, data: bytes) -> None:
        assert isinstance(log, JsonlLog)
        with open(log.path, "ab") as handle:
            handle.write(data)


class _Torn(MemoryLog):
    """A crash has no meaning in memory; the last line is only said to have no end."""

    def scan(self, position: int = 0):  # type: ignore[no-untyped-def]
        for raw in super().scan(position):
            yield Raw(raw.position, raw.data, raw.data.endswith(b"}"))


class TestMemoryLog(LogContract):
    def new_log(self, folder: Path) -> Log:
        return _Torn()

    def same_log(self, log: Log) -> Log:
        return log

    def leave_torn(self, log: Log, data: bytes) -> None:
        assert isinstance(log, MemoryLog)
        log.lines.append(data)


def test_a_log_whose_file_was_replaced_is_read_from_the_new_file(tmp_path: Path) -> None:
    log = JsonlLog(str(tmp_path))
    log.append([b'{"a":1}'])
    assert log.read(0, 0, 7) == b'{"a":1}'
    (tmp_path / "new").write_bytes(b'{"b":2}\n')
    (tmp_path / "new").replace(log.path)
    log.stamp()
    assert log.read(0, 0, 7) == b'{"b":2}'


def test_a_whole_last_line_without_its_end_gets_one_before_the_next(tmp_path: Path) -> None:
    log = JsonlLog(str(tmp_path))
    (tmp_path / "log.jsonl").write_bytes(b'{"a":1}')
    assert log.next_position() == 8
    assert log.append([b'{"b":2}']) == [8]
    assert (tmp_path / "log.jsonl").read_bytes() == b'{"a":1}\n{"b":2}\n'
