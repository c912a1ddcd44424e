"""The rows of a picture in few bytes: names, words and log lines once, marks as lists of numbers.

`assets/report.js` unpacks them into the rows of `loganalyst.report.vega.datasets`, and keeps the log lines
for the panel that shows what is behind a mark.
"""

from __future__ import annotations

from typing import Any

from loganalyst.report.lanes import Mark
from loganalyst.report.model import Evidence
from loganalyst.report.timeline import Timeline
from loganalyst.report.vega import span, specification, steps
from loganalyst.report.visible import visible

MOST_LINES = 6
"""Log lines behind one mark."""

LONGEST_LINE = 400


class Pool:
    """Texts, each once, known by its place."""

    def __init__(self) -> None:
        """Begin empty."""
        self.texts: dict[str, int] = {}

    def place(self, text: str) -> int:
        """Return the place of a text, adding it if it is new."""
        return self.texts.setdefault(text, len(self.texts))


def packed(timeline: Timeline, line_bytes: int) -> tuple[dict[str, Any], int]:
    """Return the picture as the page takes it, and how many bytes of log lines it holds.

    `line_bytes` is how many it may hold; marks that come after have no lines behind them.
    """
    names, lines = Pool(), Pool()
    spent = 0
    marks = []
    for mark in timeline.marks:
        row = _row(mark, timeline, names)
        said = []
        for evidence in mark.evidence[:MOST_LINES]:
            text = _line(evidence)
            cost = 0 if text in lines.texts else len(text.encode()) + 4
            if spent + cost > line_bytes:
                break
            spent += cost
            said.append(lines.place(text))
        marks.append([*row, said] if said else row)
    start = _start(timeline)
    return {
        "spec": specification(timeline),
        "start": start,
        "counts": [[at - start, until - at, members] for at, until, members in steps(timeline)],
        "marks": marks,
        "owners": [_row(mark, timeline, names) for mark in timeline.owners],
        "names": list(names.texts),
        "lines": list(lines.texts),
    }, spent


def _row(mark: Mark, timeline: Timeline, names: Pool) -> list[Any]:
    """Return lane, kind, begin (ms after the picture's), length in ms (null: a point) and words of a mark."""
    at, until = span(mark, timeline)
    return [
        names.place(visible(mark.lane)),
        names.place(visible(mark.kind)),
        at - _start(timeline),
        None if until is None else until - at,
        names.place(visible(mark.text)),
    ]


def _start(timeline: Timeline) -> int:
    return round(timeline.start.timestamp() * 1000)


def _line(evidence: Evidence) -> str:
    return visible(f"{evidence.source}:{evidence.line}  {evidence.message}")[:LONGEST_LINE]
