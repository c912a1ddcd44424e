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

__all__ = ["Row", "SourceRows", "name_pods", "table_of"]

Row = dict[str, Any]

_BATCH = 5_000
_HELD = 12_000


class SourceRows:
    """Takes the rows of one source in line order and gives them back as Arrow tables, bounded in memory.

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
        self._rows: list[Row] = []
        self._tables: list[pa.Table] = []
        self._held = 0

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
        if len(self._rows) >= _BATCH:
            self._pack()

    def digests_of(self, line: int) -> list[str]:
        """Return the digests of the rows of `line`, if it is the last that had any."""
        return [_digest(row) for row in self._last_rows] if line == self._line else []

    def ready(self) -> Iterator[pa.Table]:
        """Yield tables (`EVENTS` plus `stream`) when enough rows are held."""
        if self._held >= _HELD:
            yield from self.finish()

    def finish(self) -> Iterator[pa.Table]:
        """Yield what is held."""
        self._compare()
        self._pack()
        several = self._processes.decide()
        for table in self._tables:
            yield name_pods(table, self._pod, self._telling, several)
        self._tables, self._held = [], 0

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


def _digest(row: Row) -> str:
    """Return a hash of what a row says: it tells whether a line was read whole."""
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
