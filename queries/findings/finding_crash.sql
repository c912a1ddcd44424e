-- name: finding_crash
-- row: a pod whose process vanished
-- grain: cluster, group_id, pod, started_at
-- about: One row for each run of a pod in a group. A process that began anew is a certain crash, one that was not heard of again a likely one.
-- like: verdicts
-- needs: evictions
-- uses: evictions, events

WITH steps AS (
  SELECT *, coalesce(pod, client_part(member_id), member_id) AS who,
    coalesce(ms_between(lag(moment) OVER turns, moment) > greatest(10 * limit_ms, 60000), true) AS begins
  FROM evictions WHERE kind = 'crash'
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
  FROM numbered GROUP BY ALL),
ends AS (SELECT cluster, max(ts) AS last_ts FROM events GROUP BY ALL)
SELECT i.cluster, group_id, 'crash' AS kind, CASE WHEN last_returned_at IS NOT NULL OR came_back_at IS NOT NULL THEN 'anew' ELSE 'default' END AS variant,
  'act' AS severity, who AS pod, NULL::BIGINT AS broker, started_at, coalesce(last_returned_at, last_at) AS ended_at,
  MAP {
    'pod': who, 'group': group_id, 'at': human_time(started_at),
    'members': CASE WHEN times > 1 THEN ' with ' || times || ' members' ELSE '' END,
    'limit': CASE WHEN limit_known THEN 'session.timeout.ms of ' || human_ms(limit_ms) ELSE 'session timeout' END,
    'silent': CASE WHEN silent_ms >= 1000 THEN 'Its last line is ' || human_ms(silent_ms) || ' older.' ELSE '' END,
    'back': CASE WHEN coalesce(last_returned_at, came_back_at) IS NULL THEN 'was not heard of again'
      ELSE 'began anew at ' || human_time(coalesce(came_back_at, last_returned_at)) END
  } AS facts,
  CASE WHEN last_returned_at IS NOT NULL OR came_back_at IS NOT NULL THEN 'certain'
       WHEN ms_between(last_at, last_ts) > 2 * limit_ms THEN 'likely' ELSE 'possible' END AS confidence,
  evidence
FROM incidents AS i LEFT JOIN ends ON ends.cluster IS NOT DISTINCT FROM i.cluster
