"""A recorded incident, ingested as a user would, and opened with all its logs or with a part of them."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb

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

LOGS = ("all", "clients", "brokers")
"""All logs; client logs alone, as of a managed cluster; broker logs alone."""


def paths(corpus: str, logs: str) -> list[Path]:
    """Name the files of an incident: all logs, those of the clients or those of the brokers."""
    files = sorted(require(CORPORA / corpus / "logs").iterdir())
    brokers = [file for file in files if file.name.startswith(("broker-", "controller-"))]
    chosen = {"all": files, "brokers": brokers, "clients": [file for file in files if file not in brokers]}
    return chosen[logs]


@contextmanager
def opened(corpus: str, logs: str) -> Iterator[duckdb.DuckDBPyConnection]:
    """Ingest an incident into a temporary dataset and open it with the views that are compared."""
    import loganalyst

    with tempfile.TemporaryDirectory() as folder:
        into = Path(folder) / "dataset"
        loganalyst.ingest([str(path) for path in paths(corpus, logs)], into=str(into))
        connection = Dataset.open(str(into)).connect()
        provide(connection, VIEWS, load_queries())
        yield connection
        connection.close()
