"""What the loader leaves out because of a `-- needs:` line has no rows when it is run all the same."""

from __future__ import annotations

from pathlib import Path

import pytest

import loganalyst
from loganalyst.dataset.views import provide
from tests.recorded import CORPORA

INCIDENTS = ("one-step-4.1.0", "members-4.1.0", "rf1-3.7.1", "kip848-4.1.0", "static-3.7.1")


@pytest.mark.parametrize("incident", INCIDENTS)
def test_a_query_that_is_left_out_would_have_had_no_rows(incident: str, tmp_path: Path) -> None:
    loganalyst.ingest([CORPORA / incident / "logs"], into=tmp_path / "dataset")
    with loganalyst.open(tmp_path / "dataset") as dataset:
        queries = dataset.queries
        provide(dataset.connection, queries, queries)
        judged = [query for query in queries.values() if query.needs or query.needs_rows]
        assert len(judged) > 20
        for query in judged:
            left = dataset.connection.execute(f'SELECT count(*) FROM "{query.name}"').fetchone()
            if left == (0,):
                rows = dataset.connection.execute(f"SELECT count(*) FROM ({query.sql})").fetchone()
                assert rows == (0,), query.name
