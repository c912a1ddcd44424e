-- name: finding_offset_out_of_range
-- row: a pod whose position did not exist on the broker
-- grain: cluster, group_id, pod, started_at
-- about: One incident: the partitions of one pod within ten minutes. Whether records were skipped is said only where the offsets decide it.
-- column: cluster VARCHAR - cluster
-- column: group_id VARCHAR - group; NULL for what concerns a broker or the cluster
-- column: kind VARCHAR - offset_out_of_range
-- column: variant VARCHAR - wording
-- column: severity VARCHAR - act, look, normal
-- column: pod VARCHAR - pod to go and look at
-- column: broker BIGINT - broker concerned
-- column: started_at TIMESTAMPTZ - beginning
-- column: ended_at TIMESTAMPTZ - end
-- column: facts MAP(VARCHAR, VARCHAR) - what the templates fill in
-- column: confidence VARCHAR - certain, likely, possible
-- column: evidence STRUCT(source VARCHAR, line BIGINT, ts TIMESTAMPTZ, message VARCHAR)[] - the lines
-- needs: FROM offset_resets WHERE why IN ('out_of_range', 'log_truncation')
-- needs: FROM offset_lines WHERE kind IN ('out_of_range', 'truncated')
-- uses: offset_resets, offset_lines

WITH lines AS (
  SELECT cluster, group_id, pod, ts, topic, partition, skipped, reason, strategy, evidence FROM offset_resets WHERE why IN ('out_of_range', 'log_truncation')
  UNION ALL
  -- reported, and not reset by a policy
  SELECT o.cluster, o.group_id, o.pod, o.ts, o.topic, o.partition, NULL, NULL, NULL, [o.evidence]
  FROM offset_lines o
  WHERE o.kind IN ('out_of_range', 'truncated') AND o.ts IS NOT NULL
    AND NOT EXISTS (FROM offset_resets r WHERE r.cluster IS NOT DISTINCT FROM o.cluster AND r.pod IS NOT DISTINCT FROM o.pod AND r.topic IS NOT DISTINCT FROM o.topic
      AND r.partition IS NOT DISTINCT FROM o.partition AND r.why IN ('out_of_range', 'log_truncation'))
), numbered AS (
  SELECT *, count(*) FILTER (fresh) OVER (PARTITION BY cluster, group_id, pod ORDER BY ts ROWS UNBOUNDED PRECEDING) AS incident
  FROM (SELECT *, coalesce(ts - lag(ts) OVER (PARTITION BY cluster, group_id, pod ORDER BY ts) > INTERVAL 10 MINUTE, true) AS fresh FROM lines)
)
SELECT cluster, group_id, 'offset_out_of_range' AS kind,
  CASE WHEN bool_or(skipped = 'yes') THEN 'skipped' WHEN bool_and(skipped IS NULL) THEN 'no_policy' WHEN bool_and(skipped = 'no') THEN 'replayed' ELSE 'default' END AS variant,
  CASE WHEN bool_and(skipped = 'no') THEN 'look' ELSE 'act' END AS severity, pod, NULL::BIGINT AS broker, min(ts) AS started_at, max(ts) AS ended_at,
  MAP {'group': coalesce(' of group ' || group_id, ''), 'pod': coalesce(pod, '?'), 'partitions': count(DISTINCT (topic, partition))::VARCHAR, 'topics': human_list(list(DISTINCT topic ORDER BY topic) FILTER (topic IS NOT NULL)),
    'at': human_time(min(ts)), 'policy': coalesce(max(strategy), 'the reset policy'), 'reason': coalesce(any_value(reason), '?')} AS facts,
  'certain' AS confidence, flatten(list(evidence ORDER BY ts))[1:20] AS evidence
FROM numbered GROUP BY cluster, group_id, pod, incident
