-- name: finding_duplicate_instance_id
-- row: a group.instance.id that two processes use
-- grain: cluster, group_id, pod, started_at
-- about: From static_restarts; from a client that was fenced where no take-over is known otherwise.
-- like: verdicts
-- needs: static_restarts, instance_fenced, fenced, join_failed
-- uses: static_restarts, group_lines

WITH known AS (
  SELECT cluster, group_id, instance_id FROM static_restarts WHERE outcome = 'fenced'
),
told AS (
  SELECT cluster, group_id, instance_id, pod, min(ts) AS started_at, max(ts) AS ended_at, count(*) AS times, list(evidence ORDER BY ts)[:20] AS evidence
  FROM group_lines
  WHERE role = 'client' AND (event = 'instance_fenced' OR error = 'FENCED_INSTANCE_ID')
  GROUP BY ALL
)
SELECT cluster, group_id, 'duplicate_instance_id' AS kind, CASE WHEN times > 1 THEN 'fight' ELSE 'default' END AS variant, 'act' AS severity, pod,
  NULL::BIGINT AS broker, back_at AS started_at, CASE WHEN times > 1 THEN last_back_at END AS ended_at,
  MAP {
    'pod': coalesce(pod, '?'), 'other': coalesce(nullif(fenced_pod, pod), 'the process that had it'), 'group': group_id, 'instance': instance_id, 'at': human_time(back_at),
    'times': times::VARCHAR, 'lasted': human_ms(ms_between(back_at, last_back_at))
  } AS facts,
  'certain' AS confidence, evidence
FROM static_restarts WHERE outcome = 'fenced'
UNION ALL
SELECT t.cluster, t.group_id, 'duplicate_instance_id', 'told', 'act', t.pod, NULL, t.started_at, t.ended_at,
  MAP {
    'pod': coalesce(t.pod, '?'), 'group': coalesce(t.group_id, '?'), 'instance': coalesce(t.instance_id, 'its instance id'), 'at': coalesce(human_time(t.started_at), 'unknown time')
  },
  'likely', t.evidence
FROM told AS t
WHERE (t.cluster, t.group_id) NOT IN (SELECT (cluster, group_id) FROM known)
