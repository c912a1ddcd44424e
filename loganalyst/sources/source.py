"""A source: named bytes that can be opened, wherever they lie and however they are packed."""

from __future__ import annotations

import io
from dataclasses import dataclass, field
from typing import BinaryIO, Protocol

from loganalyst.errors import SourceError
from loganalyst.sources.compression import CODECS, decompressed
from loganalyst.sources.text import transcoded


class Opener(Protocol):
    """Where the stored bytes of a source come from; picklable, so that a worker process can open it too."""

    def raw(self, offset: int = 0) -> BinaryIO:
        """Open the stored bytes from `offset` on; raises `OSError` or `SourceError`."""


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Something that was asked for and cannot be read, wholly or from some point on; the rest is
    processed."""

    name: str
    reason: str

    def __str__(self) -> str:
        """Return name and reason."""
        return f"{self.name}: {self.reason}"


@dataclass(frozen=True, slots=True)
class Source:
    """One log: a file, a member of an archive, standard input, an object in a store.

    `name` is the path as given joined with the path below it (`archive.tar.gz!member.log` in archives);
    `size` the
    stored bytes, `None` for pipes; `plain` says that it is a file of uncompressed UTF-8 that can be read by
    byte range; `codecs` are its compressions from the outside in; `encoding` what a byte order mark said.
    """

    name: str
    opener: Opener
    size: int | None = None
    plain: bool = False
    codecs: tuple[str, ...] = ()
    encoding: str = "utf-8"
    version: str | None = field(default=None, compare=False)

    def open(self, offset: int = 0) -> BinaryIO:
        """Open the decompressed text as UTF-8 bytes from `offset` on; `read` and `readinto` both work.

        A read may return less than asked for; only an empty one is the end. Damage found on the way is raised
        as `SourceError` by the read that meets it, after all good bytes before
        it were delivered.
        """
        try:
            stream = self.opener.raw(offset if self.plain else 0)
        except OSError as problem:
            raise SourceError(f"{self.name}: {reason_of(problem)}") from problem
        for codec in self.codecs:
            stream = decompressed(stream, CODECS[codec], self.name)
        if self.encoding != "utf-8":
            stream = transcoded(stream, self.encoding)
        if not self.plain and offset:
            _skip(stream, offset)
        return stream

    def head(self, size: int) -> bytes:
        """Return up to `size` bytes of the decompressed beginning; what can be had of a damaged one."""
        parts: list[bytes] = []
        missing = size
        with self.open() as stream:
            try:
                while missing and (part := stream.read(missing)):
                    parts.append(part)
                    missing -= len(part)
            except (SourceError, OSError):
                if not parts:
                    raise
        return b"".join(parts)


def reason_of(problem: OSError) -> str:
    """Say in one short sentence why the system refused."""
    if isinstance(problem, FileNotFoundError):
        return "no such file or directory"
    if isinstance(problem, PermissionError):
        return "permission denied"
    return (problem.strerror or str(problem) or type(problem).__name__).lower()


def _skip(stream: BinaryIO, count: int) -> None:
    while count:
        part = stream.read(min(count, io.DEFAULT_BUFFER_SIZE * 16))
        if not part:
            return
        count -= len(part)
