"""What a Kafka release says about groups that the catalogue does not know: the maintainer's list for a new
release.

The core scenes are played with every JVM in Kafka's own layout, so that message and logger stand in the
line for sure; what is asked of the catalogue is the matching alone.
"""

from __future__ import annotations

import gzip
import re
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from lab.cluster import ClusterError
from lab.play import play
from lab.scenes import scenes

# The packages whose classes speak about groups, by broker and client; other loggers are not the catalogue's.
GROUP_LOGGERS = (
    "kafka.coordinator.group.",
    "org.apache.kafka.coordinator.group.",
    "org.apache.kafka.coordinator.common.runtime.",
    "org.apache.kafka.clients.consumer.",
    "org.apache.kafka.streams.processor.internals.",
    "org.apache.kafka.connect.runtime.distributed.",
)
_LINE = re.compile(r"^\[\d{4}-[^\]]+\] (?P<level>[A-Z]+) (?P<message>.*) \((?P<logger>[\w.$]+)\)$")
# What differs from line to line, so that a hundred lines of one statement are listed once.
_VARIABLE = (
    (re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"), "<uuid>"),
    (re.compile(r"\[[^\]]*\d[^\]]*\]|\{[^}]*\d[^}]*\}"), "<…>"),
    (re.compile(r"\b[\w-]*\d[\w.:-]*\b"), "<n>"),
)
Knows = Callable[[str, str, str], bool]


@dataclass(frozen=True)
class Unknown:
    """A statement the catalogue does not know."""

    logger: str
    level: str
    example: str
    count: int


def group_records(lines: Iterable[str]) -> Iterator[tuple[str, str, str]]:
    """Yield (message, logger, level) of the lines, in Kafka's own layout, that a group logger wrote."""
    for line in lines:
        found = _LINE.match(line)
        if found and found["logger"].startswith(GROUP_LOGGERS):
            yield found["message"], found["logger"], found["level"]


def unknown_statements(records: Iterable[tuple[str, str, str]], knows: Knows) -> list[Unknown]:
    """Return what `knows(message, logger, level)` denies, one row a statement, the most frequent first."""
    counts: dict[tuple[str, str, str], list[str]] = {}
    for message, logger, level in records:
        if not knows(message, logger, level):
            shape = message
            for pattern, mark in _VARIABLE:
                shape = pattern.sub(mark, shape)
            counts.setdefault((logger, level, shape), []).append(message)
    rows = [Unknown(logger, level, seen[0], len(seen)) for (logger, level, _), seen in counts.items()]
    return sorted(rows, key=lambda row: (-row.count, row.logger, row.example))


def _open(log: Path) -> TextIO:
    if log.suffix == ".gz":
        return gzip.open(log, "rt", errors="replace")
    return log.open(errors="replace")


def report(version: str, names: Sequence[str] = (), *, quiet: bool) -> int:
    """Play `names` (default: the core scenes), print the unknown statements, return their number."""
    from loganalyst import catalogue

    known = catalogue.load()
    records: list[tuple[str, str, str]] = []
    with tempfile.TemporaryDirectory(prefix="lab-drift-") as folder:
        for scene in scenes().values():
            if (scene.name in names if names else scene.core) and scene.plays_on(version):
                out = Path(folder) / scene.name
                try:
                    play(scene.name, version, out, {}, quiet=quiet, layout="kafka")
                except ClusterError as failed:
                    # What was logged until then counts all the same.
                    print(f"lab: {scene.name} was not played to its end: {failed}", file=sys.stderr)
                for log in sorted((out / "logs").iterdir()):
                    with _open(log) as lines:
                        records += group_records(line.rstrip("\n") for line in lines)
    rows = unknown_statements(
        records, lambda message, logger, level: known.match(message, logger=logger, level=level) is not None
    )
    for row in rows:
        print(f"{row.count}\t{row.level}\t{row.logger}\t{row.example}")
    print(f"Kafka {version}: {len(records)} records of group loggers, {len(rows)} unknown statements")
    return len(rows)
