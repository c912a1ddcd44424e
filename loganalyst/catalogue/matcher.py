"""Finds the statement that a message came from.

The message's prefix is taken off, the first characters of the rest choose a handful of candidates, and each candidate
is tried by a literal that it must contain before its pattern runs. Among those that match, the one that stands behind
a prefix of its own component wins, then the one with most literal characters, then the one whose logger agrees.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple

from loganalyst.catalogue.prefixes import Peeled, PrefixPeeler
from loganalyst.catalogue.statement import Match, Prefix, Statement, mentions
from loganalyst.catalogue.wording import Wording

_START_LENGTHS = (32, 20, 12, 8, 5, 3, 2)
_STACK_TRACE = re.compile(
    r"\n\s{0,8}(?:at |\.\.\. \d{1,4} (?:more|common)|Caused by: |Traceback \(most recent"
    r"|[\w.$]{1,200}(?:Exception|Error|Throwable)\b)"
)
_TRAILING_LOGGER = re.compile(r"\s{1,3}\([A-Za-z][\w.$]{2,200}(?::\d{1,6})?\)\Z")
_PAIR = re.compile(r"(?:; |, )([\w .-]{1,60}): \{[a-z0-9_]+(?::[a-z0-9_]+)?\}")


class _Best(NamedTuple):
    own_prefix: int
    length: int
    logger: int
    same_bareness: int
    minor: float
    wording: Wording
    values: dict[str, str]
    peeled: Peeled


class Matcher:
    """The compiled catalogue. Build it once; it is cheap to call and holds no state between calls."""

    def __init__(self, wordings: Iterable[Wording], peeler: PrefixPeeler) -> None:
        self.wordings = tuple(wordings)
        self._peeler = peeler
        self._by_start: dict[int, dict[str, list[Wording]]] = {length: {} for length in _START_LENGTHS}
        self._by_anchor: dict[str, list[Wording]] = {}
        self._pairs: dict[str, list[str]] = {}
        self._behind: dict[tuple[str, Prefix], Statement] = {}
        self._order()
        for wording in self.wordings:
            self._add(wording)
        for several in (*(b for d in self._by_start.values() for b in d.values()), *self._by_anchor.values()):
            several.sort(key=lambda wording: (-wording.length, -wording.minor))

    def _order(self) -> None:
        """Rank a statement below those it names in `after`."""
        by_id: dict[str, list[Wording]] = {}
        for wording in self.wordings:
            by_id.setdefault(wording.statement.id, []).append(wording)
        for wording in self.wordings:
            for earlier in wording.statement.after:
                for other in by_id.get(earlier, ()):
                    wording.put_after(other)

    def _add(self, wording: Wording) -> None:
        if wording.statement.pairs:
            head, sign, tail = wording.template.partition("; ")
            keys = _PAIR.findall(sign + tail)
            known = self._pairs.setdefault(head, [])
            known += [key for key in keys if key not in known]
        for length in _START_LENGTHS:
            if len(wording.start) >= length:
                self._by_start[length].setdefault(wording.start[:length], []).append(wording)
                return
        self._by_anchor.setdefault(wording.anchor, []).append(wording)

    def match(
        self, message: str, *, logger: str | None = None, keys: Mapping[str, str] | None = None
    ) -> Match | None:
        """Return the statement that `message` came from and its values, or `None`."""
        for text in _readings(message):
            text = text.rstrip()
            if keys and text in self._pairs:
                text = self._rejoin(text, keys)
            best = self._best(text, logger)
            if best is not None:
                return self._to_match(best, keys)
        return None

    def _rejoin(self, head: str, keys: Mapping[str, str]) -> str:
        """Write the keys of a structured logger behind the message, the way its plain logger does."""
        pairs = [f"{key}: {keys[key]}" for key in self._pairs[head] if key in keys]
        return f"{head}; {', '.join(pairs)}" if pairs else head

    def _best(self, text: str, logger: str | None) -> _Best | None:
        for peeled in self._peeler.peel(text):
            best: _Best | None = None
            position = peeled.end
            for length in _START_LENGTHS:
                several = self._by_start[length].get(text[position : position + length])
                if several:
                    best = _try(several, text, peeled, logger, best)
            for anchor, several in self._by_anchor.items():
                if anchor in text:
                    best = _try(several, text, peeled, logger, best)
            if best is not None:
                return best
        return None

    def _to_match(self, best: _Best, keys: Mapping[str, str] | None) -> Match:
        statement = best.wording.statement
        prefix = best.peeled.prefix
        keep = statement.keep
        if prefix is not None:
            keep = keep and prefix.keep
            if prefix.client or prefix.role:
                statement = self._under(statement, prefix)
        values = {**best.peeled.values, **best.values}
        if keys:
            for key, name in statement.keys.items():
                value = keys.get(key)
                if value is not None:
                    values.setdefault(name, value)
        for name, value in statement.constants.items():
            values.setdefault(name, value)
        if keep and statement.only:
            keep = all(mentions(values.get(name, ""), wanted) for name, wanted in statement.only.items())
        return Match(statement, values, keep)

    def _under(self, statement: Statement, prefix: Prefix) -> Statement:
        """The statement as printed by whoever owns the prefix."""
        known = self._behind.get((statement.id, prefix))
        if known is None:
            known = replace(statement, client=prefix.client or statement.client, role=prefix.role or statement.role)
            self._behind[statement.id, prefix] = known
        return known


def _try(several: list[Wording], text: str, peeled: Peeled, logger: str | None, best: _Best | None) -> _Best | None:
    prefix = peeled.prefix
    for wording in several:
        statement = wording.statement
        behind_own = prefix is not None and prefix.template in wording.prefixes
        own = int(prefix is None or behind_own)
        if best is not None and (own, wording.length) < (best.own_prefix, best.length):
            continue
        if wording.anchor not in text:
            continue
        if not (statement.bare or behind_own or _logger_agrees(logger, statement)):
            continue
        values = wording.match(text, peeled.end)
        if values is None:
            continue
        rank = (
            own,
            wording.length,
            _logger_agrees(logger, statement),
            int((prefix is None) == (not wording.prefixes)),
            wording.minor,
        )
        if best is None or rank > best[:5]:
            best = _Best(*rank, wording, values, peeled)
    return best


def _logger_agrees(logger: str | None, statement: Statement) -> int:
    """Compare the last part of logger names: loggers are abbreviated and moved between packages."""
    if not logger:
        return 0
    last = logger.rpartition(".")[2]
    return int(any(known.rpartition(".")[2] == last for known in statement.loggers))


def _readings(message: str) -> list[str]:
    """The texts to try: the whole record without its stack trace, its first line, each without a trailing logger."""
    texts = [message]
    if "\n" in message:
        trace = _STACK_TRACE.search(message)
        whole = message[: trace.start()] if trace else message
        texts = list(dict.fromkeys((whole, message.partition("\n")[0])))
    for text in tuple(texts):
        if text.endswith(")"):
            start = max(0, len(text) - 260)
            found = _TRAILING_LOGGER.search(text, start)
            if found:
                texts.append(text[: found.start()])
    return texts
