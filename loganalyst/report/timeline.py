"""What a picture of a group shows: its members over time, and one lane for each pod and each matter.

A mark is a bar (`start` to `end`) or a point (`start` alone) in a lane, with the words of its tooltip and the
log lines behind it. Times are aware datetimes in UTC as their writers printed them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from loganalyst.report.model import Count, Evidence, Report, Story
from loganalyst.report.moments import evidence_of, who

Row = dict[str, Any]
Fetch = Callable[[str], list[Row]]

MOST_MARKS = 20_000
"""Marks of one report; above it every lane is thinned evenly, and the page says so."""

STATE_LANE, COORDINATOR_LANE = "group state", "coordinator"


@dataclass(frozen=True)
class Mark:
    """One bar or point: `kind` chooses its colour (a state, `owns`, `refused`, `broker`, `loading`)."""

    lane: str
    kind: str
    start: datetime
    end: datetime | None
    text: str
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True)
class Timeline:
    """The picture of one group. `thinned` is how many marks were left out."""

    cluster: str | None
    group_id: str
    counts: tuple[Count, ...]
    lanes: tuple[str, ...]
    marks: tuple[Mark, ...]
    last_at: datetime | None
    thinned: int = 0


def timelines_of(report: Report, fetch: Fetch) -> list[Timeline]:
    """Return the timeline of each group of a report that has something to draw."""
    drawn = [timeline for story in report.stories if (timeline := _timeline(story, fetch)) is not None]
    marks = sum(len(timeline.marks) for timeline in drawn)
    return [_thin(timeline, marks) for timeline in drawn] if marks > MOST_MARKS else drawn


def _timeline(story: Story, fetch: Fetch) -> Timeline | None:
    rebalances = _rows(fetch, "rebalances", story, "started_at")
    marks = [
        *_states(_rows(fetch, "group_states", story, "started_at")),
        *_ownership(_rows(fetch, "assignments", story, "assigned_at"), rebalances, story.last_at),
        *_refusals(_rows(fetch, "refused_joins", story, "ts")),
        *_coordinators(rebalances, story.last_at),
        *_loads(fetch, story),
    ]
    if len(story.counts) + len(marks) < 2:
        return None
    pods = sorted({mark.lane for mark in marks} - {STATE_LANE, COORDINATOR_LANE})
    present = {mark.lane for mark in marks}
    lanes = [lane for lane in (STATE_LANE, *pods, COORDINATOR_LANE) if lane in present]
    return Timeline(story.cluster, story.group_id, story.counts, tuple(lanes), tuple(marks), story.last_at)


def _rows(fetch: Fetch, view: str, story: Story, moment: str) -> list[Row]:
    group = story.group_id.replace("'", "''")
    cluster = "IS NULL" if story.cluster is None else f"= '{story.cluster.replace(chr(39), chr(39) * 2)}'"
    return fetch(
        f"SELECT * FROM {view} WHERE group_id = '{group}' AND cluster {cluster} "
        f"AND {moment} IS NOT NULL ORDER BY {moment}"
    )


def _states(rows: Sequence[Row]) -> list[Mark]:
    return [
        Mark(
            STATE_LANE,
            row["state"],
            row["started_at"],
            row["ended_at"],
            f"{row['state']}, generation {row['generation']}",
            evidence_of(row),
        )
        for row in rows
    ]


def _ownership(rows: Sequence[Row], rebalances: Sequence[Row], last_at: datetime | None) -> list[Mark]:
    """Draw what each member was given until the next rebalance of the group began."""
    starts = sorted(row["started_at"] for row in rebalances)
    marks = []
    for row in rows:
        lane = who(row)
        if lane is None:
            continue
        given = row["assigned_at"]
        until = next((start for start in starts if start > given), last_at)
        owned = row["topic_partitions"] or []
        marks.append(
            Mark(
                lane,
                "owns" if owned else "owns nothing",
                given,
                until,
                f"generation {row['generation']}: {len(owned)} partitions {', '.join(owned[:12])}",
                evidence_of(row),
            )
        )
    return marks


def _refusals(rows: Sequence[Row]) -> list[Mark]:
    return [
        Mark(
            who(row) or "unknown pod",
            "refused",
            row["ts"],
            row["last_ts"] if row["last_ts"] != row["ts"] else None,
            f"refused {row['attempts']} times: {row['error']}"
            + (f", offered {row['offered']}" if row["offered"] else ""),
            evidence_of(row),
        )
        for row in rows
    ]


def _coordinators(rebalances: Sequence[Row], last_at: datetime | None) -> list[Mark]:
    """Draw which broker coordinated the group, from the first rebalance that it led to the next broker's."""
    known = [row for row in rebalances if row["coordinator"] is not None]
    firsts = [
        row
        for index, row in enumerate(known)
        if index == 0 or row["coordinator"] != known[index - 1]["coordinator"]
    ]
    ends = [row["started_at"] for row in firsts[1:]] + [last_at]
    return [
        Mark(COORDINATOR_LANE, "broker", row["started_at"], end, f"broker {row['coordinator']}")
        for row, end in zip(firsts, ends, strict=True)
    ]


def _loads(fetch: Fetch, story: Story) -> list[Mark]:
    if story.offsets_partition is None:
        return []
    rows = fetch(
        f"SELECT * FROM coordinator_loads WHERE offsets_partition = {int(story.offsets_partition)} "
        "AND started_at IS NOT NULL AND (errors > 0 OR duration_ms >= 1000) ORDER BY started_at"
    )
    return [
        Mark(
            COORDINATOR_LANE,
            "loading",
            row["started_at"],
            row["finished_at"],
            f"broker {row['broker']} loads __consumer_offsets-{row['offsets_partition']}",
            evidence_of(row),
        )
        for row in rows
        if row["cluster"] == story.cluster
    ]


def _thin(timeline: Timeline, marks: int) -> Timeline:
    step = -(-marks // MOST_MARKS)
    kept = timeline.marks[::step]
    return replace(timeline, marks=kept, thinned=len(timeline.marks) - len(kept))
