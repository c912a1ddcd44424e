"""Archives: tar of any compression, and zip. Members are read like files, named `archive.tar.gz!path/in/it`.

Nothing of an archive is trusted: paths that leave it, links, devices, too many members and too many bytes are
refused.
"""

from __future__ import annotations

import io
import shutil
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO, cast

from loganalyst.errors import SourceError
from loganalyst.sources.compression import BOMB_BYTES, BOMB_RATIO
from loganalyst.sources.files import FileOpener
from loganalyst.sources.source import Opener, Source, Unreadable, reason_of
from loganalyst.sources.spool import Spool

_COPY = 1 << 20


@dataclass(frozen=True, slots=True)
class Limits:
    """What an archive may hold: archives in archives, members, and decompressed bytes in all."""

    depth: int = 4
    members: int = 100_000
    total_bytes: int = 1 << 40


@dataclass(frozen=True, slots=True)
class ArchiveMember:
    """A file in an archive: its full name, how to open it, its stored size."""

    name: str
    opener: Opener
    size: int | None


@dataclass(frozen=True, slots=True)
class SpooledOpener:
    """Opens a member that was put aside compressed."""

    path: str

    def raw(self, offset: int = 0) -> BinaryIO:
        """Open the member's bytes; `offset` counts in them."""
        from loganalyst.sources.compression import CODECS, decompressed

        stream = decompressed(FileOpener(self.path).raw(), CODECS["zst"], self.path)
        while offset:
            offset -= len(stream.read(min(offset, _COPY))) or offset
        return stream


@dataclass(frozen=True, slots=True)
class TarOpener:
    """Opens a member of an uncompressed tar file: a stretch of that file."""

    path: str
    start: int
    size: int

    def raw(self, offset: int = 0) -> BinaryIO:
        """Open the member's bytes from `offset` on."""
        return cast(BinaryIO, _Stretch(self.path, self.start + offset, self.size - offset))


def is_archive(head: bytes) -> str | None:
    """Return `tar` or `zip` for what begins like one."""
    if head[:4] in (b"PK\x03\x04", b"PK\x05\x06"):
        return "zip"
    if head[257:262] == b"ustar" or _old_tar(head):
        return "tar"
    return None


def _old_tar(head: bytes) -> bool:
    """A tar header of before 1988 has no magic, but a checksum over its 512 bytes."""
    if len(head) < 512 or not head[0] or b"\0" not in head[1:100]:
        return False
    try:
        expected = int(head[148:156].strip(b"\0 ") or b"x", 8)
    except ValueError:
        return False
    return sum(head[:148]) + sum(head[156:512]) + 8 * 32 == expected


def members(source: Source, kind: str, limits: Limits, spool: Spool) -> Iterator[ArchiveMember | Unreadable]:
    """Yield the files in an archive; what is refused or damaged is yielded as `Unreadable`."""
    try:
        yield from (_zip if kind == "zip" else _tar)(source, limits, spool)
    except (
        tarfile.TarError,
        zipfile.BadZipFile,
        zlib.error,
        EOFError,
        NotImplementedError,
        RuntimeError,
    ) as problem:
        yield Unreadable(
            source.name, f"the archive is damaged: {problem}; what was found before that is read"
        )
    except SourceError as problem:
        yield Unreadable(source.name, str(problem).removeprefix(f"{source.name}: "))
    except OSError as problem:
        yield Unreadable(source.name, reason_of(problem))


def _tar(source: Source, limits: Limits, spool: Spool) -> Iterator[ArchiveMember | Unreadable]:
    count = total = 0
    with source.open() as stream, tarfile.open(fileobj=stream, mode="r|") as archive:
        for entry in archive:
            name = f"{source.name}!{entry.name}"
            if entry.isdir():
                continue
            refusal = _refused_path(entry.name) or _refused_kind(entry)
            if refusal:
                yield Unreadable(name, refusal)
                continue
            count += 1
            total += entry.size
            if (stop := _beyond(count, total, limits)) is not None:
                yield Unreadable(source.name, stop)
                return
            if source.plain and isinstance(source.opener, FileOpener) and not entry.issparse():
                yield ArchiveMember(
                    name, TarOpener(source.opener.path, entry.offset_data, entry.size), entry.size
                )
                continue
            content = archive.extractfile(entry)
            if content is None:
                continue
            path, target = spool.create()
            with content, target:
                shutil.copyfileobj(content, target, _COPY)
            yield ArchiveMember(name, SpooledOpener(path), entry.size)


def _zip(source: Source, limits: Limits, spool: Spool) -> Iterator[ArchiveMember | Unreadable]:
    with _seekable(source, spool) as stream, zipfile.ZipFile(stream) as archive:
        count = total = 0
        for entry in archive.infolist():
            name = f"{source.name}!{entry.filename}"
            if entry.is_dir():
                continue
            kind = entry.external_attr >> 16 & 0o170000
            refusal = _refused_path(entry.filename) or (
                "a link, refused" if kind not in (0, 0o100000) else None
            )
            if not refusal and entry.flag_bits & 1:
                refusal = "encrypted"
            if (
                not refusal
                and entry.file_size > BOMB_BYTES
                and entry.file_size > BOMB_RATIO * entry.compress_size
            ):
                refusal = f"grows by more than {BOMB_RATIO} times when decompressed; refused"
            if refusal:
                yield Unreadable(name, refusal)
                continue
            count += 1
            total += entry.file_size
            if (stop := _beyond(count, total, limits)) is not None:
                yield Unreadable(source.name, stop)
                return
            path, target = spool.create()
            try:
                with archive.open(entry) as content, target:
                    _copy(content, target, entry.file_size)
            except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError) as problem:
                yield Unreadable(name, f"damaged or not readable: {problem}; the good part is read")
            yield ArchiveMember(name, SpooledOpener(path), entry.file_size)


def _copy(content: object, target: BinaryIO, limit: int) -> None:
    """Copy no more than the directory of the zip has promised."""
    left = limit
    read = content.read  # type: ignore[attr-defined]
    while left and (part := read(min(left, 64 * 1024))):
        target.write(part)
        left -= len(part)


def _seekable(source: Source, spool: Spool) -> BinaryIO:
    """The zip's directory stands at its end, so a packed or piped zip is put aside first."""
    if isinstance(source.opener, FileOpener) and not source.codecs:
        return source.opener.raw()
    del spool
    copy = tempfile.TemporaryFile()  # noqa: SIM115
    with source.open() as stream:
        shutil.copyfileobj(stream, copy, _COPY)
    copy.seek(0)
    return copy


def _refused_path(path: str) -> str | None:
    parts = path.replace("\\", "/").split("/")
    if path.startswith(("/", "\\")) or ".." in parts or path[1:2] == ":" or "\0" in path:
        return "its path leads out of the archive; refused"
    return None


def _refused_kind(entry: tarfile.TarInfo) -> str | None:
    if entry.issym() or entry.islnk():
        return "a link, refused"
    return None if entry.isfile() else "a device or pipe, refused"


def _beyond(count: int, total: int, limits: Limits) -> str | None:
    if count > limits.members:
        return f"more than {limits.members:,} members; the rest is refused"
    if total > limits.total_bytes:
        return f"more than {limits.total_bytes:,} bytes when unpacked; the rest is refused"
    return None


class _Stretch(io.RawIOBase):
    def __init__(self, path: str, start: int, size: int) -> None:
        """Read `size` bytes of the file from `start` on."""
        self._file = FileOpener(path).raw(start)
        self._left = max(0, size)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        view = memoryview(buffer).cast("B")[: self._left]
        count = self._file.readinto(view) or 0  # type: ignore[attr-defined]
        self._left -= count
        return int(count)

    def close(self) -> None:
        if not self.closed:
            self._file.close()
        super().close()
