"""Puts records together: a header, the message, and the lines below that belong to it."""

from __future__ import annotations

from dataclasses import dataclass, field

from loganalyst.envelopes.blocks import BLOCK, BlockReader, block_named
from loganalyst.envelopes.classify import BODY, BREAK, FILE_MARK, Classifier, Start
from loganalyst.envelopes.clock import Clock
from loganalyst.envelopes.csv_rows import CsvReader
from loganalyst.envelopes.finish import MESSAGE_LIMIT, message_of
from loganalyst.envelopes.layouts import Layout, level_name
from loganalyst.envelopes.reading import Reading
from loganalyst.envelopes.record import LineCounts, Record
from loganalyst.envelopes.streamed import DocumentReader, Found
from loganalyst.envelopes.unwrap import Piece, Unwrapper, clean

# A line belongs to the record above it in its stream only if not more than this many lines of others stand
# between.
STREAM_GAP = 64


@dataclass(slots=True)
class Draft:
    """A record whose last line may not have come yet; `texts` are its lines, the first one without header."""

    record: Record
    layout: Layout | None
    last: int
    texts: list[str] = field(default_factory=list)
    size: int = 0

    def add(self, text: str, line: int) -> None:
        """Append a line that belongs to the record; text beyond the limit is dropped, the line still
        counts."""
        self.last = line
        if self.size < MESSAGE_LIMIT:
            self.texts.append(text)
            self.size += len(text) + 1


class Assembler:
    """Takes the lines of one source in order, gives records, and keeps the account of lines."""

    def __init__(self, reading: Reading, counts: LineCounts) -> None:
        """Assemble as `reading` says, accounting in `counts`."""
        self.counts = counts
        self.clock = Clock(reading.zone, reading.day, reading.year)
        wrapper_clock = Clock(reading.zone, reading.day, reading.year)
        self._unwrapper = Unwrapper(reading.wrappers, wrapper_clock, dict(reading.facts), reading.shape)
        self._classifier = Classifier(reading.layouts)
        self._document = _document(reading)
        self._mixed = bool(reading.wrappers)
        self._marked = reading.marked
        self._claimed = 0
        self._within = False
        self._open: dict[str, Draft] = {}
        self._done: list[Record] = []

    def push(self, line: str, ended: bool = True) -> None:
        """Take the next physical line, without its line feed; without `ended` (documents only) the line goes
        on."""
        if not self._within:
            self.counts.lines += 1
        number = self.counts.lines
        text = clean(line)
        if self._document is not None:
            # Until a record claims it, a line of a document belongs to none.
            self.counts.foreign += not self._within
            self._within = not ended
            self._claim(self._document.feed(text, number, ended))
            return
        if self._marked and (mark := FILE_MARK.fullmatch(text.strip())):
            self._unwrapper.enter(mark[1])
        pieces = self._unwrapper.unwrap(text, number)
        if not pieces:
            # A part of a line: the line that ends it will account for the record.
            self.counts.continuation += 1
        first = True
        for piece in pieces:
            self._take(piece, number, first=first)
            first = False

    def _claim(self, found: list[Found]) -> None:
        """Take the records that a document's line has closed, with the lines that they take."""
        for each in found:
            begin = max(each.first, self._claimed + 1)
            free = max(0, each.last - begin + 1)
            self.counts.foreign -= free
            self.counts.continuation += free
            self._claimed = max(self._claimed, each.last)
            first = free > 0
            if first:
                self.counts.continuation -= 1
            for piece in self._unwrapper.unwrap_object(each.item, each.shape, each.line):
                self._take(piece, each.line, first=first)
                first = False

    def _take(self, piece: Piece, last: int, *, first: bool) -> None:
        """Take an unwrapped line that ends on line number `last`. `first`: it accounts for that line."""
        stream = piece.stream_key
        number = piece.line
        if piece.header is not None and not (piece.loose and self._classifier.has_header(piece.text)):
            self._begin(stream, self._spoken(piece, number, last), first=first)
            return
        for text in piece.text.split("\n") if "\n" in piece.text else (piece.text,):
            self._line(text, piece, stream, number, last, first=first)
            first = False

    def _line(self, text: str, piece: Piece, stream: str, number: int, last: int, *, first: bool) -> None:
        draft = self._open.get(stream)
        if draft is not None and self._mixed and number - draft.last > STREAM_GAP:
            draft = None
        above = draft.layout if draft is not None else None
        kind = self._classifier.classify(text, above, follows=draft is not None)
        if isinstance(kind, Start):
            self._begin(stream, self._started(kind, piece, number, last), first=first)
        elif kind is BODY and draft is not None:
            draft.add(text, last)
            self.counts.continuation += first
        else:
            if kind is BREAK and draft is not None:
                self._finish(self._open.pop(stream))
            self.counts.foreign += first

    def _started(self, start: Start, piece: Piece, number: int, last: int) -> Draft:
        record = Record(
            number,
            1,
            "",
            self._time(start.time, piece),
            level_name(start.level),
            start.logger,
            start.thread,
            None,
            piece.wrapper,
        )
        return Draft(record, start.layout, last, [start.text], len(start.text))

    def _spoken(self, piece: Piece, number: int, last: int) -> Draft:
        said = piece.header
        assert said is not None
        record = Record(
            number,
            1,
            "",
            self._time(said.time, piece),
            said.level,
            said.logger,
            said.thread,
            said.keys,
            piece.wrapper,
        )
        return Draft(record, None, last, [piece.text], len(piece.text))

    def _time(self, stamp: str | None, piece: Piece) -> int | None:
        """A record's own time; its wrapper's where it prints none or one whose date nobody knows."""
        own = self.clock.read(stamp) if stamp else None
        return own if own is not None or piece.wrapper is None else piece.wrapper.ts

    def _begin(self, stream: str, draft: Draft, *, first: bool) -> None:
        before = self._open.get(stream)
        if before is not None:
            self._finish(before)
        self._open[stream] = draft
        if first and draft.record.ts is not None:
            self.counts.records += 1
        elif first:
            self.counts.undated += 1

    def _finish(self, draft: Draft) -> None:
        message_of(draft.record, draft.layout, draft.texts)
        draft.record.lines = draft.last - draft.record.line + 1
        self._done.append(draft.record)

    def take(self, last: bool = False) -> list[Record]:
        """Give the records that are complete, in line order; with `last` all of them."""
        if last:
            if self._document is not None:
                self._claim(self._document.finish(self.counts.lines))
            for piece in self._unwrapper.flush():
                self.counts.continuation -= 1
                self._take(piece, piece.line, first=True)
            for draft in self._open.values():
                self._finish(draft)
            self._open.clear()
        done, self._done = self._done, []
        done.sort(key=lambda record: record.line)
        return done


def _document(reading: Reading) -> DocumentReader | CsvReader | BlockReader | None:
    if reading.document == "json":
        return DocumentReader(reading.shape)
    if reading.document is not None and reading.document.startswith(BLOCK):
        return BlockReader(block_named(reading.document.removeprefix(BLOCK)))
    if reading.document is not None and reading.document.startswith("csv"):
        return CsvReader(None, reading.document.removeprefix("csv") or ",", reading.shape)
    return None
