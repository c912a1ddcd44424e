"""Finds out what a source is: which wrappers, which header layouts, which time zone, and says why."""

from __future__ import annotations

import fnmatch
from collections import Counter
from collections.abc import Sequence

from loganalyst.envelopes import json_lines
from loganalyst.envelopes.choose import choose
from loganalyst.envelopes.classify import Classifier
from loganalyst.envelopes.clock import Clock
from loganalyst.envelopes.layouts import Layout
from loganalyst.envelopes.reading import Reading, TimeHints
from loganalyst.envelopes.unwrap import JSON, Unwrapper, clean, prefixes

_SAMPLE = 400
_NESTED = 4


def detect(head: bytes, name: str, hints: TimeHints) -> Reading:
    """Look at the first bytes of a source (some ten thousand suffice) and say how it is to be read.

    `name` is the source's name: dates and pods may stand in it, and `hints.source_tz` is matched against it.
    """
    lines = _sample(head)
    wrappers: list[str] = []
    names: list[str] = []
    for _ in range(_NESTED):
        found = _wrapper(lines)
        if found is None:
            break
        wrappers.append(found[0])
        names.append(found[1])
        unwrapper = Unwrapper((found[0],), Clock())
        pieces = [unwrapper.unwrap(line) for line in lines]
        if found[0] == JSON:
            classifier = Classifier(())
            inner = [p.text for p in pieces if p.header is None or classifier.is_wrapped_line(p)]
            lines = [line for text in inner for line in text.split("\n") if line.strip()]
            break
        lines = [p.text for p in pieces]
    layouts = choose(lines)
    zone, why = _zone(name, hints, layouts)
    return Reading(
        envelope=" > ".join(names) or "none",
        layout=" + ".join(dict.fromkeys(layout.name for layout in layouts))
        or ("none" if not names else names[-1]),
        timezone=why,
        wrappers=tuple(wrappers),
        layouts=layouts,
        zone=zone,
        day=(hints.date.toordinal() - 719163) if hints.date else None,
        year=hints.date.year if hints.date else None,
        name=name,
    )


def _sample(head: bytes) -> list[str]:
    lines = head.split(b"\n")
    if len(lines) > 1:
        lines.pop()
    texts = (clean(line.decode("utf-8", "replace")) for line in lines[:4000])
    return [text for text in texts if text.strip()][:_SAMPLE]


def _wrapper(lines: Sequence[str]) -> tuple[str, str] | None:
    """The wrapper that most lines have: its step and its name."""
    if not lines:
        return None
    objects = [
        item for item in (json_lines.parse(line) for line in lines if line[:1] == "{") if item is not None
    ]
    if len(objects) * 2 >= len(lines):
        kinds = Counter(shape.name for shape in map(json_lines.shape_for, objects) if shape is not None)
        if kinds:
            return JSON, kinds.most_common(1)[0][0]
    for prefix in prefixes().values():
        if sum(prefix.regex.match(line, 0, 4096) is not None for line in lines) * 10 >= len(lines) * 6:
            return prefix.name, prefix.name
    return None


def _zone(name: str, hints: TimeHints, layouts: tuple[Layout, ...]) -> tuple[str, str]:
    for glob, zone in hints.source_tz:
        if fnmatch.fnmatch(name, glob) or fnmatch.fnmatch(name.rsplit("/", 1)[-1], glob):
            return zone, f"{zone} (--source-tz {glob})"
    if hints.tz:
        return hints.tz, f"{hints.tz} (--tz)"
    return "UTC", "UTC (default)"

