-- name: finding_slow_leader
-- row: a generation whose assignment took long
-- grain: cluster, group_id, pod, started_at
-- about: The time from the end of the join phase to the assignment: at least three seconds and ten times the median of the group.
-- like: verdicts
-- needs: leaders
-- uses: leaders

WITH medians AS (
  SELECT cluster, group_id, median(assign_ms) AS median_ms, count(assign_ms) AS generations FROM leaders GROUP BY ALL
)
SELECT l.cluster, l.group_id, 'slow_leader' AS kind, 'default' AS variant, CASE WHEN assign_ms >= 30000 THEN 'act' ELSE 'look' END AS severity, pod,
  NULL::BIGINT AS broker, assigned_at - to_microseconds((assign_ms * 1000)::BIGINT) AS started_at, assigned_at AS ended_at,
  MAP {
    'pod': coalesce(pod, '?'), 'group': l.group_id, 'generation': generation::VARCHAR, 'took': human_ms(assign_ms), 'median': human_ms(median_ms),
    'at': human_time(assigned_at)
  } AS facts,
  'certain' AS confidence, evidence
FROM leaders AS l JOIN medians AS m ON m.cluster IS NOT DISTINCT FROM l.cluster AND m.group_id = l.group_id
WHERE assign_ms >= 3000 AND assigned_at IS NOT NULL AND (generations = 1 OR assign_ms >= 10 * median_ms)
