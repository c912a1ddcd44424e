"""What the catalogue knows about one log call, and what a match of it gives."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import lru_cache
from types import MappingProxyType
from typing import Any

_EMPTY: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Prefix:
    """What stands before the messages of a component (`[Consumer clientId=.., groupId=..] `).

    `client` and `role` replace those of the statement behind it: a Connect worker prints the lines of the
    Java consumer under its own prefix. With `keep` false nothing behind it becomes an event (a replica
    fetcher's network lines are not a group's).
    """

    template: str
    client: str | None = None
    role: str | None = None
    keep: bool = True


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement of the catalogue: a log call of one component, over the versions that print it.

    `id` is `<component>.<name>`, unique in the catalogue. `event` is a name of the closed vocabulary or
    `other`; `detail_event` the finer name where there is one. `role` is `broker`, `controller`, `client` or
    `tool`; `client` names the client library (`None` for brokers). `keep`: does a record of it become an
    event; `only` narrows that to records in which a value mentions a name (`{"topic":
    "__consumer_offsets"}`). `prefixes` may stand before the message; with `prefix_printed` they always do in
    a log, with `bare` false the message alone is too short to be recognised. `constants` are values that the
    wording implies (`{"error": "UNKNOWN_MEMBER_ID"}`). `keys` maps keys of a structured logger to value
    names; with `pairs` the tail `; key: {hole}, ..` may come as such keys. `versions` are those of the
    component that print it.
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
    prefixes: tuple[Prefix, ...] = ()
    prefix_printed: bool = True
    bare: bool = True
    loggers: tuple[str, ...] = ()
    keep: bool = True
    only: Mapping[str, str] = field(default_factory=lambda: _EMPTY)
    constants: Mapping[str, str] = field(default_factory=lambda: _EMPTY)
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

    def to_json(self) -> dict[str, Any]:
        """Everything that differs from the defaults, as plain JSON values."""
        plain: dict[str, Any] = {}
        for spec in fields(self):
            value = getattr(self, spec.name)
            if spec.name == "prefixes":
                value = [[prefix.template, prefix.client, prefix.role, prefix.keep] for prefix in value]
            elif isinstance(value, Mapping):
                value = dict(value)
            elif isinstance(value, tuple):
                value = list(value)
            if value not in (None, [], {}, spec.default):
                plain[spec.name] = value
        return plain

    @classmethod
    def from_json(cls, plain: dict[str, Any]) -> Statement:
        """The inverse of `to_json`."""
        values = dict(plain)
        for name in ("variants", "loggers", "after"):
            values[name] = tuple(plain.get(name, ()))
        values["prefixes"] = tuple(Prefix(*prefix) for prefix in plain.get("prefixes", ()))
        return cls(**values)


@dataclass(frozen=True, slots=True)
class Match:
    """A statement found in a message, and the raw text of every named hole, those of the prefix included.

    `keep` says whether the record becomes an event: the statement is kept and its `only` holds for these
    values.
    """

    statement: Statement
    values: dict[str, str]
    keep: bool = True


def mentions(text: str, name: str) -> bool:
    """Tell whether `text` holds the topic `name`, on its own, with a partition number, or inside a list."""
    return name in text and _mention(name).search(text) is not None


@lru_cache(maxsize=64)
def _mention(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w.-]){re.escape(name)}(?:-\d+)?(?![\w.-])")
