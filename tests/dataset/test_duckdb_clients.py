"""`loganalyst.duckdb` serves clients that know nothing of loganalyst, older ones included.

Superset, DBeaver and notebooks come through SQLAlchemy or JDBC; the command line client is the one from PyPI,
which lags a version behind the library.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import sqlalchemy

import loganalyst
from loganalyst.dataset.views import load_queries

COLUMNS = "FROM duckdb_columns() WHERE"
SAMPLE = Path(__file__).resolve().parents[2] / "sample_logs" / "one-step-4.1.0" / "logs"


@pytest.fixture(scope="module")
def catalogue(tmp_path_factory: pytest.TempPathFactory) -> Path:
    dataset = tmp_path_factory.mktemp("clients") / "incident"
    loganalyst.ingest([SAMPLE], into=dataset)
    return dataset / "loganalyst.duckdb"


def duckdb_cli(catalogue: Path, *statements: str) -> list[str]:
    """Run statements in the DuckDB command line client; returns the lines of its CSV output."""
    client = shutil.which("duckdb", path=str(Path(sys.executable).parent)) or shutil.which("duckdb")
    assert client, "no DuckDB client was found: pip install duckdb-cli"
    command = [client, "-readonly", "-csv", "-noheader", "-bail", str(catalogue)]
    done = subprocess.run(
        command, input=";\n".join([*statements, ""]), capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0 and not done.stderr, done.stderr[:2000]
    return done.stdout.splitlines()


def test_every_view_works_in_the_command_line_client(catalogue: Path) -> None:
    names = ["events", "sources", *load_queries()]
    counted = duckdb_cli(catalogue, *(f"SELECT '{name}', count(*) FROM \"{name}\"" for name in names))
    rows = dict(line.split(",") for line in counted)
    assert list(rows) == names
    assert rows["rebalances"] == "10" and int(rows["findings"]) > 0


def test_the_client_shows_what_views_and_columns_mean(catalogue: Path) -> None:
    told = duckdb_cli(
        catalogue,
        "SELECT comment FROM duckdb_views() WHERE view_name = 'rebalances'",
        f"SELECT comment {COLUMNS} table_name = 'rebalances' AND column_name = 'duration_ms'",
        f"SELECT count(*) {COLUMNS} table_name IN ('rebalances', 'events', 'sources') AND comment IS NULL",
    )
    assert told[0] == "one rebalance of a classic group"
    assert told[1].endswith(', in ms"') or told[1].endswith(", in ms")
    assert told[2] == "0"


def test_sqlalchemy_reads_the_views(catalogue: Path) -> None:
    engine = sqlalchemy.create_engine(f"duckdb:///{catalogue}", connect_args={"read_only": True})
    with engine.connect() as connection:
        assert {"rebalances", "findings", "events"} <= set(sqlalchemy.inspect(connection).get_view_names())
        found = connection.execute(
            sqlalchemy.text("SELECT kind, started_at FROM findings WHERE severity = :severity"),
            {"severity": "act"},
        )
        ((kind, started_at),) = found.all()
    engine.dispose()
    assert kind == "one_step_assignor_change" and started_at.tzinfo is not None
