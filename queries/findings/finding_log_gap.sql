-- name: finding_log_gap
-- row: a log that is silent where lines were due
-- grain: cluster, source, started_at
-- about: The rows of log_gaps. What happened in the silence can be told from other sources only.
-- column: cluster VARCHAR - cluster
-- column: group_id VARCHAR - group; NULL for what concerns a broker or the cluster
-- column: kind VARCHAR - log_gap
-- column: variant VARCHAR - wording
-- column: severity VARCHAR - act, look, normal
-- column: pod VARCHAR - pod to go and look at
-- column: broker BIGINT - broker concerned
-- column: started_at TIMESTAMPTZ - beginning
-- column: ended_at TIMESTAMPTZ - end
-- column: facts MAP(VARCHAR, VARCHAR) - what the templates fill in
-- column: confidence VARCHAR - certain, likely, possible
-- column: evidence STRUCT(source VARCHAR, line BIGINT, ts TIMESTAMPTZ, message VARCHAR)[] - the lines
-- needs: log_gaps
-- uses: log_gaps, events

WITH owners AS (
  SELECT cluster, source, mode(role) AS role, mode(pod) AS pod, mode(broker_id) FILTER (role = 'broker') AS broker FROM events GROUP BY cluster, source
)
SELECT g.cluster, NULL::VARCHAR AS group_id, 'log_gap' AS kind, CASE WHEN g.ended_at IS NULL THEN 'ends' ELSE 'default' END AS variant, 'look' AS severity,
  CASE WHEN o.role = 'client' THEN o.pod END AS pod, o.broker, g.started_at, g.ended_at,
  MAP {'source': g.source, 'who': CASE WHEN o.broker IS NOT NULL THEN 'broker ' || o.broker ELSE coalesce(o.pod, g.source) END, 'at': human_time(g.started_at),
    'lasted': human_ms(ms_between(g.started_at, g.ended_at))} AS facts,
  'likely' AS confidence, g.evidence
FROM log_gaps g LEFT JOIN owners o ON o.cluster IS NOT DISTINCT FROM g.cluster AND o.source = g.source
