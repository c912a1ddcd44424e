"""Recognises the lines of one layout by a few bytes at fixed places, for a whole block at once.

All header lines of a file begin alike: `[2026-12-01 02:09:20,049] INFO …` has a bracket, digits, dashes and
colons at the same
places. Those places are learnt from some lines that the layout's pattern matches, and then looked up in every
line of a block with array operations.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Bytes = npt.NDArray[np.uint8]
Positions = npt.NDArray[np.int64]

_MOST_PLACES = 12
_LONGEST = 64


@dataclass(frozen=True, slots=True)
class Signature:
    """Places (counted from a line's start) and the range of bytes allowed at each; `length` bytes are looked
    at."""

    places: tuple[tuple[int, int, int], ...]
    length: int

    def matches(self, data: Bytes, starts: Positions, ends: Positions) -> npt.NDArray[np.bool_]:
        """Tell for each line of `data` whether it has the signature."""
        found = ends - starts >= self.length
        # Near the end of the data the places of short lines may lie behind it.
        limit = data.size - 1
        for place, low, high in self.places:
            there = data[np.minimum(starts + place, limit)]
            found &= (there - np.uint8(low)) <= np.uint8(high - low)
        return found


def learn(headers: Sequence[bytes]) -> Signature | None:
    """Learn the signature of header texts (each from the line's start to the end of its seconds).

    `None` when they have too little in common to be told from other lines.
    """
    if not headers:
        return None
    length = min(_LONGEST, *map(len, headers)) if len(headers) > 1 else min(_LONGEST, len(headers[0]))
    marks: list[tuple[int, int, int]] = []
    digits: list[tuple[int, int, int]] = []
    for place in range(length):
        seen = {header[place] for header in headers}
        if all(48 <= byte <= 57 for byte in seen):
            digits.append((place, 48, 57))
        elif len(seen) == 1 and not chr(next(iter(seen))).islower():
            byte = next(iter(seen))
            marks.append((place, byte, byte))
        elif all(65 <= byte <= 90 for byte in seen):
            marks.append((place, 65, 90))
    if len(marks) < 2 or len(digits) < 4:
        return None
    spread = digits[:: max(1, len(digits) // 4)]
    return Signature(tuple(sorted([*marks[: _MOST_PLACES - 4], *spread[:4]])), length)


_STAMPS = re.compile(
    rb"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?|\d{10}(?:\.\d+|\d*)|\d\d:\d\d:\d\d(?:[.,]\d+)?"
)


def learn_prefix(prefixes: Sequence[bytes]) -> Signature | None:
    """Learn what wrappers of equal width have in common: all of it but the digits of their stamps must be the
    same.

    So the pod, the stream and the words of the wrapper are part of the signature. `None` if they differ.
    """
    stamps = [{(found.start(), found.end()) for found in _STAMPS.finditer(prefix)} for prefix in prefixes]
    if any(each != stamps[0] for each in stamps):
        return None
    inside = {place for start, end in stamps[0] for place in range(start, end)}
    places: list[tuple[int, int, int]] = []
    for place in range(len(prefixes[0])):
        seen = {prefix[place] for prefix in prefixes}
        if place in inside and all(48 <= byte <= 57 for byte in seen):
            places.append((place, 48, 57))
        elif len(seen) == 1:
            byte = next(iter(seen))
            places.append((place, byte, byte))
        else:
            return None
    return Signature(tuple(places), len(prefixes[0]))
