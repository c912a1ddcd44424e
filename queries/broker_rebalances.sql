-- name: broker_rebalances
-- row: one rebalance of a classic group, by the brokers' words
-- grain: cluster, group_id, turn
-- about: Every group_preparing_rebalance opens a row; a line of another generation than the open row's opens one as
--   well (its own beginning is missing then). The row ends with the assignment or with the group going empty.
--   What ended neither way was superseded if it stabilized or if its coordinator moved before the next line, else it is open.
-- column: cluster VARCHAR - cluster
-- column: group_id VARCHAR - group
-- column: turn BIGINT - 1, 2, .. in the order of the group's rebalances
-- column: incarnation BIGINT - life of the group
-- column: generation BIGINT - generation that the rebalance leads to
-- column: started_at TIMESTAMPTZ - group_preparing_rebalance
-- column: stabilized_at TIMESTAMPTZ - group_stabilized
-- column: completed_at TIMESTAMPTZ - assignment_received, or group_empty
-- column: outcome VARCHAR - completed, emptied, superseded, open
-- column: members BIGINT - members of the new generation, if a line says it
-- column: static_members BIGINT - static members of the new generation, if a line says it
-- column: reason VARCHAR - reason of group_preparing_rebalance
-- column: leader_member_id VARCHAR - member that sent the assignment (brokers from 3.0)
-- column: coordinator BIGINT - broker that wrote the lines
-- column: offsets_partition BIGINT - partition of __consumer_offsets
-- column: stabilized_moment TIMESTAMPTZ - stabilized_at by corrected time
-- column: opened_moment TIMESTAMPTZ - first line, corrected time
-- column: closed_moment TIMESTAMPTZ - last line, corrected time
-- column: next_moment TIMESTAMPTZ - first line of the group's next rebalance, corrected time
-- column: evidence STRUCT(source VARCHAR, line BIGINT, ts TIMESTAMPTZ, message VARCHAR)[] - the lines
-- needs: group_preparing_rebalance, group_stabilized, assignment_received, group_empty
-- uses: generation_lines, group_lines

WITH steps AS (
  SELECT *,
    event = 'group_preparing_rebalance'
      OR coalesce(number <> lag(number) OVER turns OR incarnation <> lag(incarnation) OVER turns, true) AS opens
  FROM generation_lines
  WHERE role = 'broker' AND event <> 'group_dead'
  WINDOW turns AS (PARTITION BY cluster, group_id ORDER BY moment, source, line)
),
turns AS (
  SELECT *, count_if(opens) OVER (PARTITION BY cluster, group_id ORDER BY moment, source, line) AS turn FROM steps
),
rows AS (
  SELECT cluster, group_id, turn, any_value(incarnation) AS incarnation, any_value(number) AS generation,
    min(ts) FILTER (event = 'group_preparing_rebalance') AS started_at,
    min(ts) FILTER (event = 'group_stabilized') AS stabilized_at,
    min(moment) FILTER (event = 'group_stabilized') AS stabilized_moment,
    min(ts) FILTER (event = 'assignment_received') AS assigned_at,
    min(ts) FILTER (event = 'group_empty') AS emptied_at,
    coalesce(any_value(members) FILTER (event = 'assignment_received'),
      any_value(members) FILTER (event = 'group_stabilized')) AS members,
    any_value(static_members) AS static_members,
    any_value(reason) FILTER (event = 'group_preparing_rebalance') AS reason,
    any_value(leader_member_id) AS leader_member_id,
    any_value(broker_id) AS coordinator, any_value(offsets_partition) AS offsets_partition,
    min(moment) AS opened_moment, max(moment) AS closed_moment,
    list(evidence ORDER BY moment, line) AS evidence
  FROM turns GROUP BY ALL
),
followed AS (
  SELECT *, lead(opened_moment) OVER turns AS next_moment, lead(generation) OVER turns AS next_generation
  FROM rows WINDOW turns AS (PARTITION BY cluster, group_id ORDER BY turn)
),
-- a later sign that another broker (or the same, anew) holds the group: its load
loads AS (
  SELECT cluster, group_id, moment AS loaded_moment FROM group_lines
  WHERE event IN ('group_loaded', 'group_unloaded') AND group_id IS NOT NULL
)
SELECT followed.cluster, followed.group_id, turn, incarnation, generation, started_at, stabilized_at,
  CASE WHEN assigned_at IS NOT NULL THEN assigned_at ELSE emptied_at END AS completed_at,
  CASE WHEN assigned_at IS NOT NULL THEN 'completed' WHEN emptied_at IS NOT NULL THEN 'emptied'
       WHEN next_moment IS NOT NULL AND (stabilized_at IS NOT NULL OR next_generation = generation) THEN 'superseded'
       WHEN loaded_moment IS NOT NULL AND (next_moment IS NULL OR loaded_moment <= next_moment) THEN 'superseded'
       ELSE 'open' END AS outcome,
  CASE WHEN assigned_at IS NULL AND emptied_at IS NOT NULL THEN 0 ELSE members END AS members,
  static_members, reason, leader_member_id, coordinator, offsets_partition,
  stabilized_moment, opened_moment, closed_moment, next_moment, evidence
FROM followed ASOF LEFT JOIN loads
  ON followed.cluster IS NOT DISTINCT FROM loads.cluster AND followed.group_id = loads.group_id
    AND followed.closed_moment < loads.loaded_moment
