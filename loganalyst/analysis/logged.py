"""What the logs of a dataset say about what the checks ask."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

Row = Mapping[str, Any]
Ask = Callable[[str], list[dict[str, Any]]]
"""Runs SQL over the views of a dataset and returns rows."""

_LAST_COORDINATOR = """
SELECT group_id, offsets_partition, broker, [] AS evidence, NULL AS at FROM group_placement
"""
_COORDINATOR_LINES = """
SELECT p.group_id, arg_max(l.broker, l.elected_at) AS broker, list(DISTINCT l.broker) AS brokers,
  arg_max(l.evidence, l.elected_at) AS evidence
FROM group_placement p JOIN offsets_leaders l
  ON l.cluster IS NOT DISTINCT FROM p.cluster AND l.offsets_partition = p.offsets_partition
GROUP BY p.group_id
"""
_FOUND_LINES = """
SELECT group_id, arg_max(broker, moment) AS broker, list(DISTINCT broker) AS brokers,
  [arg_max(evidence, moment)] AS evidence
FROM coordinator_lines WHERE kind = 'found' AND broker IS NOT NULL GROUP BY group_id
"""
_LEADERS = """
SELECT group_id, generation, pod, member_id, assign_ms, assignor, assigned_at, evidence
FROM leaders
QUALIFY row_number() OVER (
  PARTITION BY group_id ORDER BY assigned_at DESC NULLS LAST, generation DESC) = 1
"""
_ASSIGNORS = """
SELECT group_id, generation, assignor, evidence
FROM rebalances WHERE outcome = 'completed' AND assignor IS NOT NULL
QUALIFY row_number() OVER (PARTITION BY group_id ORDER BY completed_at DESC NULLS LAST) = 1
"""
_EPOCHS = """
SELECT group_id, epoch, group_type, coalesce(bumped_at, target_at, converged_at) AS since, evidence,
  last_value(assignor IGNORE NULLS) OVER (
    PARTITION BY group_id ORDER BY coalesce(bumped_at, target_at, converged_at)) AS assignor
FROM group_epochs
QUALIFY row_number() OVER (PARTITION BY group_id ORDER BY since DESC NULLS LAST) = 1
"""
_SETTLED = """
SELECT group_id, list(members ORDER BY completed_at) AS counts, arg_max(evidence, completed_at) AS evidence
FROM rebalances WHERE outcome = 'completed' AND members IS NOT NULL GROUP BY group_id
"""
_EPISODES = """
SELECT group_id, started_at, recovered_at, member_counts, kind, refused_pods, explanation, evidence FROM
shrinking_episodes ORDER BY started_at
"""
_REFUSED = """
SELECT group_id, pod, error, offered, attempts, last_ts, evidence FROM refused_joins
WHERE error = 'INCONSISTENT_GROUP_PROTOCOL' ORDER BY last_ts
"""
_OUTAGES = """
SELECT group_id, started_at, ended_at, why, evidence FROM coordinator_outages WHERE why = 'no_leader'
"""
_VERDICTS = """
SELECT group_id, kind, severity, title, evidence FROM findings
WHERE kind IN ('slow_leader', 'assignor_mismatch', 'incompatible_member', 'one_step_assignor_change')
"""
_REGISTERED = """
SELECT count(DISTINCT fields['partition']) AS partitions,
  count(DISTINCT fields['partition']) FILTER (fields['replicas'] NOT LIKE '%,%') AS single,
  list({'source': source, 'line': line, 'ts': ts, 'message': message} ORDER BY ts, line)[1:5] AS evidence
FROM events WHERE event = 'partition_registered' AND fields['topic'] = '__consumer_offsets'
"""


@dataclass(slots=True)
class Logged:
    """Rows by group; empty where there is no dataset, or it knows nothing of the group."""

    placement: dict[str, Row] = field(default_factory=dict)
    coordinator: dict[str, Row] = field(default_factory=dict)
    leader: dict[str, Row] = field(default_factory=dict)
    assignor: dict[str, Row] = field(default_factory=dict)
    epoch: dict[str, Row] = field(default_factory=dict)
    settled: dict[str, Row] = field(default_factory=dict)
    episodes: dict[str, list[Row]] = field(default_factory=dict)
    refused: dict[str, list[Row]] = field(default_factory=dict)
    verdicts: dict[str, list[Row]] = field(default_factory=dict)
    outages: list[Row] = field(default_factory=list)
    registered: Row | None = None

    @property
    def groups(self) -> list[str]:
        """The groups that the logs name, in alphabetical order."""
        return sorted(self.placement)


def logged(ask: Ask) -> Logged:
    """Ask a dataset for everything the checks need."""
    found: dict[str, Row] = {row["group_id"]: row for row in ask(_FOUND_LINES)}
    found |= {row["group_id"]: row for row in ask(_COORDINATOR_LINES) if row["broker"] is not None}
    return Logged(
        placement={row["group_id"]: row for row in ask(_LAST_COORDINATOR)},
        coordinator=found,
        leader={row["group_id"]: row for row in ask(_LEADERS)},
        assignor={row["group_id"]: row for row in ask(_ASSIGNORS)},
        epoch={row["group_id"]: row for row in ask(_EPOCHS)},
        settled={row["group_id"]: row for row in ask(_SETTLED)},
        episodes=_by_group(ask(_EPISODES)),
        refused=_by_group(ask(_REFUSED)),
        verdicts=_by_group(ask(_VERDICTS)),
        outages=list(ask(_OUTAGES)),
        registered=next((row for row in ask(_REGISTERED) if row["partitions"]), None),
    )


def _by_group(rows: list[dict[str, Any]]) -> dict[str, list[Row]]:
    groups: dict[str, list[Row]] = {}
    for row in rows:
        if row["group_id"] is not None:
            groups.setdefault(row["group_id"], []).append(row)
    return groups
