"""The story of each group: its members over time, and what happened, line by line."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from loganalyst.report import moments
from loganalyst.report.model import Count, Finding, Moment, Span, Story

if TYPE_CHECKING:
    from loganalyst.report.collect import Window

Row = dict[str, Any]
Key = tuple[str | None, str]
Fetch = Callable[[str], list[Row]]

RUN = timedelta(minutes=1)

_RANK = {"act": 0, "look": 1, "normal": 2, None: 3}
_REBALANCES = "SELECT * FROM rebalances ORDER BY cluster, group_id, incarnation, generation"


def stories_of(
    fetch: Fetch, summaries: Sequence[Mapping[str, Any]], findings: Sequence[Finding], within: Window
) -> list[Story]:
    """Return one story a group, those with the gravest findings first, then those with most rebalances."""
    severities: dict[Key, str] = {}
    for finding in findings:
        if finding.group_id is not None:
            severities.setdefault((finding.cluster, finding.group_id), finding.severity)
    rebalances = _by_group(fetch(_REBALANCES))
    told = _moments(fetch, rebalances)
    placed = _by_group(fetch("SELECT * FROM group_placement"))
    outages = _by_group(fetch("SELECT * FROM coordinator_outages"))
    refusals = _by_group(fetch("SELECT * FROM refused_joins WHERE ts IS NOT NULL"))
    stories = []
    for row in summaries:
        key = (row["cluster"], row["group_id"])
        own = rebalances.get(key, [])
        lines = [moment for moment in told.get(key, []) if within.touches(moment.at, moment.at)]
        place = placed.get(key, [{}])[0]
        stories.append(
            Story(
                cluster=row["cluster"],
                group_id=row["group_id"],
                group_type=row["group_type"],
                coordinators=_known(own, "coordinator") or _known([place], "broker"),
                offsets_partition=next(iter(_known([*own, place], "offsets_partition")), None),
                first_at=row["first_at"],
                last_at=row["last_at"],
                rebalances=sum(moment.kind in ("rebalance", "epoch") for moment in lines),
                longest_ms=max((m.duration_ms for m in lines if m.duration_ms is not None), default=None),
                severity=severities.get(key),
                counts=tuple(_counts(own, within)),
                spans=tuple(_spans(own, outages.get(key, []), refusals.get(key, []), within)),
                moments=tuple(lines),
            )
        )
    return sorted(stories, key=lambda story: (_RANK[story.severity], -story.rebalances, story.group_id))


def _by_group(rows: Sequence[Row]) -> dict[Key, list[Row]]:
    groups: dict[Key, list[Row]] = defaultdict(list)
    for row in rows:
        groups[row["cluster"], row["group_id"]].append(row)
    return groups


def _known(rows: Sequence[Mapping[str, Any]], column: str) -> tuple[int, ...]:
    """Return the different known values of a column, in order."""
    return tuple(dict.fromkeys(row[column] for row in rows if row.get(column) is not None))


def _moments(fetch: Fetch, rebalances: Mapping[Key, Sequence[Row]]) -> dict[Key, list[Moment]]:
    """Tell every view's rows, each group's in the order of time; lines without a date come first."""
    told: dict[Key, list[Moment]] = defaultdict(list)
    for key, rows in rebalances.items():
        before: Row | None = None
        led: Row | None = None
        for row in rows:
            told[key].append(moments.rebalance(row, before, led))
            before, led = row, row if moments.who(row, "leader_") else led
    for view, tell in moments.BY_VIEW.items():
        for row in fetch(f"SELECT * FROM {view}"):
            told[row["cluster"], row["group_id"]].append(tell(row))
    for row in fetch("SELECT * FROM member_exits WHERE kind <> 'left'"):
        told[row["cluster"], row["group_id"]].append(moments.member_exit(row))
    for view, (alike, tell_run) in moments.BY_RUN.items():
        for run in _runs(fetch(f"SELECT * FROM {view} ORDER BY ts"), alike):
            told[run[0]["cluster"], run[0]["group_id"]].append(tell_run(run))
    for row in fetch("SELECT * FROM shrinking_episodes"):
        told[row["cluster"], row["group_id"]].append(moments.floor(row, _holdings(fetch, row)))
    for lines in told.values():
        lines.sort(key=lambda moment: (moment.at is not None, moment.at))
    return told


def _runs(rows: Sequence[Row], alike: Callable[[Row], tuple[Any, ...]]) -> list[list[Row]]:
    """Gather the rows of one group that are alike and follow each other within a minute."""
    runs: list[list[Row]] = []
    last: dict[tuple[Any, ...], list[Row]] = {}
    for row in rows:
        key = (row["cluster"], row["group_id"], repr(alike(row)))
        run = last.get(key)
        if run and (row["ts"] is None or run[-1]["ts"] is None or row["ts"] - run[-1]["ts"] <= RUN):
            run.append(row)
        else:
            last[key] = [row]
            runs.append(last[key])
    return runs


def _holdings(fetch: Fetch, episode: Row) -> dict[str, int]:
    """Return how many partitions each process held at the floor of an episode; empty if it cannot be told."""
    counts, generations = episode["member_counts"] or [], episode["generations"] or []
    if not counts or len(counts) != len(generations):
        return {}
    generation = generations[counts.index(min(counts))]
    rows = fetch(f"SELECT * FROM assignments WHERE generation = {int(generation)}")
    key = (episode["cluster"], episode["group_id"])
    held = {
        moments.who(row) or "?": len(row["topic_partitions"] or ())
        for row in rows
        if (row["cluster"], row["group_id"]) == key
    }
    return held if len(held) == min(counts) else {}


def _counts(rebalances: Sequence[Row], within: Window) -> list[Count]:
    """Return the member count that each settled rebalance gave the group, from its end on."""
    counts = [
        Count(row["completed_at"], row["members"])
        for row in rebalances
        if row["completed_at"] is not None and row["members"] is not None
    ]
    return [count for count in sorted(counts, key=lambda c: c.at) if within.touches(count.at, count.at)]


def _spans(
    rebalances: Sequence[Row], outages: Sequence[Row], refusals: Sequence[Row], within: Window
) -> list[Span]:
    spans = [
        Span("rebalance", row["started_at"], row["completed_at"] or row["stabilized_at"])
        for row in rebalances
        if row["started_at"] is not None
    ]
    spans += [Span("outage", row["started_at"], row["ended_at"]) for row in outages if row["started_at"]]
    spans += [Span("refused", row["ts"], row["last_ts"]) for row in refusals]
    return [span for span in spans if within.touches(span.started_at, span.ended_at)]
