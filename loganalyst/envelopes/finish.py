"""Makes the message of a record out of its lines."""

from __future__ import annotations

import re

from loganalyst.envelopes.layouts import Layout, level_name
from loganalyst.envelopes.record import Record

# Characters of a message that are kept: enough for the longest assignment, little enough for a flood of
# traces.
MESSAGE_LIMIT = 64 * 1024
_TRACE = re.compile(r"\s+at |\s*\.\.\. \d+ (?:more|common)|Caused by: ")


def is_trace(text: str) -> bool:
    """Whether a line belongs to a stack trace, behind which no logger stands."""
    return _TRACE.match(text) is not None


def message_of(record: Record, layout: Layout | None, texts: list[str]) -> None:
    """Set `record.message` from its lines (the first without header), taking off what stands behind the
    message."""
    if layout is not None and layout.two_lines and len(texts) > 1:
        _two_lines(record, layout, texts)
    if layout is not None and layout.ending is not None:
        _cut_ending(record, layout, texts)
    message = texts[0] if len(texts) == 1 else "\n".join(texts)
    record.message = message[:MESSAGE_LIMIT]


def _cut_ending(record: Record, layout: Layout, texts: list[str]) -> None:
    """Take off log4j's `(%c)`: from the first line, or where the message has several from the last of them.

    A stack trace stands behind the logger, so the search ends where one begins.
    """
    for position, text in enumerate(texts):
        if position and is_trace(text):
            return
        found = layout.find_ending(text)
        if found is None:
            continue
        _, _, logger, thread = found.group("time", "level", "logger", "thread")
        record.logger = logger or record.logger
        record.thread = thread or record.thread
        texts[position] = text[: found.start()]
        if position and not texts[position].strip():
            del texts[position]
        return


def _two_lines(record: Record, layout: Layout, texts: list[str]) -> None:
    """Read the second line of a header; the first said time and logger."""
    second = layout.second.match(texts[1])
    if second is None:
        return
    level = second.groupdict().get("level")
    record.level = level_name(level) or record.level
    texts[:2] = [texts[1][second.end() :]]
