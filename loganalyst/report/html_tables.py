"""The tables of the HTML report: groups, rebalances, coordinators, sources. All text is escaped here."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from html import escape
from typing import Any

from loganalyst.report.model import Evidence, Moment, Report, Story
from loganalyst.report.story import Fetch
from loganalyst.report.visible import visible
from loganalyst.report.window import Window
from loganalyst.report.words import clock, human_list, human_ms, period, plural

MOST_ROWS = 1_200
"""Rows of the table of rebalances: the longest ones; the rest is counted."""

MOST_GROUPS = 1_000
MOST_SOURCES = 500
"""Rows of the tables of groups and of sources."""

_REBALANCES = """
SELECT cluster, group_id, generation, NULL::BIGINT AS epoch, started_at, duration_ms, members_before, members,
  outcome, cause, coalesce(trigger_pod, trigger_member_id) AS trigger, waited_for,
  coalesce(leader_pod, leader_member_id) AS leader, assignor
FROM rebalances
UNION ALL
SELECT cluster, group_id, NULL, epoch, coalesce(bumped_at, target_at), duration_ms, NULL, NULL,
  outcome, trigger, coalesce(trigger_pod, trigger_member_id), NULL,
  NULL, assignor
FROM group_epochs
"""
_COLUMNS = {
    "cluster": "cluster",
    "group_id": "group",
    "generation": "generation",
    "started_at": "started (UTC)",
    "duration_ms": "took",
    "members": "members",
    "outcome": "outcome",
    "cause": "cause",
    "trigger": "set off by",
    "waited_for": "waited for",
    "leader": "leader",
    "assignor": "assignor",
}
_NUMBERS = frozenset({"generation", "duration_ms", "members"})


def groups(report: Report, drawn: Collection[tuple[str | None, str]]) -> Iterator[str]:
    """Yield the table of groups, the gravest findings first; `drawn` ones link to their picture."""
    yield '<h2 id="groups">Groups</h2>'
    if not report.stories:
        yield "<p>No consumer group is named in these logs.</p>"
        return
    if len(report.stories) == 1:
        return
    if len(report.stories) > MOST_GROUPS:
        yield f"<p>The first {MOST_GROUPS:,} of {len(report.stories):,}.</p>"
    yield from _filtered(
        "groups-table", ("group", "type", "finding", "coordinator", "rebalances", "longest", "seen (UTC)")
    )
    number = 0
    for story in report.stories[:MOST_GROUPS]:
        name = text(story.group_id)
        if (story.cluster, story.group_id) in drawn:
            number += 1
            name = f'<a href="#group-{number}">{name}</a>'
        severity = story.severity or ""
        brokers = ", ".join(str(broker) for broker in story.coordinators)
        yield (
            f"<tr><td class='id'>{name}</td><td>{text(story.group_type or '')}</td>"
            f"<td class='{severity}'>{severity}</td><td>{brokers}</td><td class='n'>{story.rebalances}</td>"
            f"{_took(story.longest_ms)}<td class='t'>{period(story.first_at, story.last_at)}</td></tr>"
        )
    yield "</tbody></table></div>"


def rebalances(report: Report, fetch: Fetch) -> Iterator[str]:
    """Yield the table of rebalances and epochs, which the page sorts and filters."""
    yield '<h2 id="all-rebalances">Rebalances</h2>'
    told = frozenset(report.groups)
    within = Window.of(report.filters)
    rows = [
        row
        for row in fetch(_REBALANCES)
        if row["group_id"] in told and within.touches(row["started_at"], None)
    ]
    if not rows:
        yield "<p>None in these logs.</p>"
        return
    if len(rows) > MOST_ROWS:
        yield (
            f"<p>The {MOST_ROWS:,} longest of {len(rows):,}; "
            "<code>loganalyst query DATASET rebalances</code> has all.</p>"
        )
        rows = sorted(rows, key=lambda row: -(row["duration_ms"] or 0))[:MOST_ROWS]
    rows.sort(key=lambda row: (row["started_at"] is not None, row["started_at"]))
    # A column in which nothing stands, or the one group of the report, tells nothing.
    shown = [name for name in _COLUMNS if any(row[name] is not None for row in rows) or name == "generation"]
    if len(told) == 1:
        shown.remove("group_id")
    yield from _filtered("rebalances", [_COLUMNS[name] for name in shown], _NUMBERS.intersection(shown))
    for row in rows:
        yield "<tr>" + "".join(_cell(name, row) for name in shown) + "</tr>"
    yield "</tbody></table></div>"


def coordinators(report: Report, fetch: Fetch) -> Iterator[str]:
    """Yield which broker coordinates which groups, so that a crowded broker shows."""
    yield '<h2 id="coordinators">Coordinators</h2>'
    told = set(report.groups)
    rows = [
        row for row in fetch("SELECT * FROM group_placement ORDER BY group_id") if row["group_id"] in told
    ]
    if not rows:
        yield "<p>Not known from these logs.</p>"
        return
    brokers: dict[tuple[str, int | None], list[dict[str, Any]]] = {}
    for row in rows:
        brokers.setdefault((row["cluster"] or "", row["broker"]), []).append(row)
    most = max(len(placed) for placed in brokers.values())
    yield "<div class='scroll' tabindex='0'><table id='placement'><thead><tr>"
    titles = ("broker", "groups", "partitions of __consumer_offsets", "which (partition)")
    yield "".join(f"<th scope='col'>{title}</th>" for title in titles)
    yield "</tr></thead><tbody>"
    for (cluster, broker), placed in sorted(brokers.items(), key=_by_number):
        where = "unknown" if broker is None else f"broker {broker}"
        partitions = {row["offsets_partition"] for row in placed if row["offsets_partition"] is not None}
        width = max(round(len(placed) / most * 120), 1)
        yield (
            f"<tr><td>{where}{f', {text(cluster)}' if cluster else ''}</td>"
            f"<td class='t'><span class='bar' style='width:{width}px'></span> {len(placed)}</td>"
            f"<td>{len(partitions) or ''}</td>"
            f"<td class='w'>{text(human_list([_placed(row) for row in placed], 40))}</td></tr>"
        )
    yield "</tbody></table></div>"


def _by_number(placed: tuple[tuple[str, int | None], Any]) -> tuple[str, bool, int]:
    (cluster, broker), _ = placed
    return cluster, broker is None, broker or 0


def _placed(row: dict[str, Any]) -> str:
    partition = row["offsets_partition"]
    return str(row["group_id"]) if partition is None else f"{row['group_id']} ({partition})"


def sources(report: Report) -> Iterator[str]:
    """Yield what was read, what could not be, and what it cannot tell."""
    yield '<h2 id="read">What was read</h2>'
    for unread in report.unread:
        yield f'<article class="look"><p>{text(unread.source)}: {text(unread.reason)}</p></article>'
    if report.limits:
        yield "<p>What these logs cannot tell:</p><ul>"
        yield "".join(f"<li>{text(limit)}</li>" for limit in report.limits)
        yield "</ul>"
    shown = f"The first {MOST_SOURCES:,} of " if len(report.sources) > MOST_SOURCES else ""
    yield f"<details><summary>{shown}{plural(len(report.sources), 'source')} and their accounts</summary>"
    yield "<div class='scroll' tabindex='0'><table><thead><tr>"
    titles = ("source", "role", "lines", "events", "layout", "zone")
    yield "".join(f"<th scope='col'>{name}</th>" for name in titles)
    yield "</tr></thead><tbody>"
    for source in report.sources[:MOST_SOURCES]:
        yield (
            f"<tr><td class='w'>{text(source.source)}</td><td>{text(source.role or '')}</td>"
            f"<td class='n'>{source.lines:,}</td><td class='n'>{source.events:,}</td>"
            f"<td>{text(source.layout or '')}</td><td>{text(source.timezone or '')}</td></tr>"
        )
    yield "</tbody></table></div></details>"


def moments(story: Story) -> Iterator[str]:
    """Yield the story of a group, one row a moment."""
    for moment in story.moments:
        yield _moment(moment)


def _moment(moment: Moment) -> str:
    counted = moment.generation if moment.generation is not None else moment.epoch
    members = "" if moment.members is None else f"{_number(moment.members_before)} → {moment.members}"
    took = "" if moment.duration_ms is None else human_ms(moment.duration_ms)
    numbers = "".join(f"<td class='n'>{cell}</td>" for cell in (_number(counted), members, took))
    return f"<tr><td class='t'>{clock(moment.at)}</td>{numbers}<td class='w'>{text(moment.text)}</td></tr>\n"


def evidence_text(lines: Sequence[Evidence]) -> str:
    """Return log lines, one a line, each with its source and number."""
    return "\n".join(
        text(f"{line.source}:{line.line}  {clock(line.ts, day=True)}  {line.message}") for line in lines
    )


def text(logged: str) -> str:
    """Return text from a log as HTML text: nothing in it is markup, nothing invisible."""
    return escape(visible(logged))


def _filtered(name: str, titles: Sequence[str], numbers: Collection[str] = ()) -> Iterator[str]:
    """Begin a table that the page sorts by its heads and filters by words; heads of `numbers` stand right."""
    right = {_COLUMNS[column] for column in numbers}
    yield (
        f'<p class="filter"><label>Show rows that contain <input id="filter-{name}" type="search" '
        'placeholder="words"></label> <span role="status"></span></p>'
    )
    yield '<div class="scroll tall" tabindex="0">'
    yield f'<table data-filter="filter-{name}" id="{name}"><thead><tr>'
    for title in titles:
        side = ' class="n"' if title in right else ""
        yield f'<th scope="col"{side}><button type="button">{title}</button></th>'
    yield "</tr></thead><tbody>"


def _cell(name: str, row: dict[str, Any]) -> str:
    value = row[name]
    if name == "started_at":
        return f'<td class="t">{"" if value is None else clock(value, day=True)}</td>'
    if name == "duration_ms":
        return _took(value)
    if name == "generation":
        if row["epoch"] is None:
            return f'<td class="n">{_number(value)}</td>'
        return f'<td class="n" data-key="{row["epoch"]}">epoch {row["epoch"]}</td>'
    if name == "members":
        before = "" if row["members_before"] is None or value is None else f"{row['members_before']} → "
        return f'<td class="n" data-key="{_number(value)}">{before}{_number(value)}</td>'
    if name in ("cause", "outcome"):
        return f"<td>{text(str(value or '').replace('_', ' '))}</td>"
    return f'<td class="id">{text("" if value is None else str(value))}</td>'


def _took(ms: float | None) -> str:
    return '<td class="n"></td>' if ms is None else f'<td class="n" data-key="{ms}">{human_ms(ms)}</td>'


def _number(value: int | None) -> str:
    return "" if value is None else str(value)
