"""An advisory lock on a file that the operating system drops when its holder dies, with the holder's name in it."""

from __future__ import annotations

import contextlib
import os
import sys

BYTE_AT = 1 << 30  # Windows locks byte ranges against reading too: lock one far behind the text


class LockFile:
    def __init__(self, path: str) -> None:
        self.path = path
        self._handle = -1

    def acquire(self) -> bool:
        """Take the lock if it is free. Not re-entrant. Raises OSError where the file can't be made."""
        handle = os.open(self.path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o666)
        try:
            taken = _lock(handle)
        except OSError:
            os.close(handle)
            raise
        if not taken:
            os.close(handle)
            return False
        note = f"process {os.getpid()} ({os.path.basename(sys.argv[0] or 'python')} {' '.join(sys.argv[1:3])[:120]})".encode()
        os.ftruncate(handle, 0)
        os.write(handle, note)
        self._handle = handle
        return True

    def release(self) -> None:
        if self._handle >= 0:
            handle, self._handle = self._handle, -1
            with contextlib.suppress(
                OSError
            ):  # the note is a courtesy; closing is what frees the lock
                os.ftruncate(handle, 0)
            _unlock(handle)
            os.close(handle)

    def holder(self) -> str:
        """Who holds the lock, in words."""
        try:
            with open(self.path, encoding="utf-8", errors="replace") as handle:
                return handle.read(300) or "a process that gave no name"
        except OSError:
            return "a process that gave no name"


if sys.platform == "win32":
    import msvcrt

    def _lock(handle: int) -> bool:
        os.lseek(handle, BYTE_AT, os.SEEK_SET)
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        os.lseek(handle, 0, os.SEEK_SET)
        return True

    def _unlock(handle: int) -> None:
        os.lseek(handle, BYTE_AT, os.SEEK_SET)
        msvcrt.locking(handle, msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def _lock(handle: int) -> bool:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _unlock(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_UN)
