-- name: lost_members
-- row: one member that a leader's plan has no longer, in a group without broker logs
-- grain: cluster, group_id, incarnation, member_id
-- about: Two plans of consecutive known generations are compared: who is in the first and not in the second is gone. That is all
--   that client logs tell about a member that vanished. Groups of which brokers' lines are at hand are left out.
-- column: cluster VARCHAR - cluster
-- column: group_id VARCHAR - group
-- column: incarnation BIGINT - life of the group
-- column: member_id VARCHAR - member that is gone
-- column: generation BIGINT - last generation that it was a member of
-- column: ts TIMESTAMPTZ - beginning of the rebalance that went without it
-- column: moment TIMESTAMPTZ - ts, corrected
-- column: evidence STRUCT(source VARCHAR, line BIGINT, ts TIMESTAMPTZ, message VARCHAR) - the plan without it
-- needs: assignment_computed
-- uses: generation_lines, client_joins

WITH by_brokers AS (SELECT DISTINCT cluster, group_id FROM generation_lines WHERE role = 'broker'),
plans AS (
  SELECT cluster, group_id, incarnation, number AS generation, any_value(ts) AS ts, any_value(moment) AS moment, any_value(evidence) AS evidence,
    list_transform(plan_of(any_value(evidence.message)), lambda part: part.member_id) AS members
  FROM generation_lines
  WHERE event = 'assignment_computed' AND position('=Assignment(partitions=[' IN evidence.message) > 0
    AND (cluster, group_id) NOT IN (SELECT (cluster, group_id) FROM by_brokers)
  GROUP BY ALL
),
followed AS (
  SELECT *, lead(generation) OVER turns AS next_generation, lead(members) OVER turns AS next_members, lead(ts) OVER turns AS next_ts,
    lead(moment) OVER turns AS next_moment, lead(evidence) OVER turns AS next_evidence
  FROM plans WINDOW turns AS (PARTITION BY cluster, group_id, incarnation ORDER BY generation)
),
gone AS (
  SELECT cluster, group_id, incarnation, generation, next_generation, next_ts, next_moment, next_evidence,
    unnest(list_filter(members, lambda id: NOT list_contains(next_members, id))) AS member_id
  FROM followed WHERE next_members IS NOT NULL
),
beginnings AS (
  SELECT cluster, group_id, incarnation, generation, min(asked_at) AS asked_at, min(asked_moment) AS asked_moment FROM client_joins GROUP BY ALL
)
SELECT g.cluster, g.group_id, g.incarnation, g.member_id, g.generation, coalesce(asked_at, next_ts) AS ts, coalesce(asked_moment, next_moment) AS moment,
  next_evidence AS evidence
FROM gone AS g LEFT JOIN beginnings AS b ON b.cluster IS NOT DISTINCT FROM g.cluster AND b.group_id = g.group_id
  AND b.incarnation = g.incarnation AND b.generation = g.next_generation
