-- name: finding_session_timeout
-- row: a member that the coordinator lost
-- grain: cluster, group_id, pod, started_at
-- about: One row for each run of a pod. A member whose coordinator moved just before is told as such: it was cut off by the move. Without a log of the process a crash cannot be told apart.
-- like: verdicts
-- needs: evictions
-- uses: evictions, group_lines

WITH steps AS (
  SELECT *, coalesce(pod, client_part(member_id), member_id) AS who,
    coalesce(ms_between(lag(moment) OVER turns, moment) > greatest(10 * limit_ms, 60000), true) AS begins
  FROM evictions WHERE kind = 'session_timeout'
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
-- the group was taken over by another broker shortly before
loads AS (
  SELECT cluster, group_id, moment AS loaded_moment, broker_id FROM group_lines WHERE event = 'group_loaded' AND moment IS NOT NULL
),
placed AS (
  SELECT i.*, loaded_moment, broker_id, coalesce(ms_between(loaded_moment, i.moment) < limit_ms + 5000, false) AS moved
  FROM incidents AS i ASOF LEFT JOIN loads
    ON loads.cluster IS NOT DISTINCT FROM i.cluster AND loads.group_id = i.group_id AND i.moment >= loads.loaded_moment
)
SELECT cluster, group_id, 'session_timeout' AS kind,
  CASE WHEN moved THEN 'moved' WHEN NOT heard THEN 'unheard' ELSE 'default' END AS variant,
  CASE WHEN times >= 3 THEN 'act' ELSE 'look' END AS severity, who AS pod, CASE WHEN moved THEN broker_id END AS broker, started_at,
  coalesce(last_returned_at, came_back_at, last_at) AS ended_at,
  MAP {
    'pod': who, 'group': group_id, 'at': human_time(started_at), 'times': CASE WHEN times > 1 THEN ' (' || times || ' times)' ELSE '' END,
    'limit': CASE WHEN limit_known THEN 'session.timeout.ms of ' || human_ms(limit_ms) ELSE 'its session timeout' END,
    'silent': CASE WHEN silent_ms >= 1000 THEN 'Its log is silent for ' || human_ms(silent_ms) || ' before that' ELSE 'Its log goes on meanwhile' END,
    'broker': coalesce(broker_id::VARCHAR, '?'),
    'back': CASE WHEN came_back_at IS NOT NULL THEN 'the same process goes on at ' || human_time(came_back_at) ELSE 'the same process goes on later' END,
    'return': CASE WHEN last_returned_at IS NULL THEN 'it did not join again within the logs'
      ELSE 'it joined again after ' || human_ms(ms_between(last_at, last_returned_at)) END
  } AS facts,
  CASE WHEN moved THEN 'likely' WHEN heard THEN 'certain' ELSE 'possible' END AS confidence, evidence
FROM placed
