# ruff: noqa: E501 - log lines are as long as they are
"""Stamps of every shape mean one instant."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from loganalyst.envelopes.clock import Clock
from loganalyst.envelopes.layouts import shape_of

SECONDS = 1_733_011_200

STAMPS = [
    "2024-12-01 00:00:00", "2024-12-01T00:00:00Z", "2024-12-01 00:00:00,000", "2024-12-01T00:00:00.000000000+00:00",
    "2024-12-01T01:00:00+0100", "2024-11-30 19:00:00.000 -05:00", "2024-12-01 01:00:00 CET", "2024/12/01 00:00:00",
    "2024.12.01 00:00:00.000", "20241201T000000Z", "20241201 00:00:00.000", "01-Dec-2024 00:00:00.000",
    "01/Dec/2024:00:00:00 +0000", "01 Dec 2024 00:00:00,000", "Dec 1, 2024 12:00:00 AM", "Dec 1, 2024 @ 00:00:00.000",
    "Sun Dec  1 00:00:00 2024", "Sun Dec 01 00:00:00 UTC 2024", "12/1/2024, 12:00:00.000 AM", "01.12.2024 00:00:00",
    "24/12/01 00:00:00", "1733011200", "1733011200.000", "1733011200000", "1733011200000000", "1733011200000000000",
]  # fmt: skip


@pytest.mark.parametrize("stamp", STAMPS)
def test_every_shape_means_the_same_instant(stamp: str) -> None:
    assert Clock().read(stamp) == SECONDS * 1_000_000
    assert shape_of(stamp) is not None


def test_fractions_are_read_to_the_microsecond() -> None:
    clock = Clock()
    assert clock.read("2024-12-01 00:00:00,123") == SECONDS * 1_000_000 + 123_000
    assert clock.read("2024-12-01T00:00:00.123456789Z") == SECONDS * 1_000_000 + 123_456
    assert clock.read("2024-12-01T00:00:00.1Z") == SECONDS * 1_000_000 + 100_000
    assert clock.read("1733011200.1234567") == SECONDS * 1_000_000 + 123_456


@pytest.mark.parametrize(
    "stamp", ["2024-02-30 00:00:00", "2024-12-01 25:00:00", "2024-13-01 00:00:00", "13:00:00 PM"]
)
def test_impossible_stamps_have_no_time(stamp: str) -> None:
    assert Clock(day=20_000).read(stamp) is None


def test_a_stamp_without_a_zone_is_in_the_sources_zone() -> None:
    berlin = Clock("Europe/Berlin")
    assert berlin.read("2024-12-01 01:00:00") == SECONDS * 1_000_000
    assert berlin.read("2024-12-01 00:00:00Z") == SECONDS * 1_000_000
    assert Clock("+05:30").read("2024-12-01 05:30:00") == SECONDS * 1_000_000


def test_dateless_stamps_roll_over_at_midnight_and_late_lines_do_not() -> None:
    day = SECONDS // 86_400
    clock = Clock(day=day)
    read = [
        clock.read(stamp)
        for stamp in ("23:59:58.000", "23:59:59.500", "00:00:00.100", "23:59:59.900", "00:00:01")
    ]
    at = [None if ts is None else (ts - SECONDS * 1_000_000) / 1e6 for ts in read]
    assert at == [86_398, 86_399.5, 86_400.1, 86_399.9, 86_401]


def test_a_long_quiet_morning_is_no_day_before() -> None:
    clock = Clock(day=0)
    assert [clock.read(s) for s in ("00:30:00", "13:00:00", "23:30:00")] == [
        1_800_000_000, 13 * 3_600_000_000, 84_600_000_000,
    ]  # fmt: skip


def test_stamps_without_a_year_roll_over_at_new_year() -> None:
    clock = Clock(year=2024)
    first, second = clock.read("Dec 31 23:59:59"), clock.read("Jan  1 00:00:01")
    assert first == datetime(2024, 12, 31, 23, 59, 59, tzinfo=UTC).timestamp() * 1e6
    assert second == datetime(2025, 1, 1, 0, 0, 1, tzinfo=UTC).timestamp() * 1e6


def test_without_a_date_there_is_no_time() -> None:
    assert Clock().read("00:00:00.123") is None
    assert Clock().read("Dec  1 00:00:00") is None
