"""Compressed streams, known by their first bytes and never by their names.

Every reader here delivers all bytes that can be recovered and only then raises `SourceError`, and holds no
more than a few hundred kilobytes whatever it reads.
"""

from __future__ import annotations

import bz2
import io
import lzma
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, BinaryIO, Protocol, cast

import zstandard
from isal import igzip_lib

from loganalyst.errors import SourceError
from loganalyst.sources.zstd_frames import FrameWalk

CHUNK = 128 * 1024
# A stream that has grown beyond the first number of bytes and by more than the second factor is refused as a
# bomb.
# Logs that repeat themselves reach some hundreds; gzip cannot pass 1,032.
BOMB_BYTES = 256 << 20
BOMB_RATIO = 2_000
_XZ_MEMORY = 256 << 20
_ISAL_ERROR = cast("type[Exception]", igzip_lib.IsalError)
_DAMAGE: tuple[type[Exception], ...] = (OSError, EOFError, ValueError, lzma.LZMAError, _ISAL_ERROR)


class Decompressor(Protocol):
    """The interface of the standard library's decompressor objects."""

    @property
    def eof(self) -> bool:
        """Whether the end of a member was reached."""

    @property
    def needs_input(self) -> bool:
        """Whether nothing more can be had without input."""

    @property
    def unused_data(self) -> bytes:
        """What stood behind the end."""

    def decompress(self, data: bytes, max_length: int = -1) -> bytes:
        """Decompress."""


@dataclass(frozen=True)
class Codec:
    """A compression: its name, the bytes it begins with, and how to read it."""

    name: str
    magic: bytes
    open: Callable[[BinaryIO, str], io.RawIOBase]


class _Members(io.RawIOBase):
    """Reads a file of one or more compressed members one after the other."""

    def __init__(self, raw: BinaryIO, name: str, make: Callable[[], Decompressor], magic: bytes) -> None:
        """Read the members of `raw`."""
        self._raw, self._name, self._make, self._magic = raw, name, make, magic
        self._member: Decompressor | None = make()
        self._started = False
        self._input = b""
        self._in = self._out = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        view = memoryview(buffer).cast("B")
        while self._member is not None:
            data = b""
            if self._member.eof:
                self._next_member()
                continue
            if self._member.needs_input:
                data = self._input or self._raw.read(CHUNK)
                self._input = b""
                if not data:
                    self._member = None
                    if self._started or not self._in:
                        raise self._damage("it ends in the middle")
                    return 0
                self._in += len(data)
                self._started = True
            try:
                out = self._member.decompress(data, len(view))
            except _DAMAGE as problem:
                self._member = None
                raise self._damage(str(problem) or "damaged data") from problem
            if out:
                self._out += len(out)
                if self._out > BOMB_BYTES and self._out > BOMB_RATIO * self._in:
                    self._member = None
                    raise SourceError(
                        f"{self._name}: grows by more than {BOMB_RATIO} times when decompressed; refused"
                    )
                view[: len(out)] = out
                return len(out)
        return 0

    def _next_member(self) -> None:
        assert self._member is not None
        rest = self._member.unused_data or self._raw.read(CHUNK)
        # Padding with zeros between and behind members is allowed (tapes, xz's stream padding).
        while rest and not rest.strip(b"\0"):
            rest = self._raw.read(CHUNK)
        rest = rest.lstrip(b"\0") if rest else rest
        if len(rest) < len(self._magic):
            rest += self._raw.read(CHUNK)
        if not rest:
            self._member = None
            return
        if not rest.startswith(self._magic):
            self._member = None
            raise self._damage("what follows its end is no further member")
        self._member, self._input, self._started = self._make(), rest, False

    def _damage(self, why: str) -> SourceError:
        return SourceError(
            f"{self._name}: the compressed data is cut or damaged after {self._in:,} bytes ({why}); "
            f"the {self._out:,} bytes before that were read"
        )

    def close(self) -> None:
        if not self.closed:
            self._raw.close()
        super().close()


class _Zstd(io.RawIOBase):
    """Reads zstd frames; the walk over the frames tells a cut file from a whole one."""

    def __init__(self, raw: BinaryIO, name: str) -> None:
        """Read the frames of `raw`."""
        self._walk = FrameWalk(raw)
        self._raw, self._name = raw, name
        self._reader = zstandard.ZstdDecompressor(max_window_size=1 << 31).stream_reader(
            cast(BinaryIO, self._walk), read_size=CHUNK, read_across_frames=True, closefd=False
        )
        self._out = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        try:
            count = int(self._reader.readinto(buffer))
        except zstandard.ZstdError as problem:
            raise self._damage(str(problem)) from problem
        self._out += count
        if not count and not self._walk.whole:
            self._walk.whole = True
            raise self._damage("it ends in the middle")
        if self._out > BOMB_BYTES and self._out > BOMB_RATIO * self._walk.seen:
            raise SourceError(
                f"{self._name}: grows by more than {BOMB_RATIO} times when decompressed; refused"
            )
        return count

    def _damage(self, why: str) -> SourceError:
        return SourceError(
            f"{self._name}: the compressed data is cut or damaged after {self._walk.seen:,} bytes ({why}); "
            f"the {self._out:,} bytes before that were read"
        )

    def close(self) -> None:
        if not self.closed:
            self._raw.close()
        super().close()


class _Lz4(io.RawIOBase):
    """Reads lz4 frames with Arrow's codec, in small steps so that little is lost where the data breaks
    off."""

    _STEP = 4096

    def __init__(self, raw: BinaryIO, name: str) -> None:
        """Read the frames of `raw`."""
        import pyarrow as pa

        self._raw, self._name = raw, name
        self._errors: tuple[type[BaseException], ...] = (OSError, pa.ArrowException)
        self._stream = pa.CompressedInputStream(pa.PythonFile(raw, mode="r"), "lz4")
        self._out = 0
        self._ended = False

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if self._ended:
            return 0
        view = memoryview(buffer).cast("B")
        done = 0
        while done < len(view):
            try:
                part = self._stream.read(min(self._STEP, len(view) - done))
            except self._errors as problem:
                if done:
                    self._stream = _Raising(problem)
                    break
                self._ended = True
                raise SourceError(
                    f"{self._name}: the compressed data is cut or damaged ({problem}); "
                    f"the {self._out:,} bytes before that were read"
                ) from problem
            if not part:
                break
            view[done : done + len(part)] = part
            done += len(part)
        self._out += done
        return done

    def close(self) -> None:
        if not self.closed:
            self._raw.close()
        super().close()


class _Raising:
    """A stream that has broken off: every read raises what broke it."""

    def __init__(self, problem: BaseException) -> None:
        """Remember what broke the stream off."""
        self._problem = problem

    def read(self, size: int) -> bytes:
        """Raise, whatever the size."""
        del size
        raise self._problem


def _gzip(raw: BinaryIO, name: str) -> io.RawIOBase:
    return _Members(raw, name, lambda: igzip_lib.IgzipDecompressor(flag=igzip_lib.DECOMP_GZIP), b"\x1f\x8b")


def _bzip2(raw: BinaryIO, name: str) -> io.RawIOBase:
    return _Members(raw, name, bz2.BZ2Decompressor, b"BZh")


def _xz(raw: BinaryIO, name: str) -> io.RawIOBase:
    return _Members(raw, name, lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ, _XZ_MEMORY), b"\xfd7zXZ\0")


CODECS: dict[str, Codec] = {
    codec.name: codec
    for codec in (
        Codec("gz", b"\x1f\x8b", _gzip),
        Codec("zst", b"\x28\xb5\x2f\xfd", _Zstd),
        Codec("bz2", b"BZh", _bzip2),
        Codec("xz", b"\xfd7zXZ\0", _xz),
        Codec("lz4", b"\x04\x22\x4d\x18", _Lz4),
    )
}
"""The compressions that are read."""

_FOREIGN = {
    b"\x1f\x9d": "compress (.Z)",
    b"7z\xbc\xaf\x27\x1c": "7-Zip",
    b"Rar!\x1a\x07": "RAR",
    b"\x89LZO\0": "lzop",
    b"LZIP\x01": "lzip",
    b"\xff\x06\0\0sNaPpY": "snappy",
}


def codec_of(head: bytes) -> Codec | None:
    """Return the compression that `head` begins with, `None` for none."""
    for codec in CODECS.values():
        if head.startswith(codec.magic):
            return codec
    skippable = len(head) >= 4 and head[1:4] == b"\x2a\x4d\x18" and 0x50 <= head[0] <= 0x5F
    return CODECS["zst"] if skippable else None


def unknown_compression(head: bytes) -> str | None:
    """Return the name of a compression that is recognised but not read, `None` for none."""
    return next((name for magic, name in _FOREIGN.items() if head.startswith(magic)), None)


def decompressed(raw: BinaryIO, codec: Codec, name: str) -> BinaryIO:
    """Return the decompressed stream of `raw`; `name` stands in its errors.

    Reads may be short: a buffer in between would drop the good bytes when the next read raises.
    """
    return cast(BinaryIO, codec.open(raw, name))
