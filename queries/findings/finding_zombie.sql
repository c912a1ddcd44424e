-- name: finding_zombie
-- row: a pod that went on working after the group had thrown it out
-- grain: cluster, group_id, pod, started_at
-- about: Windows of zombie_windows of a second or more in which the process wrote something, or whose commits were rejected. A process that was frozen all the time is none.
-- column: cluster VARCHAR - cluster
-- column: group_id VARCHAR - group; NULL for what concerns a broker or the cluster
-- column: kind VARCHAR - zombie
-- column: variant VARCHAR - wording
-- column: severity VARCHAR - act, look, normal
-- column: pod VARCHAR - pod to go and look at
-- column: broker BIGINT - broker concerned
-- column: started_at TIMESTAMPTZ - beginning
-- column: ended_at TIMESTAMPTZ - end
-- column: facts MAP(VARCHAR, VARCHAR) - what the templates fill in
-- column: confidence VARCHAR - certain, likely, possible
-- column: evidence STRUCT(source VARCHAR, line BIGINT, ts TIMESTAMPTZ, message VARCHAR)[] - the lines
-- needs: zombie_windows
-- uses: zombie_windows

SELECT cluster, group_id, 'zombie' AS kind, CASE WHEN discovered_at IS NULL THEN 'unaware' ELSE 'default' END AS variant,
  CASE WHEN discovered_at IS NULL THEN 'act' ELSE 'look' END AS severity, pod, NULL::BIGINT AS broker, evicted_at AS started_at, discovered_at AS ended_at,
  MAP {'group': group_id, 'pod': coalesce(pod, '?'), 'at': human_time(evicted_at), 'lasted': human_ms(window_ms),
    'partitions': CASE WHEN len(partitions) = 0 THEN 'its partitions' ELSE human_list(partitions) END,
    'refused': CASE WHEN refused_commits > 0 THEN refused_commits || ' of its commits were rejected.' ELSE 'None of its commits is seen to be rejected.' END} AS facts,
  CASE WHEN refused_commits > 0 THEN 'certain' ELSE 'likely' END AS confidence, evidence
FROM zombie_windows
WHERE refused_commits > 0 AND window_ms >= 1000 OR spoke AND window_ms >= 1000
