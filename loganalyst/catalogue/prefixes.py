"""Takes off what a component prints before each of its messages (`[Consumer clientId=.., groupId=..] `)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from loganalyst.catalogue.template import HoleType, Pattern, compile_template, parse

MAX_DEPTH = 4
"""Prefixes stand one behind another (Connect's context, then the consumer's); more than this is not a prefix."""

_START = 4


class Peeled:
    """How much of the text is prefix (`end`), its values, and which prefix templates it was made of."""

    __slots__ = ("end", "prefixes", "values")

    def __init__(self, end: int, values: dict[str, str], prefixes: tuple[str, ...]) -> None:
        self.end = end
        self.values = values
        self.prefixes = prefixes


class PrefixPeeler:
    """Recognises every prefix of the catalogue at the start of a text."""

    def __init__(self, templates: Iterable[str], types: Mapping[str, HoleType]) -> None:
        self._types = types
        self._patterns: dict[str, Pattern] = {}
        self._by_start: dict[str, list[str]] = {}
        self._open: list[str] = []
        for template in dict.fromkeys(templates):
            first = parse(template)[0]
            if isinstance(first, str) and len(first) >= _START:
                self._by_start.setdefault(first[:_START], []).append(template)
            else:
                self._open.append(template)
        for several in (*self._by_start.values(), self._open):
            several.sort(key=lambda template: -sum(len(p) for p in parse(template) if isinstance(p, str)))

    def peel(self, text: str) -> list[Peeled]:
        """Return the ways to read the start of `text`, longest prefix first, the whole text as message last."""
        found = [Peeled(0, {}, ())]
        while len(found) <= MAX_DEPTH:
            last = found[-1]
            for template, values, end in self._at(text, last.end):
                found.append(Peeled(end, {**last.values, **values}, (*last.prefixes, template)))
                break
            else:
                break
        found.reverse()
        return found

    def _at(self, text: str, position: int) -> Iterator[tuple[str, dict[str, str], int]]:
        for template in (*self._by_start.get(text[position : position + _START], ()), *self._open):
            pattern = self._patterns.get(template)
            if pattern is None:
                pattern = self._patterns[template] = compile_template(template, self._types, whole=False)
            hit = pattern.match(text, position)
            if hit is not None and hit[1] > position:
                yield template, *hit
