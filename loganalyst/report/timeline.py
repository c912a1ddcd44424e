"""What a picture of a group shows: its members over time, lanes of pods and coordinator, who owned what.

A mark is a bar (`start` to `end`) or a point (`end` None) in a lane, with the words of its tooltip and the
log lines behind it. Times are aware datetimes in UTC as their writers printed them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from loganalyst.report.lanes import (
    COORDINATOR_LANE,
    EPOCH_LANE,
    STATE_LANE,
    Ends,
    Mark,
    coordinators,
    epochs,
    exits,
    loads,
    outages,
    ownership,
    reconciliations,
    refusals,
    states,
)
from loganalyst.report.model import Count, Report, Story
from loganalyst.report.story import Fetch, Key, Row, Views, by_group
from loganalyst.report.window import Window

MOST_MARKS = 20_000
"""Marks of one report; above it every lane is thinned evenly, and the page says so."""

MOST_PICTURES = 60
"""Groups that are drawn: those with the gravest findings, then those with most rebalances."""

MOST_PARTITIONS = 24
"""Partitions of a group whose owners are drawn: those that changed hands most."""

VIEWS = {
    "rebalances": "started_at",
    "group_states": "started_at",
    "group_epochs": "coalesce(bumped_at, target_at)",
    "reconciliations": "started_at",
    "assignments": "assigned_at",
    "refused_joins": "ts",
    "member_exits": "ts",
    "epoch_members": "changed_at",
    "coordinator_moves": "coalesce(elected_at, loaded_at)",
    "coordinator_outages": "started_at",
}
"""The views that a picture is made of, and the time that a row needs to be drawn."""

_HOLDINGS = """
SELECT cluster, group_id, pod, member_id, epoch, ts AS assigned_at, topic_partitions,
  [{source: source, line: line, ts: ts, message: message}] AS evidence
FROM events
WHERE event = 'assignment_diff' AND group_type <> 'classic'
  AND ts IS NOT NULL AND topic_partitions IS NOT NULL
ORDER BY ts
"""
"""What members of KIP-848 groups own from then on, by their own words."""


@dataclass(frozen=True)
class Timeline:
    """The picture of one group.

    `owners`: a lane a partition, a mark a time that one pod owned it; `partitions` is how many there are.
    `thinned` is how many marks were left out.
    """

    cluster: str | None
    group_id: str
    counts: tuple[Count, ...]
    lanes: tuple[str, ...]
    marks: tuple[Mark, ...]
    owners: tuple[Mark, ...]
    partitions: int
    start: datetime
    end: datetime
    thinned: int = 0


def timelines_of(report: Report, fetch: Fetch) -> list[Timeline]:
    """Return the timelines of the groups of a report that have something to draw, `MOST_PICTURES` at most."""
    stories = [story for story in report.stories if story.counts or story.moments][:MOST_PICTURES]
    if not stories:
        return []
    within = Window.of(report.filters)
    before = Window(None, within.until)
    views = Views(fetch, list({story.group_id: None for story in stories}))
    rows = {
        view: views.by_group(view, f"{moment} IS NOT NULL AND {before.sql(moment)}", order=moment)
        for view, moment in VIEWS.items()
    }
    rows["holdings"] = by_group(fetch(_HOLDINGS))
    loaded = fetch(
        "SELECT * FROM coordinator_loads WHERE started_at IS NOT NULL "
        "AND (errors > 0 OR duration_ms >= 1000) ORDER BY started_at"
    )
    drawn = [t for story in stories if (t := _timeline(story, rows, loaded, within)) is not None]
    marks = sum(len(timeline.marks) + len(timeline.owners) for timeline in drawn)
    return [_thin(timeline, marks) for timeline in drawn] if marks > MOST_MARKS else drawn


def _timeline(
    story: Story, views: Mapping[str, Mapping[Key, list[Row]]], loaded: Sequence[Row], within: Window
) -> Timeline | None:
    key = (story.cluster, story.group_id)
    rows = {view: groups.get(key, []) for view, groups in views.items()}
    last = story.last_at
    bumps = sorted(row["bumped_at"] for row in rows["group_epochs"] if row["bumped_at"] is not None)
    changes = [*(row["started_at"] for row in rows["rebalances"]), *bumps[:1]]
    gone = [
        {**row, "ts": row["changed_at"]}
        for row in rows["epoch_members"]
        if row["change"] in ("left", "fenced")
    ]
    held = [
        *ownership(rows["assignments"], Ends(changes, rows["member_exits"], last)),
        *ownership(rows["holdings"], Ends((), [*rows["member_exits"], *gone], last, rows["holdings"])),
    ]
    marks = [
        *states(rows["group_states"], bumps),
        *epochs(rows["group_epochs"], bumps),
        *(mark for mark, _ in held),
        *reconciliations(rows["reconciliations"]),
        *refusals(rows["refused_joins"]),
        *exits(rows["member_exits"]),
        *coordinators([*rows["rebalances"], *rows["group_epochs"]], rows["coordinator_moves"], story),
        *outages(rows["coordinator_outages"], last),
        *loads(loaded, story),
    ]
    owners, partitions = _owners(held)
    marks = [mark for mark in marks if within.touches(mark.start, mark.end)]
    owners = [mark for mark in owners if within.touches(mark.start, mark.end)]
    if len(story.counts) + len(marks) < 2:
        return None
    times = [mark.start for mark in marks] + [mark.end for mark in marks if mark.end is not None]
    times += [count.at for count in story.counts]
    fixed = (STATE_LANE, EPOCH_LANE, COORDINATOR_LANE)
    pods = sorted({mark.lane for mark in marks}.difference(fixed))
    present = {mark.lane for mark in marks}
    lanes = [lane for lane in (STATE_LANE, EPOCH_LANE, *pods, COORDINATOR_LANE) if lane in present]
    start = min(times) if within.since is None else max(min(times), within.since)
    return Timeline(
        story.cluster,
        story.group_id,
        story.counts,
        tuple(lanes),
        tuple(marks),
        tuple(owners),
        partitions,
        start,
        max(times),
    )


def _owners(held: Sequence[tuple[Mark, Sequence[str]]]) -> tuple[list[Mark], int]:
    """Return who owned each partition, and of how many; one mark over rebalances that change nothing."""
    owned: dict[str, list[Mark]] = {}
    for mark, partitions in held:
        for partition in partitions:
            row = owned.setdefault(partition, [])
            if row and row[-1].kind == mark.lane:
                row[-1] = replace(row[-1], end=mark.end)
            else:
                row.append(Mark(partition, mark.lane, mark.start, mark.end, f"{mark.lane} owns {partition}"))
    changes = Counter({partition: len(row) for partition, row in owned.items()})
    shown = sorted((name for name, _ in changes.most_common(MOST_PARTITIONS)), key=_in_order)
    return [mark for partition in shown for mark in owned[partition]], len(owned)


def _in_order(partition: str) -> tuple[str, int]:
    topic, _, number = partition.rpartition("-")
    return (topic, int(number)) if number.isdecimal() else (partition, -1)


def _thin(timeline: Timeline, marks: int) -> Timeline:
    """Keep every n-th mark of every lane, and the first of each."""
    step = -(-marks // MOST_MARKS)
    seen: Counter[str] = Counter()

    def kept(mark: Mark) -> bool:
        seen[mark.lane] += 1
        return seen[mark.lane] % step == 1 % step

    marks_kept = tuple(mark for mark in timeline.marks if kept(mark))
    seen.clear()
    owners_kept = tuple(mark for mark in timeline.owners if kept(mark))
    left_out = len(timeline.marks) + len(timeline.owners) - len(marks_kept) - len(owners_kept)
    return replace(timeline, marks=marks_kept, owners=owners_kept, thinned=left_out)
