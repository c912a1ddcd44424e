-- name: storms
-- row: one run of rebalances that feed each other
-- grain: cluster, group_id, started_at
-- about: At least four rebalances of a group in which members are thrown out (poll or session limit) and return, each within ten
--   times the limit in force of the one before. Joins of a deploy and graceful leaves never count.
-- column: cluster VARCHAR - cluster
-- column: group_id VARCHAR - group
-- column: started_at TIMESTAMPTZ - beginning of the first of these rebalances
-- column: ended_at TIMESTAMPTZ - end of the last one
-- column: first_trigger_pod VARCHAR - pod that was thrown out first
-- column: first_trigger_member_id VARCHAR - its member id
-- column: first_trigger VARCHAR - how it went: see member_exits.kind
-- column: rebalances BIGINT - rebalances from the first to the last
-- column: cause VARCHAR - what threw most members out: poll_timeout, session_timeout, crash
-- column: mitigation VARCHAR - what stops such a storm
-- column: evictions BIGINT - members thrown out
-- column: pods VARCHAR[] - their pods
-- column: limit_ms DOUBLE in ms - limit in force
-- column: limit_known BOOLEAN - the limit stands in the logs
-- column: evidence STRUCT(source VARCHAR, line BIGINT, ts TIMESTAMPTZ, message VARCHAR)[] - the lines about the members thrown out
-- needs: evictions
-- uses: evictions, rebalance_rows

WITH thrown AS (
  SELECT * FROM evictions WHERE returned_at IS NOT NULL AND place IS NOT NULL
),
-- the rebalances in which somebody was thrown out and came back
hit AS (
  SELECT cluster, group_id, place, min(moment) AS moment, max(limit_ms) AS limit_ms FROM thrown GROUP BY ALL
),
linked AS (
  SELECT *, coalesce(ms_between(lag(moment) OVER steps, moment) > 10 * lag(limit_ms) OVER steps, true) AS begins
  FROM hit WINDOW steps AS (PARTITION BY cluster, group_id ORDER BY moment)
),
runs AS (
  SELECT *, count_if(begins) OVER (PARTITION BY cluster, group_id ORDER BY moment) AS run FROM linked
),
long_runs AS (
  SELECT cluster, group_id, run, min(place) AS first_place, max(place) AS last_place FROM runs GROUP BY ALL HAVING count(*) >= 4
),
members AS (
  SELECT l.cluster, l.group_id, l.run, count(*) AS evictions, list_sort(list_distinct(list(t.pod))) AS pods,
    arg_min(t.pod, t.moment) AS first_trigger_pod, arg_min(t.member_id, t.moment) AS first_trigger_member_id,
    arg_min(t.kind, t.moment) AS first_trigger, mode(t.kind) AS cause, max(t.limit_ms) AS limit_ms, bool_and(t.limit_known) AS limit_known,
    flatten(list(t.evidence[:2] ORDER BY t.moment)) AS evidence
  FROM long_runs AS l JOIN thrown AS t
    ON t.cluster IS NOT DISTINCT FROM l.cluster AND t.group_id = l.group_id AND t.place BETWEEN l.first_place AND l.last_place
  GROUP BY ALL
),
spans AS (
  SELECT l.cluster, l.group_id, l.run, count(*) AS rebalances, arg_min(coalesce(r.started_at, r.stabilized_at, r.completed_at), r.place) AS started_at,
    max(coalesce(r.completed_at, r.stabilized_at, r.started_at)) AS ended_at
  FROM long_runs AS l JOIN rebalance_rows AS r
    ON r.cluster IS NOT DISTINCT FROM l.cluster AND r.group_id = l.group_id AND r.place BETWEEN l.first_place AND l.last_place
  GROUP BY ALL
)
SELECT s.cluster, s.group_id, s.started_at, s.ended_at, first_trigger_pod, first_trigger_member_id, first_trigger, rebalances, cause,
  CASE cause
    WHEN 'poll_timeout' THEN 'Lower max.poll.records, raise max.poll.interval.ms, or move the work off the poll loop'
    WHEN 'failed_to_rejoin' THEN 'Poll more often: lower max.poll.records or move the work off the poll loop'
    WHEN 'crash' THEN 'Find out why the processes die; static membership and a session timeout longer than a restart keep the others calm'
    ELSE 'Static membership and a longer session.timeout.ms; look for long garbage collections, CPU limits and network loss' END AS mitigation,
  evictions, pods, limit_ms, limit_known, evidence[:100] AS evidence
FROM spans AS s JOIN members AS m ON m.cluster IS NOT DISTINCT FROM s.cluster AND m.group_id = s.group_id AND m.run = s.run
ORDER BY 2, 3
