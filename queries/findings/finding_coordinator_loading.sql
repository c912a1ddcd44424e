-- name: finding_coordinator_loading
-- row: a load of an offsets partition that kept clients waiting
-- grain: cluster, broker, started_at
-- about: Loads that turned clients away and took half a second or more, and loads of five seconds or more of partitions with groups, whoever noticed. From clients alone: repeated COORDINATOR_LOAD_IN_PROGRESS.
-- column: cluster VARCHAR - cluster
-- column: group_id VARCHAR - group; NULL for what concerns a broker or the cluster
-- column: kind VARCHAR - coordinator_loading
-- column: variant VARCHAR - wording
-- column: severity VARCHAR - act, look, normal
-- column: pod VARCHAR - pod to go and look at
-- column: broker BIGINT - broker concerned
-- column: started_at TIMESTAMPTZ - beginning
-- column: ended_at TIMESTAMPTZ - end
-- column: facts MAP(VARCHAR, VARCHAR) - what the templates fill in
-- column: confidence VARCHAR - certain, likely, possible
-- column: evidence STRUCT(source VARCHAR, line BIGINT, ts TIMESTAMPTZ, message VARCHAR)[] - the lines
-- needs: FROM coordinator_loads WHERE errors > 0 AND duration_ms >= 500 OR duration_ms >= 5000
-- needs: FROM coordinator_lines WHERE error = 'COORDINATOR_LOAD_IN_PROGRESS'
-- uses: coordinator_loads, coordinator_lines

WITH slow AS (
  SELECT * FROM coordinator_loads
  WHERE len(groups) > 0 AND (errors > 0 AND duration_ms >= 500 OR duration_ms >= 5000)
), answers AS (
  SELECT *, count(*) FILTER (fresh) OVER (PARTITION BY cluster ORDER BY moment, group_id ROWS UNBOUNDED PRECEDING) AS wave
  FROM (SELECT *, coalesce(moment - lag(moment) OVER (PARTITION BY cluster ORDER BY moment, group_id) > INTERVAL 1 MINUTE, true) AS fresh
        FROM coordinator_lines c
        WHERE error = 'COORDINATOR_LOAD_IN_PROGRESS' AND NOT EXISTS (FROM coordinator_loads l WHERE l.cluster IS NOT DISTINCT FROM c.cluster))
), by_group AS (
  SELECT cluster, wave, group_id, list(DISTINCT pod) AS pods, count(*) AS errors, min(moment) AS since, max(moment) AS until,
    list(evidence ORDER BY moment)[1:10] AS evidence
  FROM answers GROUP BY cluster, wave, group_id
), told AS (
  SELECT cluster, list(group_id ORDER BY group_id) AS groups, list_sort(list_distinct(flatten(list(pods)))) AS pods, sum(errors)::BIGINT AS errors,
    min(since) AS since, max(until) AS until, max(until - since) AS longest, flatten(list(evidence ORDER BY since))[1:20] AS evidence
  FROM by_group GROUP BY cluster, wave
)
SELECT cluster, CASE WHEN len(groups) = 1 THEN groups[1] END AS group_id, 'coordinator_loading' AS kind, 'default' AS variant,
  CASE WHEN duration_ms >= 30000 THEN 'act' ELSE 'look' END AS severity, NULL::VARCHAR AS pod, broker, started_at, finished_at AS ended_at,
  MAP {
    'broker': broker::VARCHAR, 'partition': offsets_partition::VARCHAR, 'lasted': human_ms(duration_ms), 'at': human_time(started_at),
    'groups': human_list(groups), 'pods': human_list(pods_hit), 'errors': errors::VARCHAR,
    'size': CASE WHEN bytes IS NULL THEN 'The broker does not say how much it read.'
      ELSE 'It read ' || records || ' records, ' || round(bytes / 1e6, 1) || ' MB.' END
  } AS facts,
  'certain' AS confidence, evidence
FROM slow
UNION ALL
SELECT cluster, CASE WHEN len(groups) = 1 THEN groups[1] END, 'coordinator_loading', 'clients', CASE WHEN longest >= INTERVAL 5 SECOND THEN 'look' ELSE 'normal' END, NULL, NULL, since, until,
  MAP {'groups': CASE WHEN len(groups) = 1 THEN 'Group ' || groups[1] || ' was' ELSE len(groups) || ' groups were' END, 'names': human_list(groups), 'pods': human_list(pods), 'errors': CASE WHEN errors = 1 THEN 'once' ELSE errors || ' times within ' || human_ms(ms_between(since, until)) END, 'at': human_time(since), 'lasted': human_ms(ms_between(since, until))},
  'likely', evidence
FROM told
