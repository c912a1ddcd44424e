"""The rules of the quality gate, read from `rules.toml`: what is looked at, and what is expected of it."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

__all__ = ["Expectation", "Rule", "load_rules"]

_RULES = Path(__file__).with_name("rules.toml")


@dataclass(frozen=True, slots=True)
class Expectation:
    """One expectation of Great Expectations: its type in snake case, its arguments (`$`, `@` unresolved)."""

    type: str
    arguments: Mapping[str, Any]

    @property
    def columns(self) -> tuple[str, ...]:
        """Columns of the frame that it looks at."""
        single = [self.arguments[key] for key in ("column", "column_A", "column_B") if key in self.arguments]
        return (*single, *self.arguments.get("column_list", ()))


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule: `frame` is the view it looks at, `where` narrows it; rows without `column` do not count."""

    name: str
    title: str
    frame: str
    column: str | None
    where: str | None
    expectations: tuple[Expectation, ...]

    @property
    def audit(self) -> str:
        """The query that must return no row."""
        return f"audit_{self.name}"


def load_rules() -> list[Rule]:
    """Read all rules, in the order in which they are reported."""
    entries = tomllib.loads(_RULES.read_text(encoding="utf-8"))["rule"]
    return [
        Rule(
            entry["name"],
            entry["title"],
            entry["frame"],
            entry.get("column"),
            entry.get("where"),
            tuple(Expectation(one["type"], one["with"]) for one in entry["expect"]),
        )
        for entry in entries
    ]
