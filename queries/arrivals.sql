-- name: arrivals
-- row: one member that came to a group
-- grain: cluster, group_id, member_id
-- about: From the broker's line about the join (or the rebalance that it set off), else from the client's first joined line.
-- column: cluster VARCHAR - cluster
-- column: group_id VARCHAR - group
-- column: member_id VARCHAR - member id
-- column: pod VARCHAR - the member's pod
-- column: ts TIMESTAMPTZ - when it joined
-- column: moment TIMESTAMPTZ - ts, corrected
-- column: evidence STRUCT(source VARCHAR, line BIGINT, ts TIMESTAMPTZ, message VARCHAR)[] - the line
-- uses: group_lines, client_joins, member_pods

WITH said AS (
  SELECT cluster, group_id, member_id, ts, moment, 1 AS weight, evidence FROM group_lines
  WHERE role = 'broker' AND event IN ('member_joined', 'static_member_joined') AND member_id IS NOT NULL AND group_id IS NOT NULL
  UNION ALL
  SELECT cluster, group_id, members_of_reason(reason)[1], ts, moment, 1, evidence FROM group_lines
  WHERE event = 'group_preparing_rebalance' AND reason ILIKE 'adding new member%'
  UNION ALL
  SELECT cluster, group_id, member_id, coalesce(joined_at, last_at), last_moment, 2, evidence[1] FROM client_joins
  WHERE member_id IS NOT NULL
),
firsts AS (
  SELECT cluster, group_id, member_id, arg_min(ts, (weight, moment)) AS ts, arg_min(moment, (weight, moment)) AS moment,
    arg_min(evidence, (weight, moment)) AS evidence
  FROM said WHERE moment IS NOT NULL AND member_id <> '' GROUP BY ALL
)
SELECT f.cluster, f.group_id, f.member_id, coalesce(m.pod, client_part(f.member_id)) AS pod, f.ts, f.moment, [f.evidence] AS evidence
FROM firsts AS f LEFT JOIN member_pods AS m
  ON m.cluster IS NOT DISTINCT FROM f.cluster AND m.group_id = f.group_id AND m.member_id = f.member_id
