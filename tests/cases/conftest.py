"""Reads a case the way a user would: its files, no flags, then views and findings."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import loganalyst
from tests.recorded import CASES, require

Rows = list[tuple[Any, ...]]


class Case:
    """One case, read into a dataset of its own."""

    def __init__(self, dataset: Path, files: tuple[str, ...]) -> None:
        sources = [require(CASES / name) for name in files]
        loganalyst.ingest(sources, into=dataset, jobs=1, publish=False)
        self._dataset = loganalyst.open(dataset)

    def rows(self, sql: str) -> Rows:
        """Run SQL over the views; times of the day come as text."""
        return self._dataset.sql(sql).fetchall()

    def kinds(self) -> set[str]:
        """The kinds of the findings."""
        return {kind for (kind,) in self.rows("SELECT kind FROM findings")}

    def sources(self, columns: str) -> Rows:
        """Columns of `sources`, after a check that every line is accounted for."""
        assert (
            self.rows(
                "SELECT source FROM sources WHERE lines <> "
                "records + continuation_lines + foreign_lines + undated_lines"
            )
            == []
        )
        return self.rows(f"SELECT {columns} FROM sources ORDER BY source")


@pytest.fixture
def case(tmp_path: Path) -> Callable[..., Case]:
    """Read the files of a case."""
    return lambda *files: Case(tmp_path / "dataset", files)
