"""Walks along zstd frames while they are read, to know whether the last one was whole (RFC 8878, section
3.1)."""

from __future__ import annotations

from typing import BinaryIO

_MAGIC = b"\x28\xb5\x2f\xfd"


class FrameWalk:
    """Hands on the bytes of a zstd file and follows its frames and blocks. `whole`: the bytes so far end with
    a frame."""

    def __init__(self, raw: BinaryIO) -> None:
        """Follow the frames of `raw`."""
        self._raw = raw
        self.seen = 0
        self.whole = True
        self._skip = 0
        self._held = b""
        self._in_frame = False
        self._checksum = False

    def read(self, size: int = -1) -> bytes:
        """Read on."""
        data = self._raw.read(size)
        self.seen += len(data)
        if data:
            self._follow(data)
        return data

    def _follow(self, data: bytes) -> None:
        position = 0
        end = len(data)
        if self._held:
            data = self._held + data
            end = len(data)
            self._held = b""
        while position < end:
            if self._skip:
                step = min(self._skip, end - position)
                self._skip -= step
                position += step
                continue
            taken = self._block(data, position) if self._in_frame else self._frame(data, position)
            if taken is None:
                self._held = data[position:]
                break
            position += taken
        self.whole = not self._in_frame and not self._skip and not self._held

    def _frame(self, data: bytes, at: int) -> int | None:
        if len(data) - at < 5:
            return None
        if data[at : at + 4] != _MAGIC:
            if len(data) - at < 8:
                return None
            self._skip = int.from_bytes(data[at + 4 : at + 8], "little")
            return 8
        descriptor = data[at + 4]
        single = descriptor >> 5 & 1
        size = 5 + (0 if single else 1) + (0, 1, 2, 4)[descriptor & 3]
        size += (1 if single else 0, 2, 4, 8)[descriptor >> 6]
        self._checksum = bool(descriptor >> 2 & 1)
        if len(data) - at < size:
            return None
        self._in_frame = True
        return size

    def _block(self, data: bytes, at: int) -> int | None:
        if len(data) - at < 3:
            return None
        header = int.from_bytes(data[at : at + 3], "little")
        kind = header >> 1 & 3
        self._skip = 1 if kind == 1 else header >> 3
        if header & 1:
            self._in_frame = False
            self._skip += 4 if self._checksum else 0
        return 3
