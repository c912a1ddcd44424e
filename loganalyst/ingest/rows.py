"""The rows of one source on their way into Arrow: filled from their neighbours, named after their process."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from loganalyst.dataset.schema import EVENTS, STREAM, TIMESTAMP
from loganalyst.envelopes.record import Record
from loganalyst.ingest.carry import Carry
from loganalyst.ingest.processes import Processes

__all__ = ["Row", "SourceRows", "digest", "name_pods", "table_of"]

Row = dict[str, Any]

_BATCH = 5_000
_HELD = 12_000


class SourceRows:
    """Takes the rows of one source in line order and gives them back as Arrow tables, bounded in memory.

    `pod` is the process the source is of (`telling`: its name says so); it is put where no wrapper named one.
    Whether the source holds several processes is decided by all that was seen when rows are given out.
    `replaced` is the line of a row in the dataset that the rows given out bring in another form.
    """

    def __init__(
        self,
        stream: str,
        pod: str | None,
        telling: bool,
        *,
        last_line: int = 0,
        last_event: str | None = None,
    ) -> None:
        """Rows up to `last_line` are in the dataset already and only teach.

        `last_event` is the digest of the row of `last_line`, if it has one: the record may have been read
        before it was written to its end, so that now it makes another row.
        """
        self.count = 0
        self.replaced: int | None = last_line if last_event is not None else None
        self._stream = stream
        self._pod = pod
        self._telling = telling
        self._last_line = last_line
        self._last_event = last_event
        self._carry = Carry()
        self._processes = Processes()
        self._rows: list[Row] = []
        self._tables: list[pa.Table] = []
        self._held = 0

    def add(self, row: Row, record: Record) -> None:
        """Take the next row."""
        self._carry.take(row, record)
        if row["pod"] is None:
            self._processes.take(row, record)
        line = row["line"]
        if line == self._last_line and self._last_event is not None and digest(row) == self._last_event:
            self.replaced = None
        elif line >= self._last_line:
            self._rows.append(row)
            self.count += 1
        if len(self._rows) >= _BATCH:
            self._pack()

    def ready(self) -> Iterator[pa.Table]:
        """Yield tables (`EVENTS` plus `stream`) when enough rows are held."""
        if self._held >= _HELD:
            yield from self.finish()

    def finish(self) -> Iterator[pa.Table]:
        """Yield what is held."""
        self._pack()
        several = self._processes.decide()
        for table in self._tables:
            yield name_pods(table, self._pod, self._telling, several)
        self._tables, self._held = [], 0

    def _pack(self) -> None:
        self._carry.settle()
        if self._rows:
            self._tables.append(table_of(self._rows, self._stream))
            self._held += len(self._rows)
            self._rows = []


def table_of(rows: Sequence[Row], stream: str) -> pa.Table:
    """Make an Arrow table of `EVENTS` plus `stream` of row dictionaries; `ts` in epoch microseconds."""
    columns = []
    for column in EVENTS:
        name = column.name
        values = [row[name] for row in rows]
        if column.type == TIMESTAMP:
            columns.append(pa.array(values, pa.int64()).cast(TIMESTAMP))
        elif pa.types.is_map(column.type):
            columns.append(pa.array([_valid(pairs) for pairs in values], column.type))
        else:
            columns.append(pa.array(values, column.type))
    columns.append(pa.array([stream] * len(rows), pa.string()))
    return pa.table(columns, schema=EVENTS.append(STREAM))


def digest(row: Row | None) -> str | None:
    """Return a hash of what a row says: it tells whether the last line of a file was read whole."""
    if row is None:
        return None
    text = json.dumps([row["event"], row["message"], row["template"]], ensure_ascii=True)
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def name_pods(table: pa.Table, pod: str | None, telling: bool, several: bool) -> pa.Table:
    """Fill `pod` where no wrapper named it.

    A broker's file names the broker if it tells; else, or where one file holds several, the broker is
    `broker-N`. A client is the file's process, or its client id where one file holds several processes.
    """
    pods = table["pod"]
    if pods.null_count == 0:
        return table
    role, ids = table["role"], table["broker_id"]
    broker = pc.equal(role, "broker")
    own = pc.or_(pc.is_valid(table["group_id"]), pc.is_valid(table["offsets_partition"]))
    own = pc.or_(
        own, pc.is_in(table["event"], pa.array(["broker_started", "broker_stopping", "broker_stopped"]))
    )
    brokers = pc.unique(pc.filter(ids, pc.and_(broker, own)).drop_null())
    file_pod = pa.scalar(pod, pa.string())
    broker_pod = client_pod = file_pod
    if len(brokers) > 1 or not telling:
        numbered = pc.binary_join_element_wise("broker-", pc.cast(ids, pa.string()), "")
        broker_pod = pc.coalesce(numbered, file_pod)
    if several:
        client_pod = pc.if_else(pc.equal(role, "client"), table["client_id"], file_pod)
    named = pc.coalesce(pods, pc.if_else(broker, broker_pod, client_pod))
    return table.set_column(table.schema.get_field_index("pod"), "pod", named.cast(pa.string()))


def _valid(pairs: Sequence[tuple[str, str]] | Mapping[str, str] | None) -> list[tuple[str, str]] | None:
    if pairs is None:
        return None
    return list(pairs.items()) if isinstance(pairs, Mapping) else list(pairs)
