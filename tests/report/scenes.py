"""Hand-made rows of the views, with the columns and types of the contract, for tests of the report alone."""

from __future__ import annotations

from typing import Any

import duckdb

EVIDENCE = "STRUCT(source VARCHAR, line BIGINT, ts TIMESTAMPTZ, message VARCHAR)[]"
VIEWS = {
    "events": "cluster VARCHAR, ts TIMESTAMPTZ, event VARCHAR, role VARCHAR, group_id VARCHAR, group_type VARCHAR, "
    "broker_id BIGINT, source VARCHAR",
    "sources": "source VARCHAR, fingerprint VARCHAR, bytes BIGINT, lines BIGINT, records BIGINT, events BIGINT, "
    "continuation_lines BIGINT, foreign_lines BIGINT, undated_lines BIGINT, first_ts TIMESTAMPTZ, "
    "last_ts TIMESTAMPTZ, envelope VARCHAR, layout VARCHAR, timezone VARCHAR, ingested_at TIMESTAMPTZ",
    "rebalances": "cluster VARCHAR, group_id VARCHAR, group_type VARCHAR, incarnation BIGINT, generation BIGINT, "
    "started_at TIMESTAMPTZ, stabilized_at TIMESTAMPTZ, completed_at TIMESTAMPTZ, duration_ms DOUBLE, "
    "outcome VARCHAR, members_before BIGINT, members BIGINT, static_members BIGINT, cause VARCHAR, "
    "trigger_member_id VARCHAR, trigger_pod VARCHAR, trigger_reason VARCHAR, waited_for VARCHAR, "
    f"leader_member_id VARCHAR, leader_pod VARCHAR, assignor VARCHAR, coordinator BIGINT, "
    f"offsets_partition BIGINT, seen_by VARCHAR, evidence {EVIDENCE}",
    "group_epochs": "cluster VARCHAR, group_id VARCHAR, epoch BIGINT, bumped_at TIMESTAMPTZ, target_at TIMESTAMPTZ, "
    f"converged_at TIMESTAMPTZ, trigger VARCHAR, evidence {EVIDENCE}",
    "refused_joins": "cluster VARCHAR, group_id VARCHAR, ts TIMESTAMPTZ, last_ts TIMESTAMPTZ, pod VARCHAR, "
    f"client_id VARCHAR, client VARCHAR, error VARCHAR, offered VARCHAR[], attempts BIGINT, evidence {EVIDENCE}",
    "member_exits": "cluster VARCHAR, group_id VARCHAR, ts TIMESTAMPTZ, generation BIGINT, member_id VARCHAR, "
    f"pod VARCHAR, kind VARCHAR, silent_ms DOUBLE, evidence {EVIDENCE}",
    "assignments": "cluster VARCHAR, group_id VARCHAR, generation BIGINT, member_id VARCHAR, pod VARCHAR, "
    f"topic_partitions VARCHAR[], evidence {EVIDENCE}",
    "coordinator_moves": "cluster VARCHAR, group_id VARCHAR, offsets_partition BIGINT, from_broker BIGINT, "
    "to_broker BIGINT, resigned_at TIMESTAMPTZ, elected_at TIMESTAMPTZ, loaded_at TIMESTAMPTZ, "
    "rediscovered STRUCT(pod VARCHAR, \"at\" TIMESTAMPTZ)[], last_rediscovered_at TIMESTAMPTZ, "
    f"stuck_pods VARCHAR[], evidence {EVIDENCE}",
    "coordinator_outages": "cluster VARCHAR, group_id VARCHAR, offsets_partition BIGINT, started_at TIMESTAMPTZ, "
    f"ended_at TIMESTAMPTZ, pods_hit VARCHAR[], why VARCHAR, evidence {EVIDENCE}",
    "fenced_requests": "cluster VARCHAR, group_id VARCHAR, ts TIMESTAMPTZ, pod VARCHAR, member_id VARCHAR, "
    f"generation BIGINT, error VARCHAR, operation VARCHAR, evidence {EVIDENCE}",
    "static_restarts": "cluster VARCHAR, group_id VARCHAR, instance_id VARCHAR, left_at TIMESTAMPTZ, "
    f"back_at TIMESTAMPTZ, away_ms DOUBLE, outcome VARCHAR, evidence {EVIDENCE}",
    "offset_resets": "cluster VARCHAR, group_id VARCHAR, ts TIMESTAMPTZ, topic VARCHAR, partition BIGINT, "
    f"to_offset BIGINT, strategy VARCHAR, why VARCHAR, skipped VARCHAR, evidence {EVIDENCE}",
    "shrinking_episodes": "cluster VARCHAR, group_id VARCHAR, started_at TIMESTAMPTZ, floor_at TIMESTAMPTZ, "
    "recovered_at TIMESTAMPTZ, members_from BIGINT, members_floor BIGINT, members_to BIGINT, "
    "member_counts BIGINT[], generations BIGINT[], emptied BOOLEAN, kind VARCHAR, refused_pods VARCHAR[], "
    f"explanation VARCHAR, evidence {EVIDENCE}",
    "group_placement": "cluster VARCHAR, group_id VARCHAR, hash BIGINT, offsets_partition BIGINT, broker BIGINT, "
    f"shares_partition_with VARCHAR[], evidence {EVIDENCE}",
    "clock_offsets": f"source VARCHAR, offset_ms DOUBLE, bound_ms DOUBLE, pairs BIGINT, evidence {EVIDENCE}",
    "log_gaps": f"source VARCHAR, started_at TIMESTAMPTZ, ended_at TIMESTAMPTZ, evidence {EVIDENCE}",
    "findings": "cluster VARCHAR, group_id VARCHAR, finding VARCHAR, severity VARCHAR, kind VARCHAR, pod VARCHAR, "
    "broker BIGINT, started_at TIMESTAMPTZ, ended_at TIMESTAMPTZ, title VARCHAR, detail VARCHAR, fix VARCHAR, "
    f"confidence VARCHAR, evidence {EVIDENCE}",
}


class Scene:
    """A DuckDB session with every view as an empty table; `add` fills them, `fetch` is what the report reads."""

    def __init__(self) -> None:
        self.connection = duckdb.connect()
        self.connection.execute("SET TimeZone = 'UTC'")
        for name, columns in VIEWS.items():
            self.connection.execute(f"CREATE TABLE {name} ({columns})")

    def add(self, view: str, **values: Any) -> Scene:
        """Add one row; times as text, columns left out are NULL."""
        holes = ", ".join(["?"] * len(values))
        self.connection.execute(
            f"INSERT INTO {view} ({', '.join(values)}) VALUES ({holes})", list(values.values())
        )
        return self

    def fetch(self, sql: str) -> list[dict[str, Any]]:
        """Run SQL and return its rows."""
        rows: list[dict[str, Any]] = self.connection.sql(sql).to_arrow_table().to_pylist()
        return rows


def line(source: str, number: int, message: str, ts: str = "2026-12-01 00:23:43.823+00") -> dict[str, Any]:
    """Return one line of evidence."""
    return {"source": source, "line": number, "ts": ts, "message": message}


def at(second: float) -> str:
    """Return a time, so many seconds into the incident."""
    return f"2026-12-01 00:{23 + int(second // 60):02d}:{second % 60:06.3f}+00"


def shrinking(group: str = "orders-service", pods: str = "orders") -> Scene:
    """Return a rollout that shrinks a group of four to one, while two new pods are refused."""
    scene = Scene()
    old = [f"{pods}-7c9d8-{letter * 5}" for letter in "abcd"]
    new = [f"{pods}-5f6b7-{letter * 5}" for letter in "pq"]
    scene.add(
        "sources",
        source="logs/broker-1.log",
        lines=900,
        records=900,
        events=40,
        undated_lines=0,
        foreign_lines=0,
    )
    scene.add(
        "sources", source="logs/a.log", lines=120, records=100, events=30, undated_lines=0, foreign_lines=0
    )
    scene.add(
        "events",
        ts=at(0),
        group_id=group,
        group_type="classic",
        role="broker",
        broker_id=1,
        source="logs/broker-1.log",
    )
    scene.add(
        "events",
        ts=at(60),
        group_id=group,
        group_type="classic",
        role="client",
        broker_id=1,
        source="logs/a.log",
    )
    counts = [4, 3, 2, 1, 0, 4]
    for number, members in enumerate(counts, 1):
        scene.add(
            "rebalances",
            group_id=group,
            group_type="classic",
            incarnation=1,
            generation=number,
            started_at=at(number * 10),
            completed_at=at(number * 10 + 0.5),
            duration_ms=500.0,
            outcome="emptied" if members == 0 else "completed",
            members_before=counts[number - 2] if number > 1 else None,
            members=members,
            cause="member_joined" if members == 4 else "member_left",
            trigger_pod=old[number - 2] if 1 < number < 6 else new[0],
            leader_pod=None if members == 0 else old[-1] if number < 5 else new[-1],
            coordinator=1,
            offsets_partition=17,
            evidence=[line("logs/broker-1.log", number, f"Preparing {number}")],
        )
    scene.add(
        "assignments",
        group_id=group,
        generation=4,
        pod=old[-1],
        topic_partitions=[f"orders-{n}" for n in range(12)],
    )
    for number, pod in enumerate(new):
        scene.add(
            "refused_joins",
            group_id=group,
            ts=at(21 + number),
            last_ts=at(50),
            pod=pod,
            error="INCONSISTENT_GROUP_PROTOCOL",
            offered=["cooperative-sticky"],
            attempts=3,
            evidence=[line(f"logs/{pod}.log", 7, "refused")],
        )
    scene.add(
        "shrinking_episodes",
        group_id=group,
        started_at=at(20),
        floor_at=at(40),
        recovered_at=at(60),
        members_from=4,
        members_floor=1,
        members_to=4,
        member_counts=[4, 3, 2, 1, 4],
        generations=[1, 2, 3, 4, 6],
        emptied=True,
        kind="one_step_assignor_change",
        refused_pods=new,
    )
    scene.add(
        "findings",
        group_id=group,
        finding="one_step_assignor_change:1",
        severity="act",
        kind="one_step_assignor_change",
        started_at=at(20),
        ended_at=at(60),
        title=f"{group} shrank 4, 3, 2, 1 and came back: a deploy changed the assignor in one step",
        detail=f"{new[0]} and {new[1]} were refused.",
        fix="Roll it out in two deploys.",
        confidence="certain",
        evidence=[line("logs/broker-1.log", n, f"Preparing to rebalance {n}") for n in range(1, 7)],
    )
    return scene
