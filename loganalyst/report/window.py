"""The time that a report is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any


class Window:
    """The time that was asked for: `since` ≤ time < `until`, open where one is None."""

    def __init__(self, since: datetime | None, until: datetime | None) -> None:
        """Keep the bounds."""
        self.since, self.until = since, until

    @classmethod
    def of(cls, filters: Mapping[str, Any]) -> Window:
        """Return the window among the `filters` of a report."""
        return cls(filters.get("since"), filters.get("until"))

    def touches(self, start: datetime | None, end: datetime | None) -> bool:
        """Tell whether something from `start` to `end` (None: unknown) touches the window."""
        first, last = start or end, end or start
        if first is None or last is None:
            return True
        return (self.until is None or first < self.until) and (self.since is None or last >= self.since)

    def sql(self, column: str) -> str:
        """Return the window as a condition on a column; rows without a time are kept."""
        bounds = [
            f"{column} {compare} TIMESTAMPTZ '{bound.isoformat()}'"
            for compare, bound in (("<", self.until), (">=", self.since))
            if bound is not None
        ]
        return f"({column} IS NULL OR ({' AND '.join(bounds)}))" if bounds else "true"
