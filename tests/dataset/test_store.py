"""Rows and accounts become visible together, once, whoever writes."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

from loganalyst.dataset.account import RangeAccount
from loganalyst.dataset.dataset import Dataset
from loganalyst.dataset.files import write_events
from loganalyst.dataset.schema import EVENTS, STREAM
from loganalyst.dataset.unit import Unit
from loganalyst.errors import DatasetError

SECOND = 1_000_000
DAY = 86_400 * SECOND


def rows(*times: int | None, stream: str = "s", source: str = "a.log") -> pa.Table:
    """A table of events with these times (epoch µs), on lines 1, 2, …"""
    made = {
        "ts": pa.array(times, pa.int64()).cast(EVENTS.field("ts").type),
        "event": pa.array(["group_stabilized"] * len(times)),
        "source": pa.array([source] * len(times)),
        "line": pa.array(range(1, len(times) + 1), pa.int64()),
        "stream": pa.array([stream] * len(times)),
    }
    schema = EVENTS.append(STREAM)
    return pa.table([made.get(f.name, pa.nulls(len(times), f.type)) for f in schema], schema=schema)


def account(stream: str = "s", start: int = 0, end: int = 100, **more: object) -> RangeAccount:
    values: dict[str, object] = {"lines": 3, "records": 3, "identity": {"rungs": {"1": stream}}, **more}
    return RangeAccount(stream, f"{stream}.log", "f", start, end, **values)  # type: ignore[arg-type]


def count(dataset: Dataset, table: str) -> int:
    return int(dataset.connect().sql(f"SELECT count(*) FROM {table}").fetchall()[0][0])


def test_an_empty_dataset_has_empty_views_with_the_right_columns(tmp_path: Path) -> None:
    dataset = Dataset.create_or_open(tmp_path / "d")
    connection = dataset.connect()
    assert connection.sql("SELECT * FROM events").columns == EVENTS.names
    assert (count(dataset, "events"), count(dataset, "sources")) == (0, 0)


def test_a_commit_shows_rows_and_account(tmp_path: Path) -> None:
    dataset = Dataset.create_or_open(tmp_path / "d")
    assert dataset.commit(rows(1, 2, 3), [account()])
    assert (count(dataset, "events"), count(dataset, "sources")) == (3, 1)


def test_accounts_without_rows_are_kept_too(tmp_path: Path) -> None:
    dataset = Dataset.create_or_open(tmp_path / "d")
    assert dataset.commit(rows(), [account()])
    assert (count(dataset, "events"), count(dataset, "sources")) == (0, 1)


def test_rows_lie_in_a_partition_a_day_and_those_without_a_time_in_their_own(tmp_path: Path) -> None:
    dataset = Dataset.create_or_open(tmp_path / "d")
    dataset.commit(rows(DAY - 1, DAY, None), [account()])
    days = sorted(str(file["date"]) for file in dataset.store.event_files())
    assert days == ["1970-01-01", "1970-01-02", "None"]
    assert dataset.connect().sql("SELECT line FROM events WHERE ts IS NULL").fetchall() == [(3,)]


def test_the_ranges_of_a_source_are_one_row_with_their_sums(tmp_path: Path) -> None:
    dataset = Dataset.create_or_open(tmp_path / "d")
    dataset.commit(rows(1), [account(end=100, lines=3, records=2, foreign_lines=1, first_ts=5, last_ts=6)])
    dataset.commit(
        rows(2), [account(start=100, end=250, lines=4, records=5, foreign_lines=-1, first_ts=7, last_ts=9)]
    )
    connection = dataset.connect()
    connection.execute(
        "SELECT bytes, lines, records, foreign_lines, epoch_us(first_ts), epoch_us(last_ts) FROM sources"
    )
    assert connection.fetchall() == [(250, 7, 7, 0, 5, 9)]


def test_a_source_that_another_process_committed_since_is_refused(tmp_path: Path) -> None:
    one, two = Dataset.create_or_open(tmp_path / "d"), Dataset.open(tmp_path / "d")
    planned = one.ledger().batch
    assert one.commit(rows(1), [account()], planned)
    assert not two.commit(rows(1), [account()], planned)
    assert (count(two, "events"), count(two, "sources")) == (1, 1)


def test_a_longer_or_shorter_version_of_it_is_refused_too(tmp_path: Path) -> None:
    one, two = Dataset.create_or_open(tmp_path / "d"), Dataset.open(tmp_path / "d")
    planned = one.ledger().batch
    assert one.commit(rows(1), [account("x", identity={"rungs": {"1": "a", "2": "b"}})], planned)
    longer = account("y", identity={"rungs": {"1": "a", "2": "b", "4": "c"}})
    shorter = account("z", identity={"rungs": {"1": "a"}})
    assert not two.commit(rows(1), [longer], planned)
    assert not two.commit(rows(1), [shorter], planned)


def test_other_sources_of_another_process_are_no_hindrance(tmp_path: Path) -> None:
    one, two = Dataset.create_or_open(tmp_path / "d"), Dataset.open(tmp_path / "d")
    planned = one.ledger().batch
    assert one.commit(rows(1), [account("x")], planned)
    assert two.commit(rows(1), [account("y")], planned)
    assert count(one, "sources") == 2


def test_accounts_whose_rows_never_came_are_invisible_and_go_with_the_next_commit(tmp_path: Path) -> None:
    dataset = Dataset.create_or_open(tmp_path / "d")
    dataset.commit(rows(1), [account("x")])
    # A process that dies between the two commits leaves this behind.
    dataset.store._add_accounts([account("lost").in_batch(2)], removes=[])
    assert count(dataset, "sources") == 1
    assert dataset.ledger().known("lost") is None
    dataset.commit(rows(2), [account("y")])
    assert sorted(dataset.connect().sql("SELECT source FROM sources").fetchall()) == [("x.log",), ("y.log",)]


def test_a_row_can_be_replaced_by_a_longer_version(tmp_path: Path) -> None:
    dataset = Dataset.create_or_open(tmp_path / "d")
    dataset.commit(rows(1, 2), [account()])
    fresh = write_events(dataset.place.below("events"), rows(7, 8).slice(1))
    dataset.commit_units([Unit(fresh, [account(start=100, end=200)], dataset.store.batch, [("s", 2)])])
    found = dataset.connect().sql("SELECT line, epoch_us(ts) FROM events ORDER BY ALL").fetchall()
    assert found == [(1, 1), (2, 8)]


def test_many_commits_keep_the_logs_and_the_accounts_small(tmp_path: Path) -> None:
    dataset = Dataset.create_or_open(tmp_path / "d")
    for number in range(45):
        dataset.commit(rows(), [account(f"s{number}")])
    assert count(dataset, "sources") == 45
    assert len(dataset.store.account_files()) <= 33
    assert list((tmp_path / "d" / "events" / "_delta_log").glob("*.checkpoint.parquet"))


def test_a_reader_keeps_its_snapshot(tmp_path: Path) -> None:
    dataset = Dataset.create_or_open(tmp_path / "d")
    dataset.commit(rows(1), [account("x")])
    before = dataset.connect()
    dataset.commit(rows(2), [account("y")])
    assert before.sql("SELECT count(*) FROM events").fetchall() == [(1,)]
    assert before.sql("SELECT count(*) FROM sources").fetchall() == [(1,)]


@pytest.mark.parametrize(
    "make", [lambda path: path.mkdir(), lambda path: path.write_text("x"), lambda path: None]
)
def test_what_is_no_dataset_is_refused_with_advice(tmp_path: Path, make: object) -> None:
    path = tmp_path / "d"
    make(path)  # type: ignore[operator]
    with pytest.raises(DatasetError, match="loganalyst ingest"):
        Dataset.open(path)


def test_a_folder_that_holds_something_else_is_not_made_a_dataset(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("x")
    with pytest.raises(DatasetError, match=r"not empty .*thesis"):
        Dataset.create_or_open(tmp_path)
    assert [entry.name for entry in tmp_path.iterdir()] == ["thesis.tex"]


def test_a_dataset_of_a_newer_version_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("loganalyst.dataset.store._CONFIGURATION", {"loganalyst.schema": "99"})
    with pytest.raises(DatasetError, match="upgrade loganalyst"):
        Dataset.create_or_open(tmp_path / "d")


def test_a_dataset_of_an_older_version_shows_new_columns_as_null(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    older = pa.schema([f for f in EVENTS if f.name != "assignor"])
    monkeypatch.setattr(
        "loganalyst.dataset.store.STORED_EVENTS", older.append(STREAM).append(pa.field("date", pa.date32()))
    )
    Dataset.create_or_open(tmp_path / "d")
    monkeypatch.undo()
    connection = Dataset.open(tmp_path / "d").connect()
    assert connection.sql("SELECT * FROM events").columns == EVENTS.names
