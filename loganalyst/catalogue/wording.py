"""One way a statement may be worded, ready to be tried against a text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from loganalyst.catalogue.template import HoleType, Pattern, compile_template, parse


class Wording:
    """A template of a statement with what is needed to try it cheaply.

    `start` is the literal it begins with, `anchor` its longest other literal: both must be in a text for it
    to match, and the pattern is compiled when a text has both for the first time. `length` counts its literal
    characters: of two wordings that match, the longer one says more. `minor` breaks ties between equal
    lengths. `statement` is the number of its statement, `prefixes` are the prefix templates of its own
    component, `bare` tells whether it may stand without one, `searched` whether it contains a coarse literal
    itself.
    """

    __slots__ = (
        "anchor",
        "bare",
        "length",
        "minor",
        "pattern",
        "prefixes",
        "searched",
        "statement",
        "template",
        "types",
    )

    def __init__(self, row: list[Any], prefixes: list[frozenset[str]], types: Mapping[str, HoleType]) -> None:
        """Take a row of the compiled catalogue."""
        self.statement: int = row[0]
        self.template: str = row[1]
        self.anchor: str = row[2]
        self.length: int = row[3]
        self.minor: float = row[4]
        self.bare: bool = row[5]
        self.searched: bool = row[6]
        self.prefixes = prefixes[row[7]]
        self.types = types
        self.pattern: Pattern | None = None

    def match(self, text: str, position: int) -> dict[str, str] | None:
        """Match the text from `position` to its end; return the values of the holes."""
        if self.pattern is None:
            self.pattern = compile_template(self.template, self.types, whole=True)
        hit = self.pattern.match(text, position)
        return None if hit is None else hit[0]


def start_and_anchor(template: str) -> tuple[str, str]:
    """Return the literal a template begins with (empty: a hole) and the longest of its other literals."""
    pieces = parse(template)
    texts = [piece for piece in pieces if isinstance(piece, str)]
    starts = bool(pieces) and isinstance(pieces[0], str)
    start = texts[0].rstrip() if starts else ""
    return start, max((text.strip() for text in (texts[1:] if starts else texts)), key=len, default="")


def literal_length(template: str) -> int:
    """Count the literal characters that a text must have to match: the measure of how much a template says.

    Blanks at the end, and before a hole that ends the template, are optional.
    """
    pieces = parse(template)
    texts = [piece for piece in pieces if isinstance(piece, str)]
    optional = 0
    if texts and (pieces[-1] is texts[-1] or (len(pieces) > 1 and pieces[-2] is texts[-1])):
        words = texts[-1].rstrip()
        optional = len(texts[-1]) - len(words) if words else 0
    return sum(map(len, texts)) - optional
