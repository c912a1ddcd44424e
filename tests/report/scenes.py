"""Hand-made rows of the views, with the columns and types of the contract, for tests of the report alone."""

from __future__ import annotations

from typing import Any

import duckdb

from loganalyst.report.rows import dicts

TYPES = {
    "BIGINT": "broker broker_id bytes lines records events continuation_lines foreign_lines undated_lines "
    "incarnation generation epoch members members_before static_members members_from members_floor "
    "line errors members_to coordinator offsets_partition from_broker to_broker partition to_offset "
    "attempts hash pairs",
    "DOUBLE": "duration_ms silent_ms away_ms offset_ms bound_ms",
    "TIMESTAMPTZ": "ts first_ts last_ts",
    "VARCHAR[]": "offered topic_partitions revoked assigned stuck_pods pods_hit refused_pods "
    "shares_partition_with",
    "BIGINT[]": "member_counts generations",
    "BOOLEAN": "emptied",
    'STRUCT(pod VARCHAR, "at" TIMESTAMPTZ)[]': "rediscovered",
    "STRUCT(source VARCHAR, line BIGINT, ts TIMESTAMPTZ, message VARCHAR)[]": "evidence",
}
VIEWS = {
    "events": """
        cluster ts event role group_id group_type broker_id source line message pod member_id epoch
        topic_partitions
    """,
    "sources": """
        source fingerprint bytes lines records events continuation_lines foreign_lines undated_lines
        first_ts last_ts envelope layout timezone ingested_at
    """,
    "rebalances": """
        cluster group_id group_type incarnation generation started_at stabilized_at completed_at
        duration_ms outcome members_before members static_members cause trigger_member_id
        trigger_pod trigger_reason waited_for leader_member_id leader_pod assignor coordinator
        offsets_partition seen_by evidence
    """,
    "group_epochs": """
        cluster group_id epoch bumped_at target_at converged_at duration_ms trigger trigger_member_id
        trigger_pod assignor outcome coordinator offsets_partition evidence
    """,
    "epoch_members": """
        cluster group_id changed_at members change member_id pod evidence
    """,
    "refused_joins": """
        cluster group_id ts last_ts pod client_id client error offered attempts evidence
    """,
    "member_exits": """
        cluster group_id ts generation member_id pod kind silent_ms evidence
    """,
    "assignments": """
        cluster group_id generation member_id pod topic_partitions assigned_at evidence
    """,
    "group_states": """
        cluster group_id state started_at ended_at generation members evidence
    """,
    "reconciliations": """
        cluster group_id epoch member_id pod started_at stable_at revoked assigned outcome evidence
    """,
    "coordinator_loads": """
        cluster broker offsets_partition started_at finished_at duration_ms errors evidence
    """,
    "coordinator_moves": """
        cluster group_id offsets_partition from_broker to_broker resigned_at elected_at loaded_at
        rediscovered last_rediscovered_at stuck_pods evidence
    """,
    "coordinator_outages": """
        cluster group_id offsets_partition started_at ended_at pods_hit why evidence
    """,
    "fenced_requests": """
        cluster group_id ts pod member_id generation error operation evidence
    """,
    "static_restarts": """
        cluster group_id instance_id left_at back_at away_ms outcome evidence
    """,
    "offset_resets": """
        cluster group_id ts topic partition to_offset strategy why skipped pod evidence
    """,
    "shrinking_episodes": """
        cluster group_id started_at floor_at recovered_at members_from members_floor members_to
        member_counts generations emptied kind refused_pods explanation evidence
    """,
    "group_placement": """
        cluster group_id hash offsets_partition broker shares_partition_with evidence
    """,
    "clock_offsets": """
        source offset_ms bound_ms pairs evidence
    """,
    "log_gaps": """
        source started_at ended_at evidence
    """,
    "findings": """
        cluster group_id finding severity kind pod broker started_at ended_at title detail fix
        confidence evidence
    """,
}


def type_of(column: str) -> str:
    """Return the DuckDB type of a column; times end in `_at`, what is not listed is text."""
    listed = next((kind for kind, names in TYPES.items() if column in names.split()), None)
    return listed or ("TIMESTAMPTZ" if column.endswith("_at") else "VARCHAR")


class Scene:
    """A DuckDB session with every view as an empty table; the report reads it through `fetch`."""

    def __init__(self) -> None:
        self.connection = duckdb.connect()
        self.connection.execute("SET TimeZone = 'UTC'")
        for name, columns in VIEWS.items():
            typed = ", ".join(f"{column} {type_of(column)}" for column in columns.split())
            self.connection.execute(f"CREATE TABLE {name} ({typed})")

    def add(self, view: str, **values: Any) -> Scene:
        """Add one row; times as text, columns left out are NULL."""
        holes = ", ".join(["?"] * len(values))
        self.connection.execute(
            f"INSERT INTO {view} ({', '.join(values)}) VALUES ({holes})", list(values.values())
        )
        return self

    def fetch(self, sql: str) -> list[dict[str, Any]]:
        """Run SQL and return its rows."""
        return dicts(self.connection.sql(sql))


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
