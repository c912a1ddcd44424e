"""The checks in the order that narrows fastest: which broker, does the offsets topic survive, who leads,
which protocol, and is a deploy shrinking the group. From logs, from tool dumps, or both compared.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from loganalyst.analysis.dumped import Dumped, Line
from loganalyst.analysis.logged import Logged
from loganalyst.analysis.placement import DEFAULT_PARTITIONS, offsets_partition

CHECKS = ("coordinator", "offsets_topic", "leader", "protocol", "shrinking")
_WORST = ("act", "look", "ok", "unknown")


@dataclass(frozen=True, slots=True)
class Check:
    """One answer. `verdict`: ok, look, act or unknown (nothing at hand decides it). `group_id` None: the
    cluster."""

    check: str
    group_id: str | None
    verdict: str
    answer: str
    evidence: Sequence[Line] = field(default_factory=list)


def run(dumps: Dumped, logs: Logged, groups: Iterable[str] = ()) -> list[Check]:
    """Run all checks for `groups` (without any: all that the dumps or logs name) and the offsets topic."""
    names = list(groups) or sorted({*dumps.groups, *logs.groups})
    checks = [offsets_topic(dumps, logs)]
    for name in names:
        checks += [check(name, dumps, logs) for check in (coordinator, leader, protocol, shrinking)]
    return checks


def worst(checks: Iterable[Check]) -> str:
    """Return the worst verdict of `checks`, `unknown` for none."""
    return min((check.verdict for check in checks), key=_WORST.index, default="unknown")


def coordinator(group: str, dumps: Dumped, logs: Logged) -> Check:
    """Which broker coordinates the group, and does that agree with the hash of its name?"""
    placed = logs.placement.get(group)
    count = dumps.partition_count or DEFAULT_PARTITIONS
    partition = placed["offsets_partition"] if placed else None
    if partition is None:
        partition = offsets_partition(group, count)
    where = f"partition {partition} of __consumer_offsets"
    rows = [topic[partition] for topic in reversed(dumps.topics.values()) if partition in topic]
    states = [state for state in reversed(dumps.states_of(group)) if state.coordinator is not None]
    lines = [row.line for row in rows] + [state.line for state in states]
    leaders = {row.replicas.leader for row in rows}
    told = {state.coordinator for state in states}
    seen = logs.coordinator.get(group)
    if seen:
        lines += list(seen["evidence"])[:2]
    if rows and rows[0].replicas.leader is None:
        return Check("coordinator", group, "act", f"none: {where} has no leader", lines)
    if told and leaders and told.isdisjoint(leaders):
        led, named = _brokers(leaders), _brokers(told)
        answer = f"the dumps disagree: {where} is led by {led}, the group's state names {named}"
        return Check("coordinator", group, "look", f"{answer}; it moved between them, or one is stale", lines)
    known = told or leaders or ({seen["broker"]} if seen else set())
    if not known:
        return Check(
            "coordinator", group, "unknown", f"the leader of {where}; who that is is not at hand", lines
        )
    if seen and (told or leaders) and not (told | leaders).intersection(seen["brokers"]):
        answer = (
            f"{_brokers(known)} by the dumps, broker {seen['broker']} by the last lines of the logs ({where})"
        )
        return Check("coordinator", group, "look", answer, lines)
    latest = states[0].coordinator if states else rows[0].replicas.leader if rows else None
    broker = latest if latest is not None else seen["broker"] if seen else None
    others = (known | set(seen["brokers"] if seen else ())) - {broker}
    moved = f"; it was {_brokers(others)} at another time" if others else ""
    return Check("coordinator", group, "ok", f"broker {broker}, which leads {where}{moved}", lines)


def offsets_topic(dumps: Dumped, logs: Logged) -> Check:
    """Can the offsets topic lose a broker without groups losing their coordinator?"""
    for partitions in reversed(dumps.topics.values()):
        rows = list(partitions.values())
        offline = [row for row in rows if row.replicas.leader is None]
        single = [row for row in rows if len(row.replicas.replicas) == 1]
        short = [row for row in rows if len(row.replicas.isr) < len(row.replicas.replicas)]
        if single:
            now = f", {len(offline)} have no leader now" if offline else ""
            answer = f"no: {len(single)} of {len(rows)} partitions have a single replica{now}"
            return Check("offsets_topic", None, "act", answer, [row.line for row in (offline or single)[:5]])
        if offline:
            answer = f"no: {len(offline)} of {len(rows)} partitions have no leader now"
            return Check("offsets_topic", None, "act", answer, [row.line for row in offline[:5]])
        if short:
            answer = f"not now: {len(short)} of {len(rows)} partitions have replicas out of sync"
            return Check("offsets_topic", None, "look", answer, [row.line for row in short[:5]])
        if rows:
            replicas = min(len(row.replicas.replicas) for row in rows)
            answer = f"yes: every partition has {replicas} replicas or more, all in sync"
            return Check("offsets_topic", None, "ok", answer, [rows[0].line])
    if logs.outages:
        outage = logs.outages[0]
        answer = (
            f"no: it did not when group {outage['group_id']} had no coordinator and no replica could lead"
        )
        return Check("offsets_topic", None, "act", answer, outage["evidence"])
    if logs.registered:
        partitions_made, single_made = logs.registered["partitions"], logs.registered["single"]
        if single_made:
            answer = f"no: {single_made} of {partitions_made} partitions were created with a single replica"
            return Check("offsets_topic", None, "act", answer, logs.registered["evidence"])
        answer = (
            "as created yes: every partition has several replicas; whether they are in sync is not at hand"
        )
        return Check("offsets_topic", None, "ok", answer, logs.registered["evidence"])
    return Check(
        "offsets_topic", None, "unknown", "its replicas are not at hand: give the output of kafka-topics"
    )


def leader(group: str, dumps: Dumped, logs: Logged) -> Check:
    """Which client computes the assignment, and does the group wait for it?"""
    epoch, row = logs.epoch.get(group), logs.leader.get(group)
    if epoch and (
        not row or not row["assigned_at"] or (epoch["since"] and epoch["since"] > row["assigned_at"])
    ):
        answer = f"none: the coordinator assigns ({epoch['group_type']} protocol, epoch {epoch['epoch']})"
        return Check("leader", group, "ok", answer, epoch["evidence"])
    if row and (row["pod"] or row["member_id"]):
        took = f"; its assignment took {row['assign_ms']:.0f} ms" if row["assign_ms"] is not None else ""
        slow = [verdict for verdict in logs.verdicts.get(group, []) if verdict["kind"] == "slow_leader"]
        answer = f"pod {row['pod'] or row['member_id']} leads generation {row['generation']}{took}"
        if slow:
            return Check(
                "leader",
                group,
                "look",
                f"{answer}; {slow[-1]['title']}",
                [*row["evidence"], *slow[-1]["evidence"]],
            )
        return Check("leader", group, "ok", answer, row["evidence"])
    if members := dumps.members.get(group):
        answer = f"one of the {len(members)} rows of members; dumps do not mark the leader, its own log does"
        return Check("leader", group, "unknown", answer, members[:5])
    return Check("leader", group, "unknown", "no line of the logs shows who led")


def protocol(group: str, dumps: Dumped, logs: Logged) -> Check:
    """Which assignor is in force, and is it what was rolled out?"""
    states = [state for state in reversed(dumps.states_of(group)) if state.assignor is not None]
    row = logs.assignor.get(group)
    epoch = logs.epoch.get(group)
    told = states[0].assignor if states else None
    seen = (epoch or {}).get("assignor") if epoch and not row else row["assignor"] if row else None
    lines = [state.line for state in states] + list((row or epoch or {"evidence": []})["evidence"])[:2]
    trouble = [
        v for v in logs.verdicts.get(group, []) if v["severity"] != "normal" and v["kind"] != "slow_leader"
    ]
    refused = logs.refused.get(group, [])
    if trouble or refused:
        pods = ", ".join(dict.fromkeys(str(r["pod"]) for r in refused))
        why = (
            trouble[0]["title"]
            if trouble
            else f"{pods} offered none of the members' assignors and were refused"
        )
        more = trouble[0]["evidence"] if trouble else refused[-1]["evidence"]
        verdict = "act" if any(v["severity"] == "act" for v in trouble) or not trouble else "look"
        force = f"{told or seen} is in force; " if told or seen else ""
        return Check("protocol", group, verdict, force + why, [*lines, *more])
    if told is None and seen is None:
        return Check(
            "protocol", group, "unknown", "neither a dump of the group's state nor a log line names it", lines
        )
    known = {state.assignor for state in states}
    logged = {part["assignor"] for part in (row, epoch) if part and part["assignor"]}
    if told and logged and known.isdisjoint(logged):
        answer = f"{told} by the dump, {seen} by the last generation in the logs"
        return Check("protocol", group, "look", answer, lines)
    changed = list(dict.fromkeys(state.assignor for state in states))
    was = f"; before: {', '.join(str(name) for name in changed[1:])}" if len(changed) > 1 else ""
    return Check("protocol", group, "ok", f"{told or seen} is in force{was}", lines)


def shrinking(group: str, dumps: Dumped, logs: Logged) -> Check:
    """Is a deploy quietly shrinking the group?"""
    episodes = logs.episodes.get(group, [])
    if episodes:
        bad = [e for e in episodes if e["kind"] == "one_step_assignor_change" or e["refused_pods"]]
        episode = (bad or episodes)[-1]
        open_end = episode["recovered_at"] is None
        verdict = "act" if bad else "look" if open_end and episode["kind"] != "scale_down" else "ok"
        counts = ", ".join(str(count) for count in episode["member_counts"])
        refused = f"; refused: {', '.join(episode['refused_pods'])}" if episode["refused_pods"] else ""
        return Check(
            "shrinking",
            group,
            verdict,
            f"members {counts}: {episode['explanation']}{refused}",
            episode["evidence"],
        )
    states = [state for state in dumps.states_of(group) if state.members is not None]
    lines = [state.line for state in states]
    if settled := logs.settled.get(group):
        counts = ", ".join(str(count) for count in list(settled["counts"])[-12:])
        answer = f"no: members at each settled generation {counts}"
        return Check("shrinking", group, "ok", answer, [*list(settled["evidence"])[:3], *lines])
    sizes = {state.members for state in states}
    if len(sizes) > 1:
        answer = f"the dumps show {', '.join(str(s.members) for s in states)} members; why, only logs tell"
        return Check("shrinking", group, "look", answer, lines)
    if states:
        answer = f"{states[0].members} members in the dump; one moment does not show a trend"
        return Check("shrinking", group, "unknown", answer, lines)
    if group in dumps.missing:
        return Check("shrinking", group, "look", "the group does not exist any more", [dumps.missing[group]])
    return Check("shrinking", group, "unknown", "no member count is at hand")


def _brokers(ids: Iterable[int | None]) -> str:
    return (
        " and ".join(f"broker {broker}" for broker in sorted(b for b in ids if b is not None)) or "no broker"
    )
