"""The story of each group: its members over time, and what happened, line by line."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from typing import Any

from loganalyst.report import moments
from loganalyst.report.model import Count, Finding, Moment, Span, Story
from loganalyst.report.window import Window

Row = dict[str, Any]
Key = tuple[str | None, str]
Fetch = Callable[[str], list[Row]]
"""Runs SQL over the views and returns its rows as dicts, times as aware datetimes."""

RUN = timedelta(minutes=1)

MOST_STORIES = 200
"""Groups that are told line by line; of the others only the numbers are known."""

_RANK = {"act": 0, "look": 1, "normal": 2, None: 3}
_NUMBERS = """
SELECT cluster, group_id, count(*) AS rebalances, max(duration_ms) AS longest_ms
FROM (SELECT cluster, group_id, duration_ms, coalesce(started_at, stabilized_at, completed_at) AS moment
      FROM rebalances
      UNION ALL
      SELECT cluster, group_id, duration_ms, coalesce(bumped_at, target_at, converged_at)
      FROM group_epochs)
WHERE {within} GROUP BY ALL
"""


def stories_of(
    fetch: Fetch, summaries: Sequence[Row], findings: Sequence[Finding], within: Window
) -> list[Story]:
    """Return one story a group, those with the gravest findings first, then those with most rebalances."""
    severities: dict[Key, str] = {}
    for finding in findings:
        if finding.group_id is not None:
            severities.setdefault((finding.cluster, finding.group_id), finding.severity)
    numbers = by_group(fetch(_NUMBERS.format(within=within.sql("moment"))))

    def rank(row: Row) -> tuple[int, int, str]:
        key = (row["cluster"], row["group_id"])
        return _RANK[severities.get(key)], -_first(numbers, key).get("rebalances", 0), row["group_id"]

    ranked = sorted(summaries, key=rank)
    views = Views(
        fetch, None if len(ranked) <= MOST_STORIES else [r["group_id"] for r in ranked[:MOST_STORIES]]
    )
    rebalances = views.by_group("rebalances", order="incarnation, generation")
    told = _moments(views, rebalances)
    placed = by_group(fetch("SELECT * FROM group_placement"))
    outages = views.by_group("coordinator_outages")
    refusals = views.by_group("refused_joins", "ts IS NOT NULL")
    changes = views.by_group("epoch_members")
    epochs = views.by_group("group_epochs", "coordinator IS NOT NULL", order="coalesce(bumped_at, target_at)")
    stories = []
    for row in ranked:
        key = (row["cluster"], row["group_id"])
        own = rebalances.get(key, [])
        place = _first(placed, key)
        stories.append(
            Story(
                cluster=row["cluster"],
                group_id=row["group_id"],
                group_type=row["group_type"],
                coordinators=_known([*own, *epochs.get(key, [])], "coordinator") or _known([place], "broker"),
                offsets_partition=next(iter(_known([*own, place], "offsets_partition")), None),
                first_at=row["first_at"],
                last_at=row["last_at"],
                rebalances=_first(numbers, key).get("rebalances", 0),
                longest_ms=_first(numbers, key).get("longest_ms"),
                severity=severities.get(key),
                counts=tuple(_counts(own, changes.get(key, []), within)),
                spans=tuple(_spans(own, outages.get(key, []), refusals.get(key, []), within)),
                moments=tuple(m for m in told.get(key, []) if within.touches(m.at, m.at)),
            )
        )
    return stories


class Views:
    """The views, narrowed to the groups whose story is told (None: all)."""

    def __init__(self, fetch: Fetch, groups: Sequence[str] | None) -> None:
        """`fetch` runs SQL."""
        self._fetch = fetch
        names = ", ".join("'" + group.replace("'", "''") + "'" for group in groups or ())
        self._chosen = "true" if groups is None else f"group_id IN ({names})"

    def rows(self, view: str, where: str = "true", order: str = "") -> list[Row]:
        """Return the rows of a view."""
        ordered = f" ORDER BY {order}" if order else ""
        return self._fetch(f"SELECT * FROM {view} WHERE {self._chosen} AND {where}{ordered}")

    def by_group(self, view: str, where: str = "true", order: str = "") -> dict[Key, list[Row]]:
        """Return the rows of a view by group."""
        return by_group(self.rows(view, where, order))


def _first(groups: Mapping[Key, list[Row]], key: Key) -> Row:
    return groups[key][0] if key in groups else {}


def by_group(rows: Sequence[Row]) -> dict[Key, list[Row]]:
    """Return the rows of each (cluster, group), in their order."""
    groups: dict[Key, list[Row]] = defaultdict(list)
    for row in rows:
        groups[row["cluster"], row["group_id"]].append(row)
    return groups


def _known(rows: Sequence[Mapping[str, Any]], column: str) -> tuple[int, ...]:
    """Return the different known values of a column, in order."""
    return tuple(dict.fromkeys(row[column] for row in rows if row.get(column) is not None))


def _moments(views: Views, rebalances: Mapping[Key, Sequence[Row]]) -> dict[Key, list[Moment]]:
    """Tell every view's rows, each group's in the order of time; lines without a date come first."""
    told: dict[Key, list[Moment]] = defaultdict(list)
    for key, rows in rebalances.items():
        before: Row | None = None
        led: Row | None = None
        for row in rows:
            told[key].append(moments.rebalance(row, before, led))
            before, led = row, row if moments.who(row, "leader_") else led
    for view, tell in moments.BY_VIEW.items():
        for row in views.rows(view):
            told[row["cluster"], row["group_id"]].append(tell(row))
    for row in views.rows("member_exits", "kind <> 'left'"):
        told[row["cluster"], row["group_id"]].append(moments.member_exit(row))
    for view, (alike, tell_run) in moments.BY_RUN.items():
        for run in _runs(views.rows(view, order="ts"), alike):
            told[run[0]["cluster"], run[0]["group_id"]].append(tell_run(run))
    for row in views.rows("shrinking_episodes"):
        told[row["cluster"], row["group_id"]].append(moments.floor(row, _holdings(views, row)))
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


def _holdings(views: Views, episode: Row) -> dict[str, int]:
    """Return how many partitions each process held at the floor of an episode; empty if it cannot be told."""
    counts, generations = episode["member_counts"] or [], episode["generations"] or []
    if not counts or len(counts) != len(generations):
        return {}
    generation = generations[counts.index(min(counts))]
    rows = views.rows("assignments", f"generation = {int(generation)}")
    key = (episode["cluster"], episode["group_id"])
    held = {
        moments.who(row) or "?": len(row["topic_partitions"] or ())
        for row in rows
        if (row["cluster"], row["group_id"]) == key
    }
    return held if len(held) == min(counts) else {}


def _counts(rebalances: Sequence[Row], changes: Sequence[Row], within: Window) -> list[Count]:
    """Return the member counts: of each settled rebalance from its end on, and each of a KIP-848 group."""
    counts = [
        Count(row["completed_at"], row["members"])
        for row in rebalances
        if row["completed_at"] is not None and row["members"] is not None
    ]
    counts += [Count(row["changed_at"], row["members"]) for row in changes]
    counts.sort(key=lambda count: count.at)
    before = [count for count in counts if within.since is not None and count.at < within.since]
    inside = [count for count in counts if within.touches(count.at, count.at)]
    if before and within.since is not None:
        inside.insert(0, Count(within.since, before[-1].members))
    return inside


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
