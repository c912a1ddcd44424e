"""A clean dataset of a real incident, and sessions over altered copies of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest

import loganalyst
from loganalyst.dataset.dataset import Dataset
from tests.recorded import CORPORA, require

Altered = Callable[..., duckdb.DuckDBPyConnection]


@pytest.fixture(scope="session")
def clean(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dataset of the recorded storm: six rebalances a minute, members thrown out and coming back."""
    dataset = tmp_path_factory.mktemp("quality") / "storm"
    logs = require(CORPORA / "storm-3.7.1" / "logs")
    loganalyst.ingest(str(logs), into=dataset, date="2026-12-01", jobs=1)
    return dataset


@pytest.fixture(scope="session")
def tables(clean: Path) -> tuple[pa.Table, pa.Table]:
    """Its two tables."""
    connection = Dataset.open(clean).connect()
    events = connection.sql("FROM events").to_arrow_table()
    sources = connection.sql("FROM sources").to_arrow_table()
    return events, sources


@pytest.fixture
def altered(tables: tuple[pa.Table, pa.Table]) -> Altered:
    """Open a session over a copy of the tables that SQL statements have altered."""

    def open_session(*statements: str) -> duckdb.DuckDBPyConnection:
        connection = duckdb.connect()
        connection.execute("SET TimeZone = 'UTC'")
        for name, table in zip(("events", "sources"), tables, strict=True):
            connection.register(f"clean_{name}", table)
            connection.execute(f"CREATE TABLE {name} AS FROM clean_{name}")
        for statement in statements:
            connection.execute(statement)
        return connection

    return open_session
