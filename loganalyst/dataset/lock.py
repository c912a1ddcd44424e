"""One writer at a time on a local dataset; the lock ends with its process, also after `kill -9`."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from loganalyst.errors import DatasetError

__all__ = ["writing"]

_PATIENCE = 0.05


@contextmanager
def writing(
    root: Path, *, timeout: float = 600.0, waiting: Callable[[], None] | None = None
) -> Iterator[None]:
    """Hold the write lock of the dataset at `root`.

    Waits for another writer up to `timeout` seconds (a commit takes milliseconds, a compaction as long as
    it copies), calling `waiting` once when it has to. Raises `DatasetError` when the time is over or the
    folder cannot be written.
    """
    path = root / ".lock"
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    except OSError as error:
        raise DatasetError(f"{root}: cannot be written: {error.strerror}") from error
    try:
        deadline = time.monotonic() + timeout
        told = False
        while not _try_lock(handle):
            if not told and waiting is not None:
                waiting()
                told = True
            if time.monotonic() >= deadline:
                raise DatasetError(
                    f"{root}: another process has been writing to it for {timeout:.0f} s; try again"
                )
            time.sleep(_PATIENCE)
        yield
    finally:
        os.close(handle)


if sys.platform == "win32":
    import msvcrt

    def _try_lock(handle: int) -> bool:
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _try_lock(handle: int) -> bool:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
