"""Reads a source's bytes into records."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from loganalyst.envelopes.assemble import Assembler
from loganalyst.envelopes.reading import Reading
from loganalyst.envelopes.record import LineCounts, Record
from loganalyst.envelopes.unwrap import JSON

# A line longer than this is cut: what follows belongs to the same line but is not looked at.
LINE_LIMIT = 1 << 20
# A line of JSON is worth nothing without its end, and OTLP puts many records into one.
JSON_LINE_LIMIT = 32 << 20


class Coarse(Protocol):
    """The few literals of which every line that matters contains at least one."""

    @property
    def literals(self) -> tuple[bytes, ...]:
        """The literals."""


class RecordReader:
    """Turns the blocks of one source, in order, into records.

    `feed` takes blocks of any size and returns the records that are complete; with `last` all that remain. With
    `coarse` only records in whose text one of its literals stands are built. `counts` accounts for all lines seen.
    """

    def __init__(self, reading: Reading, coarse: Coarse | None = None) -> None:
        self.reading = reading
        self.counts = LineCounts()
        self._assembler = Assembler(reading, self.counts)
        self._rest = b""
        self._cutting = False
        self._document = reading.document == "json"
        self._limit = (
            JSON_LINE_LIMIT if any(step.startswith(JSON) for step in reading.wrappers) else LINE_LIMIT
        )
        self._literals = coarse.literals if coarse is not None else None

    def feed(self, block: bytes, last: bool = False) -> list[Record]:
        """Read the next block; `last` says that nothing follows."""
        data = self._rest + block if self._rest else bytes(block)
        lines = data.split(b"\n")
        self._rest = lines.pop()
        if last and self._rest:
            lines.append(self._rest)
            self._rest = b""
        if lines and self._cutting:
            self._cutting = False
            del lines[0]
        if self._document and self._rest:
            self._assembler.push(decode(self._whole_characters()), ended=False)
        elif len(self._rest) > self._limit:
            if not self._cutting:
                self._push(self._rest)
                self._cutting = True
            self._rest = b""
        for line in lines:
            self._push(line)
        records = self._assembler.take(last)
        if self._literals is not None:
            return [r for r in records if self._matters(r)]
        return records

    def _push(self, line: bytes) -> None:
        self._assembler.push(decode(line[: self._limit]))

    def _whole_characters(self) -> bytes:
        """The unfinished line up to its last whole UTF-8 character, which is kept no longer."""
        cut = len(self._rest)
        while cut and cut > len(self._rest) - 4 and self._rest[cut - 1] & 0xC0 == 0x80:
            cut -= 1
        if cut and self._rest[cut - 1] >= 0xC0:
            cut -= 1
        done, self._rest = self._rest[:cut], self._rest[cut:]
        return done

    def _matters(self, record: Record) -> bool:
        text = record.message.encode("utf-8", "surrogatepass")
        return any(literal in text for literal in self._literals or ())


def decode(line: bytes) -> str:
    """Decode a line as UTF-8; one that is not UTF-8 at all as Latin-1, one that is damaged with replacement marks."""
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError:
        text = line.decode("utf-8", "replace")
        return text if any(c > "\x7f" and c != "\ufffd" for c in text) else line.decode("latin-1")


def read_all(reading: Reading, blocks: Iterator[bytes], coarse: Coarse | None = None) -> Iterator[Record]:
    """Yield the records of a source whose blocks are given."""
    reader = RecordReader(reading, coarse)
    for block in blocks:
        yield from reader.feed(block)
    yield from reader.feed(b"", True)
