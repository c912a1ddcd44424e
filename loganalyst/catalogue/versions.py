"""Which releases print a statement, and how many statements the catalogue knows of each release.

`versions` of a statement lists ranges of releases, both ends included (`2.2.2, 2.3.1..4.0.1`). What reads
otherwise (`<=1.4`, `seen in 3.0`) is for people and counts in no release.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from loganalyst.catalogue.statement import Statement

Release = tuple[int, ...]

_RANGE = re.compile(r"(\d+(?:\.\d+){1,3})\s*\.\.\s*(\d+(?:\.\d+){1,3})|(\d+(?:\.\d+){1,3})(?=\s*(?:,|\Z))")
_LIST = re.compile(r"[\d.,\s]+")


def ranges(versions: str | None) -> list[tuple[Release, Release]]:
    """Read the ranges of releases; empty if there are none or `versions` is a remark."""
    if not versions or not _LIST.fullmatch(versions):
        return []
    return [
        (_release(first or alone), _release(last or alone)) for first, last, alone in _RANGE.findall(versions)
    ]


def minor(release: Release) -> Release:
    """The minor release that a patch belongs to: 2.8 of 2.8.1, and 0.10.2 of 0.10.2.1."""
    return release[:3] if release[:2] == (0, 10) else release[:2]


def coverage(statements: Iterable[Statement]) -> list[dict[str, object]]:
    """Count the statements of every component and minor release: `component, version, statements, events`.

    `events` counts those whose records become events. Only components with ranges of releases are counted; a
    release is one at which some statement of any component begins or ends.
    """
    known = [(statement, ranges(statement.versions)) for statement in statements]
    releases = sorted({minor(end) for _, spans in known for span in spans for end in span})
    ranged = {
        statement.component for statement, _ in known if statement.versions and ".." in statement.versions
    }
    counts: dict[tuple[str, Release], list[int]] = {}
    for statement, spans in known:
        if statement.component in ranged:
            for release in releases:
                if any(minor(first) <= release <= minor(last) for first, last in spans):
                    row = counts.setdefault((statement.component, release), [0, 0])
                    row[0] += 1
                    row[1] += statement.keep
    return [
        {
            "component": component,
            "version": ".".join(map(str, release)),
            "statements": total,
            "events": kept,
        }
        for (component, release), (total, kept) in sorted(counts.items())
    ]


def _release(text: str) -> Release:
    return tuple(map(int, text.split(".")))
