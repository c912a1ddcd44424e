"""A recorded incident, ingested as a user would, and opened with all its logs or with a part of them."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime
from pathlib import Path

import duckdb

import loganalyst
from loganalyst.dataset.dataset import Dataset
from loganalyst.dataset.views import load_queries, provide
from tests.recorded import CORPORA, require

VIEWS = (
    "rebalances",
    "leaders",
    "shrinking_episodes",
    "refused_joins",
    "static_restarts",
    "findings",
)
"""What the scoreboard asks for."""

LOGS = {
    "all": "true",
    "clients": "NOT regexp_matches(source, '(^|/)(broker|controller)-[^/]*$')",
    "brokers": "regexp_matches(source, '(^|/)(broker|controller)-[^/]*$')",
}
"""All logs; client logs alone, as of a managed cluster; broker logs alone: which events that leaves."""


def day(corpus: str) -> date:
    """Return the day that an incident was played on: some of its pods print times without a date."""
    first = require(CORPORA / corpus / "truth.jsonl").read_text().split("\n", 1)[0]
    return datetime.fromtimestamp(json.loads(first)["t"] / 1000, UTC).date()


@contextmanager
def ingested(corpus: str) -> Iterator[Path]:
    """Ingest the logs and the tool dumps of an incident into a temporary dataset."""
    with tempfile.TemporaryDirectory() as folder:
        into = Path(folder) / "dataset"
        parts = [str(require(CORPORA / corpus / "logs"))]
        dumps = CORPORA / corpus / "dumps"
        parts += [str(dumps)] if dumps.is_dir() else []
        loganalyst.ingest(parts, into=str(into), date=day(corpus))
        yield into


@contextmanager
def opened(dataset: Path, logs: str) -> Iterator[duckdb.DuckDBPyConnection]:
    """Open a dataset with the views that are compared, made from the events of some of its logs."""
    connection = Dataset.open(str(dataset)).connect()
    connection.execute("ALTER VIEW events RENAME TO every_event")
    connection.execute(f"CREATE VIEW events AS SELECT * FROM every_event WHERE {LOGS[logs]}")
    provide(connection, VIEWS, load_queries())
    yield connection
    connection.close()
