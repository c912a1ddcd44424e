"""For a message that no statement matches:

the statement that comes closest, and where the text departs from it.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from loganalyst.catalogue.statement import Statement
from loganalyst.catalogue.template import Hole, HoleType, compile_template, literals, parse

_WORD = re.compile(r"[A-Za-z]{3,}")
_CANDIDATES = 40
_SHOWN = 40
_LEAST_WEIGHT = 6.0
"""Two ordinary words or one rare one in common: less is no likeness."""


@dataclass(frozen=True, slots=True)
class Nearest:
    """The statement that comes closest to a text.

    `position` is the character (0-based, in the text asked about) at which the text departs from the
    statement's template, `expected` what the template has there (empty: its end), `found` what stands in the
    text instead.
    """

    statement: Statement
    template: str
    position: int
    expected: str
    found: str

    def __str__(self) -> str:
        """One sentence for people."""
        expected = f"expected {self.expected!r}" if self.expected else "expected the end"
        found = repr(self.found) if self.found else "the end"
        return f"{self.statement.id}: at character {self.position} {expected}, found {found}"


class NearestFinder:
    """Looks templates up by the words that they share with a text, rare words counting most."""

    def __init__(self, statements: Sequence[Statement], types: Mapping[str, Mapping[str, HoleType]]) -> None:
        """Arrange the words of all templates."""
        self._types = types
        self._templates = [(one, template) for one in statements for template in one.templates]
        self._by_word: dict[str, list[int]] = {}
        for number, (_, template) in enumerate(self._templates):
            for word in {word for piece in literals(template) for word in _WORD.findall(piece)}:
                self._by_word.setdefault(word, []).append(number)

    def find(self, text: str, start: int) -> Nearest | None:
        """Return what comes closest to `text`, whose prefix ends at `start`; `None` if nothing is like it."""
        scores: Counter[int] = Counter()
        for word in set(_WORD.findall(text[start:])):
            numbers = self._by_word.get(word, ())
            weight = math.log((1 + len(self._templates)) / (1 + len(numbers)))
            for number in numbers:
                scores[number] += weight  # type: ignore[assignment]  # a Counter of weights
        best: tuple[float, Nearest] | None = None
        for number, score in scores.most_common(_CANDIDATES):
            if score < _LEAST_WEIGHT:
                break
            statement, template = self._templates[number]
            types = self._types.get(statement.component) or self._types[""]
            agreed, position, expected = _align(template, text, start, types)
            found = text[position : position + _SHOWN]
            rank = agreed + score / 10
            if best is None or rank > best[0]:
                best = rank, Nearest(statement, template, position, expected, found)
        return best[1] if best is not None else None


def _align(template: str, text: str, start: int, types: Mapping[str, HoleType]) -> tuple[int, int, str]:
    """Follow a template through a text:

    the literal characters that agree, where it departs, what was expected.
    """
    agreed, position, free = 0, start, False
    pieces = parse(template)
    for index, piece in enumerate(pieces):
        if isinstance(piece, Hole):
            if types[piece.type].pattern is None:
                free = True
                continue
            hole = f"{{{piece.name}:{piece.type}}}"
            following = pieces[index + 1] if index + 1 < len(pieces) else ""
            end = _typed_end(hole, following[:1] if isinstance(following, str) else "", text, position, types)
            if end is None and not free:
                return agreed, position, hole
            position = position if end is None else end
            continue
        at, length = _longest_start(piece, text, position, anywhere=free)
        agreed += length
        position = at + length
        if length < len(piece.rstrip()):
            return agreed, position, piece[length:][:_SHOWN]
        free = False
    return agreed, position, ""


def _longest_start(piece: str, text: str, position: int, *, anywhere: bool) -> tuple[int, int]:
    """Find the longest beginning of a literal in the text, right at `position` or anywhere behind it."""
    if not anywhere:
        length = 0
        while length < len(piece) and text[position + length : position + length + 1] == piece[length]:
            length += 1
        return position, length
    low, high, at = 0, len(piece), position
    while low < high:
        middle = (low + high + 1) // 2
        found = text.find(piece[:middle], position)
        if found < 0:
            high = middle - 1
        else:
            low, at = middle, found
    return at, low


def _typed_end(
    hole: str, following: str, text: str, position: int, types: Mapping[str, HoleType]
) -> int | None:
    """Where the value of a typed hole ends: right before what follows it, if it can."""
    for after in dict.fromkeys((following, "")):
        hit = compile_template(hole + after, types, whole=False).match(text, position)
        if hit is not None:
            return hit[1] - len(after)
    return None
