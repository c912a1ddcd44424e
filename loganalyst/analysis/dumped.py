"""What tool dumps say: events of role `tool`, sorted by what they tell."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from loganalyst.analysis.broker_loss import Replicas

_STAGES = (
    {"before", "pre", "old", "start"},
    {"during", "between", "mid", "rolled"},
    {"after", "post", "end", "final", "now"},
)

Line = dict[str, Any]
"""A line behind an answer: `source, line, ts, message`."""


@dataclass(frozen=True, slots=True)
class GroupState:
    """A row of `--describe --state`."""

    group_id: str
    coordinator: int | None
    assignor: str | None
    state: str | None
    members: int | None
    line: Line


@dataclass(frozen=True, slots=True)
class OffsetsPartition:
    """A row of `kafka-topics --describe` about the offsets topic."""

    number: int
    replicas: Replicas
    line: Line


@dataclass(slots=True)
class Dumped:
    """Everything the dumps say. `topics` holds the offsets topic once for each source, in the order read."""

    states: list[GroupState] = field(default_factory=list)
    topics: dict[str, dict[int, OffsetsPartition]] = field(default_factory=lambda: defaultdict(dict))
    members: dict[str, list[Line]] = field(default_factory=lambda: defaultdict(list))
    missing: dict[str, Line] = field(default_factory=dict)
    groups: dict[str, None] = field(default_factory=dict)
    partition_count: int | None = None

    def states_of(self, group: str) -> list[GroupState]:
        """The states of one group, in the order read."""
        return [state for state in self.states if state.group_id == group]

    def layout(self) -> dict[int, Replicas] | None:
        """Leaders and replicas of the whole offsets topic, of the last source that shows it."""
        for partitions in reversed(list(self.topics.values())):
            if partitions and sorted(partitions) == list(range(len(partitions))):
                return {number: row.replicas for number, row in partitions.items()}
        return None

    def leaders(self) -> dict[int, int | None]:
        """The leader of each offsets partition, of the last source that shows it."""
        return {
            number: row.replicas.leader
            for partitions in self.topics.values()
            for number, row in partitions.items()
        }


def dumped(events: Iterable[Mapping[str, Any]]) -> Dumped:
    """Sort tool events (`loganalyst.dumps`, or rows of `events` with role `tool`).

    Dumps carry no time. Where the names of their files say before, during or after, they are taken in that
    order; else in the order given.
    """
    found = Dumped()
    for event in sorted(events, key=lambda event: _stage(event["source"])):
        fields = dict(event["fields"] or {})
        kind, group, line = fields.get("detail_event"), event["group_id"], _line(event)
        if group is not None:
            found.groups.setdefault(group)
        if kind == "dump_group_state" and group is not None:
            found.states.append(
                GroupState(
                    group, event["broker_id"], event["assignor"], event["state"], event["members"], line
                )
            )
        elif kind == "dump_group_member" and group is not None:
            found.members[group].append(line)
        elif kind == "dump_group_missing" and group is not None:
            found.missing[group] = line
        elif kind == "dump_partition" and event["offsets_partition"] is not None:
            number = event["offsets_partition"]
            replicas = Replicas(event["broker_id"], _ids(fields.get("replicas")), _ids(fields.get("isr")))
            found.topics[event["source"]][number] = OffsetsPartition(number, replicas, line)
        elif kind == "dump_topic" and fields.get("partition_count", "").isdigit():
            found.partition_count = int(fields["partition_count"])
    return found


def _stage(source: str) -> int:
    words = set(re.split(r"[^a-z]+", source.rpartition("/")[2].lower()))
    return next((stage for stage, names in enumerate(_STAGES) if words & names), 1)


def _line(event: Mapping[str, Any]) -> Line:
    return {key: event[key] for key in ("source", "line", "ts", "message")}


def _ids(text: str | None) -> tuple[int, ...]:
    return tuple(int(part) for part in (text or "").split(",") if part.strip().isdigit())
