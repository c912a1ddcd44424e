"""Places a source in time: the zone of stamps that print none, and the date of those that print none."""

from __future__ import annotations

import fnmatch
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from loganalyst.envelopes import zones
from loganalyst.envelopes.reading import Reading, TimeHints
from loganalyst.envelopes.record import LineCounts, Record

_EPOCH = date(1970, 1, 1).toordinal()
_QUARTER = 15 * 60 * 1_000_000
# A runtime stamps a line at most this long after the program did (and a little before, where clocks are read
# apart).
_LATE = 5 * 60 * 1_000_000
_EARLY = 2_000_000
_NAMED_DATE = re.compile(r"(?<!\d)(20\d\d)[-_.]?(0[1-9]|1[0-2])[-_.]?(0[1-9]|[12]\d|3[01])(?!\d)")
_DAY = 86_400_000_000
# Clocks are compared over so many lines.
_LOOKED_AT = 120


def place_in_time(reading: Reading, sample: Sequence[str], hints: TimeHints) -> Reading:
    """Complete `reading` with zone, day and year, and say in `timezone` where they come from."""
    zone, why = _told(reading.name, hints)
    zones.zone(zone)
    reading = replace(reading, zone=zone, timezone=why)
    if why == _DEFAULT and reading.wrappers:
        reading = _inferred(reading, _records(reading, sample[:_LOOKED_AT]), sample[:_LOOKED_AT])
    return _dated(reading, sample, hints)


_DEFAULT = "UTC (default)"


def _told(name: str, hints: TimeHints) -> tuple[str, str]:
    for glob, zone in hints.source_tz:
        if fnmatch.fnmatch(name, glob) or fnmatch.fnmatch(name.rsplit("/", 1)[-1], glob):
            return zone, f"{zone} (--source-tz {glob})"
    if hints.tz:
        return hints.tz, f"{hints.tz} (--tz)"
    return "UTC", _DEFAULT


def _records(reading: Reading, sample: Sequence[str]) -> list[Record]:
    from loganalyst.envelopes.assemble import Assembler

    assembler = Assembler(reading, LineCounts())
    for line in sample:
        assembler.push(line)
    return assembler.take(True)


def _inferred(reading: Reading, records: Sequence[Record], sample: Sequence[str]) -> Reading:
    """The zone that the wrapper's clock proves: it is ahead or behind by the same number of quarters of an
    hour in all lines.

    Only where the lines print no zone and the wrapper does.
    """
    elsewhere = {record.line: record for record in _records(replace(reading, zone="+01:00"), sample)}
    quarters: Counter[int] = Counter()
    for record in records:
        wrapper = record.wrapper.ts if record.wrapper is not None else None
        moved = elsewhere.get(record.line)
        if wrapper is None or record.ts is None or moved is None or moved.wrapper is None:
            continue
        # Only a line without a zone moves when another is assumed, and only a wrapper with one stays.
        if moved.ts == record.ts or moved.wrapper.ts != wrapper:
            continue
        behind = wrapper - record.ts
        quarter = round((behind - _LATE // 4) / _QUARTER)
        if -_EARLY <= behind - quarter * _QUARTER <= _LATE:
            quarters[quarter] += 1
        else:
            quarters[10_000] += 1
    if not quarters:
        return reading
    (quarter, count), total = quarters.most_common(1)[0], sum(quarters.values())
    if count < 0.95 * total or abs(quarter) > 14 * 4 or not quarter:
        return reading
    zone = zones.offset_name(-quarter * 15)
    return replace(reading, zone=zone, timezone=f"{zone} (told by the wrapper's clock)")


def _dated(reading: Reading, sample: Sequence[str], hints: TimeHints) -> Reading:
    """The date of dateless stamps: as told, or proved by the wrapper, by the source's name, or by a line with
    a date."""
    if hints.date is not None:
        return replace(reading, day=hints.date.toordinal() - _EPOCH, year=hints.date.year)
    if all(layout.shape not in _DATELESS for layout in reading.layouts):
        return reading
    named = _NAMED_DATE.search(reading.name)
    if named is not None:
        try:
            day = date(int(named[1]), int(named[2]), int(named[3]))
        except ValueError:
            return reading
        note = f"; date {day.isoformat()} from the name"
        return replace(reading, day=day.toordinal() - _EPOCH, year=day.year, timezone=reading.timezone + note)
    records = _records(reading, sample)
    dated = next(
        (r.ts for r in records if r.ts is not None and r.wrapper is not None and r.wrapper.ts == r.ts), None
    )
    note = "; date from the wrapper's clock"
    if dated is None:
        dated = next((record.ts for record in records if record.ts is not None), None)
        note = "; date from lines that have one"
    if dated is None:
        return reading
    day = date.fromordinal(dated // _DAY + _EPOCH)
    return replace(reading, day=dated // _DAY, year=day.year, timezone=reading.timezone + note)


_DATELESS = frozenset({"clock", "syslog", "no-year"})
