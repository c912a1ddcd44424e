"""Writes that fail: a file that may not grow (as on a full disk), and output that nobody takes.

`LOGANALYST_LIMITS` sets how many sizes are tried (the soak: 60).
"""

from __future__ import annotations

import os
import random
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from loganalyst.dataset.dataset import Dataset
from loganalyst.errors import DatasetError
from tests.ingest.samples import broker_log

LIMITS = int(os.environ.get("LOGANALYST_LIMITS", "3"))
ROWS = "SELECT * EXCLUDE (fields), fields::VARCHAR FROM events ORDER BY ALL"


def ingest(log: Path, into: Path, limit: int | None = None) -> subprocess.CompletedProcess[str]:
    """Ingest in a process of its own whose files may not grow beyond `limit` bytes."""

    def restrict() -> None:
        if limit is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    command = [sys.executable, "-m", "loganalyst", "ingest", str(log), "--into", str(into), "--jobs", "1"]
    return subprocess.run(
        command, preexec_fn=restrict, capture_output=True, text=True, timeout=300, check=False
    )


def rows(into: Path) -> list[tuple[object, ...]]:
    return Dataset.open(into).connect().sql(ROWS).fetchall()


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("writes") / "broker.log"
    path.write_text(broker_log(range(1, 400)))
    return path


@pytest.fixture(scope="module")
def undisturbed(log: Path) -> Path:
    into = log.parent / "undisturbed"
    assert ingest(log, into).returncode == 0
    return into


@pytest.mark.parametrize("seed", range(LIMITS))
def test_a_disk_that_is_full_fails_clearly_and_a_rerun_completes(
    seed: int, log: Path, undisturbed: Path, tmp_path: Path
) -> None:
    into = tmp_path / "d"
    limit = [700, 4_000, 60_000][seed] if seed < 3 else random.Random(seed).randrange(1, 200_000)
    failed = ingest(log, into, limit)
    assert "Traceback" not in failed.stderr and "internal error" not in failed.stderr
    assert failed.returncode in (0, 3), failed.stderr
    try:
        seen = rows(into)
    except DatasetError:
        seen = []  # it failed before there was a dataset
    assert seen in ([], rows(undisturbed))
    assert ingest(log, into).returncode == 0
    assert rows(into) == rows(undisturbed)


def test_output_to_a_full_device_is_an_error(undisturbed: Path) -> None:
    for options in (["--format", "csv"], ["--format", "parquet"]):
        command = [
            sys.executable,
            "-m",
            "loganalyst",
            "query",
            str(undisturbed),
            "events",
            *options,
            "-o",
            "/dev/full",
        ]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
        assert done.returncode in (2, 3)
        assert "/dev/full" in done.stderr and "Traceback" not in done.stderr


def test_a_dataset_that_cannot_be_made_is_an_error(log: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    done = ingest(log, tmp_path / "file" / "d")
    assert done.returncode == 3
    assert "Traceback" not in done.stderr and "file" in done.stderr
