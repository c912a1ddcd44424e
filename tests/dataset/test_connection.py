"""The SQL sandbox: one snapshot can be read, nothing else, and nothing can be written."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

import loganalyst
from loganalyst.dataset.connection import run_sql
from loganalyst.dataset.dataset import Dataset
from loganalyst.errors import QueryError, UsageError
from tests.dataset.test_store import SECOND, account, rows

DAY = 86_400 * SECOND


@pytest.fixture
def dataset(tmp_path: Path) -> Dataset:
    made = Dataset.create_or_open(tmp_path / "dataset")
    made.commit(rows(1, DAY + 1, None), [account()])
    return made


MATRIX = [
    "SELECT * FROM read_text('/etc/passwd')",
    "SELECT * FROM read_csv('/etc/passwd')",
    "SELECT * FROM glob('/etc/*')",
    "FROM '/etc/passwd'",
    "COPY events TO '{outside}/stolen.csv'",
    "COPY (SELECT 1) TO '{dataset}/events/planted.parquet'",
    "EXPLAIN ANALYZE COPY (SELECT 1) TO '{dataset}/events/planted.parquet'",
    "EXPLAIN (ANALYZE) COPY (SELECT 1) TO '{dataset}/events/planted.parquet'",
    "PREPARE p AS COPY (SELECT 1) TO '{dataset}/events/planted.parquet'; EXECUTE p",
    "SELECT 1; COPY (SELECT 1) TO '{dataset}/events/planted.parquet'",
    "ATTACH '{dataset}/events/planted.db'",
    "ATTACH '{outside}/planted.db'",
    "EXPORT DATABASE '{dataset}/events/planted'",
    "INSTALL httpfs",
    "LOAD httpfs",
    "SET enable_external_access = true",
    "SET allowed_directories = ['/']",
    "RESET lock_configuration",
    "PRAGMA enable_external_access",
    "SELECT * FROM read_text('{dataset}/events/link')",
    "SELECT * FROM 'https://example.com/x.parquet'",
    "SELECT * FROM 's3://bucket/x.parquet'",
    "SELECT getenv('HOME')",
]


@pytest.mark.parametrize("statement", MATRIX)
def test_the_sandbox_refuses(dataset: Dataset, tmp_path: Path, statement: str) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "dataset" / "events" / "link").symlink_to("/etc/passwd")
    before = sorted(path.name for path in tmp_path.rglob("*"))
    text = statement.format(dataset=tmp_path / "dataset", outside=tmp_path / "outside")
    with loganalyst.open(tmp_path / "dataset") as opened, pytest.raises(QueryError):
        opened.sql(text).fetchall()
    assert sorted(path.name for path in tmp_path.rglob("*")) == before


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT count(*) FROM events",
        "WITH x AS (FROM events) SELECT count(*) FROM x",
        "FROM sources",
        "SUMMARIZE events",
        "DESCRIBE events",
        "SHOW TABLES",
        "EXPLAIN SELECT 'copy' FROM events",
        "CREATE TEMP TABLE mine AS FROM events; SELECT count(*) FROM mine",
        "SET VARIABLE x = 1; SELECT getvariable('x')",
    ],
)
def test_the_sandbox_lets_ask(dataset: Dataset, statement: str) -> None:
    assert run_sql(dataset.connect(), statement) is not None


def test_unsafe_opens_it(dataset: Dataset, tmp_path: Path) -> None:
    with loganalyst.open(tmp_path / "dataset", unsafe=True) as opened:
        opened.sql(f"COPY (SELECT 1 AS x) TO '{tmp_path}/x.csv'").fetchall()
    assert (tmp_path / "x.csv").read_text() == "x\n1\n"


def test_times_are_utc(dataset: Dataset) -> None:
    found = (
        dataset.connect().sql("SELECT current_setting('TimeZone'), min(ts)::VARCHAR FROM events").fetchall()
    )
    assert found == [("UTC", "1970-01-01 00:00:00.000001+00")]


def test_a_time_range_opens_only_the_files_that_can_hold_it(dataset: Dataset) -> None:
    since = datetime(1970, 1, 2, tzinfo=UTC)
    for path in [file["path"] for file in dataset.store.event_files() if str(file["date"]) != "1970-01-02"]:
        (Path(dataset.place.uri) / "events" / path).write_bytes(b"")
    assert dataset.connect(since=since).sql("SELECT line FROM events").fetchall() == [(2,)]


def test_until_is_exclusive_and_since_inclusive(dataset: Dataset) -> None:
    at = datetime(1970, 1, 1, microsecond=1, tzinfo=UTC)
    assert dataset.connect(until=at).sql("SELECT count(*) FROM events").fetchall() == [(0,)]
    assert dataset.connect(since=at).sql("SELECT count(*) FROM events").fetchall() == [(2,)]


def test_a_group_keeps_what_belongs_to_no_group(dataset: Dataset) -> None:
    assert dataset.connect(group="o'rders").sql("SELECT count(*) FROM events").fetchall() == [(3,)]


def test_a_memory_limit_is_checked(dataset: Dataset) -> None:
    with pytest.raises(UsageError, match="memory"):
        dataset.connect(memory="a lot")
    limit = dataset.connect(memory="300MiB").sql("SELECT current_setting('memory_limit')").fetchall()
    assert limit == [("300.0 MiB",)]


def test_a_wrong_column_is_a_query_error(dataset: Dataset) -> None:
    with pytest.raises(QueryError, match="nonsense"):
        run_sql(dataset.connect(), "SELECT nonsense FROM events")
