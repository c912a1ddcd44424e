"""'Did you mean': the known name closest to a mistyped one."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def closest(name: str, known: Iterable[str], count: int = 3) -> list[str]:
    """Return up to `count` of the `known` names that look like `name`, best first."""
    import difflib

    by_lower: dict[str, str] = {}
    for candidate in known:
        by_lower.setdefault(candidate.lower(), candidate)
    near = difflib.get_close_matches(name.lower(), by_lower, n=count, cutoff=0.6)
    within = [lower for lower in by_lower if len(name) > 2 and name.lower() in lower and lower not in near]
    return [by_lower[lower] for lower in (near + within)[:count]]


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return `did you mean 'x' or 'y'?` for a mistyped name, or an empty string if nothing is near."""
    near = closest(name, known)
    return f"Did you mean {' or '.join(repr(candidate) for candidate in near)}?" if near else ""
