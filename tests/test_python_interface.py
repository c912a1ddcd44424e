"""The names of `import loganalyst`, as the documentation shows them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import loganalyst

LOG = "[2026-12-01 00:00:00,000] INFO nothing of interest (kafka.Kafka)\n"


def test_import_is_cheap() -> None:
    code = "import sys, loganalyst; print(sorted({'duckdb', 'polars', 'pyarrow'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "[]\n"


def test_ingest_is_called_by_its_name_whatever_was_imported_before(tmp_path: Path) -> None:
    import loganalyst.ingest.run

    (tmp_path / "a.log").write_text(LOG)
    for _ in range(2):
        summary = loganalyst.ingest(tmp_path / "a.log", into=tmp_path / "dataset")
    assert summary.known == 1
    assert loganalyst.ingest.run.run_ingest is not None


def test_an_opened_dataset_answers_in_several_forms(tmp_path: Path) -> None:
    (tmp_path / "a.log").write_text(LOG)
    loganalyst.ingest([tmp_path / "a.log"], into=tmp_path / "dataset")
    with loganalyst.open(tmp_path / "dataset") as dataset:
        assert dataset.query("sources").pl().shape[0] == 1
        assert dataset.sql("SELECT lines FROM sources").fetchall() == [(1,)]
        assert dataset.findings().fetchall() == []
        assert dataset.report().findings == ()
