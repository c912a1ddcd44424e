"""What an ingest has to read: new sources, the rest of grown ones, nothing of known ones; cut into tasks."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import BinaryIO

from loganalyst.dataset.ledger import Ledger
from loganalyst.dataset.location import Location
from loganalyst.dumps import recognise as recognise_dump
from loganalyst.errors import SourceError
from loganalyst.ingest.identity import HEAD, recognise, rungs, stream_of
from loganalyst.ingest.pipeline import Options, Slice, Task
from loganalyst.ingest.pods import pods_of
from loganalyst.sources.files import FileOpener, PipeOpener
from loganalyst.sources.source import Source
from loganalyst.sources.spool import Spool

__all__ = ["Plan", "cut", "is_pipe", "plan", "weight"]

_SPOOL = Spool()

_SMALLEST_TASK = 4 << 20
_LARGEST_TASK = 64 << 20
_TASKS_PER_JOB = 6
_UNPACKED = 8
"""How many times larger a compressed log is likely to be than its file."""


@dataclass(slots=True)
class Plan:
    """`read` now, `later` (they may be copies of one that is read now), `known` have nothing new."""

    read: list[Slice] = field(default_factory=list)
    later: list[Source] = field(default_factory=list)
    known: list[Source] = field(default_factory=list)
    problems: list[tuple[str, str]] = field(default_factory=list)


def plan(sources: Sequence[Source], ledger: Ledger, names: Iterable[str]) -> Plan:
    """Decide about each source by its content; `names` are all names of this ingest."""
    result = Plan()
    pods = pods_of([source.name for source in sources], also=[*names, *ledger.names()])
    tops: set[tuple[str, str]] = set()
    steps: set[tuple[str, str]] = set()
    for source in sources:
        try:
            head = _head(source)
            if is_pipe(source) and ledger.candidates(rungs(head)):
                source = spooled(source)
            own = rungs(head)
            top = max(own.items(), key=lambda rung: int(rung[0]), default=None)
            if top in steps or not tops.isdisjoint(own.items()):
                result.later.append(source)
                continue
            grows = recognise_dump(head) is None
            found = None if is_pipe(source) else recognise(source, head, ledger, grows=grows)
        except (SourceError, OSError) as error:
            result.problems.append((source.name, str(error).removeprefix(f"{source.name}: ")))
            continue
        if found is not None and found.whole:
            result.known.append(source)
            continue
        if top is not None:
            tops.add(top)
            steps.update(own.items())
        pod, telling = pods[source.name]
        known = found.known if found else None
        stream = known.stream if known else stream_of(head, ledger)
        result.read.append(Slice(source, stream, pod, telling, known))
    return result


def cut(slices: Sequence[Slice], options: Options, place: Location, planned: int, jobs: int) -> list[Task]:
    """Cut the work into tasks of similar size, the largest first; small sources share one."""
    ordered = sorted(slices, key=weight, reverse=True)
    total = sum(map(weight, ordered))
    size = min(max(total // (jobs * _TASKS_PER_JOB), _SMALLEST_TASK), _LARGEST_TASK)
    tasks: list[Task] = []
    gathered: list[Slice] = []
    filled = 0
    for part in ordered:
        if gathered and filled + weight(part) > size:
            tasks.append(Task(tuple(gathered), options, place, planned))
            gathered, filled = [], 0
        gathered.append(part)
        filled += weight(part)
    if gathered:
        tasks.append(Task(tuple(gathered), options, place, planned))
    return tasks


def weight(part: Slice) -> int:
    """Return about how many bytes of text a slice has."""
    size = part.source.size or 0
    return size * (_UNPACKED if part.source.codecs else 1) + 4096


def is_pipe(source: Source) -> bool:
    """Tell whether a source can be read only once, and only by this process."""
    return isinstance(source.opener, PipeOpener)


def spooled(source: Source) -> Source:
    """Copy a pipe that may be known to a file, so that it can be compared before it is read."""
    path, copy = _SPOOL.create()
    with copy, source.opener.raw() as pipe:
        while block := pipe.read(1 << 20):
            copy.write(block)
    return replace(
        source, opener=FileOpener(path), size=Path(path).stat().st_size, codecs=("zst", *source.codecs)
    )


@dataclass(frozen=True, slots=True)
class _Bytes:
    """Opens bytes that are at hand."""

    data: bytes

    def raw(self, offset: int = 0) -> BinaryIO:
        return io.BytesIO(self.data[offset:])


def _head(source: Source) -> bytes:
    if isinstance(source.opener, PipeOpener):
        return replace(source, opener=_Bytes(source.opener.peek(HEAD))).head(HEAD)
    return source.head(HEAD)
