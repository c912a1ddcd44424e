"""Finds the statement that a message came from.

The message's prefix is taken off, the first characters of the rest choose a handful of candidates, and each
candidate is tried by a literal that it must contain before its pattern runs. Among those that match, the one
that stands behind a prefix of its own component wins, then the one with most literal characters, then the one
whose logger agrees.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from loganalyst.catalogue.coarse import Coarse
from loganalyst.catalogue.prefixes import KnownPrefix, Peeled, PrefixPeeler
from loganalyst.catalogue.readings import readings
from loganalyst.catalogue.statement import Match, Prefix, Statement, mentions
from loganalyst.catalogue.template import HoleType
from loganalyst.catalogue.wording import Wording

_REMEMBERED = 2048
"""Messages whose answer is kept: a client that is refused says the same words a thousand times a second."""

_REMEMBERED_LENGTH = 300
_SHORT = 5
_SHORT_LENGTHS = (3, 2)


class _Best(NamedTuple):
    own_prefix: bool
    length: int
    wording: Wording
    values: dict[str, str]
    peeled: Peeled


class Matcher:
    """Matches messages against a compiled catalogue; `statement` gives the statement of a number."""

    def __init__(
        self, compiled: dict[str, Any], statement: Callable[[int], Statement], coarse: Coarse
    ) -> None:
        """Arrange a compiled catalogue (see `compiled.py`) for matching."""
        self._statement = statement
        self._coarse = coarse
        self.types: dict[str, dict[str, HoleType]] = {
            component: {name: HoleType(*one) for name, one in types.items()}
            for component, types in compiled["types"].items()
        }
        self.rows: list[list[Any]] = compiled["wordings"]
        self._components = [plain["component"] for plain in compiled["statements"]]
        self._own_prefixes = [frozenset(templates) for templates in compiled["own_prefixes"]]
        self._starts: dict[str, list[int]] = compiled["starts"]
        self._logger_names = {
            logger.rpartition(".")[2]
            for plain in compiled["statements"]
            for logger in plain.get("loggers", ())
        }
        self._lengths = _lengths_by_start(self._starts)
        self._anchors: dict[str, list[int]] = compiled["anchors"]
        self._pairs: dict[str, list[str]] = compiled["pairs"]
        self._wordings: list[Wording | None] = [None] * len(self.rows)
        self._remembered: dict[tuple[str, str | None], Match | None] = {}
        self._behind: dict[tuple[str, Prefix], Statement] = {}
        self._peeler = PrefixPeeler(
            KnownPrefix(template, self._types_of(component), Prefix(template, *told) if told else None)
            for template, component, told in compiled["prefixes"]
        )

    def match(
        self, message: str, *, logger: str | None = None, keys: Mapping[str, str] | None = None
    ) -> Match | None:
        """Return the statement that `message` came from and its values, or `None`.

        If nothing matches from the start, what stands before an unmistakable prefix is taken for the rest
        of a header that no layout knows, and dropped.
        """
        if keys or len(message) > _REMEMBERED_LENGTH:
            return self._match_anywhere(message, logger, keys)
        asked = (message, logger)
        if asked in self._remembered:
            known = self._remembered[asked]
            return known if known is None else Match(known.statement, dict(known.values), known.keep)
        found = self._match_anywhere(message, logger, None)
        if len(self._remembered) >= _REMEMBERED:
            self._remembered.clear()
        self._remembered[asked] = found if found is None else replace(found, values=dict(found.values))
        return found

    def _match_anywhere(
        self, message: str, logger: str | None, keys: Mapping[str, str] | None
    ) -> Match | None:
        found = self._match(message, logger, keys)
        if found is None:
            inside = self._peeler.find_inside(message)
            if inside is not None:
                found = self._match(message[inside:], logger, keys)
        return found

    def _match(self, message: str, logger: str | None, keys: Mapping[str, str] | None) -> Match | None:
        for reading in readings(message, self._logger_names):
            text = reading.rstrip()
            logged = message
            if keys and text in self._pairs:
                text = self._rejoin(text, keys)
                logged = f"{message} {' '.join(keys)} {' '.join(keys.values())}"
            best = self._best(text, logger)
            if best is not None:
                return self._to_match(best, logged, keys, joined=logged is not message)
        return None

    def peel(self, text: str) -> list[Peeled]:
        """The ways to read the start of a text: the longest prefix first, no prefix last."""
        return self._peeler.peel(text)

    def wording(self, number: int) -> Wording:
        """The wording of a row, made when it is first asked for."""
        wording = self._wordings[number]
        if wording is None:
            row = self.rows[number]
            wording = Wording(row, self._own_prefixes, self._types_of(self._components[row[0]]))
            self._wordings[number] = wording
        return wording

    def _types_of(self, component: str) -> Mapping[str, HoleType]:
        return self.types.get(component) or self.types[""]

    def _rejoin(self, head: str, keys: Mapping[str, str]) -> str:
        """Write the keys of a structured logger behind the message, the way its plain logger does."""
        pairs = [f"{key}: {keys[key]}" for key in self._pairs[head] if key in keys]
        return f"{head}; {', '.join(pairs)}" if pairs else head

    def _best(self, text: str, logger: str | None) -> _Best | None:
        """Try the templates that begin with a literal, and those that begin with a hole if none fits."""
        ways = self._peeler.peel(text)
        for peeled in ways:
            best: _Best | None = None
            position = peeled.end
            for length in self._lengths.get(text[position : position + _SHORT], _SHORT_LENGTHS):
                several = self._starts.get(text[position : position + length])
                if several is not None:
                    best = self._try(several, text, peeled, logger, best)
            if best is not None:
                return best
        anchored = [several for anchor, several in self._anchors.items() if anchor in text]
        for peeled in ways:
            best = None
            for several in anchored:
                best = self._try(several, text, peeled, logger, best)
            if best is not None:
                return best
        return None

    def _try(
        self, several: list[int], text: str, peeled: Peeled, logger: str | None, best: _Best | None
    ) -> _Best | None:
        prefix = peeled.prefix
        behind = prefix.template if prefix is not None else None
        for number in several:
            wording = self._wordings[number] or self.wording(number)
            behind_own = behind in wording.prefixes
            own = behind is None or behind_own
            if best is not None and (own, wording.length) < best[:2]:
                continue
            if wording.anchor not in text:
                continue
            if not (wording.bare or behind_own or self._logger_agrees(logger, wording)):
                continue
            values = wording.match(text, peeled.end)
            if values is None:
                continue
            found = _Best(own, wording.length, wording, values, peeled)
            if best is None or found[:2] > best[:2] or self._wins(found, best, logger):
                best = found
        return best

    def _wins(self, one: _Best, other: _Best, logger: str | None) -> bool:
        """Decide between two wordings that say equally much: by logger, by prefix, by what the files say."""
        return self._merits(one, logger) > self._merits(other, logger)

    def _merits(self, best: _Best, logger: str | None) -> tuple[int, bool, float]:
        bareness = (best.peeled.prefix is None) == (not best.wording.prefixes)
        return self._logger_agrees(logger, best.wording), bareness, best.wording.minor

    def _logger_agrees(self, logger: str | None, wording: Wording) -> int:
        """Compare loggers: 2 if the same or its child, 1 if the last part is the same (packages move)."""
        if not logger:
            return 0
        last = logger.rpartition(".")[2]
        agreement = 0
        for known in self._statement(wording.statement).loggers:
            if logger == known or logger.startswith(known + "."):
                return 2
            if known.rpartition(".")[2] == last:
                agreement = 1
        return agreement

    def _to_match(self, best: _Best, logged: str, keys: Mapping[str, str] | None, *, joined: bool) -> Match:
        statement = self._statement(best.wording.statement)
        prefix = best.peeled.prefix
        keep = statement.keep
        if prefix is not None:
            keep = keep and prefix.keep
            if prefix.client or prefix.role:
                statement = self._under(statement, prefix)
        values = {**best.peeled.values, **best.values} if best.peeled.values else best.values
        if keys:
            for key, name in statement.keys.items():
                value = keys.get(key)
                if value is not None:
                    values.setdefault(name, value)
        for name, value in statement.constants.items():
            values.setdefault(name, value)
        if keep and statement.only:
            keep = all(_holds(values.get(name), wanted) for name, wanted in statement.only.items())
        if keep and (joined or not best.wording.searched):
            # What only its prefix or tail makes findable may be printed without them, and the fast reader
            # misses it: both readers must give the same events.
            keep = self._coarse.hits(logged)
        return Match(statement, values, keep)

    def _under(self, statement: Statement, prefix: Prefix) -> Statement:
        """The statement as printed by whoever owns the prefix."""
        known = self._behind.get((statement.id, prefix))
        if known is None:
            known = replace(
                statement, client=prefix.client or statement.client, role=prefix.role or statement.role
            )
            self._behind[statement.id, prefix] = known
        return known


def _lengths_by_start(starts: Mapping[str, object]) -> dict[str, tuple[int, ...]]:
    """For the first characters of a text: how many characters of it may be a key of `starts`, most first."""
    found: dict[str, set[int]] = {}
    for start in starts:
        if len(start) >= _SHORT:
            found.setdefault(start[:_SHORT], set(_SHORT_LENGTHS)).add(len(start))
    return {start: tuple(sorted(lengths, reverse=True)) for start, lengths in found.items()}


def _holds(value: str | None, wanted: str) -> bool:
    """Whether a value mentions what `only` wants; nothing wanted means that there must be a value."""
    return bool(value) and (not wanted or mentions(value or "", wanted))
