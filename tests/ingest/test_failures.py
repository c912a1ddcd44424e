"""Disks fill up, folders turn read-only, files vanish: said clearly, and made up for by a plain re-run."""

from __future__ import annotations

import errno
import gzip
import os
from pathlib import Path
from typing import Any

import pytest

from loganalyst.dataset import files as data_files
from loganalyst.dataset.dataset import Dataset
from loganalyst.dataset.store import Store
from loganalyst.errors import DatasetError
from loganalyst.ingest import pipeline
from tests.ingest.samples import broker_log, ingest

ROWS = "SELECT * EXCLUDE (fields), fields::VARCHAR FROM events ORDER BY ALL"


def look(into: Path) -> list[tuple[Any, ...]]:
    return Dataset.open(into).connect().sql(ROWS).fetchall()


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    folder = tmp_path / "logs"
    folder.mkdir()
    for number in range(3):
        (folder / f"broker-{number}.log").write_text(broker_log(range(1, 20), group=f"g{number}"))
    return folder


def full(*_: object, **__: object) -> Any:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_full_disk_is_said_so_and_leaves_nothing_half(
    logs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    into = tmp_path / "d"
    monkeypatch.setattr(data_files, "_write", full)
    with pytest.raises(DatasetError, match=r"d/events: cannot be written: No space left"):
        ingest(into, logs)
    assert look(into) == []
    monkeypatch.undo()
    ingest(into, logs)
    assert len(look(into)) == 3 * 19


@pytest.mark.parametrize("call", range(2))
def test_a_commit_that_fails_at_any_step_is_made_up_for(
    call: int, logs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    into = tmp_path / "d"
    Dataset.create_or_open(into)
    calls = 0
    original = Store._log

    def failing(*arguments: Any) -> None:
        nonlocal calls
        calls += 1
        if calls == call + 1:
            full()
        original(*arguments)

    monkeypatch.setattr(Store, "_log", failing)
    with pytest.raises(DatasetError, match="No space left"):
        ingest(into, logs)
    assert look(into) == []
    ingest(into, logs)
    assert len(look(into)) == 3 * 19


def test_a_dataset_that_may_not_be_written_can_be_read(
    logs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    into = tmp_path / "d"
    ingest(into, logs)
    refused = OSError(errno.EACCES, os.strerror(errno.EACCES))

    def no_lock(*_: object) -> int:
        raise refused

    # Permissions do not hold for root, under whom tests may run: refuse what the system would.
    monkeypatch.setattr("loganalyst.dataset.lock.os.open", no_lock)
    assert len(look(into)) == 3 * 19
    (logs / "broker-9.log").write_text(broker_log(range(50, 60)))
    with pytest.raises(DatasetError, match="cannot be written: Permission denied"):
        ingest(into, logs)


def test_a_file_that_vanishes_before_it_is_read_is_told_and_the_rest_is_read(
    logs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    original = pipeline._read_slice

    def vanishing(part: Any, *arguments: Any) -> None:
        if part.source.name.endswith("broker-1.log"):
            Path(part.source.name).unlink()
        original(part, *arguments)

    monkeypatch.setattr(pipeline, "_read_slice", vanishing)
    summary = ingest(tmp_path / "d", logs)
    assert [(Path(source).name, reason) for source, reason in summary.problems] == [
        ("broker-1.log", "no such file or directory")
    ]
    assert len(look(tmp_path / "d")) == 2 * 19


def test_a_file_that_logrotate_compresses_between_two_ingests_counts_once(logs: Path, tmp_path: Path) -> None:
    ingest(tmp_path / "d", logs)
    plain = logs / "broker-1.log"
    (logs / "broker-1.log.1.gz").write_bytes(gzip.compress(plain.read_bytes()))
    plain.write_text("")
    ingest(tmp_path / "d", logs)
    assert len(look(tmp_path / "d")) == 3 * 19


def test_a_damaged_archive_gives_what_can_be_had_and_is_complete_once_it_is_whole(tmp_path: Path) -> None:
    packed = tmp_path / "broker-1.log.gz"
    whole = gzip.compress(broker_log(range(1, 3_000)).encode())
    packed.write_bytes(whole[:-9_000])
    summary = ingest(tmp_path / "d", packed)
    assert len(summary.problems) == 1
    before = len(look(tmp_path / "d"))
    packed.write_bytes(whole)
    assert ingest(tmp_path / "d", packed).problems == []
    assert 0 < before < len(look(tmp_path / "d")) == 2_999
