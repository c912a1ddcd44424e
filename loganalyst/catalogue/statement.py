"""What the catalogue knows about one log call, and what a match of it gives."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType

_EMPTY: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement of the catalogue: a log call of one component, over the versions that print it.

    `id` is `<component>.<name>` and unique. `event` is a name of the closed vocabulary or `other`; `detail_event` the
    finer name, if there is one. `role` is `broker`, `controller`, `client` or `tool`; `client` names the client
    library (`None` for brokers). `keep`: does a record of it become an event; `only` narrows that to records in which
    a value mentions a name (`{"topic": "__consumer_offsets"}`). `prefixes` are the templates that may stand before
    the message; `keys` maps keys of a JSON logger to value names. `versions` are those of the component
    (`2.8.0..2.8.2`; a trailing `+` is open).
    """

    id: str
    event: str
    component: str
    role: str
    template: str
    detail_event: str | None = None
    client: str | None = None
    level: str | None = None
    versions: str | None = None
    variants: tuple[str, ...] = ()
    prefixes: tuple[str, ...] = ()
    loggers: tuple[str, ...] = ()
    keep: bool = True
    only: Mapping[str, str] = field(default_factory=lambda: _EMPTY)
    keys: Mapping[str, str] = field(default_factory=lambda: _EMPTY)
    after: tuple[str, ...] = ()
    pairs: bool = False
    example: str | None = None
    expect: Mapping[str, str] = field(default_factory=lambda: _EMPTY)
    note: str | None = None

    @property
    def templates(self) -> tuple[str, ...]:
        """The template and its further wordings."""
        return (self.template, *self.variants)


@dataclass(frozen=True, slots=True)
class Match:
    """A statement found in a message. `values` holds the raw text of every named hole, those of the prefix included."""

    statement: Statement
    values: dict[str, str]

    @property
    def keep(self) -> bool:
        """Whether the record becomes an event: the statement is kept, and its `only` holds for these values."""
        if not self.statement.keep:
            return False
        return all(
            _mention(wanted).search(self.values.get(name, "")) is not None
            for name, wanted in self.statement.only.items()
        )


@lru_cache(maxsize=64)
def _mention(name: str) -> re.Pattern[str]:
    """Find a topic's name on its own or with a partition number (`name-17`), inside lists too."""
    return re.compile(rf"(?<![\w.-]){re.escape(name)}(?:-\d+)?(?![\w.-])")
