"""Turns printed time stamps into epoch microseconds, knowing the zone and the date that a stamp leaves
out."""

from __future__ import annotations

import re
from datetime import UTC, datetime, tzinfo

from loganalyst.envelopes import times, zones
from loganalyst.envelopes.layouts import shape_of
from loganalyst.envelopes.times import Moment, day_number

DAY = 86_400_000_000
_ISO = re.compile(r"(\d{4})[-/.](\d\d)[-/.](\d\d)[T _](\d\d):(\d\d):(\d\d)$")
_REST = re.compile(rf"(?:[.,:](\d{{1,9}}))?{times._ZONE}$")
_CACHED = 4096
_GONE_BACK = 20 * 60 * 1_000_000
_BACKWARDS = 12 * 3600 * 1_000_000
# Just after midnight a line of the day before may still come, printed late by another thread.
_LATE = 3600 * 1_000_000


class Clock:
    """Reads the stamps of one source in order.

    `zone` is the zone of stamps without one. `day` is the date of the first dateless stamp (days since
    1970-01-01) or
    `None`; it rolls over when the time of day falls by more than half a day. `year` completes stamps without
    a
    year and rolls over at New Year.
    """

    def __init__(self, zone: str = "UTC", day: int | None = None, year: int | None = None) -> None:
        """Begin before the first stamp of a source."""
        self._zone: tzinfo = zones.zone(zone)
        self.day = day
        self.year = year
        self._last: int | None = None
        self._rolled = False
        self._latest: int | None = None
        self._last_month: int | None = None
        self._seconds: dict[str, tuple[int, int] | None] = {}
        self._rests: dict[str, tuple[int, int | None] | None] = {}

    def read(self, text: str) -> int | None:
        """Epoch microseconds of a printed stamp, or `None` if it is no time or its date is not known."""
        # Stamps repeat their first nineteen characters (to the second) and, apart from those, their
        # milliseconds.
        key, rest = text[:19], text[19:]
        try:
            base = self._seconds[key]
            tail = self._rests[rest]
        except KeyError:
            return self._learn(text, key, rest)
        if base is None or tail is None:
            return self.of(text)
        micros, offset = tail
        return base[0] + micros if offset is None else base[1] + micros - offset

    def _learn(self, text: str, key: str, rest: str) -> int | None:
        if len(self._seconds) > _CACHED:
            self._seconds.clear()
        if len(self._rests) > _CACHED:
            self._rests.clear()
        if key not in self._seconds:
            self._seconds[key] = self._iso(key)
        if rest not in self._rests:
            found = _REST.match(rest)
            offset = times.read_offset(found["z"]) if found else None
            self._rests[rest] = (
                (int(((found[1] or "") + "000000")[:6]), None if offset is None else offset * 60_000_000)
                if found
                else None
            )
        base, tail = self._seconds[key], self._rests[rest]
        if base is None or tail is None:
            return self.of(text)
        return base[0] + tail[0] if tail[1] is None else base[1] + tail[0] - tail[1]

    def _iso(self, key: str) -> tuple[int, int] | None:
        found = _ISO.match(key)
        if found is None:
            return None
        year, month, dom, hour, minute, second = map(int, found.groups())
        day = day_number(year, month, dom)
        if day is None or hour > 23 or minute > 59 or second > 60:
            return None
        naive = day * DAY + ((hour * 60 + minute) * 60 + second) * 1_000_000
        # A stamp of the hour that comes twice means now the one, now the other: it is not remembered.
        return None if self._twice(naive) else (self._utc(naive), naive)

    def of(self, text: str) -> int | None:
        """Like `read`, for stamps of any shape."""
        shape = shape_of(text)
        moment = times.read(shape, text) if shape else None
        return None if moment is None else self.instant(moment)

    def instant(self, moment: Moment) -> int | None:
        """Epoch microseconds of what a stamp says, or `None` if its date is not known."""
        day = moment.day
        if day is None and moment.month_day is not None:
            day = self._with_year(moment.month_day)
        elif day is None and self.day is not None:
            day = self._rolling(moment.micros, self.day)
        if day is None:
            return None
        return self._zoned(day * DAY + moment.micros, moment.offset)

    def _rolling(self, micros: int, day: int) -> int:
        """The day of a dateless stamp: the next one when the clock fell by more than half a day."""
        if self._last is not None and self._last - micros > _BACKWARDS:
            self.day = day + 1
            self._rolled = True
            self._last = micros
            return day + 1
        if self._rolled and self._last is not None and self._last < _LATE and micros > DAY - _LATE:
            return day - 1
        self._last = micros
        return day

    def _with_year(self, month_day: tuple[int, int]) -> int | None:
        if self.year is None:
            return None
        month, dom = month_day
        if self._last_month is not None and self._last_month - month > 6:
            self.year += 1
        self._last_month = month
        return day_number(self.year, month, dom)

    def _zoned(self, naive: int, offset: int | None) -> int:
        return self._utc(naive) if offset is None else naive - offset * 60_000_000

    def _utc(self, naive: int) -> int:
        if self._zone is UTC:
            return naive
        first, second = self._both(naive)
        # In the hour that comes twice, the second time has come when the clock has gone back.
        again = second > first and self._latest is not None and first < self._latest - _GONE_BACK
        found = second if again else first
        if self._latest is None or found > self._latest:
            self._latest = found
        return found

    def _twice(self, naive: int) -> bool:
        if self._zone is UTC:
            return False
        first, second = self._both(naive)
        return second > first

    def _both(self, naive: int) -> tuple[int, int]:
        """The instants that a local time means before and after the clock was put back; mostly the same."""
        seconds, micros = divmod(naive, 1_000_000)
        local = datetime.fromtimestamp(seconds, UTC).replace(tzinfo=self._zone)
        first, second = (int(local.replace(fold=fold).timestamp()) * 1_000_000 + micros for fold in (0, 1))
        return first, second
