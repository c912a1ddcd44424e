"""Shapes of time stamps: how each is recognised and what instant it means.

A shape is a regular expression with the named groups `Y y B m d H M S f p z e` (year, two-digit year, month
name, month, day, hour, minute, second, fraction, AM/PM, zone, epoch number). Facts about who prints which:
the
wrappers and layouts tables in `layouts.toml` and `wrappers.toml`.
"""

from __future__ import annotations

import re
from calendar import timegm
from dataclasses import dataclass
from functools import cached_property

_MONTHS = {
    m: i
    for i, m in enumerate(
        ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"], 1
    )
}
_ZONE_NAMES = "UTC|GMT|CEST|CET|EEST|EET|WEST|WET|EST|EDT|CST|CDT|MST|MDT|PST|PDT|MSK|JST|KST"
_ZONE = rf"(?: ?(?P<z>Z|{_ZONE_NAMES}|[+-]\d\d:?\d\d)(?![\w:]))?"
_CLOCK = r"(?P<H>\d\d):(?P<M>\d\d):(?P<S>\d\d)"
_FRACTION = r"(?:[.,:](?P<f>\d{1,9}))?"
_HALF = r"(?:[  ](?P<p>[AaPp]\.?[Mm]\.?))"
_NAMED = r"(?P<B>[JFMASOND][a-z]{2})[a-z]{0,6}"
_WEEKDAY = r"(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? )"

_OFFSETS = {
    "Z": 0, "UTC": 0, "GMT": 0, "WET": 0, "WEST": 60, "CET": 60, "CEST": 120, "EET": 120, "EEST": 180,
    "MSK": 180, "EST": -300, "EDT": -240, "CST": -360, "CDT": -300, "MST": -420, "MDT": -360, "PST": -480,
    "PDT": -420, "JST": 540, "KST": 540,
}  # fmt: skip


@dataclass(frozen=True)
class Shape:
    """A way to write a time. `dated`: year, month and day are in it; `zoned`: every such stamp names its
    zone."""

    name: str
    pattern: str
    dated: bool = True

    @cached_property
    def regex(self) -> re.Pattern[str]:
        """The compiled pattern, with its named groups."""
        return re.compile(self.pattern)

    @cached_property
    def bare(self) -> str:
        """The pattern without names, to stand inside a layout's pattern."""
        return re.sub(r"\(\?P<\w>", "(?:", self.pattern)


_DATE = r"(?P<Y>\d{4})[-/.](?P<m>\d\d)[-/.](?P<d>\d\d)"
_COMPACT_DATE = r"(?P<Y>20\d\d)(?P<m>[01]\d)(?P<d>[0-3]\d)"
_SHORT_CLOCK = r"(?P<H>\d{1,2}):(?P<M>\d\d):(?P<S>\d\d)"
_DOM = r"(?P<d>\d{1,2})"
_YEAR = r"(?P<Y>\d{4})"

SHAPES: dict[str, Shape] = {
    shape.name: shape
    for shape in (
        Shape("iso", rf"{_DATE}[T _]{_CLOCK}{_FRACTION}{_ZONE}"),
        Shape("compact", rf"{_COMPACT_DATE}[T _-](?P<H>\d\d):?(?P<M>\d\d):?(?P<S>\d\d){_FRACTION}{_ZONE}"),
        Shape("day-month", rf"{_WEEKDAY}?{_DOM}[- /]{_NAMED}[- /]{_YEAR}[ :T]{_CLOCK}{_FRACTION}{_ZONE}"),
        Shape("month-day", rf"{_NAMED} {_DOM}, {_YEAR}(?: @ |,? ){_SHORT_CLOCK}{_FRACTION}{_HALF}?{_ZONE}"),
        Shape(
            "ctime",
            rf"{_WEEKDAY}{_NAMED} {{1,2}}{_DOM} {_CLOCK}{_FRACTION}"
            rf"(?: (?P<z>[A-Z]{{3,4}}|[+-]\d{{4}}))? {_YEAR}",
        ),
        Shape("us-date", rf"(?P<m>\d{{1,2}})/{_DOM}/{_YEAR},? {_SHORT_CLOCK}{_FRACTION}{_HALF}?{_ZONE}"),
        Shape("dotted", rf"(?P<d>\d\d)\.(?P<m>\d\d)\.{_YEAR} {_CLOCK}{_FRACTION}{_ZONE}"),
        Shape("short-year", rf"(?P<y>\d\d)[/-](?P<m>\d\d)[/-](?P<d>\d\d)[ T]{_CLOCK}{_FRACTION}"),
        Shape("epoch", r"(?P<e>\d{10}\.\d{1,9}|\d{19}|\d{16}|\d{13}|\d{10})(?![\w.])"),
        Shape("syslog", rf"{_NAMED} {{1,2}}{_DOM} {_CLOCK}{_FRACTION}", dated=False),
        Shape("no-year", rf"(?P<m>\d\d)-?(?P<d>\d\d) {_CLOCK}{_FRACTION}", dated=False),
        Shape("clock", rf"{_SHORT_CLOCK}{_FRACTION}{_HALF}?{_ZONE}", dated=False),
    )
}
"""The shapes by name, those that could be taken for a part of another behind it."""


@dataclass(frozen=True, slots=True)
class Moment:
    """What a stamp says. `day` is days since 1970-01-01 or None; `micros` counts from midnight; `offset` in
    minutes.

    For a stamp without a year `month_day` holds (month, day).
    """

    day: int | None
    micros: int
    offset: int | None
    month_day: tuple[int, int] | None = None


def read(shape: Shape, text: str) -> Moment | None:
    """Read `text`, written in `shape`; `None` when it is no possible time (hour 25, February 30)."""
    match = shape.regex.match(text)
    if match is None:
        return None
    g = match.groupdict()
    if g.get("e"):
        return _epoch(g["e"])
    hour = int(g["H"])
    half = g.get("p")
    if half:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if half[0] in "pP" else 0)
    minute, second = int(g["M"]), int(g["S"])
    if hour > 23 or minute > 59 or second > 60:
        return None
    micros = ((hour * 60 + minute) * 60 + second) * 1_000_000 + int(((g.get("f") or "") + "000000")[:6])
    offset = read_offset(g.get("z"))
    month = _MONTHS.get(g["B"].lower(), 0) if g.get("B") else int(g.get("m") or 0)
    if not month:
        return Moment(None, micros, offset)
    dom = int(g["d"])
    year = g.get("Y") or (f"20{g['y']}" if g.get("y") else None)
    if year is None:
        return (
            Moment(None, micros, offset, (month, dom)) if day_number(2024, month, dom) is not None else None
        )
    day = day_number(int(year), month, dom)
    return None if day is None else Moment(day, micros, offset)


def read_offset(text: str | None) -> int | None:
    """Minutes east of UTC for `Z`, `UTC`, `CET`, `+01:00`, `+0100`; `None` for none."""
    if not text:
        return None
    if text[0] in "+-":
        minutes = int(text[1:3]) * 60 + int(text[-2:])
        return minutes if text[0] == "+" else -minutes
    return _OFFSETS.get(text)


def day_number(year: int, month: int, day: int) -> int | None:
    """Days from 1970-01-01 to a date, or `None` if there is no such date."""
    if not (1 <= month <= 12 and 1 <= day <= 31 and 1970 <= year <= 9999):
        return None
    if day > 28 and day > (31, 29 if _leap(year) else 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)[month - 1]:
        return None
    return timegm((year, month, day, 0, 0, 0)) // 86400


def _leap(year: int) -> bool:
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def _epoch(digits: str) -> Moment:
    """Seconds with or without a fraction, milli-, micro- or nanoseconds, told apart by the number of
    digits."""
    whole, _, fraction = digits.partition(".")
    micros = {10: 1_000_000, 13: 1000, 16: 1}.get(len(whole))
    total = int(whole) // 1000 if micros is None else int(whole) * micros
    total += int((fraction + "000000")[:6])
    day, rest = divmod(total, 86_400_000_000)
    return Moment(day, rest, 0)
