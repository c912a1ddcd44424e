"""The compiled catalogue is kept under a hash of its files: never stale, never needed, quick to read."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from loganalyst.catalogue import load
from loganalyst.catalogue.cache import cache_folder

MINE = """\
component = "mine"
title = "Mine"
role = "client"
near_misses = ["nothing"]

[[statement]]
id = "one"
event = "join_started"
template = "Shop worker {who} joins its group"
example = "Shop worker 1 joins its group"
"""


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def cached(tmp_path: Path) -> list[Path]:
    return sorted((tmp_path / "cache" / "loganalyst").glob("*"))


def test_a_second_load_reads_what_the_first_one_kept(tmp_path: Path) -> None:
    first = load()
    kept = cached(tmp_path)
    assert len(kept) == 1
    written = kept[0].stat().st_mtime_ns
    assert load().statements == first.statements
    assert [file.stat().st_mtime_ns for file in cached(tmp_path)] == [written]


def test_a_changed_file_is_read_anew(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(MINE)
    assert load([file]).match("Shop worker 1 joins its group") is not None
    file.write_text(MINE.replace("joins", "enters"))
    changed = load([file])
    assert changed.match("Shop worker 1 joins its group") is None
    assert changed.match("Shop worker 1 enters its group") is not None


def test_a_broken_cache_is_replaced(tmp_path: Path) -> None:
    load()
    (kept,) = cached(tmp_path)
    kept.write_text("{")
    assert len(load().statements) > 2000
    assert kept.stat().st_size > 100_000


def test_without_a_folder_to_write_to_everything_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    monkeypatch.setenv("XDG_CACHE_HOME", str(blocked))
    assert len(load().statements) > 2000


def test_only_a_few_generations_are_kept(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    for number in range(6):
        file.write_text(MINE.replace("worker", f"worker{number}"))
        load([file])
    assert len(cached(tmp_path)) == 4


def test_the_folder_follows_the_users_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert cache_folder() == tmp_path / "cache" / "loganalyst"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    folder = cache_folder()
    assert folder is not None
    assert folder.is_relative_to(tmp_path)


def test_a_warm_start_is_quick() -> None:
    load()
    best = min(_seconds() for _ in range(5))
    assert best < 0.12  # measured 0.02 s on an idle core


def _seconds() -> float:
    before = time.process_time()
    load()
    return time.process_time() - before
