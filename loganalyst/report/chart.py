"""The members of a group over time, drawn with characters: a step chart, and lanes below it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from loganalyst.report.model import Span, Story
from loganalyst.report.words import clock

TALLEST = 6
"""Rows of the step chart; with more members than that a row stands for several."""

_LANES = {
    "rebalance": ("rebalancing", "▒"),
    "outage": ("no coordinator", "x"),
    "refused": ("refused joins", "x"),
}


def chart_lines(story: Story, width: int) -> Iterator[str]:
    """Draw a story in `width` cells; nothing if fewer than two member counts are known."""
    counts = story.counts
    if len(counts) < 2:
        return
    times = [count.at for count in counts] + [at for span in story.spans for at in _ends(span)]
    start, end = min(times), max(times)
    if end <= start:
        return
    margin = 16
    columns = width - margin
    lowest = _lowest(story, start, end, columns)
    top = max((value for value in lowest if value is not None), default=0)
    if top == 0:
        return
    per_row = -(-top // TALLEST)
    for row in range(-(-top // per_row), 0, -1):
        floor = (row - 1) * per_row
        line = "".join(_block(value, floor, per_row) for value in lowest)
        label = "members" if row == -(-top // per_row) else ""
        yield f"{label:<8}{min(row * per_row, top):>6} ┤{line}".rstrip()
    for kind, (label, mark) in _LANES.items():
        lane = _lane([span for span in story.spans if span.kind == kind], start, end, columns, mark)
        if lane.strip():
            yield f"{label:>14} ┤{lane}".rstrip()
    left, right = clock(start)[:8], clock(end)[:8]
    yield f"{'':>15}└{left}{right:─>{columns - len(left)}}"


def _ends(span: Span) -> Sequence[datetime]:
    return [span.started_at] if span.ended_at is None else [span.started_at, span.ended_at]


def _lowest(story: Story, start: datetime, end: datetime, columns: int) -> list[int | None]:
    """Return the lowest member count in each column: a short dip must not vanish between two columns."""
    step = (end - start) / columns
    values: list[int | None] = []
    current: int | None = None
    pending = list(story.counts)
    for column in range(columns):
        until = end + timedelta(seconds=1) if column == columns - 1 else start + step * (column + 1)
        inside = []
        while pending and pending[0].at < until:
            current = pending.pop(0).members
            inside.append(current)
        values.append(min(inside) if inside else current)
    return values


def _block(value: int | None, floor: int, per_row: int) -> str:
    if value is None or value <= floor:
        return " "
    return "█" if value >= floor + per_row else "▁▂▃▄▅▆▇█"[max((value - floor) * 8 // per_row - 1, 0)]


def _lane(spans: Sequence[Span], start: datetime, end: datetime, columns: int, mark: str) -> str:
    lane = [" "] * columns
    step = (end - start) / columns
    for span in spans:
        first = max(int((span.started_at - start) / step), 0)
        last = min(int(((span.ended_at or end) - start) / step), columns - 1)
        for column in range(min(first, columns - 1), last + 1):
            lane[column] = mark
    return "".join(lane)
