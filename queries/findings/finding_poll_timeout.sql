-- name: finding_poll_timeout
-- row: a pod that did not poll in time
-- grain: cluster, group_id, pod, started_at
-- about: One row for each run of a pod: times within ten limits of each other are one incident.
-- like: verdicts
-- needs: evictions
-- uses: evictions

WITH steps AS (
  SELECT *, coalesce(pod, client_part(member_id), member_id) AS who,
    coalesce(ms_between(lag(moment) OVER turns, moment) > greatest(10 * limit_ms, 60000), true) AS begins
  FROM evictions WHERE kind = 'poll_timeout'
  WINDOW turns AS (PARTITION BY cluster, group_id, coalesce(pod, client_part(member_id), member_id) ORDER BY moment)
),
numbered AS (
  SELECT *, count_if(begins) OVER (PARTITION BY cluster, group_id, who ORDER BY moment) AS incident FROM steps
),
incidents AS (
  SELECT cluster, group_id, who, incident, count(*) AS times, min(ts) AS started_at, max(ts) AS last_at, min(moment) AS moment, max(moment) AS last_moment,
    min(came_back_at) AS came_back_at,
    max(limit_ms) AS limit_ms, bool_and(limit_known) AS limit_known, max(silent_ms) AS silent_ms, bool_or(heard) AS heard,
    last(returned_at ORDER BY moment) AS last_returned_at,
    flatten(list(evidence ORDER BY moment))[:40] AS evidence
  FROM numbered GROUP BY ALL
)
SELECT cluster, group_id, 'poll_timeout' AS kind, CASE WHEN times > 1 THEN 'repeated' ELSE 'default' END AS variant,
  CASE WHEN times >= 3 THEN 'act' ELSE 'look' END AS severity, who AS pod, NULL::BIGINT AS broker, started_at,
  coalesce(last_returned_at, last_at) AS ended_at,
  MAP {
    'pod': who, 'group': group_id, 'at': human_time(started_at), 'until': human_time(last_at), 'times': times::VARCHAR,
    'limit': CASE WHEN limit_known THEN 'max.poll.interval.ms of ' || human_ms(limit_ms) ELSE 'its max.poll.interval.ms' END,
    'return': CASE WHEN last_returned_at IS NULL THEN 'did not come back within the logs'
      ELSE 'came back after ' || human_ms(ms_between(last_at, last_returned_at)) END
  } AS facts,
  'certain' AS confidence, evidence
FROM incidents
