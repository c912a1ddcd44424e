"""The pure function that every executor runs: read the sources of one task, give back rows and accounts.

Nothing in here knows which process, machine or scheduler it runs on. A task and its result can be pickled;
the catalogue is loaded once per process.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from loganalyst.catalogue import Catalogue, load
from loganalyst.dataset.account import RangeAccount
from loganalyst.dataset.files import DataFile, EventFiles
from loganalyst.dataset.ledger import Known
from loganalyst.dataset.location import Location
from loganalyst.dumps import DumpReader, recognise
from loganalyst.envelopes.detect import detect
from loganalyst.envelopes.reader import RecordReader
from loganalyst.envelopes.reading import TimeHints
from loganalyst.envelopes.record import LineCounts, Record
from loganalyst.errors import SourceError
from loganalyst.ingest.event import SourceFacts, text_of, to_event
from loganalyst.ingest.identity import HEAD, IdentityTracker
from loganalyst.ingest.rows import Row, SourceRows, digest
from loganalyst.sources.fingerprint import fingerprint_of
from loganalyst.sources.source import Source

if TYPE_CHECKING:
    from loganalyst.redact.redactor import Redactor

__all__ = ["Options", "RangeResult", "Slice", "Task", "read_range"]

_BLOCK = 1 << 20


@dataclass(frozen=True, slots=True)
class Options:
    """What the user said about the sources, `hints` about times; `redactor` hides secrets in the rows."""

    cluster: str | None = None
    hints: TimeHints = field(default_factory=TimeHints)
    parsers: tuple[Path, ...] = ()
    redactor: Redactor | None = None


@dataclass(frozen=True, slots=True)
class Slice:
    """One source of a task; `known` if the dataset has its beginning, and only the rest is wanted.

    `stream` is the identity of the content. `pod` is the process that the source's name tells, `telling`
    False where the name says nothing.
    """

    source: Source
    stream: str
    pod: str | None
    telling: bool
    known: Known | None = None


@dataclass(frozen=True, slots=True)
class Task:
    """Sources to read into files below `place` (the table `events/`)."""

    slices: tuple[Slice, ...]
    options: Options
    place: Location
    planned: int = 0


@dataclass(slots=True)
class RangeResult:
    """What a task gave: finished files (not committed), accounts, rows that the files replace, problems.

    `problems` are (source, reason): what could be read of such a source is in the result all the same.
    """

    files: list[DataFile] = field(default_factory=list)
    accounts: list[RangeAccount] = field(default_factory=list)
    replaced: list[tuple[str, int]] = field(default_factory=list)
    problems: list[tuple[str, str]] = field(default_factory=list)
    bytes: int = 0


@lru_cache(maxsize=4)
def _catalogue(parsers: tuple[Path, ...]) -> Catalogue:
    return load(parsers)


def read_range(task: Task, told: Callable[[int], None] | None = None) -> RangeResult:
    """Read all sources of a task. `told` is called with the number of bytes read since it was called last.

    A source that cannot be read, or that is damaged, is a problem of that source alone. Raises `OSError` when
    the files cannot be written.
    """
    result = RangeResult()
    files = EventFiles(task.place)
    try:
        for part in task.slices:
            _read_slice(part, task.options, files, result, told)
        result.files = files.finish()
    except BaseException:
        files.discard()
        raise
    return result


def _read_slice(
    part: Slice, options: Options, files: EventFiles, result: RangeResult, told: Callable[[int], None] | None
) -> None:
    tracker = IdentityTracker()
    problem: str | None = None
    reading: _LogReading | _DumpReading | None = None
    head = b""
    try:
        with part.source.open() as stream:
            buffer = bytearray(_BLOCK)
            view = memoryview(buffer)
            try:
                while filled := _fill(stream, view, HEAD if reading is None else _BLOCK):
                    block = view[:filled]
                    tracker.take(block)
                    result.bytes += filled
                    if told is not None:
                        told(filled)
                    if reading is None:
                        head = bytes(block[:HEAD])
                        reading = _reading(part, head, options)
                    reading.feed(block)
                    for table in reading.rows.ready():
                        files.add(_redacted(table, options))
            except (SourceError, OSError) as error:
                problem = _reason(part.source, error)
            if reading is None:
                reading = _reading(part, head, options)
            reading.end()
    except (SourceError, OSError) as error:
        result.problems.append((part.source.name, _reason(part.source, error)))
        return
    for table in reading.rows.finish():
        files.add(_redacted(table, options))
    if problem is not None:
        result.problems.append((part.source.name, problem))
    _account(part, head, tracker, reading, result)


def _redacted(table: pa.Table, options: Options) -> pa.Table:
    return table if options.redactor is None else options.redactor.table(table)


def _fill(stream: Any, view: memoryview, wanted: int) -> int:
    """Read until `wanted` bytes are there or the stream ends: pipes give little at a time."""
    filled = 0
    while filled < wanted and (count := stream.readinto(view[filled:wanted])):
        filled += count
    return filled


class _LogReading:
    """A log on its way through envelope, catalogue and rows."""

    def __init__(self, part: Slice, head: bytes, options: Options) -> None:
        reading = detect(head, part.source.name, options.hints)
        self._reading = reading
        self.envelope, self.layout, self.timezone = reading.envelope, reading.layout, reading.timezone
        self.catalogue = _catalogue(options.parsers)
        self.reader = RecordReader(reading, self.catalogue.coarse)
        self.facts = SourceFacts(part.source.name, options.cluster)
        self.rows = _rows(part)
        self.first_ts: int | None = None
        self.last_ts: int | None = None
        self.last_line = 0
        self.last_row: Row | None = None
        self.unknown = 0

    @property
    def counts(self) -> LineCounts:
        return self.reader.counts

    def feed(self, block: memoryview) -> None:
        self._take(self.reader.feed(bytes(block)))

    def end(self) -> None:
        self._take(self.reader.feed(b"", True))

    def see_ends(self, *ends: bytes) -> None:
        """Widen `first_ts` and `last_ts` by the records at the ends, most of which become no event."""
        if self._reading.day is not None:
            return  # a date that rolls over midnight is only known to who has read from the beginning
        for end in ends:
            for record in RecordReader(self._reading).feed(end, True):
                self._see(record.ts)

    def _see(self, ts: int | None) -> None:
        if ts is not None:
            self.first_ts = ts if self.first_ts is None or ts < self.first_ts else self.first_ts
            self.last_ts = ts if self.last_ts is None or ts > self.last_ts else self.last_ts

    def _take(self, records: Sequence[Record]) -> None:
        match, rows, facts = self.catalogue.match, self.rows, self.facts
        for record in records:
            self._see(record.ts)
            self.last_line, self.last_row = record.line, None
            record.message = text_of(record.message)
            found = match(record.message, logger=record.logger, level=record.level, keys=record.keys)
            if found is None:
                self.unknown += 1
            elif found.keep:
                row = to_event(record, found, facts)
                rows.add(row, record)
                self.last_row = row


class _DumpReading:
    """A dump of Kafka's tools on its way into rows."""

    envelope, timezone = "none", ""

    def __init__(self, part: Slice, options: Options, tool: str) -> None:
        self.layout = tool
        self.reader = DumpReader(part.source.name, options.cluster)
        self.rows = _rows(part)
        self.first_ts: int | None = None
        self.last_ts: int | None = None
        self.last_line = 0
        self.last_row: Row | None = None
        self.unknown = 0
        self._rest = b""

    @property
    def counts(self) -> LineCounts:
        return self.reader.counts

    def feed(self, block: memoryview | bytes) -> None:
        *lines, self._rest = (self._rest + bytes(block)).split(b"\n")
        for line in lines:
            self._line(line)

    def end(self) -> None:
        if self._rest:
            self._line(self._rest)
            self._rest = b""

    def _line(self, line: bytes) -> None:
        self.last_row = self.reader.feed(line.decode("utf-8", "replace"))
        self.last_line = self.reader.counts.lines
        if self.last_row is not None:
            self.rows.add(self.last_row, Record(line=self.last_line, lines=1, message=""))


def _rows(part: Slice) -> SourceRows:
    state = part.known.last.state if part.known else {}
    return SourceRows(
        part.stream,
        part.pod,
        part.telling,
        last_line=state.get("last_line", 0),
        last_event=state.get("last_event"),
    )


def _reading(part: Slice, head: bytes, options: Options) -> _LogReading | _DumpReading:
    tool = recognise(head)
    return _LogReading(part, head, options) if tool is None else _DumpReading(part, options, tool)


def _account(
    part: Slice,
    head: bytes,
    tracker: IdentityTracker,
    reading: _LogReading | _DumpReading,
    result: RangeResult,
) -> None:
    """Add the account of what was read; for a known source what there is more than before."""
    if isinstance(reading, _LogReading):
        _, newline, whole_lines = tracker.end.partition(b"\n")
        reading.see_ends(head, whole_lines if newline and tracker.size > HEAD else b"")
    counts, known = reading.counts, part.known
    before = [*known.last.state["totals"], 0][:7] if known else [0] * 7
    totals = [counts.lines, counts.records, counts.continuation, counts.foreign, counts.undated]
    totals.append(before[5] + reading.rows.count)
    if known is not None and reading.rows.replaced is not None:
        result.replaced.append((part.stream, reading.rows.replaced))
        totals[5] -= 1
    totals.append(reading.unknown)
    deltas = [now - then for now, then in zip(totals, before, strict=True)]
    result.accounts.append(
        RangeAccount(
            stream=part.stream,
            source=part.source.name,
            fingerprint=str(fingerprint_of(head)),
            start=known.end if known else 0,
            end=tracker.size,
            lines=deltas[0],
            records=deltas[1],
            continuation_lines=deltas[2],
            foreign_lines=deltas[3],
            undated_lines=deltas[4],
            events=deltas[5],
            unknown_records=deltas[6],
            first_ts=reading.first_ts,
            last_ts=reading.last_ts,
            envelope=reading.envelope,
            layout=reading.layout,
            timezone=reading.timezone,
            ingested_at=int(time.time() * 1_000_000),
            identity=tracker.identity(),
            state={
                "totals": totals,
                "last_line": reading.last_line,
                "last_event": digest(reading.last_row),
            },
        )
    )


def _reason(source: Source, error: Exception) -> str:
    text = str(error) if isinstance(error, SourceError) else (getattr(error, "strerror", None) or str(error))
    return text.removeprefix(f"{source.name}: ")
