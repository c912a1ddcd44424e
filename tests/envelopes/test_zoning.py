# ruff: noqa: E501 - log lines are as long as they are
"""Zone and date come from the user, from the wrapper's clock, or from the name; where they are unknown nothing is guessed."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from loganalyst.envelopes import TimeHints
from loganalyst.envelopes.zones import zone
from loganalyst.errors import UsageError
from tests.envelopes.reading_of import read

MESSAGE = "INFO Stabilized group orders generation 7 (kafka.coordinator.group.GroupCoordinator)"


def micros(*moment: int) -> int:
    return int(datetime(*moment, tzinfo=UTC).timestamp() * 1e6)  # type: ignore[arg-type]


def test_lines_without_a_zone_are_utc_unless_told() -> None:
    text = f"[2026-07-01 12:00:00,000] {MESSAGE}\n"
    reading, (record,), _ = read(text)
    assert (record.ts, reading.timezone) == (micros(2026, 7, 1, 12), "UTC (default)")
    reading, (record,), _ = read(text, hints=TimeHints(tz="Europe/Berlin"))
    assert (record.ts, reading.timezone) == (micros(2026, 7, 1, 10), "Europe/Berlin (--tz)")


def test_a_source_may_have_its_own_zone() -> None:
    hints = TimeHints(tz="UTC", source_tz=(("*broker*", "Asia/Kolkata"),))
    text = f"[2026-07-01 12:00:00,000] {MESSAGE}\n"
    assert read(text, "logs/broker-1.log", hints)[1][0].ts == micros(2026, 7, 1, 6, 30)
    assert read(text, "logs/orders.log", hints)[1][0].ts == micros(2026, 7, 1, 12)


def test_a_printed_zone_wins_over_every_hint() -> None:
    text = "2026-07-01T12:00:00.000+02:00  INFO 1 --- [main] c.e.Foo : hello there\n"
    assert read(text, hints=TimeHints(tz="America/New_York"))[1][0].ts == micros(2026, 7, 1, 10)


def test_an_unknown_zone_is_refused_with_its_neighbours() -> None:
    with pytest.raises(UsageError, match="Europe/Berlin"):
        zone("Europe/Berln")
    with pytest.raises(UsageError, match="unknown time zone"):
        read("x\n", hints=TimeHints(tz="nonsense"))


def test_the_wrappers_clock_proves_the_zone_of_the_lines() -> None:
    text = "".join(
        f"2026-12-01T07:0{n}:00.010000000Z [2026-12-01 12:3{n}:00,000] {MESSAGE}\n" for n in range(8)
    )
    reading, records, _ = read(text)
    assert reading.zone == "+05:30"
    assert "wrapper's clock" in reading.timezone
    assert records[0].ts == micros(2026, 12, 1, 7, 0)


def test_a_wrapper_without_a_zone_proves_nothing() -> None:
    text = "".join(
        f"Jan 17, 2026 @ 15:5{n}:14.704\t[2026-01-17 10:2{n}:14,704] {MESSAGE}\n" for n in range(4)
    )
    reading, records, _ = read(text)
    assert reading.zone == "UTC"
    assert records[0].ts == micros(2026, 1, 17, 10, 20, 14) + 704_000


def test_clocks_that_differ_by_no_whole_quarter_prove_nothing() -> None:
    text = "".join(
        f"2026-12-01T07:0{n}:00.010000000Z [2026-12-01 06:5{n}:00,000] {MESSAGE}\n" for n in range(8)
    )
    assert read(text)[0].zone == "UTC"


def test_a_line_without_a_time_has_its_wrappers() -> None:
    text = "2026-12-01T00:00:00.123456789Z stdout F joined group search as member m in generation 3\n"
    _, (record,), counts = read(text)
    assert record.ts == micros(2026, 12, 1) + 123_456
    assert counts.records == 1


CLOCKED = "".join(
    f"{stamp} [main] INFO  c.e.Foo - hello\n" for stamp in ("23:59:58.000", "23:59:59.000", "00:00:01.000")
)


def test_dateless_lines_stay_undated_without_proof() -> None:
    _, records, counts = read(CLOCKED)
    assert [r.ts for r in records] == [None] * 3
    assert (counts.undated, counts.records) == (3, 0)


def test_a_told_date_is_that_of_the_first_line_and_rolls_over_midnight() -> None:
    _, records, counts = read(CLOCKED, hints=TimeHints(date=date(2026, 12, 1)))
    assert [r.ts for r in records] == [
        micros(2026, 12, 1, 23, 59, 58), micros(2026, 12, 1, 23, 59, 59), micros(2026, 12, 2, 0, 0, 1),
    ]  # fmt: skip
    assert counts.records == 3


@pytest.mark.parametrize("name", ["app-2026-12-01.log", "logs/app.20261201.txt", "2026-12-01/app.log"])
def test_the_name_may_prove_the_date(name: str) -> None:
    reading, records, _ = read(CLOCKED, name)
    assert records[0].ts == micros(2026, 12, 1, 23, 59, 58)
    assert "2026-12-01" in reading.timezone


def test_the_wrappers_clock_proves_the_date_of_dateless_lines() -> None:
    text = "".join(
        f"2026-12-01T08:00:0{n}.000000000Z 08:00:0{n}.000 [main] INFO  c.e.Foo - hello\n" for n in range(5)
    )
    _, records, _ = read(text)
    assert [r.ts for r in records] == [micros(2026, 12, 1, 8, 0, n) for n in range(5)]


def test_the_hour_that_comes_twice_is_read_in_order() -> None:
    stamps = ("01:59:59", "02:00:10", "02:30:00", "02:59:59", "02:00:10", "02:30:00", "02:59:59", "03:00:00")
    text = "".join(f"[2026-10-25 {stamp},000] {MESSAGE}\n" for stamp in stamps)
    _, records, _ = read(text, hints=TimeHints(tz="Europe/Berlin"))
    times = [record.ts or 0 for record in records]
    assert times == sorted(times)
    assert times[2] == micros(2026, 10, 25, 0, 30)
    assert times[5] == micros(2026, 10, 25, 1, 30)
    assert times[-1] == micros(2026, 10, 25, 2, 0)
