"""Templates: text with named holes, the way the source of Kafka writes a log call.

A template is literal text with holes `{name}` or `{name:type}`; every other brace is literal text, so
`Generation{generationId={generation:int}}` needs no escaping. Types are declared in `parsers/types.toml` or
in the `[types]` table of a component's own file.

A template compiles to one pattern that runs in linear time. Typed holes match a bounded class of characters
and join the literals beside them into *segments*; free holes take everything up to the next segment. Segments
are found left to right, each inside an atomic group, and the last one at the end of the text. Leftmost search
never has to go back, so a near-miss of a megabyte costs a megabyte.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

HOLE = re.compile(r"\{([a-z][a-z0-9_]*)(?::([a-z][a-z0-9_]*))?\}")
_NAMED_GROUP = re.compile(r"\(\?P<([a-z][a-z0-9_]*)>")


@dataclass(frozen=True, slots=True)
class HoleType:
    """How the value of a hole is bounded.

    `pattern` is what the whole value looks like (`None`: anything up to the next literal). With `prefer` the
    hole is free too, but where a value of this look ends right before the next literal, it wins: a member id
    that ends in a UUID may hold any separator. Groups `(?P<name>..)` inside give values of their own, and
    then the hole has none.
    """

    pattern: str | None = None
    prefer: str | None = None


@dataclass(frozen=True, slots=True)
class Hole:
    """One hole of a template: the name of its value and the name of its type (empty: free text)."""

    name: str
    type: str


Piece = str | Hole


def parse(template: str) -> list[Piece]:
    """Split a template into literals and holes; literals are never empty, adjacent holes stay adjacent."""
    pieces: list[Piece] = []
    position = 0
    for found in HOLE.finditer(template):
        if found.start() > position:
            pieces.append(template[position : found.start()])
        pieces.append(Hole(found[1], found[2] or ""))
        position = found.end()
    if position < len(template):
        pieces.append(template[position:])
    return pieces


def literals(template: str) -> list[str]:
    """Return the literal pieces of a template, in order."""
    return [piece for piece in parse(template) if isinstance(piece, str)]


@dataclass(frozen=True, slots=True)
class Pattern:
    """A compiled template: `groups[i]` is the value name of the regular expression's group `i + 1`.

    With `plain` every group takes part in every match, and no name stands twice.
    """

    regex: re.Pattern[str]
    groups: tuple[str, ...]
    plain: bool

    def match(self, text: str, position: int = 0) -> tuple[dict[str, str], int] | None:
        """Match at `position`; return the values and where the match ended."""
        found = self.regex.match(text, position)
        if found is None:
            return None
        if self.plain:
            return dict(zip(self.groups, found.groups(), strict=True)), found.end()
        values: dict[str, str] = {}
        for name, value in zip(self.groups, found.groups(), strict=True):
            if value is not None:
                values.setdefault(name, value)
        return values, found.end()


class _Builder:
    """Collects the source of a pattern and the names of its groups, in the order of their parentheses."""

    def __init__(self, types: Mapping[str, HoleType]) -> None:
        self.types = types
        self.groups: list[str] = []
        self.plain = True

    def value(self, name: str, pattern: str) -> str:
        """A group for the value, or the named groups that its type declares."""
        inner = _NAMED_GROUP.findall(pattern)
        self.plain = self.plain and not inner
        self.groups += inner or [name]
        return f"(?:{_NAMED_GROUP.sub('(', pattern)})" if inner else f"({pattern})"

    def segment(self, pieces: list[Piece]) -> str:
        """Literals and typed holes, one behind the other."""
        return "".join(
            re.escape(piece)
            if isinstance(piece, str)
            else self.value(piece.name, self.types[piece.type].pattern or "")
            for piece in pieces
        )

    def free(self, hole: Hole, segment: list[Piece], after: str = "") -> str:
        """A free hole up to its segment, for good: the first place where the segment fits."""
        return self._atomic(hole, ".*?", segment, after)

    def last(self, hole: Hole, segment: list[Piece]) -> str:
        """The last free hole: its segment is the end of the text."""
        return self._atomic(hole, ".*", segment, r"\Z")

    def _atomic(self, hole: Hole, anything: str, segment: list[Piece], after: str) -> str:
        prefer = self.types[hole.type].prefer
        self.plain = self.plain and not prefer
        preferred = f"{self.value(hole.name, prefer)}{self.segment(segment)}{after}|" if prefer else ""
        return f"(?>{preferred}{self.value(hole.name, anything)}{self.segment(segment)}{after})"


def compile_template(template: str, types: Mapping[str, HoleType], *, whole: bool) -> Pattern:
    r"""Compile a template; `whole` anchors it at the end of the text (prefixes are not anchored).

    Blanks at the end of the template are optional, so is a blank before a hole that ends it: Kafka prints an
    empty list as nothing, and wrappers trim lines. Raises `KeyError` for an unknown hole type.
    """
    pieces = parse(template)
    if whole and pieces and isinstance(pieces[-1], str):
        pieces[-1] = pieces[-1].rstrip()
    free: list[Hole] = []
    segments: list[list[Piece]] = [[]]
    for piece in pieces:
        if isinstance(piece, Hole) and types[piece.type].pattern is None:
            free.append(piece)
            segments.append([])
        else:
            segments[-1].append(piece)
    build = _Builder(types)
    if not free:
        return _finish(build, build.segment(segments[0]) + (r"\Z" if whole else ""))
    blank = _optional_blank(segments) if whole else ""
    source = build.segment(segments[0]) + (blank if len(free) == 1 else "")
    for index, hole in enumerate(free[:-1]):
        source += build.free(hole, segments[index + 1], blank if index == len(free) - 2 else "")
    return _finish(build, source + (build.last if whole else build.free)(free[-1], segments[-1]))


def _optional_blank(segments: list[list[Piece]]) -> str:
    """Take the blank off the literal before a hole that ends the template; return a pattern for it."""
    before = segments[-2][-1] if segments[-2] else ""
    if segments[-1] or not isinstance(before, str) or before.rstrip() in ("", before):
        return ""
    segments[-2][-1] = before.rstrip()
    return rf"(?:{re.escape(before[len(before.rstrip()) :])}|\Z)"


def _finish(build: _Builder, source: str) -> Pattern:
    plain = build.plain and len(set(build.groups)) == len(build.groups)
    return Pattern(re.compile(source, re.DOTALL), tuple(build.groups), plain)


def adjacent_free_holes(template: str, types: Mapping[str, HoleType]) -> bool:
    """Tell whether two free holes touch, so that nothing says where one ends."""
    return any(
        isinstance(a, Hole) and isinstance(b, Hole) and types[a.type].pattern is None is types[b.type].pattern
        for a, b in pairwise(parse(template))
    )
