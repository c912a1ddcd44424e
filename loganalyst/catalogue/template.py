"""Templates: text with named holes, the way the source of Kafka writes a log call.

A template is literal text with holes `{name}` or `{name:type}`; every other brace is literal text, so
`Generation{generationId={generation:int}}` needs no escaping. Types are declared in `parsers/types.toml`.

A template compiles to one pattern that runs in linear time. Typed holes match a bounded class of characters and
join the literals beside them into *segments*; free holes take everything up to the next segment. Segments are found
left to right, each inside an atomic group, and the last one at the end of the text: leftmost search never has to go
back, which is what keeps a near-miss of a megabyte linear.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

HOLE = re.compile(r"\{([a-z][a-z0-9_]*)(?::([a-z][a-z0-9_]*))?\}")


@dataclass(frozen=True, slots=True)
class HoleType:
    """How a hole is bounded.

    `pattern` is what the value looks like (`None`: anything). With `prefer` the hole is free, but a value that ends
    the way `prefer` says wins over a shorter one: a member id that ends in a UUID may contain any separator before.
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
    """A compiled template: `groups[i]` is the value name of the regular expression's group `i + 1`."""

    regex: re.Pattern[str]
    groups: tuple[str, ...]

    def match(self, text: str, position: int = 0) -> tuple[dict[str, str], int] | None:
        """Match at `position`; return the values and where the match ended."""
        found = self.regex.match(text, position)
        if found is None:
            return None
        values: dict[str, str] = {}
        for name, value in zip(self.groups, found.groups(), strict=True):
            if value is not None:
                values.setdefault(name, value)
        return values, found.end()


class _Builder:
    """Collects the source of a pattern and the names of its groups."""

    def __init__(self, types: Mapping[str, HoleType]) -> None:
        self.types = types
        self.groups: list[str] = []

    def segment(self, pieces: list[Piece]) -> str:
        out = []
        for piece in pieces:
            if isinstance(piece, str):
                out.append(re.escape(piece))
                continue
            self.groups.append(piece.name)
            out.append(f"({self.types[piece.type].pattern})")
        return "".join(out)

    def free(self, hole: Hole, body: str, segment: list[Piece]) -> str:
        """The hole with `body` as its wildcard, followed by its segment."""
        self.groups.append(hole.name)
        return f"({body}){self.segment(segment)}"


def compile_template(template: str, types: Mapping[str, HoleType], *, whole: bool) -> Pattern:
    """Compile a template; `whole` anchors it at the end of the text (prefixes are not anchored).

    Blanks at the end of the template are optional, so is a blank before a hole that ends it: Kafka prints an empty
    list as nothing, and wrappers trim lines. Raises `KeyError` for an unknown hole type.
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
        source = build.segment(segments[0])
        return _finish(source + (r"\Z" if whole else ""), build)
    ends_free = whole and not any(segments[-1])
    blank = ""
    if ends_free and segments[-2] and isinstance(segments[-2][-1], str):
        before = segments[-2][-1]
        segments[-2][-1] = before.rstrip()
        blank = re.escape(before[len(before.rstrip()) :])
    source = build.segment(segments[0])
    for index, hole in enumerate(free):
        segment = segments[index + 1]
        if index == len(free) - 1 and ends_free:
            build.groups.append(hole.name)
            source += rf"(?:{blank}|\Z)(.*)\Z" if blank else r"(.*)\Z"
        elif index == len(free) - 1 and whole:
            source += build.free(hole, ".*", segment) + r"\Z"
        else:
            prefer = types[hole.type].prefer
            first = build.free(hole, f".*?{prefer}", segment) + "|" if prefer else ""
            source += f"(?>{first}{build.free(hole, '.*?', segment)})"
    return _finish(source, build)


def _finish(source: str, build: _Builder) -> Pattern:
    return Pattern(re.compile(source, re.DOTALL), tuple(build.groups))


def adjacent_free_holes(template: str, types: Mapping[str, HoleType]) -> bool:
    """Tell whether two free holes touch, so that nothing says where one ends."""
    return any(
        isinstance(a, Hole) and isinstance(b, Hole) and types[a.type].pattern is None is types[b.type].pattern
        for a, b in pairwise(parse(template))
    )
