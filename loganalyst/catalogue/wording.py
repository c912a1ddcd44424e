"""One way a statement may be worded, ready to be tried against a text."""

from __future__ import annotations

from collections.abc import Mapping

from loganalyst.catalogue.statement import Statement
from loganalyst.catalogue.template import HoleType, Pattern, compile_template, parse


class Wording:
    """A template of a statement with what is needed to try it cheaply.

    `start` is the literal it begins with, `anchor` its longest other literal: both must be in a text for it to match,
    and the pattern is compiled when a text has both for the first time. `length` counts its literal characters: of two
    wordings that match, the longer one says more. `minor` breaks ties between equal lengths.
    """

    __slots__ = ("anchor", "length", "minor", "pattern", "prefixes", "start", "statement", "template", "types")

    def __init__(self, statement: Statement, template: str, types: Mapping[str, HoleType]) -> None:
        self.statement = statement
        self.template = template
        self.types = types
        self.prefixes = frozenset(prefix.template for prefix in statement.prefixes)
        pieces = parse(template)
        texts = [piece for piece in pieces if isinstance(piece, str)]
        self.length = sum(map(len, texts))
        self.minor = sum(1.0 for piece in pieces if not isinstance(piece, str) and piece.type)
        starts = bool(pieces) and isinstance(pieces[0], str)
        self.start = texts[0].rstrip() if starts else ""
        self.anchor = max((text.strip() for text in (texts[1:] if starts else texts)), key=len, default="")
        self.pattern: Pattern | None = None

    def match(self, text: str, position: int) -> dict[str, str] | None:
        """Match the text from `position` to its end; return the values of the holes."""
        if self.pattern is None:
            self.pattern = compile_template(self.template, self.types, whole=True)
        hit = self.pattern.match(text, position)
        return None if hit is None else hit[0]

    def put_after(self, other: Wording) -> None:
        """Rank this wording below another one."""
        if (self.length, self.minor) >= (other.length, other.minor):
            self.length, self.minor = other.length, other.minor - 1
