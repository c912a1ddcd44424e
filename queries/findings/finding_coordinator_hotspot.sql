-- name: finding_coordinator_hotspot
-- row: an offsets partition whose groups suffer from one another
-- grain: cluster, broker, started_at
-- about: Groups that share an offsets partition share its loads. Said only where a slow load hit several of them at once; who merely shares a partition is in group_placement.
-- column: cluster VARCHAR - cluster
-- column: group_id VARCHAR - group; NULL for what concerns a broker or the cluster
-- column: kind VARCHAR - coordinator_hotspot
-- column: variant VARCHAR - wording
-- column: severity VARCHAR - act, look, normal
-- column: pod VARCHAR - pod to go and look at
-- column: broker BIGINT - broker concerned
-- column: started_at TIMESTAMPTZ - beginning
-- column: ended_at TIMESTAMPTZ - end
-- column: facts MAP(VARCHAR, VARCHAR) - what the templates fill in
-- column: confidence VARCHAR - certain, likely, possible
-- column: evidence STRUCT(source VARCHAR, line BIGINT, ts TIMESTAMPTZ, message VARCHAR)[] - the lines
-- needs: coordinator_loads
-- uses: coordinator_loads

SELECT cluster, NULL::VARCHAR AS group_id, 'coordinator_hotspot' AS kind, 'default' AS variant, 'look' AS severity, NULL::VARCHAR AS pod,
  arg_max(broker, duration_ms) AS broker, min(started_at) AS started_at, max(finished_at) AS ended_at,
  MAP {'partition': offsets_partition::VARCHAR, 'count': len(any_value(groups))::VARCHAR, 'groups': human_list(any_value(groups)), 'lasted': human_ms(max(duration_ms)),
    'size': coalesce(round(max(bytes) / 1e6, 1) || ' MB', 'its records')} AS facts,
  'likely' AS confidence, flatten(list(evidence[1:6] ORDER BY started_at))[1:12] AS evidence
FROM coordinator_loads
WHERE len(groups) >= 2 AND errors > 0 AND duration_ms >= 500
GROUP BY cluster, offsets_partition
