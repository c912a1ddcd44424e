"""The same work on a Dask cluster gives the same rows; where Dask is missing, it is said how to get it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import loganalyst
from loganalyst.dataset.dataset import Dataset
from loganalyst.errors import UsageError
from loganalyst.ingest.engine import engine_of
from tests.ingest.samples import broker_log, ingest

ROWS = "SELECT * EXCLUDE (fields), fields::VARCHAR FROM events ORDER BY ALL"


def test_dask_gives_the_rows_that_local_processes_give(tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    logs.mkdir()
    for number in range(3):
        (logs / f"broker-{number}.log").write_text(broker_log(range(1, 50), group=f"g{number}"))
    loganalyst.ingest(logs, into=tmp_path / "dask", engine="dask", jobs=2, publish=False)
    ingest(tmp_path / "local", logs)
    dask, local = (Dataset.open(tmp_path / name).connect().sql(ROWS).fetchall() for name in ("dask", "local"))
    assert dask == local


def test_without_dask_it_is_said_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(UsageError, match=r"loganalyst\[cluster\]"), engine_of("dask"):
        pass
