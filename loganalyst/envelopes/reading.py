"""What a source was taken for: the small, picklable plan by which a `RecordReader` reads it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date

from loganalyst.envelopes.json_shapes import JsonShape
from loganalyst.envelopes.layouts import Layout


@dataclass(frozen=True, slots=True)
class TimeHints:
    """What the user said about time: `--tz`, `--source-tz GLOB=ZONE` (first match wins) and `--date`."""

    tz: str | None = None
    source_tz: tuple[tuple[str, str], ...] = ()
    date: date | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """How a source is read.

    `envelope`, `layout` and `timezone` are the words shown in `sources`; the rest is the plan itself:
    `wrappers` the names of the wrappers from the outside in, `layouts` the header layouts met in the source's
    head (the first is the usual one), `zone` the zone of stamps that print none, `day` the date (days since
    1970-01-01) of the first dateless line, `year` that of stamps without one; `None` where not known.
    `marked`: lines `==> file <==` say whose lines follow. `shape`: what stands where in objects or rows that
    no declared wrapper knows.
    """

    envelope: str = "none"
    layout: str = "none"
    timezone: str = ""
    wrappers: tuple[str, ...] = ()
    layouts: tuple[Layout, ...] = ()
    zone: str = "UTC"
    day: int | None = None
    year: int | None = None
    encoding: str = "utf-8"
    name: str = ""
    document: str | None = None
    facts: tuple[tuple[str, str], ...] = field(default=())
    marked: bool = False
    shape: JsonShape | None = None
