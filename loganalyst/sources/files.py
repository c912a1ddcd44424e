"""Files, pipes and the files below a folder."""

from __future__ import annotations

import io
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, cast

from loganalyst.sources.source import Unreadable, reason_of

# The magic of a tar file ends at byte 262, its header at 512.
_ENOUGH = 512
_SKIPPED = frozenset({"CVS", "__pycache__", "lost+found", "node_modules"})


@dataclass(frozen=True, slots=True)
class FileOpener:
    """Opens a file of the local system."""

    path: str

    def raw(self, offset: int = 0) -> BinaryIO:
        """Open the file's bytes from `offset` on."""
        stream = Path(self.path).open("rb", buffering=0)  # noqa: SIM115 - the caller closes it
        if offset:
            stream.seek(offset)
        return cast(BinaryIO, stream)


class PipeOpener:
    """A pipe: it can be read only once, but its beginning may be looked at before."""

    def __init__(self, stream: BinaryIO) -> None:
        """Take a stream that is read once."""
        self._stream = stream
        self._head = b""

    def peek(self, size: int) -> bytes:
        """Return the first bytes that are there, enough to know it by; whoever reads the pipe gets them too.

        A pipe that somebody still writes to is not waited for longer than that.
        """
        while len(self._head) < min(size, _ENOUGH):
            part = self._read(size)
            if not part:
                break
            self._head += part
        return self._head[:size]

    def _read(self, size: int) -> bytes:
        read1 = getattr(self._stream, "read1", None)
        part: bytes = self._stream.read(size) if read1 is None else read1(size)
        return part

    def raw(self, offset: int = 0) -> BinaryIO:
        """Open what is left of the pipe, with its beginning put back."""
        del offset
        return cast(BinaryIO, _Rejoined(self))

    def take(self, size: int) -> bytes:
        """Read on, first what was looked at."""
        if self._head:
            part, self._head = self._head[:size], self._head[size:]
            return part
        return self._read(size)


class _Rejoined(io.RawIOBase):
    def __init__(self, pipe: PipeOpener) -> None:
        """Read what the pipe has, beginning with what was looked at."""
        self._pipe = pipe

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        view = memoryview(buffer).cast("B")
        part = self._pipe.take(len(view))
        view[: len(part)] = part
        return len(part)


def walk(folder: str) -> Iterator[str | Unreadable]:
    """Yield the files below `folder` in sorted order, as paths joined with `/`.

    Hidden files and the folders of version control are skipped; links are followed, each folder once, so that
    a loop of links ends.
    """
    seen: set[tuple[int, int]] = set()
    yield from _walk(folder.rstrip("/") or "/", seen)


def _walk(folder: str, seen: set[tuple[int, int]]) -> Iterator[str | Unreadable]:
    try:
        here = Path(folder).stat()
        if (here.st_dev, here.st_ino) in seen:
            return
        seen.add((here.st_dev, here.st_ino))
        with os.scandir(folder) as entries:
            names = sorted(entry.name for entry in entries)
    except OSError as problem:
        yield Unreadable(folder, reason_of(problem))
        return
    for name in names:
        if name.startswith(".") or name in _SKIPPED:
            continue
        path = f"{folder.rstrip('/')}/{name}"
        try:
            mode = Path(path).stat().st_mode
        except OSError as problem:
            yield Unreadable(path, reason_of(problem))
            continue
        if stat.S_ISDIR(mode):
            yield from _walk(path, seen)
        elif stat.S_ISREG(mode):
            yield path
