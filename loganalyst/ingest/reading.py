"""One source on its way through envelope, catalogue and rows; or through the tables of Kafka's tools."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from loganalyst.catalogue import Catalogue, load
from loganalyst.dumps import DumpReader
from loganalyst.envelopes.detect import detect
from loganalyst.envelopes.reader import RecordReader
from loganalyst.envelopes.reading import TimeHints
from loganalyst.envelopes.record import LineCounts, Record
from loganalyst.ingest.event import SourceFacts, text_of, to_event
from loganalyst.ingest.identity import IdentityTracker
from loganalyst.ingest.rows import SourceRows

__all__ = ["DumpReading", "LogReading", "catalogue_of"]

CLASSES = ("lines", "records", "continuation", "foreign", "undated")


@lru_cache(maxsize=4)
def catalogue_of(parsers: tuple[Path, ...]) -> Catalogue:
    """Return the catalogue with the user's parsers, loaded once a process."""
    return load(parsers)


def _classes(counts: LineCounts) -> list[int]:
    return [getattr(counts, name) for name in CLASSES]


class LogReading:
    """Reads a log; `totals()` accounts for all lines of the source, also those before a `resume` point.

    A resume point (`offset`, `line`, `totals`) is the beginning of the last record of what was read before,
    so that a tail is read without what lies before it.
    """

    def __init__(
        self,
        head: bytes,
        facts: SourceFacts,
        hints: TimeHints,
        catalogue: Catalogue,
        rows: SourceRows,
        *,
        resume: Mapping[str, Any] | None = None,
    ) -> None:
        """`head` is the beginning of the source, also where reading resumes behind it."""
        self._reading = detect(head, facts.source, hints)
        self.envelope, self.layout = self._reading.envelope, self._reading.layout
        self.timezone = self._reading.timezone
        self.rows = rows
        self.first_ts: int | None = None
        self.last_ts: int | None = None
        self.last_line = 0
        self._catalogue = catalogue
        self._facts = facts
        self._reader = RecordReader(self._reading, catalogue.coarse)
        self._before = list(resume["totals"]) if resume else [0] * (len(CLASSES) + 1)
        self._skipped = int(resume["line"]) - 1 if resume else 0
        self._unknown = 0
        self._unknown_line = 0

    def feed(self, block: memoryview) -> None:
        """Read the next bytes."""
        self._take(self._reader.feed(block))

    def end(self) -> None:
        """Read what is left after the last bytes."""
        self._take(self._reader.feed(b"", True))

    def totals(self) -> list[int]:
        """Return lines, the four classes they fall into, and the records no statement is known for."""
        read = [*_classes(self._reader.counts), self._unknown]
        return [before + now for before, now in zip(self._before, read, strict=True)]

    def see_ends(self, head: bytes, tracker: IdentityTracker, *, plain: bool) -> dict[str, Any] | None:
        """Widen `first_ts` and `last_ts` by the records at the ends; return the point where a tail resumes.

        Most records become no event and are not built otherwise. There is no such point (None) where a
        record cannot be read without what lies before it: in wrapped sources, where a date rolls over
        midnight, and where no record begins near the end.
        """
        if self._reading.day is not None or self._reading.year is not None:
            return None
        for record in RecordReader(self._reading).feed(head, True):
            self._see(record.ts)
        window = tracker.end
        if len(window) < tracker.size:
            window = window.partition(b"\n")[2]
        near = RecordReader(self._reading)
        records = near.feed(window, True)
        for record in records:
            self._see(record.ts)
        alone = plain and not self._reading.wrappers and self._reading.document is None
        if not alone or not records or records[-1].ts is None:
            return None
        at = _line_start(window, records[-1].line)
        again = RecordReader(self._reading).feed(window[at:], True)
        if len(again) != 1 or again[0].ts != records[-1].ts:
            return None
        last = RecordReader(self._reading, self._catalogue.coarse)
        last.feed(window[at:], True)
        totals = self.totals()
        line = totals[0] - near.counts.lines + records[-1].line
        unknown = int(self._unknown_line == line)
        return {
            "offset": tracker.size - len(window) + at,
            "line": line,
            "totals": [
                total - after for total, after in zip(totals, [*_classes(last.counts), unknown], strict=True)
            ],
        }

    def _see(self, ts: int | None) -> None:
        if ts is not None:
            self.first_ts = ts if self.first_ts is None or ts < self.first_ts else self.first_ts
            self.last_ts = ts if self.last_ts is None or ts > self.last_ts else self.last_ts

    def _take(self, records: Sequence[Record]) -> None:
        match, rows, facts, skipped = self._catalogue.match, self.rows, self._facts, self._skipped
        for record in records:
            record.line += skipped
            self._see(record.ts)
            self.last_line = record.line
            record.message = text_of(record.message)
            found = match(record.message, logger=record.logger, level=record.level, keys=record.keys)
            if found is None:
                self._unknown += 1
                self._unknown_line = record.line
            elif found.keep:
                rows.add(to_event(record, found, facts), record)


class DumpReading:
    """Reads what one of Kafka's tools printed."""

    envelope, timezone = "none", ""
    first_ts: int | None = None
    last_ts: int | None = None

    def __init__(self, facts: SourceFacts, tool: str, rows: SourceRows) -> None:
        """`tool` is what `recognise` called it."""
        self.layout = tool
        self.rows = rows
        self.last_line = 0
        self._reader = DumpReader(facts.source, facts.cluster)
        self._rest = b""

    def feed(self, block: memoryview) -> None:
        """Read the next bytes."""
        *lines, self._rest = (self._rest + bytes(block)).split(b"\n")
        for line in lines:
            self._line(line)

    def end(self) -> None:
        """Read what is left after the last bytes."""
        if self._rest:
            self._line(self._rest)
            self._rest = b""

    def totals(self) -> list[int]:
        """Return lines, the four classes they fall into, and 0: tools have no unknown records."""
        return [*_classes(self._reader.counts), 0]

    def see_ends(self, head: bytes, tracker: IdentityTracker, *, plain: bool) -> None:
        """Tools print no times, and what they print does not grow."""
        del head, tracker, plain

    def _line(self, line: bytes) -> None:
        row = self._reader.feed(line.decode("utf-8", "replace"))
        self.last_line = self._reader.counts.lines
        if row is not None:
            self.rows.add(row, Record(line=self.last_line, lines=1, message=""))


def _line_start(text: bytes, line: int) -> int:
    """Return where a line (from 1) begins."""
    at = 0
    for _ in range(line - 1):
        at = text.index(b"\n", at) + 1
    return at
