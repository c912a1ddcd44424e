"""The tables of the HTML report: rebalances, moments, sources. All text is escaped here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from html import escape
from typing import Any

from loganalyst.report.model import Evidence, Report, Story
from loganalyst.report.timeline import Fetch
from loganalyst.report.visible import visible
from loganalyst.report.words import clock, human_ms

MOST_ROWS = 2_000
"""Rows of the table of rebalances; the rest is counted."""

_COLUMNS = (
    ("group_id", "group"),
    ("generation", "generation"),
    ("started_at", "started (UTC)"),
    ("duration_ms", "took"),
    ("members_before", "members before"),
    ("members", "members"),
    ("outcome", "outcome"),
    ("cause", "cause"),
    ("trigger_pod", "set off by"),
    ("waited_for", "waited for"),
    ("leader_pod", "leader"),
    ("assignor", "assignor"),
)


def rebalances(report: Report, fetch: Fetch) -> Iterator[str]:
    """Yield the table of rebalances, which the page sorts and filters."""
    told = set(report.groups)
    rows = [row for row in fetch("SELECT * FROM rebalances ORDER BY started_at") if row["group_id"] in told]
    if not rows:
        return
    yield "<h2>Rebalances</h2>"
    if len(rows) > MOST_ROWS:
        yield f"<p>The first {MOST_ROWS:,} of {len(rows):,}.</p>"
    yield (
        '<p class="filter"><label>Show rows that contain <input id="filter-rebalances" type="search" '
        'placeholder="words"></label></p>'
    )
    yield '<div class="scroll"><table data-filter="filter-rebalances" id="rebalances"><thead><tr>'
    yield "".join(f'<th scope="col"><button type="button">{title}</button></th>' for _, title in _COLUMNS)
    yield "</tr></thead><tbody>"
    for row in rows[:MOST_ROWS]:
        yield "<tr>" + "".join(_cell(name, row[name]) for name, _ in _COLUMNS) + "</tr>"
    yield "</tbody></table></div>"


def sources(report: Report) -> Iterator[str]:
    """Yield what was read, what could not be, and what it cannot tell."""
    yield "<h2>What was read</h2>"
    for unread in report.unread:
        yield f'<article class="look"><p>{text(unread.source)}: {text(unread.reason)}</p></article>'
    if report.limits:
        yield "<p>What these logs cannot tell:</p><ul>"
        yield "".join(f"<li>{text(limit)}</li>" for limit in report.limits)
        yield "</ul>"
    yield "<details><summary>Every source and its account</summary><div class='scroll'><table><thead><tr>"
    yield "".join(f"<th>{name}</th>" for name in ("source", "role", "lines", "events", "layout", "zone"))
    yield "</tr></thead><tbody>"
    for source in report.sources:
        yield (
            f"<tr><td>{text(source.source)}</td><td>{text(source.role or '')}</td>"
            f"<td class='n'>{source.lines:,}</td><td class='n'>{source.events:,}</td>"
            f"<td>{text(source.layout or '')}</td><td>{text(source.timezone or '')}</td></tr>"
        )
    yield "</tbody></table></div></details>"


def _cell(name: str, value: Any) -> str:
    if isinstance(value, datetime):
        return f'<td data-key="{value.timestamp()}">{clock(value, day=True)}</td>'
    if name == "duration_ms":
        shown = "" if value is None else human_ms(value)
        return f'<td class="n" data-key="{"" if value is None else value}">{shown}</td>'
    if isinstance(value, int):
        return f'<td class="n" data-key="{value}">{value}</td>'
    return f"<td>{text('' if value is None else str(value))}</td>"


def _number(value: int | None) -> str:
    return "" if value is None else str(value)


def evidence_text(lines: Sequence[Evidence]) -> str:
    """Return log lines, one a line, each with its source and number."""
    return "\n".join(
        text(f"{line.source}:{line.line}  {clock(line.ts, day=True)}  {line.message}") for line in lines
    )


def text(logged: str) -> str:
    """Return text from a log as HTML text: nothing in it is markup, nothing invisible."""
    return escape(visible(logged))


def moments(story: Story) -> Iterator[str]:
    """Yield the story of a group, one row a moment."""
    titles = ("time (UTC)", "generation or epoch", "members", "took", "what")
    yield "<div class='scroll'><table><thead><tr>"
    yield "".join(f"<th>{title}</th>" for title in titles)
    yield "</tr></thead><tbody>"
    for moment in story.moments[:MOST_ROWS]:
        counted = moment.generation if moment.generation is not None else moment.epoch
        members = "" if moment.members is None else f"{_number(moment.members_before)} → {moment.members}"
        took = "" if moment.duration_ms is None else human_ms(moment.duration_ms)
        cells = [_number(counted), members, took]
        numbers = "".join(f"<td class='n'>{cell}</td>" for cell in cells)
        yield f"<tr><td>{clock(moment.at)}</td>{numbers}<td>{text(moment.text)}</td></tr>"
    yield "</tbody></table></div>"
