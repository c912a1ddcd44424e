"""The lines around a log line, read again from its source where that is still at hand."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from loganalyst.errors import SourceError
from loganalyst.sources import Source, discover

__all__ = ["Context", "around"]

AROUND = 5
"""Lines before and after a line of evidence."""

_LONGEST = 4_000
_TELLING = 12
_CHANGED = re.compile(r'["\\]|<[\w-]{1,40}#[0-9a-f]{12}>')


@dataclass(frozen=True, slots=True)
class Context:
    """Lines of one source by number (`lines`), or why there are none (`reason`)."""

    source: str
    lines: dict[int, str]
    reason: str | None = None


def around(name: str, wanted: dict[int, str], count: int = AROUND) -> Context:
    """Return the lines of `wanted` (number → message) of the source `name`, with `count` around each.

    A line whose text does not hold the message any more is not given, nor are its neighbours: the file is
    then another one, or the dataset comes from somebody else and names a file of this machine.
    """
    found = discover([name.partition("!")[0]])
    source = next((one for one in found if isinstance(one, Source) and one.name == name), None)
    if source is None:
        return Context(name, {}, "the source is not at hand")
    needed = {number for line in wanted for number in range(line - count, line + count + 1)}
    try:
        read = _numbered(source, needed)
    except (SourceError, OSError) as error:
        return Context(name, {}, f"the source cannot be read: {error}")
    true = [line for line, message in wanted.items() if _holds(read.get(line), message)]
    if not true:
        return Context(name, {}, "the source does not hold the lines any more")
    kept = {number for line in true for number in range(line - count, line + count + 1)}
    return Context(name, {number: text for number, text in read.items() if number in kept})


def _numbered(source: Source, needed: set[int]) -> dict[int, str]:
    last = max(needed)
    found: dict[int, str] = {}
    number, rest = 1, b""
    with source.open() as stream:
        while number <= last and (block := stream.read(1 << 20)):
            *lines, rest = (rest + block).split(b"\n")
            for line in lines:
                _keep(found, number, line, needed)
                number += 1
            if len(rest) > 1 << 22:
                rest = rest[: _LONGEST * 4]  # a line without end: what is kept of it is here already
    _keep(found, number, rest, needed)
    return found


def _keep(found: dict[int, str], number: int, line: bytes, needed: Iterable[int]) -> None:
    if number in needed and line:
        found[number] = line[: _LONGEST * 4].decode("utf-8", "replace").rstrip("\r")[:_LONGEST]


def _holds(text: str | None, message: str) -> bool:
    """Tell whether a line is the one a message came from; wrappers escape and redaction hides some of it."""
    words = message.split("\n", 1)[0].strip()[:200]
    longest = max(_CHANGED.split(words), key=len)
    return text is not None and len(longest) >= min(_TELLING, len(words)) > 0 and longest in text
