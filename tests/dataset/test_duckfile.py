"""`loganalyst.duckdb` answers any DuckDB client, follows every commit, and moves with its dataset."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any

import duckdb
import pytest

from loganalyst.dataset.dataset import Dataset
from loganalyst.dataset.schema import EVENTS, SOURCES
from loganalyst.dataset.views import load_queries
from tests.dataset.test_store import account, rows


def ask(path: Path, question: str) -> list[tuple[Any, ...]]:
    with contextlib.closing(duckdb.connect(str(path / "loganalyst.duckdb"), read_only=True)) as client:
        return client.execute(question).fetchall()


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    dataset = Dataset.create_or_open(tmp_path_factory.mktemp("duckfile") / "d")
    dataset.commit(rows(1, 2), [account()])
    dataset.publish()
    return Path(dataset.place.uri)


def test_a_plain_client_reads_events_and_sources(published: Path) -> None:
    assert ask(published, "SELECT count(*) FROM events") == [(2,)]
    columns = (
        "SELECT column_name FROM information_schema.columns WHERE table_name = '{}' ORDER BY ordinal_position"
    )
    assert [name for (name,) in ask(published, columns.format("events"))] == EVENTS.names
    assert [name for (name,) in ask(published, columns.format("sources"))] == SOURCES.names


def test_views_and_columns_carry_their_meaning(published: Path) -> None:
    silent = (
        "SELECT count(*) FROM duckdb_columns() WHERE table_name IN ('events', 'sources') AND comment IS NULL"
    )
    assert ask(published, silent) == [(0,)]
    unsaid = "SELECT view_name FROM duckdb_views() WHERE NOT internal AND comment IS NULL"
    assert ask(published, unsaid) == []


def test_every_shipped_analysis_is_there_and_answers(published: Path) -> None:
    there = {name for (name,) in ask(published, "SELECT view_name FROM duckdb_views() WHERE NOT internal")}
    assert there >= set(load_queries())
    for name in ("rebalances", "shrinking_episodes", "findings"):
        assert ask(published, f"SELECT count(*) FROM {name}") == [(0,)]


def test_it_follows_a_commit_and_spares_its_readers(published: Path) -> None:
    reader = duckdb.connect(str(published / "loganalyst.duckdb"), read_only=True)
    dataset = Dataset.open(published)
    before = reader.execute("SELECT count(*) FROM events").fetchall()
    dataset.commit(rows(3, stream="t"), [account("t")])
    dataset.publish()
    assert reader.execute("SELECT count(*) FROM events").fetchall() == before
    reader.close()
    assert ask(published, "SELECT count(*) FROM events") == [(before[0][0] + 1,)]
    assert not list(published.glob(".loganalyst.duckdb.*[!n]"))


def test_after_a_move_opening_the_dataset_sets_it_right(tmp_path: Path) -> None:
    dataset = Dataset.create_or_open(tmp_path / "here")
    dataset.commit(rows(1), [account()])
    dataset.publish()
    (tmp_path / "here").rename(tmp_path / "there")
    with pytest.raises(duckdb.Error):
        ask(tmp_path / "there", "SELECT count(*) FROM events")
    Dataset.open(tmp_path / "there")
    assert ask(tmp_path / "there", "SELECT count(*) FROM events") == [(1,)]


def test_a_path_with_quotes_and_blanks_is_no_harm(tmp_path: Path) -> None:
    dataset = Dataset.create_or_open(tmp_path / "it's a (data) set")
    dataset.commit(rows(1), [account()])
    dataset.publish()
    assert ask(Path(dataset.place.uri), "SELECT count(*) FROM events") == [(1,)]
