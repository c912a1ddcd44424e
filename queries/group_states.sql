-- name: group_states
-- row: one interval that a classic group spent in one state
-- grain: cluster, group_id, started_at, state
-- about: Rebuilt from the rebalances: a log line prints the state just entered, never the one before. PreparingRebalance lasts from
--   the beginning of a rebalance to the end of its join phase, CompletingRebalance from there to the assignment, then the
--   group is Stable until the next one begins; it is Empty after its last member went and Dead after its removal. From client logs alone
--   the two phases of a rebalance cannot be told apart: they are one PreparingRebalance.
-- column: cluster VARCHAR - cluster
-- column: group_id VARCHAR - group
-- column: state VARCHAR - Empty, PreparingRebalance, CompletingRebalance, Stable, Dead
-- column: started_at TIMESTAMPTZ - entered
-- column: ended_at TIMESTAMPTZ - left; NULL if it is the last one seen
-- column: duration_ms DOUBLE in ms - ended_at minus started_at
-- column: generation BIGINT - generation in force: the old one while a rebalance prepares
-- column: members BIGINT - members of that generation
-- column: incarnation BIGINT - life of the group
-- column: evidence STRUCT(source VARCHAR, line BIGINT, ts TIMESTAMPTZ, message VARCHAR)[] - the lines of the rebalance
-- uses: rebalance_rows, group_lines

WITH rows AS (
  SELECT *, lag(generation) OVER places AS old_generation, lag(members) OVER places AS old_members,
    lag(outcome) OVER places AS old_outcome
  FROM rebalance_rows
  WINDOW places AS (PARTITION BY cluster, group_id, incarnation ORDER BY place)
),
entries AS (
  SELECT cluster, group_id, incarnation, place, 1 AS part, 'PreparingRebalance' AS state, started_at AS at_time,
    coalesce(old_generation, generation - 1) AS generation, old_members AS members, evidence
  FROM rows WHERE started_at IS NOT NULL
  UNION ALL
  SELECT cluster, group_id, incarnation, place, 2, 'CompletingRebalance', stabilized_at, generation, members, evidence
  FROM rows WHERE stabilized_at IS NOT NULL
  UNION ALL
  SELECT cluster, group_id, incarnation, place, 3, CASE outcome WHEN 'emptied' THEN 'Empty' ELSE 'Stable' END, completed_at, generation, members,
    evidence
  FROM rows WHERE completed_at IS NOT NULL
  UNION ALL
  SELECT d.cluster, d.group_id, coalesce(r.incarnation, 1), coalesce(r.place, 0), 4, 'Dead', d.ts, d.generation, 0, [d.evidence]
  FROM (SELECT * FROM group_lines WHERE event = 'group_dead' AND ts IS NOT NULL) AS d
  ASOF LEFT JOIN (SELECT * FROM rows WHERE closed_moment IS NOT NULL) AS r
    ON r.cluster IS NOT DISTINCT FROM d.cluster AND r.group_id = d.group_id AND d.moment >= r.closed_moment
),
intervals AS (
  SELECT *, lead(at_time) OVER (PARTITION BY cluster, group_id ORDER BY incarnation, place, part, at_time) AS until_time FROM entries
)
SELECT cluster, group_id, state, at_time AS started_at, until_time AS ended_at, ms_between(at_time, until_time) AS duration_ms,
  generation, members, incarnation, evidence
FROM intervals
ORDER BY 1, 2, 4, 5, 7
