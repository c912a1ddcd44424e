"""What a rule came to: how much was looked at, how much breaks it, and examples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

__all__ = ["Example", "Outcome", "gate_passes", "rows_of_outcomes"]

COLUMNS = ("rule", "title", "severity", "passed", "checked", "broken", "percent", "max_percent", "examples")


@dataclass(frozen=True, slots=True)
class Example:
    """One thing that breaks a rule; `source` and `line` where it is a log line."""

    subject: str | None
    detail: str | None
    source: str | None
    line: int | None

    @property
    def place(self) -> str:
        """`source:line`, as far as it is known."""
        if self.source is None:
            return ""
        return self.source if self.line is None else f"{self.source}:{self.line}"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a rule. `disagreement`: what Great Expectations says where it differs from the audit."""

    rule: str
    title: str
    severity: str
    passed: bool
    checked: int
    broken: int
    max_percent: float
    examples: tuple[Example, ...] = field(default=())
    disagreement: str | None = None

    @property
    def percent(self) -> float:
        """Share of what was looked at that breaks the rule."""
        return 100.0 * self.broken / self.checked if self.checked else (100.0 if self.broken else 0.0)

    @property
    def fails(self) -> bool:
        """Tell whether this outcome makes the gate fail."""
        return self.severity == "fail" and not self.passed


def gate_passes(outcomes: Sequence[Outcome]) -> bool:
    """Tell whether a dataset passes the gate: no rule of severity `fail` is broken."""
    return not any(outcome.fails for outcome in outcomes)


def rows_of_outcomes(outcomes: Sequence[Outcome]) -> list[dict[str, Any]]:
    """Return the outcomes as rows with `COLUMNS`, for the tabular formats."""
    return [
        {
            "rule": one.rule,
            "title": one.title,
            "severity": one.severity,
            "passed": one.passed,
            "checked": one.checked,
            "broken": one.broken,
            "percent": one.percent,
            "max_percent": one.max_percent,
            "examples": [
                {"subject": e.subject, "detail": e.detail, "source": e.source, "line": e.line}
                for e in one.examples
            ],
        }
        for one in outcomes
    ]
