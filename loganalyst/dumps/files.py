"""Dumps from files, folders, archives or stdin."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from loganalyst.dumps.reader import DumpReader, recognise
from loganalyst.errors import SourceError
from loganalyst.sources import Unreadable, discover

_HEAD = 16384


def read_dumps(paths: Sequence[str], problems: list[str]) -> Iterator[dict[str, Any]]:
    """Yield the rows of every dump behind `paths`, as events (see `DumpReader.feed`).

    What cannot be read, or is no output of a tool of Kafka, is named in `problems`; the rest is read.
    """
    for source in discover(list(paths)):
        if isinstance(source, Unreadable):
            problems.append(str(source))
            continue
        try:
            if recognise(source.head(_HEAD)) is None:
                problems.append(f"{source.name}: is not the output of a tool of Kafka")
                continue
            reader = DumpReader(source.name)
            with source.open() as lines:
                for line in lines:
                    if event := reader.feed(line.decode(source.encoding, "replace")):
                        yield event
        except (OSError, SourceError) as problem:
            problems.append(f"{source.name}: {problem}")
