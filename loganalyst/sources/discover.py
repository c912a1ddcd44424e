"""Finds the sources behind what stands on the command line."""

from __future__ import annotations

import io
import stat
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from loganalyst.errors import SourceError
from loganalyst.sources.archive import ArchiveMember, Limits, is_archive, members
from loganalyst.sources.compression import codec_of, unknown_compression
from loganalyst.sources.files import FileOpener, PipeOpener, walk
from loganalyst.sources.source import Opener, Source, Unreadable, reason_of
from loganalyst.sources.spool import Spool, shared_spool
from loganalyst.sources.text import encoding_of, is_binary

_HEAD = 4096
_PIPE_HEAD = 64 * 1024
_LAYERS = 4

SchemeOpener = Callable[[str, "SourceOptions"], Iterator["Source | Unreadable"]]


@dataclass(frozen=True)
class SourceOptions:
    """How sources are found. `stdin` replaces standard input (tests); `spool` takes what archives hold.

    `schemes` maps `s3`, `gs`, … to the function that yields the sources behind such a URL.
    """

    limits: Limits = field(default_factory=Limits)
    spool: Spool = field(default_factory=shared_spool)
    stdin: BinaryIO | None = None
    schemes: dict[str, SchemeOpener] = field(default_factory=dict)


def discover(paths: Sequence[str], options: SourceOptions | None = None) -> Iterator[Source | Unreadable]:
    """Yield the sources behind `paths`: files, folders (all below, sorted), archives, `-` and URLs.

    What cannot be read is yielded as `Unreadable`; nothing is raised.
    """
    options = options or SourceOptions()
    for path in paths:
        scheme, colon, _ = path.partition("://")
        if path == "-":
            stream = options.stdin or sys.stdin.buffer
            yield from of_opener("-", PipeOpener(stream), None, options)
        elif colon and scheme in options.schemes:
            yield from options.schemes[scheme](path, options)
        else:
            yield from _local(path.removeprefix("file://"), options)


def _local(path: str, options: SourceOptions) -> Iterator[Source | Unreadable]:
    try:
        found = Path(path).stat()
    except (OSError, ValueError) as problem:
        yield Unreadable(path, reason_of(problem) if isinstance(problem, OSError) else "not a possible path")
        return
    if stat.S_ISDIR(found.st_mode):
        yield from _folder(path, options)
    elif stat.S_ISREG(found.st_mode):
        yield from of_opener(path, FileOpener(path), found.st_size, options)
    elif stat.S_ISFIFO(found.st_mode) or (stat.S_ISCHR(found.st_mode) and path.startswith("/dev/fd/")):
        try:
            yield from of_opener(path, PipeOpener(open(path, "rb")), None, options)  # noqa: SIM115, PTH123
        except OSError as problem:
            yield Unreadable(path, reason_of(problem))
    else:
        yield Unreadable(path, "neither a file nor a folder nor a pipe")


def _folder(path: str, options: SourceOptions) -> Iterator[Source | Unreadable]:
    any_source = any_problem = False
    for each in walk(path):
        if isinstance(each, Unreadable):
            any_problem = True
            yield each
            continue
        try:
            size = Path(each).stat().st_size
        except OSError as problem:
            any_problem = True
            yield Unreadable(each, reason_of(problem))
            continue
        for found in of_opener(each, FileOpener(each), size, options):
            any_source = any_source or isinstance(found, Source)
            any_problem = any_problem or isinstance(found, Unreadable)
            yield found
    if not any_source and not any_problem:
        yield Unreadable(path, "a folder without any log in it")


def of_opener(
    name: str,
    opener: Opener,
    size: int | None,
    options: SourceOptions,
    *,
    depth: int = 0,
    version: str | None = None,
) -> Iterator[Source | Unreadable]:
    """Yield what stored bytes hold: one source, or those of an archive; decided by their first bytes.

    Other kinds of storage give their `opener` to this function; `version` is what their store calls a
    version.
    """
    try:
        source, head = _peel(Source(name, opener, size, version=version), opener)
    except (SourceError, OSError) as problem:
        reason = (
            reason_of(problem) if isinstance(problem, OSError) else str(problem).removeprefix(f"{name}: ")
        )
        yield Unreadable(name, reason)
        return
    kind = is_archive(head)
    if kind is not None:
        yield from _archive(source, kind, options, depth)
        return
    foreign = unknown_compression(head)
    if foreign is not None:
        yield Unreadable(name, f"compressed with {foreign}, which is not read here; unpack it first")
    elif is_binary(head):
        yield Unreadable(name, "a binary file, no log text")
    else:
        yield source


def _peel(source: Source, opener: Opener) -> tuple[Source, bytes]:
    """Find the compressions and the encoding of a source, from the outside in, and its first bytes."""
    codecs: tuple[str, ...] = ()
    while True:
        bare = Source(source.name, opener, source.size, False, codecs, version=source.version)
        head = _head(bare, opener)
        codec = codec_of(head)
        if codec is None:
            break
        if len(codecs) == _LAYERS:
            raise SourceError(f"{source.name}: compressed more than {_LAYERS} times over; refused")
        codecs = (*codecs, codec.name)
    encoding = encoding_of(head)
    plain = not codecs and encoding == "utf-8" and isinstance(source.size, int)
    return Source(source.name, opener, source.size, plain, codecs, encoding, source.version), head


def _head(source: Source, opener: Opener) -> bytes:
    """The first decompressed bytes, before any decoding; of a pipe out of what may be looked at."""
    if not isinstance(opener, PipeOpener):
        return source.head(_HEAD)
    begun = opener.peek(_PIPE_HEAD)
    return Source(source.name, _Bytes(begun), codecs=source.codecs).head(_HEAD)


@dataclass(frozen=True, slots=True)
class _Bytes:
    """Opens bytes at hand."""

    data: bytes

    def raw(self, offset: int = 0) -> BinaryIO:
        return io.BytesIO(self.data[offset:])


def _archive(source: Source, kind: str, options: SourceOptions, depth: int) -> Iterator[Source | Unreadable]:
    if depth >= options.limits.depth:
        yield Unreadable(
            source.name, f"archives more than {options.limits.depth} deep in one another; refused"
        )
        return
    empty = True
    for member in members(source, kind, options.limits, options.spool):
        empty = False
        if isinstance(member, ArchiveMember):
            yield from of_opener(member.name, member.opener, member.size, options, depth=depth + 1)
        else:
            yield member
    if empty:
        yield Unreadable(source.name, "an archive without any file in it")
