"""Finds the statement that a message came from.

The message's prefix is taken off, the first characters of the rest choose a handful of candidates, and each candidate
is tried by a literal that it must contain before its pattern runs. Among those that match, the one with a prefix of
its own component wins, then the one with most literal characters, then the one whose logger agrees.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from loganalyst.catalogue.prefixes import Peeled, PrefixPeeler
from loganalyst.catalogue.statement import Match, Statement
from loganalyst.catalogue.template import HoleType, Pattern, compile_template, parse

_START_LENGTHS = (32, 20, 12, 8, 5, 3, 2)
_STACK_TRACE = re.compile(r"\n\s{0,8}(?:at |\.\.\. \d+ (?:more|common)|Caused by: |Traceback \(most recent|[\w.$]+(?:Exception|Error|Throwable)\b)")
_TRAILING_LOGGER = re.compile(r" {1,3}\([A-Za-z][\w.$]{2,200}(?::\d{1,6})?\)\Z")


class Wording:
    """One template of a statement, ready to be tried; the pattern is compiled when it is first needed."""

    __slots__ = ("anchor", "keys", "pattern", "prefixes", "rank", "start", "statement", "template")

    def __init__(self, statement: Statement, template: str, keys: Mapping[str, str] | None = None) -> None:
        self.statement = statement
        self.template = template
        self.keys = keys or statement.keys
        self.prefixes = frozenset(statement.prefixes)
        pieces = parse(template)
        texts = [piece for piece in pieces if isinstance(piece, str)]
        typed = sum(1 for piece in pieces if not isinstance(piece, str) and piece.type)
        self.rank = float(sum(map(len, texts))) + typed / 64
        self.start = texts[0].rstrip() if texts and isinstance(pieces[0], str) else ""
        inner = texts[1:] if self.start else texts
        self.anchor = max((text.strip() for text in inner), key=len, default="")
        self.pattern: Pattern | None = None


class _Best(NamedTuple):
    own_prefix: int
    rank: float
    logger: int
    wording: Wording
    values: dict[str, str]
    peeled: Peeled


class Matcher:
    """The compiled catalogue. Build it once; it is cheap to call and holds no state between calls."""

    def __init__(self, statements: Sequence[Statement], types: Mapping[str, HoleType], contexts: Iterable[str]) -> None:
        self._types = types
        self._by_start: dict[int, dict[str, list[Wording]]] = {length: {} for length in _START_LENGTHS}
        self._by_anchor: dict[str, list[Wording]] = {}
        self.wordings: list[Wording] = []
        for statement in statements:
            for template in statement.templates:
                self._add(Wording(statement, template))
            if statement.pairs:
                head, keys = head_and_keys(statement.template)
                if keys:
                    self._add(Wording(statement, head, {**keys, **statement.keys}))
        self._order()
        self._peeler = PrefixPeeler(
            [*contexts, *(prefix for statement in statements for prefix in statement.prefixes)], types
        )

    def _add(self, wording: Wording) -> None:
        self.wordings.append(wording)
        for length in _START_LENGTHS:
            if len(wording.start) >= length:
                self._by_start[length].setdefault(wording.start[:length], []).append(wording)
                return
        self._by_anchor.setdefault(wording.anchor, []).append(wording)

    def _order(self) -> None:
        """Sort candidates: most literal characters first, a statement after those it names in `after`."""
        ranks: dict[str, float] = {}
        for wording in self.wordings:
            key = wording.statement.id
            ranks[key] = min(ranks.get(key, wording.rank), wording.rank)
        for wording in self.wordings:
            for earlier in wording.statement.after:
                if earlier in ranks:
                    wording.rank = min(wording.rank, ranks[earlier] - 1 / 128)
        for several in (*(b for d in self._by_start.values() for b in d.values()), *self._by_anchor.values()):
            several.sort(key=lambda wording: -wording.rank)

    def match(
        self,
        message: str,
        *,
        logger: str | None = None,
        keys: Mapping[str, str] | None = None,
    ) -> Match | None:
        """Return the statement that `message` came from and its values, or `None`."""
        for text in _readings(message):
            best = self._best(text.rstrip(), logger, keys)
            if best is not None:
                return _to_match(best, keys)
        return None

    def _best(self, text: str, logger: str | None, keys: Mapping[str, str] | None) -> _Best | None:
        for peeled in self._peeler.peel(text):
            best = self._at(text, peeled, logger, keys)
            if best is not None:
                return best
        return None

    def _at(self, text: str, peeled: Peeled, logger: str | None, keys: Mapping[str, str] | None) -> _Best | None:
        position = peeled.end
        best: _Best | None = None
        for length in _START_LENGTHS:
            several = self._by_start[length].get(text[position : position + length])
            if several:
                best = self._try(several, text, peeled, logger, keys, best)
        for anchor, several in self._by_anchor.items():
            if anchor in text:
                best = self._try(several, text, peeled, logger, keys, best)
        return best

    def _try(
        self,
        several: list[Wording],
        text: str,
        peeled: Peeled,
        logger: str | None,
        keys: Mapping[str, str] | None,
        best: _Best | None,
    ) -> _Best | None:
        for wording in several:
            own = 1 if not peeled.prefixes or peeled.prefixes[-1] in wording.prefixes else 0
            if best is not None and (own, wording.rank) < (best.own_prefix, best.rank):
                continue
            if wording.anchor not in text:
                continue
            pattern = wording.pattern
            if pattern is None:
                pattern = wording.pattern = compile_template(wording.template, self._types, whole=True)
            hit = pattern.match(text, peeled.end)
            if hit is None:
                continue
            candidate = _Best(own, wording.rank, _logger_agrees(logger, wording.statement), wording, hit[0], peeled)
            if best is None or candidate[:3] > best[:3]:
                best = candidate
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
    if message.endswith(")"):
        texts += [text[: len(text[:-260]) + found.start()] for text in texts if (found := _TRAILING_LOGGER.search(text[-260:]))]
    return texts


def _to_match(best: _Best, keys: Mapping[str, str] | None) -> Match:
    values = best.peeled.values
    values.update(best.values)
    if keys:
        for key, name in best.wording.keys.items():
            value = keys.get(key)
            if value is not None:
                values.setdefault(name, value)
    return Match(best.wording.statement, values)


_PAIR = re.compile(r"[;,] ([\w .-]+): \{([a-z0-9_]+)(?::[a-z0-9_]+)?\}")


def head_and_keys(template: str) -> tuple[str, dict[str, str]]:
    """Split `message; key: {hole}, key: {hole}` into the message and the keys a structured logger prints beside it."""
    head, sign, tail = template.partition("; ")
    return head, {found[1]: found[2] for found in _PAIR.finditer(sign + tail)}
