"""Time zones by name or offset, and what to say about a name that is none."""

from __future__ import annotations

import difflib
import re
from datetime import UTC, timedelta, timezone, tzinfo
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from loganalyst.errors import UsageError

_OFFSET = re.compile(r"(?:UTC|GMT)?([+-])(\d{1,2})(?::?(\d\d))?")


@lru_cache(maxsize=256)
def zone(name: str) -> tzinfo:
    """Return the time zone called `name`: an IANA name (`Europe/Berlin`), `UTC`, `Z` or an offset (`+05:30`).

    Raises `UsageError` for anything else, naming the zones that are spelled most alike.
    """
    if name.upper() in ("UTC", "Z", "GMT"):
        return UTC
    offset = _OFFSET.fullmatch(name)
    if offset:
        minutes = int(offset[2]) * 60 + int(offset[3] or 0)
        if minutes <= 18 * 60:
            return fixed(minutes if offset[1] == "+" else -minutes)
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        pass
    raise UsageError(
        f"unknown time zone {name!r}{_suggestion(name)}; give an IANA name or an offset such as +02:00"
    )


@lru_cache(maxsize=64)
def fixed(minutes: int) -> timezone:
    """Return the zone that is always `minutes` east of UTC."""
    return UTC if minutes == 0 else timezone(timedelta(minutes=minutes))


def offset_name(minutes: int) -> str:
    """Spell an offset in minutes as `+HH:MM`, UTC as `UTC`."""
    if minutes == 0:
        return "UTC"
    hours, rest = divmod(abs(minutes), 60)
    return f"{'-' if minutes < 0 else '+'}{hours:02d}:{rest:02d}"


def _suggestion(name: str) -> str:
    wanted = name.strip().lower().replace(" ", "_")
    known = {each.lower(): each for each in sorted(available_timezones())}
    cities: dict[str, str] = {}
    for lowered, each in known.items():
        cities.setdefault(lowered.rsplit("/", 1)[-1], each)
    near = [known[k] for k in difflib.get_close_matches(wanted, known, 3, 0.6)]
    near += [cities[k] for k in difflib.get_close_matches(wanted.rsplit("/", 1)[-1], cities, 3, 0.7)]
    unique = list(dict.fromkeys(near))[:3]
    return f" (did you mean {', '.join(unique)}?)" if unique else ""
