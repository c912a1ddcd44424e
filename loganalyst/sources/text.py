"""What the bytes of a log are: text in which encoding, or no text at all."""

from __future__ import annotations

import codecs
import io
from typing import Any, BinaryIO, cast

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_CHUNK = 128 * 1024
_TEXT_CONTROLS = bytes(range(7, 14)) + b"\x1b"


def encoding_of(head: bytes) -> str:
    """Return the encoding that the byte order mark at the beginning says; UTF-8 without one.

    PowerShell's `>` writes UTF-16 with a mark, whatever it redirects.
    """
    return next((name for mark, name in _MARKS if head.startswith(mark)), "utf-8")


def is_binary(head: bytes) -> bool:
    """Whether the beginning of a source is no text: full of NUL bytes or of control characters.

    A stretch of NUL bytes at the very beginning is what `copytruncate` leaves behind and proves nothing.
    """
    if encoding_of(head) != "utf-8":
        return False
    sample = head.lstrip(b"\0")
    if not sample:
        return False
    controls = sum(sample.count(byte) for byte in range(32) if byte not in _TEXT_CONTROLS)
    return sample.count(0) * 20 > len(sample) or controls * 20 > len(sample)


class _Transcoding(io.RawIOBase):
    """Gives text of another encoding as UTF-8, without its byte order mark."""

    def __init__(self, raw: BinaryIO, encoding: str) -> None:
        """Decode `raw`."""
        self._raw = raw
        self._decoder = codecs.getincrementaldecoder(encoding)("replace")
        self._ready = b""
        self._first = True
        self._ended = False

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        view = memoryview(buffer).cast("B")
        while not self._ready and not self._ended:
            data = self._raw.read(_CHUNK)
            self._ended = not data
            text = self._decoder.decode(data, self._ended)
            if self._first and text:
                text, self._first = text.removeprefix("\ufeff"), False
            self._ready = text.encode("utf-8", "replace")
        count = min(len(view), len(self._ready))
        view[:count] = self._ready[:count]
        self._ready = self._ready[count:]
        return count

    def close(self) -> None:
        if not self.closed:
            self._raw.close()
        super().close()


def transcoded(raw: BinaryIO, encoding: str) -> BinaryIO:
    """Return `raw`, text in `encoding`, as a stream of UTF-8."""
    return cast(BinaryIO, _Transcoding(raw, encoding))
