"""Reads texts the way the product does, for the tests of this room."""

from __future__ import annotations

import gzip
from collections.abc import Iterable

from loganalyst.envelopes import LineCounts, Reading, Record, RecordReader, TimeHints, detect
from tests.recorded import CORPORA, require

HINTS = TimeHints()


class Literals:
    """A stand-in for the catalogue's coarse literals."""

    literals = (b"roup", b"oordinator", b"ebalanc", b"partition")


def read(
    text: str | bytes, name: str = "app.log", hints: TimeHints = HINTS
) -> tuple[Reading, list[Record], LineCounts]:
    """Read a whole text on the slow path and check its account of lines."""
    data = text.encode() if isinstance(text, str) else text
    reading = detect(data[: 64 * 1024], name, hints)
    reader = RecordReader(reading)
    records = reader.feed(data, True)
    adds_up(reader.counts)
    assert reader.counts.lines == data.count(b"\n") + (not data.endswith(b"\n") and bool(data))
    return reading, records, reader.counts


def messages(text: str | bytes, name: str = "app.log") -> list[str]:
    """The messages of a text."""
    return [record.message for record in read(text, name)[1]]


def adds_up(counts: LineCounts) -> None:
    """Every line belongs to one class."""
    assert counts.lines == counts.records + counts.continuation + counts.foreign + counts.undated
    assert min(counts.records, counts.continuation, counts.foreign, counts.undated) >= 0


def corpus_lines(path: str, most: int) -> list[str]:
    """The first lines of a recorded log."""
    file = require(CORPORA / path)
    with gzip.open(file, "rt") if path.endswith(".gz") else file.open() as stream:
        return [line.rstrip("\n") for _, line in zip(range(most), stream, strict=False)]


def said(records: Iterable[Record]) -> list[tuple[object, ...]]:
    """What records say, without where they stand."""
    return [(r.message, r.ts, r.level, r.logger, r.thread) for r in records]
