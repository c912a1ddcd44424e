"""Reads a source's bytes into records."""

from __future__ import annotations

from typing import Protocol

from loganalyst.envelopes.assemble import Assembler
from loganalyst.envelopes.fast import FastLines, can_be_fast
from loganalyst.envelopes.reading import Reading
from loganalyst.envelopes.record import LineCounts, Record
from loganalyst.envelopes.text import JSON_LINE_LIMIT, LINE_LIMIT, decode
from loganalyst.envelopes.unwrap import JSON

# Blocks are put together to at least this size before they are searched, and a record that has grown beyond
# the second number of bytes is no longer held back for the lines that may still belong to it.
_BATCH = 64 * 1024
_HELD = 4 << 20


class Coarse(Protocol):
    """The few literals of which every line that matters contains at least one."""

    @property
    def literals(self) -> tuple[bytes, ...]:
        """The literals."""


class RecordReader:
    """Turns the blocks of one source, in order, into records.

    `feed` takes blocks of any size and returns the records that are complete; with `last` all that remain.
    With
    `coarse` only records in whose text one of its literals stands are built. `counts` accounts for all lines
    seen.
    """

    def __init__(self, reading: Reading, coarse: Coarse | None = None) -> None:
        """Read a source as `reading` says."""
        self.reading = reading
        self.counts = LineCounts()
        self._assembler = Assembler(reading, self.counts)
        self._rest = b""
        self._cutting = False
        self._document = reading.document == "json"
        objects = any(step.startswith(JSON) for step in reading.wrappers)
        self._limit = JSON_LINE_LIMIT if objects else LINE_LIMIT
        self._literals = coarse.literals if coarse is not None else None
        self._fast = _fast(reading, coarse, self.counts)

    def feed(self, block: bytes | bytearray | memoryview, last: bool = False) -> list[Record]:
        """Read the next block; `last` says that nothing follows."""
        data = self._rest + block if self._rest else bytes(block)
        if self._cutting:
            # The line is longer than what is kept of it: drop the rest.
            data = self._rest + self._behind_cut(bytes(block))
        if self._fast is not None:
            return self._feed_fast(data, last)
        return self._feed_slow(data, last)

    def _behind_cut(self, block: bytes) -> bytes:
        end = block.find(b"\n")
        self._cutting = end < 0
        return b"" if end < 0 else block[end:]

    def _keep(self, rest: bytes) -> None:
        """Keep the beginning of a line whose end has not come."""
        if len(rest) > self._limit:
            rest = rest[: self._limit]
            self._cutting = True
        self._rest = rest

    def _feed_fast(self, data: bytes, last: bool) -> list[Record]:
        assert self._fast is not None
        if len(data) < _BATCH and not last:
            self._rest = data
            return []
        if last and data and not data.endswith(b"\n"):
            data += b"\n"
        end = data.rfind(b"\n") + 1
        if not end:
            self._keep(data)
            return []
        lines = data if end == len(data) else data[:end]
        read = self._fast.read(lines, last, len(lines) > _HELD)
        if read is None:
            self._fast = None
            return self._feed_slow(data, last)
        records, consumed = read
        if consumed < end:
            self._rest = data[consumed:]
            if len(data) - end > self._limit:
                self._rest = data[consumed : end + self._limit]
                self._cutting = True
        else:
            self._keep(data[end:])
        return records

    def _feed_slow(self, data: bytes, last: bool) -> list[Record]:
        lines = data.split(b"\n")
        rest = lines.pop()
        if last and rest:
            lines.append(rest)
            rest = b""
        for line in lines:
            self._assembler.push(decode(line[: self._limit]))
        if self._document and rest:
            whole = _whole_characters(rest)
            self._assembler.push(decode(rest[:whole]), ended=False)
            rest = rest[whole:]
        self._keep(rest)
        records = self._assembler.take(last)
        if self._literals is not None:
            return [record for record in records if self._matters(record)]
        return records

    def _matters(self, record: Record) -> bool:
        if record.keys:
            return True
        text = record.message.encode("utf-8", "surrogatepass")
        return any(literal in text for literal in self._literals or ())


def _whole_characters(rest: bytes) -> int:
    """How many bytes of an unfinished line end with a whole UTF-8 character."""
    cut = len(rest)
    while cut and cut > len(rest) - 4 and rest[cut - 1] & 0xC0 == 0x80:
        cut -= 1
    if cut and rest[cut - 1] >= 0xC0:
        return cut - 1
    return len(rest)


def _fast(reading: Reading, coarse: Coarse | None, counts: LineCounts) -> FastLines | None:
    return (
        FastLines(reading, coarse.literals, counts) if coarse is not None and can_be_fast(reading) else None
    )
