-- name: finding_coordinator_unavailable
-- row: a time in which groups had no coordinator
-- grain: cluster, group_id, broker, started_at
-- about: Outages of five seconds or more; of one broker, those that begin within ten seconds are one incident, and up to three groups are named one by one. What consumers meet when a group starts for the first time is normal and said once.
-- column: cluster VARCHAR - cluster
-- column: group_id VARCHAR - group; NULL for what concerns a broker or the cluster
-- column: kind VARCHAR - coordinator_unavailable
-- column: variant VARCHAR - wording
-- column: severity VARCHAR - act, look, normal
-- column: pod VARCHAR - pod to go and look at
-- column: broker BIGINT - broker concerned
-- column: started_at TIMESTAMPTZ - beginning
-- column: ended_at TIMESTAMPTZ - end
-- column: facts MAP(VARCHAR, VARCHAR) - what the templates fill in
-- column: confidence VARCHAR - certain, likely, possible
-- column: evidence STRUCT(source VARCHAR, line BIGINT, ts TIMESTAMPTZ, message VARCHAR)[] - the lines
-- uses: coordinator_outages, broker_downs, coordinator_lines

WITH placed AS (
  SELECT o.*, CASE WHEN o.why IN ('no_leader', 'broker_down') THEN d.broker END AS broker,
    CASE WHEN o.why IN ('no_leader', 'broker_down') THEN d.how END AS how, d.up_at AS broker_up_at,
    coalesce(d.exact, true) OR o.why NOT IN ('no_leader', 'broker_down') AS exact,
    -- an outage that the logs do not see the end of lasted at least to its last line
    ms_between(o.started_at, coalesce(o.ended_at, list_max([said.ts FOR said IN o.evidence]))) AS lasted_ms
  FROM coordinator_outages o
  ASOF LEFT JOIN broker_downs d ON d.cluster IS NOT DISTINCT FROM o.cluster AND d.down_at <= o.started_at + INTERVAL 2 SECOND
    AND coalesce(d.up_at, o.started_at) >= o.started_at
  WHERE o.ended_at IS NULL OR o.ended_at - o.started_at >= INTERVAL 5 SECOND
    OR len(list_filter(o.evidence, lambda said: true)) > 4 AND o.ended_at - o.started_at >= INTERVAL 1 SECOND AND o.why NOT IN ('loading', 'broker_down', 'no_leader')
), waves AS (
  SELECT *, count(*) FILTER (fresh) OVER (PARTITION BY cluster, broker ORDER BY started_at, group_id ROWS UNBOUNDED PRECEDING) AS wave
  FROM (SELECT *, coalesce(started_at - lag(started_at) OVER (PARTITION BY cluster, broker ORDER BY started_at, group_id) > INTERVAL 10 SECOND, true) AS fresh FROM placed)
), sized AS (
  SELECT *, count(DISTINCT group_id) OVER (PARTITION BY cluster, broker, wave) AS hit FROM waves
), incidents AS (
  SELECT cluster, CASE WHEN hit <= 3 THEN group_id END AS group_id, broker, wave, any_value(how) AS how, max(broker_up_at) AS broker_up_at, bool_and(exact) AS exact,
    min(started_at) AS started_at, CASE WHEN bool_and(ended_at IS NOT NULL) THEN max(ended_at) END AS ended_at,
    list(DISTINCT group_id ORDER BY group_id) AS groups, list_sort(list_distinct(flatten(list(pods_hit)))) AS pods,
    CASE WHEN bool_or(why = 'no_leader') THEN 'no_leader' ELSE mode(why) END AS why, max(lasted_ms) AS lasted_ms,
    flatten(list(evidence[1:10] ORDER BY started_at))[1:30] AS evidence
  FROM sized GROUP BY ALL
), starts AS (
  SELECT cluster, group_id, process, min(moment) FILTER (kind = 'served') AS served_at
  FROM coordinator_lines GROUP BY cluster, group_id, process
), rough_starts AS (
  -- three or more refusals before anything was served, and then it was: the first start of a group, or of a cluster
  SELECT c.cluster, c.group_id, c.process, count(*) AS lines, min(c.moment) AS since, any_value(s.served_at) AS until, list(c.evidence ORDER BY c.moment)[1:3] AS said
  FROM coordinator_lines c JOIN starts s ON s.cluster IS NOT DISTINCT FROM c.cluster AND s.group_id = c.group_id AND s.process = c.process
  WHERE c.kind IN ('refused', 'lost') AND c.moment < s.served_at AND s.served_at - c.moment < INTERVAL 1 MINUTE
  GROUP BY c.cluster, c.group_id, c.process HAVING count(*) >= 3
)
SELECT cluster, group_id, 'coordinator_unavailable' AS kind,
  CASE why WHEN 'no_leader' THEN 'no_leader' WHEN 'broker_down' THEN 'failover' WHEN 'loading' THEN 'loading' ELSE 'clients' END AS variant,
  CASE WHEN why = 'no_leader' OR lasted_ms >= 30000 AND exact THEN 'act' ELSE 'look' END AS severity,
  NULL::VARCHAR AS pod, broker, started_at, ended_at,
  MAP {
    'groups': CASE WHEN len(groups) = 1 THEN 'Group ' || groups[1] ELSE len(groups) || ' groups' END, 'names': human_list(groups),
    'pods': human_list(pods), 'broker': coalesce('broker ' || broker, 'its broker'), 'at': human_time(started_at),
    'lasted': CASE WHEN ended_at IS NULL THEN 'to the end of the logs' ELSE CASE WHEN exact THEN 'for ' ELSE 'for up to ' END || human_ms(ms_between(started_at, ended_at)) END,
    -- DuckDB before 2.0 loses a column of an ASOF join that only its condition names
    'broker_up': human_time(broker_up_at),
    'how': CASE how WHEN 'stopped' THEN 'was shut down' WHEN 'killed' THEN 'died' ELSE 'went away' END,
    'error': CASE why WHEN 'not_available' THEN 'COORDINATOR_NOT_AVAILABLE' WHEN 'not_coordinator' THEN 'NOT_COORDINATOR' WHEN 'loading' THEN 'COORDINATOR_LOAD_IN_PROGRESS'
      ELSE 'broken or refused connections' END
  } AS facts,
  CASE WHEN why IN ('no_leader', 'broker_down') THEN 'certain' WHEN why = 'not_available' THEN 'likely' ELSE 'likely' END AS confidence, evidence
FROM incidents
UNION ALL
SELECT cluster, NULL, 'coordinator_unavailable', 'first_start', 'normal', NULL, NULL, min(since), max(until),
  MAP {'consumers': CASE WHEN count(*) = 1 THEN 'One consumer was' ELSE count(*) || ' consumers were' END, 'groups': human_list(list(DISTINCT group_id ORDER BY group_id)), 'slowest': human_ms(max(ms_between(since, until)))},
  'certain', flatten(list(said ORDER BY since))[1:10]
FROM rough_starts GROUP BY cluster
