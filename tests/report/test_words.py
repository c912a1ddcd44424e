"""Durations, times and lists as people read them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from loganalyst.report.words import clock, human_list, human_ms, period, plural

AT = datetime(2026, 12, 1, 0, 40, 0, 123456, tzinfo=UTC)


@pytest.mark.parametrize(
    ("ms", "text"),
    [
        (None, "?"),
        (0, "0 ms"),
        (850.4, "850 ms"),
        (9050, "9.1 s"),
        (150_000, "2.5 min"),
        (7_200_000, "2.0 h"),
        (2e8, "2.3 d"),
    ],
)
def test_durations(ms: float | None, text: str) -> None:
    assert human_ms(ms) == text


def test_lists() -> None:
    assert [human_list(names) for names in ([], ["a"], ["a", "b"], ["a", "b", "c"])] == [
        "none",
        "a",
        "a and b",
        "a, b and c",
    ]
    assert human_list(list("abcdefghij")) == "a, b, c, d, e, f, g and 3 more"


def test_times_are_utc_with_milliseconds() -> None:
    assert clock(AT) == "00:40:00.123"
    assert clock(None) == "undated"
    assert period(AT, AT + timedelta(minutes=1)) == "2026-12-01 00:40:00.123 to 00:41:00.123 UTC"
    assert period(AT, AT + timedelta(days=1)) == "2026-12-01 00:40:00.123 to 2026-12-02 00:40:00.123 UTC"
    assert period(AT, None) == "from 2026-12-01 00:40:00.123 UTC"
    assert period(None, None) == "undated"


def test_numbers_with_their_noun() -> None:
    assert [plural(1, "group"), plural(12000, "line"), plural(2, "copy", "copies")] == [
        "1 group",
        "12,000 lines",
        "2 copies",
    ]
