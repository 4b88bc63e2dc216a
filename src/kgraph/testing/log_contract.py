"""What every log keeps to. Subclass ``LogContract`` in a test module, say how to make a log, and pytest does the rest."""

from __future__ import annotations

from pathlib import Path

import pytest

from kgraph.errors import Locked
from kgraph.log import Log, Raw

ONE, TWO, THREE = b'{"line":1}', b'{"line":2,"text":"\\u2028"}', b'{"line":3}'


class LogContract:
    """Promises of ``kgraph.log.Log``. A line is given and got without its line end; a position names it for ever."""

    def new_log(self, folder: Path) -> Log:
        """An empty log that keeps what it has in ``folder``, if it keeps anything in files."""
        raise NotImplementedError

    def same_log(self, log: Log) -> Log:
        """The same log, opened as another process would open it."""
        raise NotImplementedError

    def leave_torn(self, log: Log, data: bytes) -> None:
        """Leave a last line without an end, as a crash in the middle of a write does."""
        raise NotImplementedError

    def test_an_empty_log_has_no_lines(self, tmp_path: Path) -> None:
        log = self.new_log(tmp_path)
        assert list(log.scan()) == []
        assert log.stamp().end == 0

    def test_lines_are_found_in_order_where_append_said_they_lie(self, tmp_path: Path) -> None:
        log = self.new_log(tmp_path)
        positions = [*log.append([ONE, TWO]), *log.append([THREE])]
        assert positions == sorted(set(positions))
        assert list(log.scan()) == [
            Raw(at, data) for at, data in zip(positions, (ONE, TWO, THREE), strict=True)
        ]
        assert list(self.same_log(log).scan()) == list(log.scan())

    def test_scanning_begins_at_any_line(self, tmp_path: Path) -> None:
        log = self.new_log(tmp_path)
        positions = log.append([ONE, TWO, THREE])
        assert [raw.data for raw in log.scan(positions[1])] == [TWO, THREE]
        assert list(log.scan(log.next_position())) == []

    def test_a_piece_of_a_line_can_be_read_and_behind_a_line_is_its_end_or_nothing(
        self, tmp_path: Path
    ) -> None:
        log = self.new_log(tmp_path)
        _, at = log.append([ONE, TWO])
        assert log.read(at, 1, 6) == TWO[1:7]
        assert log.read(at, 0, len(TWO)) == TWO
        assert log.read(at, 0, len(TWO) + 1)[len(TWO) :] in (b"", b"\n")

    def test_the_next_position_is_where_the_next_line_lies(self, tmp_path: Path) -> None:
        log = self.new_log(tmp_path)
        for line in (ONE, TWO, THREE):
            expected = log.next_position()
            assert log.append([line]) == [expected]

    def test_the_stamp_changes_with_every_append_and_only_then(self, tmp_path: Path) -> None:
        log = self.new_log(tmp_path)
        seen = [log.stamp()]
        for line in (ONE, TWO, THREE):
            log.append([line])
            assert log.stamp() == log.stamp() == self.same_log(log).stamp()
            seen.append(log.stamp())
        assert len(set(seen)) == len(seen)
        assert [stamp.end for stamp in seen] == sorted(stamp.end for stamp in seen)

    def test_appending_nothing_changes_nothing(self, tmp_path: Path) -> None:
        log = self.new_log(tmp_path)
        log.append([ONE])
        before = log.stamp()
        assert log.append([]) == []
        assert log.stamp() == before

    def test_a_torn_line_is_set_aside_and_the_lines_before_it_stay(self, tmp_path: Path) -> None:
        log = self.new_log(tmp_path)
        log.append([ONE])
        self.leave_torn(log, THREE[:5])
        *_, torn = log.scan()
        assert torn.data == THREE[:5]
        assert log.set_aside(torn)
        assert [raw.data for raw in log.scan()] == [ONE]
        log.append([TWO])
        assert [raw.data for raw in self.same_log(log).scan()] == [ONE, TWO]

    def test_there_is_one_writer_at_a_time_and_the_others_are_told_who_it_is(
        self, tmp_path: Path
    ) -> None:
        log = self.new_log(tmp_path)
        other = self.same_log(log)
        with log.writing(0.0):
            with other.try_writing() as held:
                assert held is False
            with pytest.raises(Locked) as refused, other.writing(0.0):
                raise AssertionError("two writers at once")
            assert "process" in refused.value.details["holder"]
        with other.try_writing() as held:
            assert held is True

    def test_the_writers_place_is_free_again_when_the_writer_failed(self, tmp_path: Path) -> None:
        log = self.new_log(tmp_path)
        with pytest.raises(ZeroDivisionError), log.writing(0.0):
            raise ZeroDivisionError
        with self.same_log(log).writing(0.0):
            pass

    def test_a_closed_log_can_be_read_again(self, tmp_path: Path) -> None:
        log = self.new_log(tmp_path)
        (at,) = log.append([ONE])
        assert log.read(at, 0, 4) == ONE[:4]
        log.close()
        assert log.read(at, 0, 4) == ONE[:4]
