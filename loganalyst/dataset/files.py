"""Parquet files of events: written before a commit names them, so that no reader meets half a file."""

from __future__ import annotations

import json
import os
import time
import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from loganalyst.dataset.location import Location
from loganalyst.dataset.schema import EVENTS, PARTITION, STREAM

__all__ = ["DataFile", "EventFiles", "write_events"]

ROWS_PER_FILE = 50_000
"""Rows that are gathered before files are written: sorted by time within, bounded in memory."""

STORED_IN_FILE = EVENTS.append(STREAM)
"""Columns inside a file; the partition column stands in its path."""


@dataclass(frozen=True, slots=True)
class DataFile:
    """One finished Parquet file below `events/`, not yet committed. Times are epoch microseconds UTC."""

    path: str
    size: int
    rows: int
    day: date | None
    first_ts: int | None
    last_ts: int | None

    @property
    def partition_values(self) -> dict[str, str | None]:
        """The partition of the file, as Delta writes it."""
        return {PARTITION.name: self.day.isoformat() if self.day else None}

    @property
    def stats(self) -> str:
        """The statistics that Delta keeps of the file (JSON): rows, and the range of `ts`."""
        low = {"ts": _iso(self.first_ts)} if self.first_ts is not None else {}
        high = {"ts": _iso(self.last_ts)} if self.last_ts is not None else {}
        return json.dumps({"numRecords": self.rows, "minValues": low, "maxValues": high, "nullCount": {}})


class EventFiles:
    """Gathers Arrow tables of `EVENTS` plus `stream` and writes them to `place` (the table `events/`).

    Memory is bounded by `ROWS_PER_FILE` rows. `finish()` returns the files; `discard()` deletes them.
    """

    def __init__(self, place: Location, rows_per_file: int = ROWS_PER_FILE) -> None:
        """Nothing is written before rows come."""
        self.place = place
        self._limit = rows_per_file
        self._tables: list[pa.Table] = []
        self._rows = 0
        self._files: list[DataFile] = []

    def add(self, table: pa.Table) -> None:
        """Take rows; writes when enough have been gathered."""
        if table.num_rows == 0:
            return
        self._tables.append(table)
        self._rows += table.num_rows
        if self._rows >= self._limit:
            self._flush()

    def finish(self) -> list[DataFile]:
        """Write what is left and return all files that were written."""
        self._flush()
        return self._files

    def discard(self) -> None:
        """Delete the files that were written: nothing has named them."""
        self._tables, self._rows = [], 0
        for file in self._files:
            delete(self.place, file.path)
        self._files = []

    def _flush(self) -> None:
        if self._rows:
            self._files += write_events(self.place, pa.concat_tables(self._tables))
        self._tables, self._rows = [], 0


def write_events(
    place: Location, rows: pa.Table, order: Sequence[str] = ("ts", "source", "line")
) -> list[DataFile]:
    """Write `rows` (`EVENTS` plus `stream`) as one zstd file a day, sorted by `order`; returns the files."""
    ordered = rows.select(STORED_IN_FILE.names).sort_by([(name, "ascending") for name in order])
    days = pc.cast(pc.floor_temporal(ordered["ts"], unit="day"), pa.timestamp("s", tz="UTC"))
    seconds = pc.cast(days, pa.int64())
    files = []
    for second in sorted(pc.unique(seconds).to_pylist(), key=lambda value: -1 if value is None else value):
        chosen = pc.is_null(seconds) if second is None else pc.equal(seconds, pa.scalar(second))
        part = ordered if _one_value(seconds) else ordered.filter(pc.fill_null(chosen, False))
        day = None if second is None else datetime.fromtimestamp(second, UTC).date()
        files.append(_write(place, part, day))
    return files


def delete(place: Location, path: str) -> None:
    """Delete one file below `place`, whether or not it is still there."""
    filesystem, root = place.filesystem()
    try:
        filesystem.delete_file(f"{root}/{path}")
    except FileNotFoundError:
        return


def read_files(place: Location, paths: Iterable[str]) -> pa.Table:
    """Read data files below `place` as one table of `EVENTS` plus `stream`; older schemas are filled up."""
    filesystem, root = place.filesystem()
    tables = [pq.ParquetFile(f"{root}/{path}", filesystem=filesystem).read() for path in paths]
    return (
        pa.concat_tables([_in_shape(table) for table in tables]) if tables else STORED_IN_FILE.empty_table()
    )


def _in_shape(table: pa.Table) -> pa.Table:
    columns = [
        table[column.name].cast(column.type)
        if column.name in table.column_names
        else pa.nulls(table.num_rows, column.type)
        for column in STORED_IN_FILE
    ]
    return pa.table(columns, schema=STORED_IN_FILE)


def _one_value(column: pa.ChunkedArray) -> bool:
    return len(pc.unique(column)) <= 1


def _write(place: Location, rows: pa.Table, day: date | None) -> DataFile:
    folder = f"{PARTITION.name}={day.isoformat() if day else '__HIVE_DEFAULT_PARTITION__'}"
    path = f"{folder}/part-{uuid.uuid4().hex}.zstd.parquet"
    filesystem, root = place.filesystem()
    filesystem.create_dir(f"{root}/{folder}", recursive=True)
    full = f"{root}/{path}"
    with pq.ParquetWriter(full, rows.schema, filesystem=filesystem, compression="zstd") as writer:
        writer.write_table(rows, row_group_size=65_536)
    if place.folder is not None:
        _to_disk(full)
    ends = pc.min_max(pc.cast(rows["ts"], pa.int64()))
    return DataFile(
        path=path,
        size=filesystem.get_file_info(full).size,
        rows=rows.num_rows,
        day=day,
        first_ts=ends["min"].as_py(),
        last_ts=ends["max"].as_py(),
    )


def _to_disk(path: str) -> None:
    """Wait until the file is on disk, so that a commit that names it survives a power cut."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _iso(micros: int) -> str:
    seconds, rest = divmod(micros, 1_000_000)
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds)) + f".{rest:06d}Z"
