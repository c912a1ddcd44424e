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
        self._open: list[KnownPrefix] = []
        for one in known:
            first = parse(one.template)[0]
            if isinstance(first, str) and len(first) >= _START:
                self._by_start.setdefault(first[:_START], []).append(one)
            else:
                self._open.append(one)
        self._any_open = re.compile(
            "|".join(f"(?:{one.compiled().regex.pattern})" for one in self._open) or r"(?!)"
        )

    def peel(self, text: str) -> list[Peeled]:
        """Return the ways to read the start of `text`:

        the longest prefix first, the whole text as message last.
        """
        found = [Peeled(0, {}, None)]
        while len(found) <= MAX_DEPTH:
            end, values, prefix = found[-1]
            known: Sequence[KnownPrefix] = self._by_start.get(text[end : end + _START], ())
            if self._any_open.match(text, end):
                known = (*known, *self._open)
            for one in known:
                hit = one.compiled().match(text, end)
                if hit is not None and hit[1] > end:
                    found.append(Peeled(hit[1], {**values, **hit[0]}, one.prefix or prefix))
                    break
            else:
                break
        found.reverse()
        return found
