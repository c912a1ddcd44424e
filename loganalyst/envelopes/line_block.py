"""A block of whole lines as the fast path sees it: bytes, and where lines begin and end."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from loganalyst.envelopes.classify import Start
from loganalyst.envelopes.signature import Positions
from loganalyst.envelopes.text import LINE_LIMIT, decode
from loganalyst.envelopes.unwrap import clean

# What a frame of a stack trace begins with: a tab, `at` and a blank.
_FRAME = (9, 97, 116, 32)
# Bytes that make a line differ from how it looks: escapes, NUL, carriage returns, byte order marks.
_UNCLEAN = (b"\x1b", b"\0", b"\r")
_MARK = b"\xef\xbb\xbf"


class LineBlock:
    """A block of whole lines, and what is known about them."""

    def __init__(self, data: bytes, array: Any, starts: Positions, ends: Positions) -> None:
        """Take a block's bytes and where its lines begin and end."""
        self.data, self.array, self.starts, self.ends = data, array, starts, ends
        self.unclean = any(mark in data for mark in _UNCLEAN) or (not data.isascii() and _MARK in data)
        # Most blocks are: then lines need no care, and runs of them can be decoded at once.
        self.simple = not self.unclean and data.isascii()
        self.begins: Positions = starts[:0]
        self.odd_starts: dict[int, Start] = {}
        self.odd_foreign: list[int] = []
        self.foreign: Positions = starts[:0]
        self._foreign: set[int] | None = None

    def is_foreign(self, line: int) -> bool:
        """Whether a line belongs to no record."""
        if self._foreign is None:
            self._foreign = set(self.foreign.tolist())
        return line in self._foreign

    def raw(self, line: int) -> str:
        """A line as it stands there."""
        return decode(self.data[self.starts[line] : self.ends[line]][:LINE_LIMIT])

    def text(self, line: int) -> str:
        """A line without what terminals put into it."""
        if self.simple:
            start, end = self.starts[line], self.ends[line]
            return self.data[start : min(end, start + LINE_LIMIT)].decode("ascii")
        text = decode(self.data[self.starts[line] : self.ends[line]][:LINE_LIMIT])
        return clean(text) if self.unclean else text

    def frames(self, lines: Positions) -> npt.NDArray[np.bool_]:
        """Which of `lines` are frames of a stack trace."""
        at = self.starts[lines]
        found = self.ends[lines] - at > len(_FRAME)
        for place, byte in enumerate(_FRAME):
            found &= self.array[np.minimum(at + place, self.array.size - 1)] == byte
        return found
