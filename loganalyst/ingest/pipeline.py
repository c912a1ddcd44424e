"""The pure function that every executor runs: read the sources of one task, give back rows and accounts.

Nothing in here knows which process, machine or scheduler it runs on. A task and its result can be pickled;
the catalogue is loaded once per process.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from loganalyst.dataset.account import RangeAccount
from loganalyst.dataset.files import DataFile, EventFiles
from loganalyst.dataset.ledger import Known
from loganalyst.dataset.location import Location
from loganalyst.dumps import recognise
from loganalyst.envelopes.reading import TimeHints
from loganalyst.errors import SourceError
from loganalyst.ingest.event import SourceFacts
from loganalyst.ingest.identity import HEAD, IdentityTracker, begins_like
from loganalyst.ingest.reading import DumpReading, LogReading, catalogue_of
from loganalyst.ingest.rows import RowFiles, SourceRows
from loganalyst.sources.files import PipeOpener
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
    `changed` are sources that are no longer what they were when the task was planned: they are not in it.
    """

    files: list[DataFile] = field(default_factory=list)
    accounts: list[RangeAccount] = field(default_factory=list)
    replaced: list[tuple[str, int]] = field(default_factory=list)
    problems: list[tuple[str, str]] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    bytes: int = 0


def read_range(task: Task, told: Callable[[int], None] | None = None) -> RangeResult:
    """Read all sources of a task. `told` is called with the number of bytes read since it was called last.

    A source that cannot be read, or that is damaged, is a problem of that source alone. Raises `DatasetError`
    when the files cannot be written.
    """
    result = RangeResult()
    files = RowFiles(EventFiles(task.place), task.options.redactor)
    try:
        for part in task.slices:
            _read_slice(part, task.options, files, result, told)
        result.files = files.finish()
    except BaseException:
        files.discard()
        raise
    return result


def _read_slice(
    part: Slice, options: Options, files: RowFiles, result: RangeResult, told: Callable[[int], None] | None
) -> None:
    known = part.known
    resume = known.last.state.get("resume") if known is not None and part.source.plain else None
    problem: str | None = None
    try:
        head = (
            part.source.head(HEAD)
            if not isinstance(part.source.opener, PipeOpener) and part.source.size
            else b""
        )
        if known is not None and not begins_like(head, known):
            result.changed.append(part.source.name)
            return
        with part.source.open(resume["offset"] if resume else 0) as stream:
            view = memoryview(bytearray(_BLOCK))
            blocks = _Blocks(stream, view)
            filled = blocks.fill(HEAD)
            head = head or bytes(view[:filled])
            tracker = IdentityTracker(head, resume["offset"]) if resume else IdentityTracker()
            reading = _reading(part, head, options, resume)
            try:
                while filled:
                    tracker.take(view[:filled])
                    result.bytes += filled
                    if told is not None:
                        told(filled)
                    reading.feed(view[:filled])
                    files.add(reading.rows.ready())
                    filled = blocks.fill(_BLOCK)
            except (SourceError, OSError) as error:
                problem = _reason(part.source, error)
            reading.end()
    except (SourceError, OSError) as error:
        result.problems.append((part.source.name, _reason(part.source, error)))
        return
    files.add(reading.rows.finish())
    if problem is not None:
        result.problems.append((part.source.name, problem))
    result.accounts.append(_account(part, head, tracker, reading, result))


class _Blocks:
    """Fills a buffer from a stream; what came before the stream broke is given before its error is raised."""

    def __init__(self, stream: Any, view: memoryview) -> None:
        self._stream = stream
        self._view = view
        self._broken: Exception | None = None

    def fill(self, wanted: int) -> int:
        """Read until `wanted` bytes are there or the stream ends: pipes give little at a time."""
        if self._broken is not None:
            raise self._broken
        filled = 0
        try:
            while filled < wanted and (count := self._stream.readinto(self._view[filled:wanted])):
                filled += count
        except (SourceError, OSError) as error:
            if not filled:
                raise
            self._broken = error
        return filled


def _reading(
    part: Slice, head: bytes, options: Options, resume: Mapping[str, Any] | None
) -> LogReading | DumpReading:
    state = part.known.last.state if part.known else {}
    rows = SourceRows(
        part.stream,
        part.pod,
        part.telling,
        last_line=state.get("last_line", 0),
        last_events=state.get("last_events", ()),
        state=state.get("rows") if resume else None,
    )
    facts = SourceFacts(part.source.name, options.cluster)
    tool = recognise(head)
    if tool is not None:
        return DumpReading(facts, tool, rows)
    return LogReading(head, facts, options.hints, catalogue_of(options.parsers), rows, resume=resume)


def _account(
    part: Slice,
    head: bytes,
    tracker: IdentityTracker,
    reading: LogReading | DumpReading,
    result: RangeResult,
) -> RangeAccount:
    """Make the account of what was read; for a known source what there is more than before."""
    known = part.known
    resume = reading.see_ends(head, tracker, plain=part.source.plain)
    last_line = resume["line"] if resume else reading.last_line
    before = known.last.state["totals"] if known else [0] * 7
    totals = [*reading.totals(), before[6] + reading.rows.count]
    if reading.rows.replaced is not None:
        result.replaced.append((part.stream, reading.rows.replaced))
        totals[6] -= reading.rows.replaced_rows
    lines, records, continuation, foreign, undated, unknown, events = (
        now - then for now, then in zip(totals, before, strict=True)
    )
    return RangeAccount(
        stream=part.stream,
        source=part.source.name,
        fingerprint=str(fingerprint_of(head)),
        start=known.end if known else 0,
        end=tracker.size,
        lines=lines,
        records=records,
        continuation_lines=continuation,
        foreign_lines=foreign,
        undated_lines=undated,
        events=events,
        unknown_records=unknown,
        first_ts=reading.first_ts,
        last_ts=reading.last_ts,
        envelope=reading.envelope,
        layout=reading.layout,
        timezone=reading.timezone,
        ingested_at=int(time.time() * 1_000_000),
        identity=tracker.identity(),
        state={
            "totals": totals,
            "last_line": last_line,
            "last_events": reading.rows.digests_of(last_line),
            **({"resume": resume, "rows": reading.rows.state()} if resume else {}),
        },
    )


def _reason(source: Source, error: Exception) -> str:
    text = str(error) if isinstance(error, SourceError) else (getattr(error, "strerror", None) or str(error))
    return text.removeprefix(f"{source.name}: ")
