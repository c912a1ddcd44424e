"""The Python interface on a real incident."""

from __future__ import annotations

import datetime as dt
import subprocess
import sys
from pathlib import Path

import pytest

import loganalyst
from loganalyst.errors import CatalogueError, DatasetError, UsageError
from tests.recorded import CORPORA, require


@pytest.fixture(scope="module")
def incident(tmp_path_factory: pytest.TempPathFactory) -> Path:
    into = tmp_path_factory.mktemp("api") / "incident"
    summary = loganalyst.ingest(
        require(CORPORA / "one-step-4.1.0" / "logs"), into=into, cluster="east", jobs=1
    )
    assert summary.problems == []
    return into


def test_events_and_views_are_relations(incident: Path) -> None:
    with loganalyst.open(incident) as dataset:
        assert dataset.query("sources").fetchall()
        assert dataset.sql("SELECT DISTINCT cluster FROM events").fetchall() == [("east",)]
        assert dataset.query("rebalances").pl().height > 0
        assert dataset.sql("SELECT max(members) FROM rebalances").fetchall() == [(6,)]


def test_findings_and_report_say_what_happened(incident: Path) -> None:
    with loganalyst.open(incident) as dataset:
        kinds = {kind for (kind,) in dataset.findings().select("kind").fetchall()}
        assert "one_step_assignor_change" in kinds
        assert {finding.kind for finding in dataset.report().findings} == kinds


def test_an_unknown_query_and_a_missing_dataset_are_said_so(incident: Path, tmp_path: Path) -> None:
    with loganalyst.open(incident) as dataset, pytest.raises(UsageError, match="nonsense"):
        dataset.query("nonsense")
    with pytest.raises(DatasetError, match="does not exist"):
        loganalyst.open(tmp_path / "nowhere")


def test_wrong_options_are_said_so(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="2026-13-01"):
        loganalyst.ingest([], into=tmp_path / "d", date="2026-13-01")
    with pytest.raises(UsageError, match="spark"):
        loganalyst.ingest([], into=tmp_path / "d", engine="spark")
    with pytest.raises(UsageError, match="--engine dask"):
        loganalyst.ingest([], into=tmp_path / "d", scheduler="tcp://x:1")


def test_a_parser_file_that_is_not_right_is_said_so(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text("component = 3")
    (tmp_path / "x.log").write_text("x\n")
    with pytest.raises(CatalogueError, match=r"mine\.toml"):
        loganalyst.ingest(tmp_path / "x.log", into=tmp_path / "d", parsers=tmp_path / "mine.toml")


def test_a_date_given_dates_lines_without_one(tmp_path: Path) -> None:
    log = tmp_path / "broker-1.log"
    line = "[GroupCoordinator 1]: Stabilized group g generation {} (__consumer_offsets-17) with 3 members"
    text = "".join(
        f"{time} [main] INFO  k.c.g.GroupCoordinator - {line.format(n)}\n"
        for n, time in enumerate(["23:59:59.900", "00:00:00.100"])
    )
    log.write_text(text)
    loganalyst.ingest(log, into=tmp_path / "dated", date=dt.date(2026, 12, 1))
    loganalyst.ingest(log, into=tmp_path / "undated")
    with loganalyst.open(tmp_path / "dated") as dataset:
        dates = dataset.sql("SELECT ts::DATE::VARCHAR FROM events ORDER BY line").fetchall()
        assert dates == [("2026-12-01",), ("2026-12-02",)]
    with loganalyst.open(tmp_path / "undated") as dataset:
        assert dataset.sql("SELECT count(*) FROM events WHERE ts IS NULL").fetchall() == [(2,)]
        assert dataset.sql("SELECT undated_lines FROM sources").fetchall() == [(2,)]


def test_importing_loganalyst_loads_nothing_heavy() -> None:
    heavy = "{'duckdb', 'polars', 'pyarrow', 'deltalake'}"
    code = f"import loganalyst, sys; print(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_a_script_without_a_main_guard_can_ingest_with_processes(tmp_path: Path) -> None:
    import gzip

    for number in range(2):
        noise = "".join(
            f"[2026-12-01 00:00:00,000] INFO [x {number} {n}] noise (a.B)\n" for n in range(9_000)
        )
        (tmp_path / f"broker-{number}.log.gz").write_bytes(gzip.compress(noise.encode(), compresslevel=0))
    script = tmp_path / "script.py"
    script.write_text(
        "import loganalyst\n"
        f"print(loganalyst.ingest({str(tmp_path)!r}, into={str(tmp_path / 'd')!r}, jobs=2).lines)\n"
    )
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=True)
    assert int(done.stdout) >= 18_000
