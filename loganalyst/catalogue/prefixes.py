"""Takes off what a component prints before each of its messages (`[Consumer clientId=.., groupId=..] `)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from loganalyst.catalogue.statement import Prefix
from loganalyst.catalogue.template import HoleType, Pattern, compile_template, parse

MAX_DEPTH = 4
"""Prefixes stand one behind another (Connect's context, then the consumer's), but no deeper than this."""

_START = 4

_UNMISTAKABLE = 6
"""So many literal characters at its start tell a prefix from other text."""

_HEADER_AT_MOST = 400


class Peeled(NamedTuple):
    """How much of the text is prefix (`end`), its values, and which of its prefixes stands last."""

    end: int
    values: dict[str, str]
    prefix: Prefix | None


class KnownPrefix:
    """One prefix template, compiled when it is first needed; `prefix` is `None` for a neutral context."""

    __slots__ = ("pattern", "prefix", "template", "types")

    def __init__(self, template: str, types: Mapping[str, HoleType], prefix: Prefix | None) -> None:
        """Take a prefix or context template and the hole types that it may use."""
        self.template = template
        self.types = types
        self.prefix = prefix
        self.pattern: Pattern | None = None

    def compiled(self) -> Pattern:
        """The pattern of the template, not anchored at the end of the text."""
        if self.pattern is None:
            self.pattern = compile_template(self.template, self.types, whole=False)
        return self.pattern


class PrefixPeeler:
    """Recognises every prefix at the start of a text; of two that fit, the one given first."""

    def __init__(self, known: Iterable[KnownPrefix]) -> None:
        """Arrange the prefixes by their first characters."""
        self._by_start: dict[str, list[KnownPrefix]] = {}
        self._by_first: dict[str, list[tuple[str, KnownPrefix]]] = {}
        self._open: list[KnownPrefix] = []
        telling = set()
        for one in known:
            pieces = parse(one.template)
            first = pieces[0]
            if isinstance(first, str) and len(first) >= _UNMISTAKABLE:
                telling.add(first)
            if not isinstance(first, str):
                self._open.append(one)
            elif len(first) >= _START:
                self._by_start.setdefault(first[:_START], []).append(one)
            else:
                anchor = max((piece for piece in pieces[1:] if isinstance(piece, str)), key=len, default="")
                self._by_first.setdefault(first[:1], []).append((anchor, one))
        self._any_open = re.compile(
            "|".join(f"(?:{one.compiled().regex.pattern})" for one in self._open) or r"(?!)"
        )
        self._telling = re.compile("|".join(map(re.escape, sorted(telling))) or r"(?!)")

    def find_inside(self, text: str) -> int | None:
        """Where an unmistakable prefix stands behind the start of `text`: what is before may be a header."""
        found = self._telling.search(text, 1, _HEADER_AT_MOST)
        return None if found is None else found.start()

    def peel(self, text: str) -> list[Peeled]:
        """Return the ways to read the start of `text`: the longest prefix first, no prefix last."""
        found = [_NOTHING]
        end, values, prefix = _NOTHING
        while len(found) <= MAX_DEPTH:
            for one in self._candidates(text, end):
                hit = one.compiled().match(text, end)
                if hit is not None and hit[1] > end:
                    values = {**values, **hit[0]} if values else hit[0]
                    end, prefix = hit[1], one.prefix or prefix
                    found.append(Peeled(end, values, prefix))
                    break
            else:
                break
        found.reverse()
        return found

    def _candidates(self, text: str, end: int) -> Sequence[KnownPrefix]:
        """The prefixes that may stand at `end`; each test here is cheaper than the patterns it saves."""
        known: Sequence[KnownPrefix] = self._by_start.get(text[end : end + _START], ())
        short = self._by_first.get(text[end : end + 1])
        if short is not None:
            possible = [one for anchor, one in short if anchor in text]
            return [*known, *possible] if possible else known
        return [*known, *self._open] if self._any_open.match(text, end) else known


_NOTHING = Peeled(0, {}, None)
