"""The rows of one source on their way into Arrow: filled from their neighbours, named after their process."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import pyarrow as pa

from loganalyst.dataset.files import DataFile, EventFiles
from loganalyst.dataset.schema import EVENTS, STREAM, TIMESTAMP
from loganalyst.envelopes.record import Record
from loganalyst.errors import DatasetError
from loganalyst.ingest.carry import Carry
from loganalyst.ingest.processes import Processes

if TYPE_CHECKING:
    from loganalyst.redact.redactor import Redactor

__all__ = ["Row", "RowFiles", "SourceRows", "table_of"]

Row = dict[str, Any]
T = TypeVar("T")

_SCHEMA = EVENTS.append(STREAM)
_LIFE = frozenset({"broker_started", "broker_stopping", "broker_stopped"})

_BATCH = 5_000


class SourceRows:
    """Takes the rows of one source in line order and gives them back complete, bounded in memory.

    `pod` is the process the source is of (`telling`: its name says so); it is put where no wrapper named one.
    Whether the source holds several processes is decided by all that was seen when rows are given out.
    `replaced` is the line whose rows in the dataset, `replaced_rows` of them, the rows given out bring in
    another form.
    """

    def __init__(
        self,
        stream: str,
        pod: str | None,
        telling: bool,
        *,
        last_line: int = 0,
        last_events: Sequence[str] = (),
        state: Mapping[str, Any] | None = None,
    ) -> None:
        """Rows up to `last_line` are in the dataset already and only teach.

        `last_events` are the digests of the rows of `last_line`: the record may have been read before it was
        written to its end, so that now it makes other rows. `state` is what the rows before have taught.
        """
        self.count = 0
        self.replaced: int | None = None
        self.replaced_rows = 0
        self._last_rows: list[Row] = []
        self._stream = stream
        self._pod = pod
        self._telling = telling
        self._last_line = last_line
        self._last_events = list(last_events)
        self._again: list[Row] = []
        self._line = 0
        state = state or {}
        self._carry = Carry(state.get("carry"))
        self._processes = Processes(state.get("processes"))
        self._brokers: set[int] = set()
        self._rows: list[Row] = []

    def add(self, row: Row, record: Record) -> None:
        """Take the next row."""
        self._carry.take(row, record)
        if row["pod"] is None:
            self._processes.take(row, record)
        line = row["line"]
        if line != self._line:
            self._line, self._last_rows = line, []
        self._last_rows.append(row)
        if line == self._last_line:
            self._again.append(row)
        elif line > self._last_line:
            self._rows.append(row)
            self.count += 1

    def digests_of(self, line: int) -> list[str]:
        """Return the digests of the rows of `line`, if it is the last that had any."""
        return [_digest(row) for row in self._last_rows] if line == self._line else []

    def ready(self) -> list[Row]:
        """Return rows when enough have been taken to tell what they are of."""
        return self.finish() if len(self._rows) >= _BATCH else []

    def finish(self) -> list[Row]:
        """Return the rows that were taken."""
        self._compare()
        self._carry.settle()
        several = self._processes.decide()
        for row in self._rows:
            row[STREAM.name] = self._stream
            if row["pod"] is None:
                self._brokers.update(_own_id(row))
        for row in self._rows:
            if row["pod"] is None:
                row["pod"] = self._name(row, several)
        rows, self._rows = self._rows, []
        return rows

    def _name(self, row: Row, several: bool) -> str | None:
        """Name the process of a row that no wrapper named.

        A broker's file names the broker if it tells; else, or where one file holds several, the broker is
        `broker-N`. A client is the file's process, or its client id where one file holds several processes.
        """
        if row["role"] == "broker" and (not self._telling or len(self._brokers) > 1):
            return self._pod if row["broker_id"] is None else f"broker-{row['broker_id']}"
        if row["role"] == "client" and several:
            client_id: str | None = row["client_id"]
            return client_id
        return self._pod

    def state(self) -> dict[str, Any]:
        """Return what the rows have taught, for those of a tail (JSON)."""
        return {"carry": self._carry.state(), "processes": self._processes.state()}

    def _compare(self) -> None:
        """See whether the record of `last_line` makes the rows that it made when it was read before."""
        if self._last_line and [_digest(row) for row in self._again] != self._last_events:
            self.replaced = self._last_line if self._last_events else None
            self.replaced_rows = len(self._last_events)
            self._rows = [*self._again, *self._rows]
            self.count += len(self._again)
        self._last_line, self._again = 0, []


class RowFiles:
    """Puts the rows of many sources into data files; small sources share the making of a table."""

    def __init__(self, files: EventFiles, redactor: Redactor | None) -> None:
        """`redactor` hides secrets in the rows before they are written."""
        self._files = files
        self._redactor = redactor
        self._rows: list[Row] = []

    def add(self, rows: list[Row]) -> None:
        """Take rows; raises `DatasetError` when they cannot be written."""
        self._rows += rows
        if len(self._rows) >= _BATCH:
            self._flush()

    def finish(self) -> list[DataFile]:
        """Return the files with all rows; raises `DatasetError` when they cannot be written."""
        self._flush()
        return self._guarded(self._files.finish)

    def discard(self) -> None:
        """Delete what was written: nothing has named it."""
        self._files.discard()

    def _flush(self) -> None:
        if self._rows:
            table = table_of(self._rows)
            self._rows = []
            if self._redactor is not None:
                table = self._redactor.table(table)
            self._guarded(lambda: self._files.add(table))

    def _guarded(self, write: Callable[[], T]) -> T:
        try:
            return write()
        except OSError as error:
            place = self._files.place.uri
            raise DatasetError(f"{place}: cannot be written: {error.strerror or error}") from error


def table_of(rows: Sequence[Row]) -> pa.Table:
    """Make an Arrow table of `EVENTS` plus `stream` of row dictionaries; `ts` in epoch microseconds."""
    columns = []
    for column in _SCHEMA:
        name = column.name
        values = [row[name] for row in rows]
        if column.type == TIMESTAMP:
            columns.append(pa.array(values, pa.int64()).cast(TIMESTAMP))
        elif pa.types.is_map(column.type):
            columns.append(pa.array([_valid(pairs) for pairs in values], column.type))
        else:
            columns.append(pa.array(values, column.type))
    return pa.table(columns, schema=_SCHEMA)


def _own_id(row: Row) -> tuple[int, ...]:
    """Return the id of the broker that wrote a row, where the row's id is surely the writer's."""
    if row["role"] != "broker" or row["broker_id"] is None:
        return ()
    about_groups = row["group_id"] is not None or row["offsets_partition"] is not None
    return (row["broker_id"],) if about_groups or row["event"] in _LIFE else ()


def _digest(row: Row) -> str:
    """Return a hash of what a row says: it tells whether a line was read whole."""
    text = json.dumps([row["event"], row["message"], row["template"]], ensure_ascii=True)
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def _valid(pairs: Sequence[tuple[str, str]] | Mapping[str, str] | None) -> list[tuple[str, str]] | None:
    if pairs is None:
        return None
    return list(pairs.items()) if isinstance(pairs, Mapping) else list(pairs)
