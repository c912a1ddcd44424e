-- name: finding_group_full
-- row: a client turned away because the group is full
-- grain: cluster, group_id, pod, started_at
-- about: group.max.size of the brokers; they log nothing when they refuse a join.
-- like: verdicts
-- needs: refused_joins, rebalances
-- uses: refused_joins, rebalances

SELECT cluster, group_id, 'group_full' AS kind, 'default' AS variant, 'act' AS severity, pod, NULL::BIGINT AS broker, min(ts) AS started_at,
  max(last_ts) AS ended_at,
  MAP {
    'pod': coalesce(pod, '?'), 'group': coalesce(group_id, '?'), 'times': sum(attempts)::VARCHAR, 'at': coalesce(human_time(min(ts)), 'unknown time'),
    'until': coalesce(human_time(max(last_ts)), 'unknown time')
  } AS facts,
  'certain' AS confidence, flatten(list(evidence)) AS evidence
FROM refused_joins WHERE error = 'GROUP_MAX_SIZE_REACHED'
GROUP BY cluster, group_id, pod
UNION ALL
SELECT cluster, group_id, 'group_full', 'loaded', 'look', NULL, coordinator, started_at, completed_at,
  MAP {'group': group_id, 'at': human_time(started_at), 'reason': coalesce(trigger_reason, '')}, 'certain', evidence
FROM rebalances WHERE cause = 'over_capacity'
