"""The log as a file of JSON lines, flushed before anything is acknowledged."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import time
from collections.abc import Iterable, Iterator, Sequence

from kgraph.errors import Locked, NotAllowed, TryAgain
from kgraph.log.lock import LockFile
from kgraph.log.port import Raw, Stamp

CHUNK_BYTES = 1 << 20
ABANDONED_SECONDS = 3600
REWRITTEN = ".rewritten"  # what the log is called until it is whole


class JsonlLog:
    """One file. ``folder`` also holds ``log.lock`` (who is writing) and ``log.torn`` (what a crash left unfinished)."""

    def __init__(self, folder: str, file: str = "log.jsonl") -> None:
        self.folder = folder
        self.path = os.path.join(folder, file)
        self._lock = LockFile(os.path.join(folder, "log.lock"))
        self._reader = -1

    def stamp(self) -> Stamp:
        try:
            found = os.stat(self.path)
        except FileNotFoundError:
            self.close()
            return Stamp(0, "absent")
        if self._reader >= 0 and not os.path.samestat(found, os.fstat(self._reader)):
            self.close()  # another file has taken its place, as after a git merge
        return Stamp(found.st_size, f"{found.st_size}:{found.st_mtime_ns}:{found.st_ino}")

    def scan(self, position: int = 0) -> Iterator[Raw]:
        try:
            handle = open(self.path, "rb", buffering=CHUNK_BYTES)  # noqa: SIM115 - closed below; only a refusal to open is answered here
        except FileNotFoundError:
            return
        except PermissionError as error:
            raise _unreadable(self.path, error) from error
        with handle:
            handle.seek(position)
            for data in handle:
                ended = data.endswith(b"\n")
                yield Raw(position, data[:-1] if ended else data, ended)
                position += len(data)

    def read(self, position: int, start: int, length: int) -> bytes:
        if self._reader < 0:
            try:
                self._reader = os.open(
                    self.path,
                    os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0),
                )
            except PermissionError as error:
                raise _unreadable(self.path, error) from error
        if hasattr(os, "pread"):
            return os.pread(self._reader, length, position + start)
        os.lseek(self._reader, position + start, os.SEEK_SET)
        return os.read(self._reader, length)

    def close(self) -> None:
        if self._reader >= 0:
            os.close(self._reader)
            self._reader = -1

    def __del__(self) -> None:
        """A graph that nobody closed gives its file back too: a server may open thousands."""
        self.close()

    def next_position(self) -> int:
        end = self.stamp().end
        return end if not end or self.read(end - 1, 0, 1) == b"\n" else end + 1

    def append(self, lines: Sequence[bytes]) -> list[int]:
        if not lines:
            return []
        try:
            handle = os.open(
                self.path,
                os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0),
                0o666,
            )
        except PermissionError as error:
            raise NotAllowed(
                f"{self.path} can't be written ({error.strerror})",
                "check who owns the graph's folder",
            ) from error
        try:
            return self._append(handle, lines)
        except OSError as error:
            if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EFBIG):
                raise TryAgain(
                    f"the line could not be written to {self.path} ({error.strerror}); nothing was added",
                    "free some space and try again",
                ) from error
            raise
        finally:
            os.close(handle)

    def _append(self, handle: int, lines: Sequence[bytes]) -> list[int]:
        end = os.lseek(handle, 0, os.SEEK_END)
        opening = b""
        if end:
            os.lseek(handle, end - 1, os.SEEK_SET)
            opening = (
                b"" if os.read(handle, 1) == b"\n" else b"\n"
            )  # a whole last line that lost its line end
        positions = []
        at = end + len(opening)
        for line in lines:
            positions.append(at)
            at += len(line) + 1
        try:
            _write_all(handle, opening + b"\n".join(lines) + b"\n")
            os.fsync(handle)
        except OSError:
            with contextlib.suppress(
                OSError
            ):  # the caller is told of the first failure; a torn tail is set aside by the next writer
                os.ftruncate(handle, end)
            raise
        if end == 0:
            sync_folder(self.folder)
        return positions

    def rewrite(self, lines: Iterable[bytes]) -> None:
        waiting = self.path + REWRITTEN
        with open(waiting, "wb", buffering=CHUNK_BYTES) as file:
            for line in lines:
                file.write(line + b"\n")
            file.flush()
            os.fsync(file.fileno())
        shutil.copymode(self.path, waiting)
        os.replace(waiting, self.path)
        sync_folder(self.folder)
        self.close()

    def set_aside(self, torn: Raw) -> str:
        path = os.path.join(self.folder, "log.torn")
        with open(path, "ab") as kept:
            kept.write(torn.data + b"\n")
            kept.flush()
            os.fsync(kept.fileno())
        with open(self.path, "r+b") as handle:
            handle.truncate(torn.position)
            os.fsync(handle.fileno())
        return path

    @contextlib.contextmanager
    def writing(self, wait_seconds: float) -> Iterator[None]:
        deadline = time.monotonic() + wait_seconds
        pause = 0.001
        try:
            while not self._lock.acquire():
                if time.monotonic() >= deadline:
                    holder = self._lock.holder()
                    raise Locked(
                        f"another process is writing to {self.folder}: {holder}",
                        "wait for it, or give a longer --wait",
                        holder=holder,
                    )
                time.sleep(pause)
                pause = min(pause * 1.5, 0.05)
        except (PermissionError, OSError) as error:
            if isinstance(error, PermissionError) or error.errno == errno.EROFS:
                raise NotAllowed(
                    f"{self.folder} can't be written ({error.strerror})",
                    "check who owns the graph's folder",
                ) from error
            raise
        try:
            sweep(self.folder)
            yield
        finally:
            self._lock.release()

    @contextlib.contextmanager
    def try_writing(self) -> Iterator[bool | None]:
        try:
            held: bool | None = self._lock.acquire()
        except OSError:  # a folder that can't be written, or no folder at all: there is no writer here and can be none
            held = None
        try:
            yield held
        finally:
            if held:
                self._lock.release()


def _unreadable(path: str, error: OSError) -> NotAllowed:
    return NotAllowed(
        f"{path} can't be read ({error.strerror})", "check who owns the graph's folder"
    )


def _write_all(handle: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(handle, view) :]


def sweep(folder: str) -> None:
    """Delete what commands that were killed left half written: a file named after a process that is gone, or an hour old."""
    for name in os.listdir(folder):
        if name.endswith((".tmp", ".new")):
            path = os.path.join(folder, name)
            process = name.split(".")[-2]
            with contextlib.suppress(OSError):
                old = time.time() - os.stat(path).st_mtime > ABANDONED_SECONDS
                if old or (process.isdecimal() and not _runs(int(process))):
                    os.unlink(path)


def _runs(process: int) -> bool:
    if os.name == "nt":  # asking would end it
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True


def sync_folder(folder: str) -> None:
    """Make a new file's name durable too. Windows has no such call and needs none."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
