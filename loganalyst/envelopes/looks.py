"""How the lines of a source look: which begin a record and which go on with one, told for a whole block at
once."""

from __future__ import annotations

import json
from typing import Protocol

import numpy as np
import numpy.typing as npt

from loganalyst.envelopes.clock import Clock
from loganalyst.envelopes.layouts import Layout
from loganalyst.envelopes.reading import Reading
from loganalyst.envelopes.signature import Bytes, Positions, Signature, learn, learn_prefix
from loganalyst.envelopes.text import decode
from loganalyst.envelopes.unwrap import JSON, JSON_NEWLINES, Unwrapper

_LEARN_FROM = 200
_LOOK_AT = 4000
_HEADER_LIMIT = 2000
_SPACE, _TAB, _BACKSLASH, _LETTER_T = 32, 9, 92, 116
_OPEN_BRACE, _CLOSE_BRACE, _RETURN = 123, 125, 13
Mask = npt.NDArray[np.bool_]
# A line that goes on in the next one, in the words of those who say so.
_PARTS = (b'"_p":"P"', b'"logtag":"P"', b'"_partial":true', b'CONTAINER_PARTIAL_MESSAGE":"true')


class Looks(Protocol):
    """Tells lines apart by their looks. What is neither is odd and has to be read."""

    def header(self, array: Bytes, starts: Positions, ends: Positions) -> Mask:
        """Which lines begin a record."""

    def body(self, array: Bytes, starts: Positions, ends: Positions) -> Mask:
        """Which lines go on with the record above by their indentation; blank ones are none."""

    def trusts(self, data: bytes, lines: int) -> bool:
        """Whether the block has nothing in it that joins lines in other ways."""


class PlainLooks:
    """Lines without a wrapper: headers have a signature, what is indented goes on."""

    def __init__(self, signature: Signature) -> None:
        """Take the signature of the headers."""
        self._signature = signature

    def header(self, array: Bytes, starts: Positions, ends: Positions) -> Mask:
        """Which lines begin a record."""
        return self._signature.matches(array, starts, ends)

    def body(self, array: Bytes, starts: Positions, ends: Positions) -> Mask:
        """Which lines go on with the record above by their indentation; blank ones are none."""
        first = array[starts]
        indented = (first == _SPACE) | (first == _TAB)
        return np.asarray(indented & (array[np.maximum(ends - 1, 0)] > _SPACE))

    def trusts(self, data: bytes, lines: int) -> bool:
        """Whether the block has nothing in it that joins lines in other ways."""
        del data, lines
        return True


class ObjectLooks:
    """An object on each line, which is a record."""

    def header(self, array: Bytes, starts: Positions, ends: Positions) -> Mask:
        """Which lines begin a record."""
        before = array[np.maximum(ends - 1, 0)]
        return np.asarray((array[starts] == _OPEN_BRACE) & ((before == _CLOSE_BRACE) | (before == _RETURN)))

    def body(self, array: Bytes, starts: Positions, ends: Positions) -> Mask:
        """Which lines go on with the record above by their indentation; blank ones are none."""
        first = array[starts]
        indented = (first == _SPACE) | (first == _TAB)
        return np.asarray(indented & (array[np.maximum(ends - 1, 0)] > _SPACE))

    def trusts(self, data: bytes, lines: int) -> bool:
        """Whether the block has nothing in it that joins lines in other ways."""
        del data, lines
        return True


class WrappedLooks:
    """Lines behind a wrapper of constant width, in text or as the value of an object's key."""

    def __init__(
        self, header: Signature, prefix: Signature, width: int, objects: bool, newlines: bool
    ) -> None:
        """Take the signatures of whole headers and of the wrapper alone, and the wrapper's width."""
        self._header, self._prefix, self._width = header, prefix, width
        self._objects, self._newlines = objects, newlines

    def header(self, array: Bytes, starts: Positions, ends: Positions) -> Mask:
        """Which lines begin a record."""
        found = self._header.matches(array, starts, ends)
        return found & self._closed(array, ends) if self._objects else found

    def body(self, array: Bytes, starts: Positions, ends: Positions) -> Mask:
        """Which lines go on with the record above by their indentation; blank ones are none."""
        found = self._prefix.matches(array, starts, ends) & (ends - starts > self._width + 2)
        limit = array.size - 1
        first = array[np.minimum(starts + self._width, limit)]
        second = array[np.minimum(starts + self._width + 1, limit)]
        if self._objects:
            inside = (first == _BACKSLASH) & (second == _LETTER_T)
            third = array[np.minimum(starts + self._width + 2, limit)]
            # Four blanks or a tab before a letter: text, and not only blanks.
            letter = ((third | 32) >= 97) & ((third | 32) <= 122)
            return np.asarray(found & inside & letter & self._closed(array, ends))
        letter = ((second | 32) >= 97) & ((second | 32) <= 122)
        return np.asarray(found & ((first == _TAB) | (first == _SPACE)) & letter)

    def trusts(self, data: bytes, lines: int) -> bool:
        """Whether the block has nothing in it that joins lines in other ways."""
        if self._newlines and data.count(b'\\n"') != lines:
            return False
        return not (self._objects and any(part in data for part in _PARTS))

    def _closed(self, array: Bytes, ends: Positions) -> Mask:
        return np.asarray(array[np.maximum(ends - 1, 0)] == _CLOSE_BRACE)


def looks_of(reading: Reading, data: bytes, starts: Positions, ends: Positions) -> Looks | None:
    """Learn how the lines of a source look from a block of it; `None` if they have too little in common."""
    if reading.wrappers == (JSON,) and not reading.layouts:
        return ObjectLooks()
    main = reading.layouts[0]
    lines = [
        data[start:end]
        for start, end in zip(starts[:_LOOK_AT].tolist(), ends[:_LOOK_AT].tolist(), strict=True)
    ]
    if not reading.wrappers:
        signature = learn(
            [head for line in lines if (head := _head(main, decode(line[:_HEADER_LIMIT]))) is not None]
        )
        return None if signature is None else PlainLooks(signature)
    return _wrapped(reading, main, lines)


def _head(main: Layout, text: str) -> bytes | None:
    """A header up to the end of its seconds: what comes after varies in width."""
    found = main.starts.match(text)
    if found is None:
        return None
    return text[: min(found.end("time"), found.start("time") + 19)].encode("utf-8")


def _wrapped(reading: Reading, main: Layout, lines: list[bytes]) -> WrappedLooks | None:
    unwrapper = Unwrapper(reading.wrappers, Clock(), shape=reading.shape)
    objects = any(step.startswith(JSON) for step in reading.wrappers)
    heads: list[bytes] = []
    widths: set[int] = set()
    streams: set[str] = set()
    for line in lines:
        text = decode(line)
        pieces = unwrapper.unwrap(text)
        if len(pieces) != 1 or not text.isascii():
            continue
        piece = pieces[0]
        streams.add(piece.stream_key)
        head = _head(main, piece.text)
        if head is None:
            continue
        width = text.find(json.dumps(piece.text[:24])[1:-1]) if objects else len(text) - len(piece.text)
        if width < 0 or (not objects and not text.endswith(piece.text)):
            return None
        widths.add(width)
        heads.append(line[: width + len(head)])
        if len(heads) == _LEARN_FROM:
            break
    if len(widths) != 1 or len(streams) != 1 or not heads:
        return None
    width = widths.pop()
    prefix = learn_prefix([head[:width] for head in heads])
    inner = learn([head[width:] for head in heads])
    if prefix is None or inner is None:
        return None
    shifted = tuple((place + width, low, high) for place, low, high in inner.places)
    header = Signature(prefix.places + shifted, width + inner.length)
    return WrappedLooks(header, prefix, width, objects, JSON_NEWLINES in reading.wrappers)


def stream_of(reading: Reading, line: str) -> str | None:
    """The stream of a line; `None` where its end is still to come."""
    pieces = Unwrapper(reading.wrappers, Clock(), shape=reading.shape).unwrap(line)
    return pieces[0].stream_key if pieces else None
