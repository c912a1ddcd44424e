"""The marks of a group's picture: one function a view, rows in, marks of one lane or one lane a pod out."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from loganalyst.report.model import Evidence, Story
from loganalyst.report.moments import evidence_of, who
from loganalyst.report.words import human_list, human_ms, plural

Row = Mapping[str, Any]

STATE_LANE, EPOCH_LANE, COORDINATOR_LANE = "group state", "epochs", "coordinator"
UNKNOWN_POD = "unknown pod"


@dataclass(frozen=True)
class Mark:
    """One bar or point: `kind` chooses its colour (a state, `owns`, `refused`, `broker`, ...)."""

    lane: str
    kind: str
    start: datetime
    end: datetime | None
    text: str
    evidence: tuple[Evidence, ...] = ()


def states(rows: Sequence[Row], bumps: Sequence[datetime]) -> list[Mark]:
    """The states of a classic group; none lasts beyond the epoch that made it another kind of group."""
    return [
        Mark(
            STATE_LANE,
            row["state"],
            row["started_at"],
            _earliest(row["ended_at"], _next(bumps, row["started_at"])),
            f"{row['state']}, generation {row['generation']}",
            evidence_of(row),
        )
        for row in rows
    ]


def epochs(rows: Sequence[Row], bumps: Sequence[datetime]) -> list[Mark]:
    """The epochs of a KIP-848 group, each from its bump until all members have reached it."""
    marks = []
    for row in rows:
        start = row["bumped_at"] or row["target_at"]
        end = row["converged_at"] or (row["target_at"] if row["outcome"] == "unseen" else None)
        if end is None and row["outcome"] == "superseded":
            end = _next(bumps, start)
        cause = str(row["trigger"] or "unknown").replace("_", " ")
        by = who(row, "trigger_")
        ending = {"converged": "all members reached it", "emptied": "no member is left"}
        text = f"epoch {row['epoch']}: {cause}{f' ({by})' if by else ''}; " + ending.get(
            row["outcome"], str(row["outcome"])
        )
        marks.append(Mark(EPOCH_LANE, "converging", start, end or start, text, evidence_of(row)))
    return marks


def ownership(rows: Sequence[Row], ends: Ends) -> list[tuple[Mark, Sequence[str]]]:
    """What each member owned, with the partitions: until it changed, or it went."""
    held = []
    for row in rows:
        lane = who(row)
        if lane is None:
            continue
        owned = row["topic_partitions"] or []
        count = "generation" if row.get("generation") is not None else "epoch"
        number = f"{count} {row[count]}: " if row.get(count) is not None else ""
        given = row["assigned_at"]
        mark = Mark(
            lane,
            "owns" if owned else "owns nothing",
            given,
            ends.of(row, given),
            f"{number}{plural(len(owned), 'partition')}",
            evidence_of(row),
        )
        held.append((mark, owned))
    return held


class Ends:
    """When what a member owned ended: at a change of the whole group, a change of its own, or its exit."""

    def __init__(
        self,
        group: Sequence[datetime],
        exits: Sequence[Row],
        last_at: datetime | None,
        own: Sequence[Row] = (),
    ) -> None:
        """`group`: times of rebalances; `own`: the rows in which a member says what it owns from then on."""
        self._group, self._last_at = sorted(group), last_at
        self._own: dict[str, list[datetime]] = {}
        for row, at in [*((row, row["ts"]) for row in exits), *((row, row["assigned_at"]) for row in own)]:
            for name in {row.get("member_id"), row.get("pod")}:
                if name is not None:
                    self._own.setdefault(name, []).append(at)
        for times in self._own.values():
            times.sort()

    def of(self, row: Row, since: datetime) -> datetime | None:
        """Return when what the member of `row` owned since then ended."""
        found = _earliest(
            _next(self._group, since),
            *(_next(self._own.get(row[name], ()), since) for name in ("member_id", "pod")),
        )
        return found or self._last_at


def _next(times: Sequence[datetime], since: datetime) -> datetime | None:
    at = bisect_right(times, since)
    return times[at] if at < len(times) else None


def _earliest(*times: datetime | None) -> datetime | None:
    return min((at for at in times if at is not None), default=None)


def reconciliations(rows: Sequence[Row]) -> list[Mark]:
    """The time that a member of a KIP-848 group took to give up and take over partitions."""
    return [
        Mark(
            who(row) or UNKNOWN_POD,
            "reconciling",
            row["started_at"],
            row["stable_at"] or row["started_at"],
            f"epoch {row['epoch']}: gives up {len(row['revoked'] or ())} partitions, "
            f"is given {len(row['assigned'] or ())}; {row['outcome']}",
            evidence_of(row),
        )
        for row in rows
    ]


def refusals(rows: Sequence[Row]) -> list[Mark]:
    """The joins that were refused, a run a mark."""
    return [
        Mark(
            who(row) or UNKNOWN_POD,
            "refused",
            row["ts"],
            row["last_ts"] if row["last_ts"] != row["ts"] else None,
            f"refused {plural(row['attempts'] or 1, 'time')}: {row['error'] or 'no error named'}"
            + (f", offered {row['offered']}" if row["offered"] else ""),
            evidence_of(row),
        )
        for row in rows
    ]


def exits(rows: Sequence[Row]) -> list[Mark]:
    """The members that went."""
    return [
        Mark(
            who(row) or UNKNOWN_POD,
            "left" if row["kind"] == "left" else "thrown out",
            row["ts"],
            None,
            str(row["kind"]).replace("_", " ")
            + (f", after {human_ms(row['silent_ms'])} of silence" if row["silent_ms"] is not None else ""),
            evidence_of(row),
        )
        for row in rows
    ]


def coordinators(rows: Sequence[Row], moves: Sequence[Row], story: Story) -> list[Mark]:
    """Which broker coordinated the group: as its rebalances and epochs name it, and as it moved."""
    known: list[tuple[datetime, int, tuple[Evidence, ...]]] = [
        (row.get("started_at") or row.get("bumped_at") or row["target_at"], row["coordinator"], ())
        for row in rows
        if row["coordinator"] is not None
    ]
    moved = [(at, row) for row in moves if (at := row["elected_at"] or row["loaded_at"]) is not None]
    first_move = min((at for at, _ in moved), default=None)
    for at, row in moved:
        if row["to_broker"] is not None:
            known.append((at, row["to_broker"], evidence_of(row)))
        if row["from_broker"] is not None and story.first_at is not None and at == first_move:
            known.append((min(story.first_at, at), row["from_broker"], ()))
    known.sort(key=lambda sign: sign[0])
    firsts = [sign for index, sign in enumerate(known) if index == 0 or sign[1] != known[index - 1][1]]
    ends = [*(sign[0] for sign in firsts[1:]), story.last_at]
    return [
        Mark(COORDINATOR_LANE, "broker", start, end, f"broker {broker}", evidence)
        for (start, broker, evidence), end in zip(firsts, ends, strict=False)
    ]


def outages(rows: Sequence[Row], last_at: datetime | None) -> list[Mark]:
    """The times that the group had no coordinator."""
    return [
        Mark(
            COORDINATOR_LANE,
            "no coordinator",
            row["started_at"],
            row["ended_at"] or last_at,
            f"no coordinator: {str(row['why'] or 'unknown').replace('_', ' ')}"
            + (f"; met by {human_list(row['pods_hit'])}" if row["pods_hit"] else ""),
            evidence_of(row),
        )
        for row in rows
    ]


def loads(rows: Sequence[Row], story: Story) -> list[Mark]:
    """The loads of the group's offsets partition that took long or turned requests away."""
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
        if row["cluster"] == story.cluster and row["offsets_partition"] == story.offsets_partition
    ]
