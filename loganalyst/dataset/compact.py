"""Fewer, larger files; old events deleted; what no reader can need any more removed from the disk."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from itertools import groupby
from typing import Any
from urllib.parse import unquote

import pyarrow.compute as pc
import pyarrow.fs as pafs

from loganalyst.dataset.dataset import Dataset
from loganalyst.dataset.duckfile import remove_leftovers
from loganalyst.dataset.files import delete, read_files, write_events
from loganalyst.dataset.store import Store

__all__ = ["Compaction", "compact"]

TARGET_ROWS = 1_000_000
"""Rows of a compacted file: some tens of megabytes, read in parallel by row group."""

ORDER = ("group_id", "ts", "source", "line")
"""Files sorted by group and time are half the size of shuffled ones, and one group's rows lie together."""

RETENTION = timedelta(hours=24)
"""Replaced files are kept this long: for queries that run, and clients that have `loganalyst.duckdb` open."""


IN_FLIGHT = timedelta(hours=6)
"""A file that no commit has named yet may be one that an ingest is about to commit."""


@dataclass(slots=True)
class Compaction:
    """What a compaction did."""

    files_before: int = 0
    files_after: int = 0
    rows_deleted: int = 0
    files_removed: int = 0


def compact(
    dataset: Dataset,
    *,
    older_than: datetime | None = None,
    retention: timedelta = RETENTION,
    target_rows: int = TARGET_ROWS,
) -> Compaction:
    """Rewrite `dataset` into fewer files, day by day, and delete what nobody needs.

    Events before `older_than` are deleted (their sources stay accounted for). Each day is one commit, so
    that a compaction that is stopped has done whole days, and an ingest waits for one day at the most.
    Files that were replaced, and those of writers that died, are removed when they are older than
    `retention`. Raises `DatasetError` when the dataset cannot be written.
    """
    store = dataset.store
    with store.writing():
        before = store.event_files()
    result = Compaction(files_before=len(before))
    days = sorted({file["date"] for file in before}, key=str)
    for day in days:
        with store.writing():
            files = [file for file in store.event_files() if file["date"] == day]
            result.rows_deleted += _compact_day(store, day, files, older_than, target_rows)
    with store.writing():
        store.fold_accounts()
        result.files_removed = remove_orphans(store, retention)
        if store.place.folder is not None:
            remove_leftovers(store.place.folder)
    result.files_after = len(store.event_files())
    dataset.publish()
    return result


def remove_orphans(store: Store, retention: timedelta) -> int:
    """Delete data files that the present state has not named for `retention`.

    A file that was replaced counts from then on, one that no commit ever named (its writer died, or is about
    to commit it) from when it was written.
    """
    removed = 0
    oldest = time.time() - retention.total_seconds()
    oldest_unnamed = min(oldest, time.time() - IN_FLIGHT.total_seconds())
    named = {
        "events": {file["path"] for file in store.event_files()},
        "sources": set(store.account_files()),
    }
    for table, paths in named.items():
        place = store.place.below(table)
        filesystem, root = place.filesystem()
        replaced = _replaced(filesystem, root)
        for path, modified in _data_files(filesystem, root):
            if path in paths:
                continue
            since, limit = (replaced[path], oldest) if path in replaced else (modified, oldest_unnamed)
            if since <= limit:
                delete(place, path)
                removed += 1
    return removed


def _compact_day(
    store: Store,
    day: date | None,
    files: Sequence[Mapping[str, Any]],
    older_than: datetime | None,
    target_rows: int,
) -> int:
    """Rewrite the files of one day if that makes fewer of them, or if some of its rows are to go."""
    expired = older_than is not None and day is not None and day <= older_than.astimezone(UTC).date()
    if not expired and (len(files) < 2 or all(file["rows"] >= target_rows // 2 for file in files)):
        return 0
    place = store.place.below("events")
    fresh = []
    deleted = 0
    for some in _batches(files, target_rows):
        rows = read_files(place, [file["path"] for file in some])
        if expired:
            kept = rows.filter(pc.greater_equal(rows["ts"], older_than))
            deleted += rows.num_rows - kept.num_rows
            rows = kept
        if rows.num_rows:
            fresh += write_events(place, rows, ORDER)
    if expired and not deleted and len(fresh) >= len(files):
        for file in fresh:
            delete(place, file.path)
        return 0
    store.change(fresh, files, data_change=bool(deleted))
    store.refresh()
    return deleted


def _batches(files: Sequence[Mapping[str, Any]], target_rows: int) -> list[list[Mapping[str, Any]]]:
    """Put files together until they have `target_rows` rows, in order of time."""
    ordered = sorted(files, key=lambda file: str(file["first_ts"]))
    number = filled = 0
    numbers = []
    for file in ordered:
        if filled and filled + file["rows"] > target_rows:
            number, filled = number + 1, 0
        filled += file["rows"]
        numbers.append(number)
    pairs = zip(numbers, ordered, strict=True)
    return [[file for _, file in group] for _, group in groupby(pairs, key=lambda pair: pair[0])]


def _replaced(filesystem: pafs.FileSystem, root: str) -> dict[str, float]:
    """Return when files were taken out of a table (epoch seconds), as far back as its log goes."""
    found: dict[str, float] = {}
    for info in filesystem.get_file_info(pafs.FileSelector(f"{root}/_delta_log", allow_not_found=True)):
        if info.type != pafs.FileType.File or not info.path.endswith(".json"):
            continue
        with filesystem.open_input_stream(info.path) as stream:
            for line in stream.read().splitlines():
                if removed := json.loads(line).get("remove"):
                    found[unquote(removed["path"])] = (removed.get("deletionTimestamp") or 0) / 1000
    return found


def _data_files(filesystem: pafs.FileSystem, root: str) -> list[tuple[str, float]]:
    """Return the Parquet files below a table and when they were written (epoch seconds)."""
    found = []
    for info in filesystem.get_file_info(pafs.FileSelector(root, recursive=True, allow_not_found=True)):
        path = info.path[len(root) + 1 :]
        if (
            info.type == pafs.FileType.File
            and path.endswith(".parquet")
            and not path.startswith("_delta_log/")
        ):
            found.append((path, info.mtime.timestamp() if info.mtime else 0.0))
    return found
