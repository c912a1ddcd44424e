"""Compaction changes the files and nothing that a reader sees; retention deletes what is old."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from loganalyst.dataset.compact import compact
from loganalyst.dataset.dataset import Dataset
from tests.dataset.test_store import SECOND, account, rows

DAY = 86_400 * SECOND
NOW = timedelta(0)


@pytest.fixture
def dataset(tmp_path: Path) -> Dataset:
    made = Dataset.create_or_open(tmp_path / "d")
    for number in range(6):
        times = (number, DAY + number, None)
        made.commit(rows(*times, stream=f"s{number}", source=f"s{number}.log"), [account(f"s{number}")])
    return made


def all_rows(dataset: Dataset) -> list[tuple[Any, ...]]:
    return dataset.connect().sql("SELECT epoch_us(ts), source, line FROM events ORDER BY ALL").fetchall()


def test_fewer_files_hold_the_same_rows(dataset: Dataset) -> None:
    before = all_rows(dataset)
    done = compact(dataset, retention=NOW)
    assert (done.files_before, done.files_after) == (18, 3)
    assert all_rows(dataset) == before


def test_the_sources_stay_as_they_are(dataset: Dataset) -> None:
    before = dataset.connect().sql("FROM sources ORDER BY ALL").fetchall()
    compact(dataset, retention=NOW)
    assert dataset.connect().sql("FROM sources ORDER BY ALL").fetchall() == before
    assert len(dataset.store.account_files()) == 1


def test_a_second_compaction_finds_nothing_to_do(dataset: Dataset) -> None:
    compact(dataset)
    version = dataset.store.version
    compact(dataset)
    assert dataset.store.version == version


def test_readers_of_the_old_state_are_spared_for_a_while(dataset: Dataset) -> None:
    reader = dataset.connect()
    for path in Path(dataset.place.uri).rglob("*.parquet"):
        os.utime(path, (0, 0))  # written long ago, replaced only now
    compact(dataset)
    assert reader.sql("SELECT count(*) FROM events").fetchall() == [(18,)]


def test_what_no_snapshot_needs_goes_from_the_disk_in_time(dataset: Dataset, tmp_path: Path) -> None:
    orphan = tmp_path / "d" / "events" / "date=1970-01-01" / "part-of-a-dead-writer.zstd.parquet"
    orphan.write_bytes(b"half")
    compact(dataset, retention=NOW)
    assert orphan.exists()  # somebody may be about to commit it
    os.utime(orphan, (0, 0))
    compact(dataset, retention=NOW)
    left = [path for path in (tmp_path / "d").rglob("*.parquet") if "_delta_log" not in path.parts]
    assert len(left) == 4
    assert len(all_rows(dataset)) == 18


def test_old_events_are_deleted_and_their_sources_stay_known(dataset: Dataset) -> None:
    moment = datetime.fromtimestamp(0, UTC) + timedelta(microseconds=3)
    done = compact(dataset, older_than=moment)
    assert done.rows_deleted == 3
    assert min(ts for ts, _, _ in all_rows(dataset) if ts is not None) == 3
    assert dataset.connect().sql("SELECT count(*) FROM sources").fetchall() == [(6,)]


def test_events_without_a_time_are_never_too_old(dataset: Dataset) -> None:
    compact(dataset, older_than=datetime(2000, 1, 1, tzinfo=UTC))
    assert [ts for ts, _, _ in all_rows(dataset)] == [None] * 6


def test_large_files_are_left_alone(dataset: Dataset) -> None:
    done = compact(dataset, target_rows=2)
    assert done.files_after == done.files_before
