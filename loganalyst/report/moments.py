"""The lines of a group's story: one function a view, row in, `Moment` out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from loganalyst.report.model import Evidence, Moment
from loganalyst.report.words import clock, human_list, human_ms, plural

Row = Mapping[str, Any]

LONG_WAIT_MS = 5_000.0
"""A rebalance longer than this is marked, and who it waited for is named."""

MOST_EVIDENCE = 20
"""Lines that are kept of a run of rows which says one thing many times."""


def evidence_of(row: Row) -> tuple[Evidence, ...]:
    """Return the log lines behind a row of any view, each once, in the order of time."""
    lines = {
        Evidence(line["source"], line["line"], line["ts"], line["message"])
        for line in row.get("evidence") or ()
    }
    return tuple(sorted(lines, key=lambda at: (at.ts is not None, at.ts, at.source, at.line or 0)))


def who(row: Row, prefix: str = "") -> str | None:
    """Name the process of a row: its pod, else its member, instance or client id."""
    for column in ("pod", "member_id", "instance_id", "client_id"):
        if row.get(prefix + column):
            return str(row[prefix + column])
    return None


def rebalance(row: Row, before: Row | None, led: Row | None) -> Moment:
    """A rebalance of a classic group; `before` it came that one, `led` the last one that had a leader."""
    parts = [_cause(row["cause"], who(row, "trigger_"))]
    leader = who(row, "leader_")
    if leader and (led is None or leader != who(led, "leader_")):
        parts.append(f"leader {'is' if led is None else 'now'} {leader}")
    waited_for = _names(row["waited_for"])
    long = (row["duration_ms"] or 0) >= LONG_WAIT_MS
    if waited_for and long:
        parts.append(f"waited for {human_list(waited_for)}")
    ending = {
        "emptied": "the group is empty",
        "superseded": "overtaken before its assignment came",
        "open": "not ended in these logs",
    }.get(row["outcome"])
    if ending:
        parts.append(ending)
    return Moment(
        at=row["started_at"] or row["stabilized_at"] or row["completed_at"],
        kind="rebalance",
        text="; ".join(parts),
        generation=row["generation"],
        members_before=0 if before and before["outcome"] == "emptied" else row["members_before"],
        members=row["members"],
        duration_ms=row["duration_ms"],
        notable=long or row["outcome"] in ("emptied", "open"),
        evidence=evidence_of(row),
    )


def _cause(kind: str | None, trigger: str | None) -> str:
    cause = (kind or "unknown").replace("_", " ")
    if cause == "unknown":
        return "cause unknown" if trigger is None else f"cause unknown, set off by {trigger}"
    return cause if trigger is None else f"{cause}: {trigger}"


def _names(value: Any) -> list[str]:
    """Return the names in a column that holds one name or a list of them."""
    if value is None:
        return []
    return [value] if isinstance(value, str) else [str(name) for name in value if name]


def epoch(row: Row) -> Moment:
    """A KIP-848 epoch: a target was set and, once all members reached it, converged."""
    return Moment(
        at=row["bumped_at"] or row["target_at"] or row["converged_at"],
        kind="epoch",
        text=_cause(row["trigger"], who(row, "trigger_")),
        epoch=row["epoch"],
        duration_ms=row["duration_ms"],
        notable=(row["duration_ms"] or 0) >= LONG_WAIT_MS,
        evidence=evidence_of(row),
    )


def refusals(rows: Sequence[Row]) -> Moment:
    """The joins that were refused for one reason, one process after the other, as one line."""
    first = rows[0]
    offered = f" with {', '.join(_names(first['offered']))}" if first["offered"] else ""
    times: dict[str, int] = {}
    for row in rows:
        name = who(row) or "a client"
        times[name] = times.get(name, 0) + (row["attempts"] or 1)
    told = [f"{name} ({count:,}×)" for name, count in times.items()]
    last = max((row["last_ts"] for row in rows if row["last_ts"] is not None), default=None)
    until = f" until {clock(last)}" if last is not None and last != first["ts"] else ""
    return Moment(
        at=first["ts"],
        kind="refused",
        text=f"refused{until}{offered}: {human_list(told)}; {first['error'] or 'no error named'}",
        notable=True,
        evidence=tuple(line for row in rows for line in evidence_of(row))[:MOST_EVIDENCE],
    )


def member_exit(row: Row) -> Moment:
    """A member that went otherwise than by leaving."""
    silent = f" after {human_ms(row['silent_ms'])} of silence" if row["silent_ms"] is not None else ""
    return Moment(
        at=row["ts"],
        kind="exit",
        text=f"{who(row) or 'a member'} out: {str(row['kind']).replace('_', ' ')}{silent}",
        generation=row["generation"],
        notable=True,
        evidence=evidence_of(row),
    )


def coordinator_move(row: Row) -> Moment:
    """The group's coordinator went to another broker."""
    parts = [f"coordinator {_broker(row['from_broker'])} → {_broker(row['to_broker'])}"]
    if (loading := _ms(row["elected_at"], row["loaded_at"])) is not None:
        parts.append(f"loaded in {human_ms(loading)}")
    if row["last_rediscovered_at"]:
        found = plural(len(row["rediscovered"] or ()), "pod")
        parts.append(f"{found} found it, the last at {clock(row['last_rediscovered_at'])}")
    if stuck := _names(row["stuck_pods"]):
        parts.append(f"stuck on the old one: {human_list(stuck)}")
    return Moment(
        at=row["resigned_at"] or row["elected_at"] or row["loaded_at"],
        kind="coordinator",
        text="; ".join(parts),
        notable=bool(stuck),
        evidence=evidence_of(row),
    )


def _broker(number: int | None) -> str:
    return "?" if number is None else f"broker {number}"


def outage(row: Row) -> Moment:
    """A time in which the group had no coordinator."""
    lasted = _ms(row["started_at"], row["ended_at"])
    why = f": {str(row['why']).replace('_', ' ')}" if row["why"] else ""
    return Moment(
        at=row["started_at"] or row["ended_at"],
        kind="outage",
        text=f"no coordinator {f'for {human_ms(lasted)}' if lasted is not None else 'from here on'}{why}",
        notable=True,
        evidence=evidence_of(row),
    )


def fenced(rows: Sequence[Row]) -> Moment:
    """The rejected requests of one process with one error, as one line."""
    first = rows[0]
    times = "once" if len(rows) == 1 else f"{len(rows):,} times until {clock(rows[-1]['ts'])}"
    operations = ", ".join(sorted({str(row["operation"]) for row in rows if row["operation"]})) or "request"
    return Moment(
        at=first["ts"],
        kind="fenced",
        text=f"{who(first) or 'a member'} fenced {times}: {operations} {first['error']}",
        generation=first["generation"],
        notable=True,
        evidence=tuple(line for row in rows for line in evidence_of(row))[:MOST_EVIDENCE],
    )


def static_restart(row: Row) -> Moment:
    """A static member that came back, or whose id another process took."""
    away = f" after {human_ms(row['away_ms'])}" if row["away_ms"] is not None else ""
    ending = {
        "quiet": f" came back{away}, without a rebalance",
        "late": f" came back{away}, too late to be quiet",
        "fenced": ": another process took its id",
    }.get(row["outcome"], f": {row['outcome']}")
    return Moment(
        at=row["back_at"] or row["left_at"],
        kind="static",
        text=f"static member {row['instance_id']}{ending}",
        notable=row["outcome"] != "quiet",
        evidence=evidence_of(row),
    )


def floor(row: Row, holdings: Mapping[str, int]) -> Moment:
    """The lowest point of a shrinking episode; `holdings`: partitions per process in that generation."""
    every = "all " if len(holdings) == 1 else ""
    held = [f"{pod} has {every}{plural(number, 'partition')}" for pod, number in holdings.items()]
    left = f"the floor: {row['members_floor']} of {plural(row['members_from'], 'member')} left"
    return Moment(
        at=row["floor_at"],
        kind="floor",
        text="; ".join([left, *held[:4]]),
        members=row["members_floor"],
        notable=True,
    )


def offset_resets(rows: Sequence[Row]) -> Moment:
    """The positions of one process that were reset for one reason, as one line."""
    first = rows[0]
    where = f"{first['topic']}-{first['partition']}" if first["topic"] is not None else "a position"
    what = f"{where} was" if len(rows) == 1 else f"{len(rows):,} positions were"
    strategy = f" to {first['strategy']}" if first["strategy"] else ""
    why = f": {str(first['why']).replace('_', ' ')}" if first["why"] else ""
    skips = str(first["skipped"] or "").startswith("yes")
    return Moment(
        at=first["ts"],
        kind="offsets",
        text=f"{who(first) or 'a member'}: {what} reset{strategy}{why}{', records skipped' if skips else ''}",
        notable=skips,
        evidence=tuple(line for row in rows for line in evidence_of(row))[:MOST_EVIDENCE],
    )


def _ms(start: datetime | None, end: datetime | None) -> float | None:
    return (end - start).total_seconds() * 1000 if start is not None and end is not None else None


BY_VIEW: dict[str, Callable[[Row], Moment]] = {
    "group_epochs": epoch,
    "coordinator_moves": coordinator_move,
    "coordinator_outages": outage,
    "static_restarts": static_restart,
}
"""Views whose rows become a moment each, without a look at their neighbours."""

BY_RUN: dict[str, tuple[Callable[[Row], tuple[Any, ...]], Callable[[Sequence[Row]], Moment]]] = {
    "refused_joins": (lambda row: (row["error"], row["offered"]), refusals),
    "fenced_requests": (lambda row: (who(row), row["error"], row["generation"]), fenced),
    "offset_resets": (
        lambda row: (who(row), row["topic"], row["strategy"], row["why"], row["skipped"]),
        offset_resets,
    ),
}
"""Views whose rows come in runs, in what the rows of a run agree, and how a run is told."""
