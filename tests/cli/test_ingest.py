"""`loganalyst ingest` and `loganalyst compact`: what they say, and how they end."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import run
from tests.ingest.samples import broker_line, broker_log


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "broker-1.log"
    path.write_text(broker_log(range(1, 4)))
    return path


def test_what_was_read_is_said_on_stderr(log: Path, tmp_path: Path) -> None:
    done = run("ingest", str(log), "--into", str(tmp_path / "d"))
    assert (done.code, done.out) == (0, "")
    assert done.err.startswith(f"read 1 source, 6 lines, 3 events into {tmp_path / 'd'} in ")


def test_nothing_new_is_said_so(log: Path, tmp_path: Path) -> None:
    run("ingest", str(log), "--into", str(tmp_path / "d"))
    done = run("ingest", str(log), "--into", str(tmp_path / "d"))
    assert done.code == 0
    assert "1 known already, nothing new" in done.err


def test_quiet_says_nothing(log: Path, tmp_path: Path) -> None:
    assert run("ingest", str(log), "--into", str(tmp_path / "d"), "--quiet").err == ""


def test_a_source_that_cannot_be_read_is_named_and_the_exit_code_is_3(log: Path, tmp_path: Path) -> None:
    done = run("ingest", str(tmp_path / "missing.log"), str(log), "--into", str(tmp_path / "d"))
    assert done.code == 3
    assert f"{tmp_path / 'missing.log'}: no such file or directory" in done.err
    assert "read 1 source" in done.err


def test_a_path_that_is_no_dataset_is_refused(log: Path, tmp_path: Path) -> None:
    done = run("ingest", str(log), "--into", str(log))
    assert done.code == 3
    assert "is a file" in done.err
    assert "Traceback" not in done.err


def test_stdin_is_a_source(tmp_path: Path) -> None:
    done = run("ingest", "-", "--into", str(tmp_path / "d"), stdin=broker_line(1))
    assert done.code == 0
    assert done.err.startswith("read 1 source, 1 line, 1 event into ")


def test_the_options_reach_the_rows(log: Path, tmp_path: Path) -> None:
    run("ingest", str(log), "--into", str(tmp_path / "d"), "--cluster", "east", "--tz", "Europe/Berlin")
    done = run("query", str(tmp_path / "d"), "--sql", "SELECT cluster, min(ts) AS ts FROM events GROUP BY 1")
    assert done.out.splitlines()[1] == "east,2026-11-30T23:00:01.123000Z"


def test_compact_says_what_it_did(log: Path, tmp_path: Path) -> None:
    into = str(tmp_path / "d")
    run("ingest", str(log), "--into", into)
    log.write_text(broker_log(range(4, 6)))
    run("ingest", str(log), "--into", into)
    done = run("compact", into, "--keep-hours", "0")
    assert (done.code, done.out) == (0, "")
    assert "2 files are now 1" in done.err
    done = run("compact", into, "--older-than", "2026-12-01T00:00:03Z")
    assert "2 events deleted" in done.err


@pytest.mark.parametrize("age", ["soon", "5x", "-3d"])
def test_a_wrong_age_is_refused(tmp_path: Path, age: str) -> None:
    done = run("compact", str(tmp_path), f"--older-than={age}")
    assert done.code == 2
    assert age in done.err


def test_a_folder_that_is_no_dataset_cannot_be_compacted(tmp_path: Path) -> None:
    assert run("compact", str(tmp_path)).code == 3
