"""A folder of its own for what compressed archives hold, so that members can be read in any order and by any
process."""

from __future__ import annotations

import os
import shutil
import tempfile
import weakref
from functools import cache
from pathlib import Path
from typing import BinaryIO

import zstandard


class Spool:
    """Keeps members as files compressed with zstd; the folder is made on first use and goes when the spool is
    closed."""

    def __init__(self, parent: str | None = None) -> None:
        """Put the folder below `parent`, by default among the temporary files."""
        self._parent = parent
        self._folder: Path | None = None
        self._count = 0
        self._remove: weakref.finalize[[str, int], Spool] | None = None

    def create(self) -> tuple[str, BinaryIO]:
        """Return the path and the stream to write of a new member."""
        if self._folder is None:
            self._folder = Path(tempfile.mkdtemp(prefix="loganalyst-", dir=self._parent))
            self._remove = weakref.finalize(self, _remove, str(self._folder), os.getpid())
        self._count += 1
        path = self._folder / f"{self._count}.zst"
        return str(path), zstandard.ZstdCompressor(level=1).stream_writer(path.open("wb"), closefd=True)

    def close(self) -> None:
        """Remove the folder with everything in it."""
        if self._remove is not None:
            self._remove()


def _remove(folder: str, owner: int) -> None:
    # A forked worker inherits the finalizer; only the process that made the folder may remove it.
    if os.getpid() == owner:
        shutil.rmtree(folder, ignore_errors=True)


@cache
def shared_spool() -> Spool:
    """The spool of this process: what is in it stays until the process ends."""
    return Spool()
