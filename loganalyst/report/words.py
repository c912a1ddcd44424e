"""Numbers, times and lists the way people read them; the same scale as `queries/macros/text.sql`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime


def human_ms(ms: float | None) -> str:
    """Write a duration in milliseconds: `850 ms`, `9.1 s`, `2.5 min`; `?` if unknown."""
    if ms is None:
        return "?"
    if ms < 1_000:
        return f"{round(ms)} ms"
    for limit, unit, size in (
        (120_000, "s", 1_000),
        (7_200_000, "min", 60_000),
        (172_800_000, "h", 3_600_000),
    ):
        if ms < limit:
            return f"{ms / size:.1f} {unit}"
    return f"{ms / 86_400_000:.1f} d"


def human_list(names: Sequence[str], most: int = 8) -> str:
    """Write `a`, `a and b`, `a, b and c`, or the first names and how many more."""
    if len(names) <= 1:
        return names[0] if names else "none"
    if len(names) <= most:
        return f"{', '.join(names[:-1])} and {names[-1]}"
    return f"{', '.join(names[: most - 1])} and {len(names) - most + 1} more"


def clock(at: datetime | None, *, day: bool = False) -> str:
    """Write a time of day in UTC with milliseconds, `day` with its date before it; `undated` if unknown."""
    if at is None:
        return "undated"
    at = at.astimezone(UTC)
    return f"{at:%Y-%m-%d %H:%M:%S}.{at.microsecond // 1000:03d}"[0 if day else 11 :]


def period(start: datetime | None, end: datetime | None) -> str:
    """Write `2026-12-01 00:40:00.123 to 00:41:02.456 UTC`; the second date only where it differs."""
    if start is None and end is None:
        return "undated"
    if start is None or end is None:
        known = start or end
        return f"{'from' if start else 'until'} {clock(known, day=True)} UTC"
    if start == end:
        return f"{clock(start, day=True)} UTC"
    same = start.astimezone(UTC).date() == end.astimezone(UTC).date()
    return f"{clock(start, day=True)} to {clock(end, day=not same)} UTC"


def plural(number: int, noun: str, nouns: str | None = None) -> str:
    """Write `1 group`, `3 groups`, `12,000 lines`."""
    return f"{number:,} {noun if number == 1 else nouns or noun + 's'}"
