"""Of a source that breaks in the middle, everything before the break is kept and accounted for."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

import loganalyst

LINE = (
    "[2026-12-01 00:00:{second:02d},{milli:03d}] INFO [GroupCoordinator 1]: Stabilized group orders "
    "generation {generation} (__consumer_offsets-17) with 6 members "
    "(kafka.coordinator.group.GroupCoordinator)\n"
)


def broker_log(lines: int) -> bytes:
    return "".join(
        LINE.format(second=number // 1000 % 60, milli=number % 1000, generation=number)
        for number in range(1, lines + 1)
    ).encode()


@pytest.mark.parametrize("lines", [40, 3_000, 20_000])
def test_cut_gzip_keeps_every_line_before_the_cut(tmp_path: Path, lines: int) -> None:
    whole = gzip.compress(broker_log(lines), 6)
    cut = tmp_path / "broker-1.log.gz"
    cut.write_bytes(whole[: len(whole) * 9 // 10])

    summary = loganalyst.ingest([str(cut)], into=str(tmp_path / "dataset"))

    assert [source for source, _ in summary.problems] == [str(cut)]
    reason = summary.problems[0][1]
    read = int(reason.split(" bytes before that were read")[0].rsplit(" ", 1)[1].replace(",", ""))
    whole_lines = broker_log(lines)[:read].count(b"\n")
    assert whole_lines > lines // 2
    with loganalyst.open(tmp_path / "dataset") as dataset:
        events = dataset.sql("SELECT count(*), max(line) FROM events").fetchall()[0]
        counted = dataset.sql(
            "SELECT lines, records + continuation_lines + foreign_lines + undated_lines FROM sources"
        ).fetchall()[0]
    assert whole_lines <= events[0] <= whole_lines + 1
    assert events[1] == events[0]
    assert counted[0] == counted[1]
    assert whole_lines <= counted[0] <= whole_lines + 1
