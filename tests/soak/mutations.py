"""Real lines, mutated: what an ingest must survive without losing a neighbour.

A round takes a stretch of a recorded log, damages some of its lines, reads it, and compares with the same
stretch undamaged. The damage depends on a seed alone, so that a failure can be repeated.
"""

from __future__ import annotations

import gzip
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from loganalyst.catalogue import load
from loganalyst.envelopes.detect import detect
from loganalyst.envelopes.reader import RecordReader
from loganalyst.envelopes.reading import TimeHints
from loganalyst.envelopes.record import LineCounts
from loganalyst.ingest.event import SourceFacts, to_event
from tests.recorded import CORPORA, require

STRETCH = 120
"""Lines of a round; every third of them may be damaged."""

_ODD = [
    b"\x00",
    b"\x1b[31m",
    b"\xff\xfe",
    b"\xe2\x80\xae",
    b"\r",
    b"(",
    b")",
    b"[",
    b"]",
    b"{",
    b'"',
    b"\\",
    b"%",
    b" ",
]


@dataclass(frozen=True)
class Read:
    """What a text gave: (line, event, message) of each event, and the account of lines."""

    events: list[tuple[int, str, str]]
    counts: LineCounts


@cache
def recorded() -> tuple[Path, ...]:
    """All recorded logs, in a fixed order."""
    return tuple(sorted(path for path in require(CORPORA).rglob("logs/*") if path.is_file()))


@cache
def _lines(path: Path) -> tuple[bytes, ...]:
    data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return tuple(data.split(b"\n")[:-1])


def stretch(chance: random.Random) -> tuple[str, list[bytes]]:
    """Take some lines of some log: its name and the lines."""
    path = chance.choice(recorded())
    lines = _lines(path)
    start = chance.randrange(max(1, len(lines) - STRETCH))
    return path.name, list(lines[start : start + STRETCH])


def mutated(line: bytes, chance: random.Random) -> bytes:
    """Damage one line; it stays one line."""
    data = bytearray(line)
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(data) + 1)
        kind = chance.randrange(7)
        if kind == 0:
            data[at:at] = chance.choice(_ODD)
        elif kind == 1:
            del data[at : at + chance.randint(1, 20)]
        elif kind == 2:
            data[at:at] = data[max(0, at - 30) : at] * chance.randint(1, 3)
        elif kind == 3 and data:
            data[at % len(data)] = chance.choice([byte for byte in range(256) if byte != 10])
        elif kind == 4:
            del data[at:]
        elif kind == 5:
            data[at:at] = bytes(chance.choice(b"0123456789abcXYZ-_.: ") for _ in range(chance.randint(1, 60)))
        else:
            data[at:at] = chance.choice([b"A", b"(", b"a.", b"1", b"=x,"]) * chance.randint(100, 3_000)
    return bytes(data).replace(b"\n", b" ")


def blocks(data: bytes, cuts: Iterable[int]) -> Iterator[bytes]:
    """Cut `data` at the offsets `cuts`."""
    at = 0
    for cut in sorted(set(cuts)):
        yield data[at:cut]
        at = cut
    yield data[at:]


def read(name: str, pieces: Sequence[bytes], head: bytes, *, coarse: bool = True) -> Read:
    """Read a text, handed over in pieces, as ingest does."""
    catalogue = load()
    reader = RecordReader(detect(head[:65_536], name, TimeHints()), catalogue.coarse if coarse else None)
    events = []
    for number, piece in enumerate(pieces, 1):
        for record in reader.feed(piece, number == len(pieces)):
            found = catalogue.match(
                record.message, logger=record.logger, level=record.level, keys=record.keys
            )
            if found is not None and found.keep:
                row = to_event(record, found, SourceFacts(name))
                events.append((row["line"], row["event"], row["message"]))
    return Read(events, reader.counts)


def adds_up(counts: LineCounts) -> bool:
    """Tell whether every line is in exactly one class."""
    return counts.lines == counts.records + counts.continuation + counts.foreign + counts.undated
