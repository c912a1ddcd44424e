-- name: finding_streams_restore
-- row: a Streams pod that was restoring state for long
-- grain: cluster, group_id, pod, started_at
-- about: Restores of thirty seconds or more, or of a million records or more, of one pod; those that overlap are one incident. A task does not process before its stores are restored.
-- column: cluster VARCHAR - cluster
-- column: group_id VARCHAR - group; NULL for what concerns a broker or the cluster
-- column: kind VARCHAR - streams_restore
-- column: variant VARCHAR - wording
-- column: severity VARCHAR - act, look, normal
-- column: pod VARCHAR - pod to go and look at
-- column: broker BIGINT - broker concerned
-- column: started_at TIMESTAMPTZ - beginning
-- column: ended_at TIMESTAMPTZ - end
-- column: facts MAP(VARCHAR, VARCHAR) - what the templates fill in
-- column: confidence VARCHAR - certain, likely, possible
-- column: evidence STRUCT(source VARCHAR, line BIGINT, ts TIMESTAMPTZ, message VARCHAR)[] - the lines
-- needs: restorations
-- uses: restorations

WITH heavy AS (
  SELECT *, coalesce(started_at > max(finished_at) OVER (PARTITION BY cluster, group_id, pod ORDER BY started_at, task_id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), true) AS fresh
  FROM restorations WHERE duration_ms >= 30000 OR records >= 1000000
), numbered AS (
  SELECT *, count(*) FILTER (fresh) OVER (PARTITION BY cluster, group_id, pod ORDER BY started_at, task_id ROWS UNBOUNDED PRECEDING) AS incident FROM heavy
)
SELECT cluster, group_id, 'streams_restore' AS kind, 'default' AS variant, 'look' AS severity, pod, NULL::BIGINT AS broker, min(started_at) AS started_at, max(finished_at) AS ended_at,
  MAP {'group': coalesce(group_id, '?'), 'pod': coalesce(pod, '?'), 'tasks': human_list(list(DISTINCT task_id ORDER BY task_id)), 'count': count(DISTINCT task_id)::VARCHAR,
    'lasted': human_ms(ms_between(min(started_at), max(finished_at))), 'at': human_time(min(started_at)), 'records': coalesce(sum(records)::BIGINT::VARCHAR, '?')} AS facts,
  'certain' AS confidence, flatten(list(evidence[1:4] ORDER BY started_at))[1:16] AS evidence
FROM numbered GROUP BY cluster, group_id, pod, incident
