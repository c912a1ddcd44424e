"""The fast path: only records that a coarse literal hits are built; all other lines are only counted.

A block is searched once for all literals by native code, its lines are found and told apart with array
operations, and
only what is odd (no header, no continuation by its looks) is classified one by one, by the same rules as on
the slow path.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import ahocorasick_rs
import numpy as np

from loganalyst.envelopes.assemble import Assembler
from loganalyst.envelopes.classify import BODY, BREAK, Classifier, Start
from loganalyst.envelopes.clock import Clock
from loganalyst.envelopes.finish import MESSAGE_LIMIT, message_of
from loganalyst.envelopes.layouts import Layout, level_name
from loganalyst.envelopes.line_block import LineBlock
from loganalyst.envelopes.looks import Looks, looks_of, stream_of
from loganalyst.envelopes.reading import Reading
from loganalyst.envelopes.record import LineCounts, Record, Wrapper
from loganalyst.envelopes.signature import Positions
from loganalyst.envelopes.text import decode
from loganalyst.envelopes.unwrap import JSON, Unwrapper, clean

_HEADER_LIMIT = 2000
_NEWLINE = 10


def can_be_fast(reading: Reading) -> bool:
    """Whether a source has what the fast path needs: a header at a fixed place of every line, or an object on
    every line."""
    if reading.document or reading.marked:
        return False
    if reading.wrappers == (JSON,) and not reading.layouts:
        return True
    rolling = reading.day is not None or reading.year is not None
    if not reading.layouts or rolling:
        return False
    return reading.layouts[0].timed and not reading.layouts[0].two_lines


@lru_cache(maxsize=4)
def _searcher(literals: tuple[bytes, ...]) -> ahocorasick_rs.BytesAhoCorasick:
    """Build the searcher once: it costs more than to read a small file.

    Leftmost matching lets it compare many literals at once with vector instructions.
    """
    return ahocorasick_rs.BytesAhoCorasick(list(literals), matchkind=ahocorasick_rs.MatchKind.LeftmostFirst)


class FastLines:
    """Reads blocks of whole lines that begin with a record (or at the source's start)."""

    def __init__(self, reading: Reading, literals: Iterable[bytes], counts: LineCounts) -> None:
        """Search for `literals`, accounting in `counts`."""
        self._reading = reading
        self._counts = counts
        self._wrapped = bool(reading.wrappers)
        facts = dict(reading.facts)
        self._told = (
            Wrapper(facts.get("pod"), facts.get("container"), facts.get("namespace")) if facts else None
        )
        self._main = reading.layouts[0] if reading.layouts else None
        self._dated: bool | None = None
        self._clock = Clock(reading.zone, reading.day, reading.year)
        self._classifier = Classifier(reading.layouts)
        self._search = _searcher(tuple(literals))
        self._looks: Looks | None = None
        self._stream: str | None = None
        self._assembler = Assembler(reading, LineCounts())
        self._unwrapper = Unwrapper(reading.wrappers, Clock(), dict(reading.facts), reading.shape)
        self._above: Layout | None = None
        self._follows = False

    def read(self, data: bytes, last: bool, force: bool) -> tuple[list[Record], int] | None:
        """Read what is complete in `data`, which ends with a line feed.

        Return the records and how many bytes were read: the last record may go on in the next block, so it is
        left for then,
        unless nothing follows (`last`) or it has grown too large (`force`). `None` if the lines have no
        common looks.
        """
        array = np.frombuffer(data, np.uint8)
        ends = np.flatnonzero(array == _NEWLINE)
        starts = np.empty_like(ends)
        starts[0] = 0
        starts[1:] = ends[:-1] + 1
        if self._looks is None:
            self._looks = looks_of(self._reading, data, starts, ends)
        looks = self._looks
        if looks is None or not looks.trusts(data, starts.size):
            return None
        header = looks.header(array, starts, ends)
        if self._dated is None and header.any():
            self._meet(data, starts, ends, int(np.argmax(header)))
        block = LineBlock(data, array, starts, ends)
        empty = ends == starts
        mains = np.flatnonzero(header)
        odd = np.flatnonzero(~header & ~empty & ~looks.body(array, starts, ends)).tolist()
        if not self._odd(block, odd, mains):
            return None
        block.foreign = np.flatnonzero(empty)
        if block.odd_foreign:
            block.foreign = np.union1d(block.foreign, block.odd_foreign)
        block.begins = mains if not block.odd_starts else np.union1d(mains, list(block.odd_starts))
        return self._read(block, last, force)

    def _meet(self, data: bytes, starts: Positions, ends: Positions, line: int) -> None:
        """Look at the first record: do records here have a time, and which stream is this?"""
        text = decode(data[starts[line] : ends[line]])
        assembler = Assembler(self._reading, LineCounts())
        assembler.push(text)
        self._dated = any(record.ts is not None for record in assembler.take(True))
        self._stream = stream_of(self._reading, clean(text)) if self._wrapped else None

    def _odd(self, block: LineBlock, odd: list[int], mains: Positions) -> bool:
        """Classify the lines that are odd by their looks, in order, by the rules of the slow path.

        `False` if one of them belongs to another stream or goes on in the next line: then order is not
        nearness.
        """
        if not odd:
            return True
        before = np.searchsorted(mains, odd)
        previous_mains = (
            np.where(before > 0, mains[before - 1], -1).tolist() if mains.size else [-1] * len(odd)
        )
        latest, latest_layout = -1, self._above
        for line, previous in zip(odd, previous_mains, strict=True):
            above = self._main if previous > latest else latest_layout
            follows = previous >= 0 or latest >= 0 or self._follows
            text = self._inside(block, line)
            if text is None:
                return False
            kind = self._classifier.classify(text, above if follows else None, follows)
            if isinstance(kind, Start):
                block.odd_starts[line] = kind
                latest, latest_layout = line, kind.layout
            elif kind is BREAK:
                return False
            elif kind is not BODY or not follows:
                block.odd_foreign.append(line)
        return True

    def _inside(self, block: LineBlock, line: int) -> str | None:
        """The text of an odd line without its wrappers; `None` if it is not of this stream."""
        if not self._wrapped or self._main is None:
            return block.text(line)
        pieces = self._unwrapper.unwrap(clean(block.raw(line)))
        if len(pieces) != 1 or pieces[0].stream_key != self._stream or pieces[0].header is not None:
            self._unwrapper.flush()
            return None
        return pieces[0].text.partition("\n")[0]

    def _read(self, block: LineBlock, last: bool, force: bool) -> tuple[list[Record], int]:
        begins = block.begins
        whole = last or not begins.size or (force and begins.size == 1 and begins[0] == 0)
        region = block.starts.size if whole else int(begins[-1])
        if not whole and not region:
            return [], 0
        kept = begins.size if whole else begins.size - 1
        first = int(begins[0]) if begins.size else region
        foreign = int(np.searchsorted(block.foreign, region))
        if not self._follows:
            # Above the first record there is nothing that a line could belong to.
            foreign += min(first, region) - int(np.searchsorted(block.foreign, min(first, region)))
        undated = sum(
            self._undated(block, line, start) for line, start in block.odd_starts.items() if line < region
        )
        if not self._dated:
            undated += kept - sum(line < region for line in block.odd_starts)
        base = self._counts.lines
        self._counts.lines += region
        self._counts.foreign += foreign
        self._counts.undated += undated
        self._counts.records += kept - undated
        self._counts.continuation += region - kept - foreign
        records = self._hit(block, region, base) if kept else []
        self._follows = (whole and begins.size > 0) or (whole and self._follows)
        if whole and begins.size:
            start = block.odd_starts.get(int(begins[-1]))
            self._above = start.layout if start is not None else self._main
        consumed = len(block.data) if whole else int(block.starts[region])
        return records, consumed

    def _undated(self, block: LineBlock, line: int, start: Start) -> bool:
        """Whether an odd beginning of a record has no time, neither of its own nor its wrapper's."""
        if start.time is not None and self._clock.read(start.time) is not None:
            return False
        if not self._wrapped:
            return True
        return all(record.ts is None for record in self._object(block, line, line + 1, 0))

    def _hit(self, block: LineBlock, region: int, base: int) -> list[Record]:
        """Build the records in whose lines a literal stands, stack frames left out: no message begins
        there."""
        found = self._search.find_matches_as_indexes(block.data)
        if not found:
            return []
        lines = (
            np.searchsorted(
                block.starts, np.fromiter((hit[1] for hit in found), np.int64, len(found)), "right"
            )
            - 1
        )
        lines = lines[np.append(True, lines[1:] != lines[:-1])]
        lines = lines[(lines < region) & ~block.frames(lines)]
        numbers = np.searchsorted(block.begins, lines, "right") - 1
        numbers = np.unique(numbers[numbers >= 0])
        begins = block.begins[numbers]
        beyond = np.minimum(np.append(block.begins, block.starts.size)[numbers + 1], region)
        if self._wrapped:
            pairs = zip(begins.tolist(), beyond.tolist(), strict=True)
            return [record for begin, end in pairs for record in self._object(block, begin, end, base)]
        return self._records(block, begins, beyond, base)

    def _records(self, block: LineBlock, begins: Positions, beyond: Positions, base: int) -> list[Record]:
        """Build the records that begin on the lines `begins` and end before the lines `beyond`."""
        assert self._main is not None
        records: list[Record] = []
        main, data, read = self._main, block.data, self._clock.read
        match, ended = main.starts.match, main.ending is not None
        notes = np.searchsorted(block.foreign, beyond) - np.searchsorted(block.foreign, begins)
        places = zip(
            begins.tolist(),
            beyond.tolist(),
            block.starts[begins].tolist(),
            block.ends[begins].tolist(),
            block.ends[beyond - 1].tolist(),
            notes.tolist(),
            strict=True,
        )
        for begin, end, at, stop, last, foreign in places:
            below: list[str] | None = None
            if block.simple and begin not in block.odd_starts and last - at < MESSAGE_LIMIT:
                below = _below(data, stop, last, foreign)
            text = data[at:stop].decode("ascii") if below is not None else ""
            found = match(text, 0, _HEADER_LIMIT)
            if found is None or below is None:
                record = self._record(block, begin, end, base)
                if record is not None:
                    records.append(record)
                continue
            time, level, logger, thread = found.group("time", "level", "logger", "thread")
            message = text[found.end() :]
            record = Record(
                base + begin + 1,
                1,
                message,
                read(time) if time else None,
                level_name(level),
                logger,
                thread,
                None,
                self._told,
            )
            if foreign or end > begin + 1:
                record.lines = self._last(block, begin, end) - begin + 1
            if ended:
                message_of(record, main, [message, *below])
            elif below:
                record.message = "\n".join((message, *below))
            records.append(record)
        return records

    def _last(self, block: LineBlock, begin: int, end: int) -> int:
        """The last line of a record that is not foreign."""
        while end > begin + 1 and block.is_foreign(end - 1):
            end -= 1
        return end - 1

    def _record(self, block: LineBlock, begin: int, end: int, base: int) -> Record | None:
        """Build one record with all the care that odd lines need."""
        text = block.text(begin)
        start = block.odd_starts.get(begin)
        if start is None:
            assert self._main is not None
            found = self._main.starts.match(text, 0, _HEADER_LIMIT)
            if found is not None:
                start = Start(
                    self._main, text[found.end() :], *found.group("time", "level", "logger", "thread")
                )
            else:
                # It only looked like a header.
                kind = self._classifier.classify(text, self._main, True)
                if not isinstance(kind, Start):
                    return None
                start = kind
        end = self._last(block, begin, end) + 1
        texts = [start.text]
        if end > begin + 1:
            self._body(block, begin, end, texts)
        ts = self._clock.read(start.time) if start.time else None
        record = Record(
            base + begin + 1,
            end - begin,
            "",
            ts,
            level_name(start.level),
            start.logger,
            start.thread,
            None,
            self._told,
        )
        message_of(record, start.layout, texts)
        return record

    def _body(self, block: LineBlock, begin: int, end: int, texts: list[str]) -> None:
        """Add the lines below the first, to the limit of a message."""
        size = len(texts[0])
        for line in range(begin + 1, end):
            if block.is_foreign(line):
                continue
            if size >= MESSAGE_LIMIT:
                break
            texts.append(block.text(line))
            size += len(texts[-1]) + 1

    def _object(self, block: LineBlock, begin: int, end: int, base: int) -> list[Record]:
        """An object and what stands below it go through the slow path."""
        assembler = self._assembler
        assembler.counts.lines = base + begin
        for line in range(begin, end):
            assembler.push(block.raw(line))
        return assembler.take(True)


def _below(data: bytes, stop: int, last: int, foreign: int) -> list[str] | None:
    """The lines below a record's first, without the blank ones; `None` if others than blank ones are
    foreign."""
    if last <= stop:
        return []
    lines = data[stop + 1 : last].decode("ascii").split("\n")
    if not foreign:
        return lines
    kept = [line for line in lines if line and not line.isspace()]
    return kept if len(lines) - len(kept) == foreign else None
