-- name: finding_fenced_commit
-- row: a pod whose commits were rejected because it is no longer the member that it takes itself for
-- grain: cluster, group_id, pod, started_at
-- about: Rejected commits of one pod within a minute of each other are one incident. STALE_MEMBER_EPOCH is left aside: the client of a KIP-848 group sends the commit again with its new epoch.
-- column: cluster VARCHAR - cluster
-- column: group_id VARCHAR - group; NULL for what concerns a broker or the cluster
-- column: kind VARCHAR - fenced_commit
-- column: variant VARCHAR - wording
-- column: severity VARCHAR - act, look, normal
-- column: pod VARCHAR - pod to go and look at
-- column: broker BIGINT - broker concerned
-- column: started_at TIMESTAMPTZ - beginning
-- column: ended_at TIMESTAMPTZ - end
-- column: facts MAP(VARCHAR, VARCHAR) - what the templates fill in
-- column: confidence VARCHAR - certain, likely, possible
-- column: evidence STRUCT(source VARCHAR, line BIGINT, ts TIMESTAMPTZ, message VARCHAR)[] - the lines
-- needs: rejections
-- uses: rejections

WITH commits AS (
  SELECT *, coalesce(moment - lag(moment) OVER bypod > INTERVAL 1 MINUTE, true) AS fresh
  FROM rejections
  WHERE operation = 'commit' AND error <> 'STALE_MEMBER_EPOCH'
  WINDOW bypod AS (PARTITION BY cluster, group_id, process ORDER BY moment)
), numbered AS (
  SELECT *, count(*) FILTER (fresh) OVER (PARTITION BY cluster, group_id, process ORDER BY moment ROWS UNBOUNDED PRECEDING) AS incident FROM commits
)
SELECT cluster, group_id, 'fenced_commit' AS kind, 'default' AS variant, 'look' AS severity, any_value(pod) AS pod, NULL::BIGINT AS broker,
  min(ts) AS started_at, max(ts) AS ended_at,
  MAP {'group': group_id, 'pod': coalesce(any_value(pod), '?'), 'times': CASE WHEN count(*) = 1 THEN 'A commit' ELSE count(*) || ' commits' END, 'errors': human_list(list(DISTINCT error ORDER BY error)),
    'at': human_time(min(ts)), 'generation': coalesce(min(generation)::VARCHAR, '?')} AS facts,
  'certain' AS confidence, flatten(list(evidence ORDER BY moment))[1:15] AS evidence
FROM numbered GROUP BY cluster, group_id, process, incident
