"""The few literals of which every record that becomes an event contains at least one.

They are all that is searched for in text nobody has parsed yet. `parsers/coarse.toml` lists good ones;
whatever kept wording has none of them adds a piece of its own, so the set is complete by construction, and a
test checks it against every template and every example.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from loganalyst.catalogue.statement import Statement
from loganalyst.catalogue.template import literals
from loganalyst.errors import CatalogueError

_ESCAPED = re.compile(r"[^ -!#-%(-.0-;?-\[\]-~]+")
"""What some JSON writer escapes:

quotes, backslash, slash, & < > = ', control characters, everything beyond ASCII.
"""

LONGEST = 32


@dataclass(frozen=True)
class Coarse:
    """`literals` are bytes of ASCII, case matters; none contains a character that JSON escapes."""

    literals: tuple[bytes, ...]

    @cached_property
    def pattern(self) -> str:
        """One alternation of the literals, for engines that run it in linear time (polars, re, hyperscan)."""
        return "|".join(re.escape(literal.decode("ascii")) for literal in self.literals)

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The literals as text."""
        return tuple(literal.decode("ascii") for literal in self.literals)

    def hits(self, text: str) -> bool:
        """Tell whether `text` contains one of the literals."""
        return any(literal in text for literal in self.texts)


def required_pieces(statement: Statement) -> Iterator[tuple[str, list[str]]]:
    """For every form a kept statement is logged in: the template, and the literals that stand in the text
    then.

    A statement with prefixes that are always printed is logged once behind each of them; what it insists on
    (`only`) stands in its text too.
    """
    if not statement.keep:
        return
    insisted = [name for name in statement.only.values() if name]
    for template in statement.templates:
        own = literals(template) + insisted
        printed = [prefix for prefix in statement.prefixes if prefix.keep] if statement.prefix_printed else []
        if not printed:
            yield template, own
        for prefix in printed:
            yield template, own + literals(prefix.template)


def derive(statements: Iterable[Statement], preferred: Sequence[str]) -> Coarse:
    """Complete the preferred literals with a piece of every kept wording that has none of them."""
    chosen = [literal for literal in preferred if not _ESCAPED.search(literal)]
    for statement in statements:
        for _, pieces in required_pieces(statement):
            if not any(literal in piece for piece in pieces for literal in chosen):
                safe = [part for piece in pieces for part in _ESCAPED.split(piece)]
                longest = max((part.strip() for part in safe), key=len, default="")
                if not longest:
                    raise CatalogueError(f"{statement.id}: has no text to search for; set keep = false")
                chosen.append(longest[:LONGEST].rstrip())
    return Coarse(tuple(literal.encode("ascii") for literal in chosen))
