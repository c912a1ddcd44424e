"""Many busy groups, made in SQL: rows of the views, as many as a large report has."""

from __future__ import annotations

from tests.report.scenes import Scene

_ROWS = """
CREATE TABLE g AS SELECT 'group-' || lpad(i::VARCHAR, 3, '0') AS group_id FROM range({groups}) t(i);
CREATE TABLE r AS
SELECT i + 1 AS generation, TIMESTAMPTZ '2026-12-01 00:00:00+00' + i * INTERVAL 1 MINUTE AS t
FROM range({rebalances}) t(i);
CREATE TABLE p AS SELECT 'pod-' || i AS pod, i AS number FROM range({pods}) t(i);
CREATE MACRO said(group_id, generation, t) AS
  [{{source: 'logs/broker-1.log', line: generation, ts: t, message: 'Preparing to rebalance ' || group_id}}];
INSERT INTO events BY NAME
SELECT group_id, 'classic' AS group_type, t AS ts, 'broker' AS role, 'logs/broker-1.log' AS source FROM g, r;
INSERT INTO rebalances BY NAME
SELECT group_id, 'classic' AS group_type, 1 AS incarnation, generation, t AS started_at,
  t + INTERVAL 3 SECOND AS completed_at, 3000.0 + generation AS duration_ms, 'completed' AS outcome,
  3 AS members, 'member_joined' AS cause, 'pod-1' AS trigger_pod, 'pod-0' AS leader_pod, 'range' AS assignor,
  1 AS coordinator, 7 AS offsets_partition, said(group_id, generation, t) AS evidence
FROM g, r;
INSERT INTO group_states BY NAME
SELECT group_id, 'Stable' AS state, t + INTERVAL 3 SECOND AS started_at, t + INTERVAL 1 MINUTE AS ended_at,
  generation, 3 AS members, said(group_id, generation, t) AS evidence
FROM g, r;
INSERT INTO assignments BY NAME
SELECT group_id, generation, pod, t + INTERVAL 3 SECOND AS assigned_at,
  ['orders-' || number, 'orders-' || (number + generation) % 7] AS topic_partitions,
  said(group_id, generation, t) AS evidence
FROM g, r, p;
INSERT INTO group_placement BY NAME
SELECT group_id, 1 AS hash, 7 AS offsets_partition, 1 AS broker FROM g;
INSERT INTO findings BY NAME
SELECT group_id, 'stuck:' || group_id AS finding, 'look' AS severity, 'stuck_rebalance' AS kind,
  'pod-1' AS pod, t AS started_at, t AS ended_at, group_id || ' waited for pod-1' AS title,
  repeat('Everybody waited. ', 10) AS detail, 'Look at pod-1.' AS fix, 'likely' AS confidence,
  said(group_id, generation, t) AS evidence
FROM g, r WHERE generation = 1;
"""


def many_groups(groups: int, rebalances: int, pods: int = 3) -> Scene:
    """Return groups that rebalance every minute; each time every pod is given two partitions."""
    scene = Scene()
    scene.connection.execute(_ROWS.format(groups=groups, rebalances=rebalances, pods=pods))
    return scene
