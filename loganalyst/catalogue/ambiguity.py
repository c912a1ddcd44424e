"""Finds statements of one text between which nothing decides: an error unless they are ordered on purpose.

Every wording is filled with sample values and put behind each of its prefixes; whatever else matches that
text with as many literal characters behind the same prefix would win or lose by chance. `after` orders two
such statements.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from loganalyst.catalogue.matcher import Matcher
from loganalyst.catalogue.template import Hole, parse

SAMPLES = {
    "int": "7",
    "number": "0.5",
    "member": "app-0-5f0e9c1e-8a1b-4a54-9d0c-0f6f3d1c2b77",
    "node": "kafka-1:9092 (id: 2147483646 rack: null)",
    "process": "group.cc:12",
    "broker": "kafka-1:9092/1",
    "facility": "MAXPOLL",
    "coordinator_id": "coordinator-1",
    "me": " (me)",
    "lost": " (lost)",
    "unset": "unset ",
    "incremental": "incremental ",
}
"""A value of each hole type that is not simply a word."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two statements that match `text` equally well."""

    first: str
    second: str
    text: str


def sample(template: str, value: str = "Xx") -> str:
    """Fill the holes of a template."""
    return "".join(
        SAMPLES.get(piece.type, value) if isinstance(piece, Hole) else piece for piece in parse(template)
    )


def conflicts(matcher: Matcher, statements: list[dict[str, Any]]) -> Iterator[Conflict]:
    """Yield every pair of statements between which nothing decides, each once."""
    seen: set[frozenset[str]] = set()
    for number, row in enumerate(matcher.rows):
        statement = statements[row[0]]
        prefixes = [prefix[0] for prefix in statement.get("prefixes", ())] or [""]
        for prefix in prefixes:
            text = sample(prefix) + sample(row[1])
            rivals = [
                other
                for other in _equals(matcher, text, number)
                if statements[matcher.rows[other][0]]["id"] != statement["id"]
            ]
            for other in rivals:
                pair = frozenset((statement["id"], statements[matcher.rows[other][0]]["id"]))
                if pair not in seen:
                    seen.add(pair)
                    first, second = sorted(pair)
                    yield Conflict(first, second, text)


def _equals(matcher: Matcher, text: str, number: int) -> list[int]:
    """The other wordings that match `text` just as well as that of `number`: only chance decides."""
    text = text.rstrip()
    mine = matcher.wording(number)
    for peeled in matcher.peel(text):
        behind = peeled.prefix.template if peeled.prefix is not None else None
        if mine.match(text, peeled.end) is None or (behind and behind not in mine.prefixes):
            continue
        return [
            other
            for other, one in ((other, matcher.wording(other)) for other in range(len(matcher.rows)))
            if other != number
            and (one.length, one.minor) == (mine.length, mine.minor)
            and (behind in one.prefixes if behind else bool(one.prefixes) == bool(mine.prefixes))
            and one.anchor in text
            and one.match(text, peeled.end) is not None
        ]
    return []
