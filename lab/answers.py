"""The right answers of a corpus, worked out from its own records and nothing of loganalyst.

Rebalances come from the coordinators' lines, leaders from the coordinators' or the leaders' own, refused
pods from what the pods were told; what a scene is about (findings, culprits) the scene says itself in
`expect` rows of the truth.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from lab.truth import read_rows

_AT = re.compile(r"^\[(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d),(\d{3})\] \w+ (.*)$")
_COORDINATOR = re.compile(r"\[GroupCoordinator (?:id=)?(\d+)")
_PREPARING = re.compile(
    r"Preparing to rebalance group (\S+) in state \S+ with old generation (-?\d+)"
    r"(?: \(__consumer_offsets-\d+\))? \(reason: (.*)\)\.? \([\w.]+\)$"
)
_STABILIZED = re.compile(
    r"Stabilized group (\S+) generation (\d+)(?: \(__consumer_offsets-\d+\))?(?: with (\d+) members)?"
)
_RECEIVED = re.compile(
    r"Assignment received from leader (?:(\S+) )?for group (\S+) for generation (\d+)"
    r"(?:\. The group has (\d+) members, (\d+) of which)?"
)
_EMPTY = re.compile(r"Group (\S+) with generation (\d+)(?: \(__consumer_offsets-\d+\))? is now empty")
_PARTITION = re.compile(r"__consumer_offsets(?:-| partition=)(\d+)")
# A coordinator that was deposed while it slept goes on for a moment when it wakes, then lets its groups go.
_UNLOADING = re.compile(
    r"\[GroupId=(\S+)\] Unloading group metadata|Unloading group metadata for (\S+) with generation"
)
_GENERATION = re.compile(r"generation=(\d+)")
_JOINED = re.compile(r"Successfully joined group with generation (?:Generation\{generationId=)?(\d+)")
_LEADS = re.compile(r"groupId=([^\],]+)\].*Finished assignment for group at generation (\d+)")
_REFUSED = re.compile(
    rb"InconsistentGroupProtocol|INCONSISTENT_GROUP_PROTOCOL|[Ii]nconsistent group protocol"
    rb"|protocols? (?:type )?(?:is|are) incompatible|inconsistent protocols"
)


def derive(
    scene: str, logs: Path, truth: list[dict[str, Any]], seen: Iterable[Mapping[str, Any]] = ()
) -> dict[str, Any]:
    """Return answers.json for the plain-text logs in `logs`, the rows of truth.jsonl, and what the Java pods
    saw (`pod_rows`); the latter counts only where no broker speaks of a rebalance.
    """
    pods = {row["pod"]: row for row in truth if row["what"] == "pod"}
    rebalances = list(_rebalances(_broker_lines(logs))) or list(_assigned(seen, pods))
    _count_members_from_pods(rebalances, logs, pods)
    expected: dict[str, Any] = {}
    for row in truth:
        if row["what"] == "expect":
            _merge(expected, {key: value for key, value in row.items() if key not in ("t", "what")})
    shrinking = expected.pop("shrinking", {})
    refused = {name: pod["client"] for name, pod in pods.items() if _was_refused(logs / f"{name}.log")}
    answers: dict[str, Any] = {
        "scene": scene,
        "rebalances": rebalances,
        "leaders": dict(_leaders(rebalances, logs, pods)),
        "incidents": [row for row in truth if row["what"] == "incident"],
        **({"refused": refused} if refused else {}),
        **expected,
        "findings_must": sorted(expected.get("findings_must", [])),
        "findings_must_not": sorted(expected.get("findings_must_not", [])),
    }
    for group, kind in shrinking.items():
        deployed = next(row["t"] for row in truth if row["what"] == "deploy" and row["group"] == group)
        mine = [name for name in refused if pods[name]["group"] == group]
        episode = _episode(group, kind, deployed, rebalances, mine)
        answers.setdefault("shrinking_episodes", []).append(episode)
    return answers


def _merge(into: dict[str, Any], more: Mapping[str, Any]) -> None:
    for key, value in more.items():
        if isinstance(value, list):
            into.setdefault(key, []).extend(v for v in value if v not in into[key])
        elif isinstance(value, dict):
            into.setdefault(key, {}).update(value)
        else:
            into[key] = value


def _broker_lines(logs: Path) -> list[tuple[int, int, str]]:
    """Return (epoch ms, broker, text) of all brokers' lines about groups, in order of time."""
    lines = []
    for path in sorted(logs.glob("broker-*.log")):
        broker = int(path.stem.removeprefix("broker-"))
        for text in path.read_text(errors="replace").splitlines():
            found = _AT.match(text) if "GroupCoordinator" in text or "group" in text else None
            if found:
                at = datetime.strptime(found[1], "%Y-%m-%d %H:%M:%S").replace(tzinfo=UTC)
                lines.append((int(at.timestamp()) * 1000 + int(found[2]), broker, found[3]))
    return sorted(lines, key=lambda line: line[0])


def _rebalances(lines: Iterable[tuple[int, int, str]]) -> Iterator[dict[str, Any]]:
    """Yield classic rebalances: from the first `Preparing` to the assignment, or to the empty group."""
    current: dict[str, dict[str, Any]] = {}
    done = []
    for at, broker, text in lines:
        if found := _PREPARING.search(text):
            group = found[1]
            if group in current:
                done.append({**current.pop(group), "outcome": "superseded"})
            where = _PARTITION.search(text)
            row = {"group": group, "started": at, "reason": found[3], "broker": broker, "old": int(found[2])}
            current[group] = row | ({"partition": int(where[1])} if where else {})
        elif found := _STABILIZED.search(text):
            if found[1] in current:
                members = {"members": int(found[3])} if found[3] else {}
                current[found[1]] |= {"generation": int(found[2]), "stabilized": at, **members}
        elif found := _RECEIVED.search(text):
            if found[2] in current:
                static = {"static": int(found[5])} if found[5] else {}
                done.append(
                    {
                        **current.pop(found[2]),
                        "completed": at,
                        "leader_member": found[1],
                        **static,
                        "outcome": "completed",
                    }
                )
        elif found := _UNLOADING.search(text):
            group = found[1] or found[2]
            if group in current and current[group]["broker"] == broker:
                done.append({**current.pop(group), "outcome": "superseded"})
        elif (found := _EMPTY.search(text)) and found[1] in current:
            done.append(
                {
                    **current.pop(found[1]),
                    "generation": int(found[2]),
                    "completed": at,
                    "members": 0,
                    "outcome": "emptied",
                }
            )
    done += [{**row, "outcome": "open"} for row in current.values()]
    for row in sorted(done, key=lambda row: row["started"]):
        row.setdefault("generation", row["old"] + 1)
        row.setdefault("members", None)
        del row["old"]
        yield row


def _assigned(seen: Iterable[Mapping[str, Any]], pods: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the classic generations that pods were assigned in; when they began, pods do not know."""
    generations: dict[tuple[str, int], list[Mapping[str, Any]]] = {}
    for row in seen:
        classic = pods.get(row["pod"], {}).get("protocol") == "classic"
        if classic and row["what"] == "assigned" and (found := _GENERATION.search(row["detail"])):
            generations.setdefault((pods[row["pod"]]["group"], int(found[1])), []).append(row)
    for (group, generation), rows in generations.items():
        yield {
            "group": group,
            "generation": generation,
            "started": None,
            "completed": rows[-1]["t"],
            "members": len({row["pod"] for row in rows}),
            "outcome": "completed",
        }


def _count_members_from_pods(rebalances: list[dict[str, Any]], logs: Path, pods: Mapping[str, Any]) -> None:
    """Brokers before 2.8 print no member count: count the pods that joined the generation."""
    unknown = [row for row in rebalances if "stabilized" in row and row["members"] is None]
    if not unknown:
        return
    joined: dict[tuple[str, int], set[str]] = {}
    for name, pod in pods.items():
        log = logs / f"{name}.log"
        for found in _JOINED.finditer(log.read_text(errors="replace") if log.exists() else ""):
            joined.setdefault((pod["group"], int(found[1])), set()).add(name)
    for row in unknown:
        names = joined.get((row["group"], row["generation"]))
        if names:
            row["members"] = len(names)


def _leaders(
    rebalances: list[dict[str, Any]], logs: Path, pods: Mapping[str, Any]
) -> Iterator[tuple[str, str]]:
    """Yield (`group@generation`, pod): by the member id the broker printed, else by the leader's own line.
    Of a group that began at generation 1 again nobody can say by generation who led: such keys are left out.
    """
    lives = Counter(
        f"{row['group']}@{row['generation']}" for row in rebalances if row["outcome"] == "completed"
    )
    yield from (found for found in _led(rebalances, logs, pods) if lives[found[0]] < 2)


def _led(rebalances: list[dict[str, Any]], logs: Path, pods: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for row in rebalances:
        member = row.get("leader_member")
        # A member id is the client id, a dash and a UUID; our clients' ids begin with the pod's name.
        owners = [
            name
            for name in pods
            if member and member.startswith(name + "-") and pods[name]["group"] == row["group"]
        ]
        if owners:
            yield f"{row['group']}@{row['generation']}", max(owners, key=len)
    for name in pods:
        log = logs / f"{name}.log"
        for found in _LEADS.finditer(log.read_text(errors="replace") if log.exists() else ""):
            yield f"{found[1]}@{found[2]}", name


def _was_refused(log: Path) -> bool:
    return log.exists() and _REFUSED.search(log.read_bytes()) is not None


def _episode(
    group: str, kind: str, deployed: int, rebalances: list[dict[str, Any]], refused: list[str]
) -> dict[str, Any]:
    """Return the fall of the member count: from the last generation settled before the deploy to the
    recovery, or to the last one seen.
    """
    settled = [row for row in rebalances if row["group"] == group and row["outcome"] == "completed"]
    counts = [row["members"] for row in settled]
    first = max(index for index, row in enumerate(settled) if row["completed"] <= deployed)
    full = counts[first]
    floor = counts.index(min(counts[first:]), first)
    last = next((index for index in range(floor, len(counts)) if counts[index] >= full), len(counts) - 1)
    chosen = settled[first : last + 1]
    until = chosen[-1].get("completed", chosen[-1]["started"])
    emptied = any(
        row["group"] == group
        and row["outcome"] == "emptied"
        and chosen[0]["started"] < row["started"] <= until
        for row in rebalances
    )
    return {
        "group": group,
        "members_from": full,
        "members_floor": counts[floor],
        "members_to": counts[last],
        "member_counts": counts[first : last + 1],
        "generations": [row["generation"] for row in chosen],
        "emptied": emptied,
        "kind": kind,
        "refused_pods": sorted(refused),
    }


def pod_rows(folder: Path) -> list[dict[str, Any]]:
    """Return what the Java pods saw, in order of time, each row with its pod."""
    rows = [
        {"t": row["t"], "pod": path.name.removesuffix(".pod-truth.jsonl"), **row}
        for path in sorted(folder.glob("*.pod-truth.jsonl"))
        for row in read_rows(path)
    ]
    return sorted(rows, key=lambda row: row["t"])
