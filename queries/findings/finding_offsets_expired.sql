-- name: finding_offsets_expired
-- row: committed offsets of an empty group that expired
-- grain: cluster, group_id, started_at
-- about: Said where the group can be told. Normal when nobody came back for them; if a consumer did and found none, silent_skip says what it did then.
-- column: cluster VARCHAR - cluster
-- column: group_id VARCHAR - group; NULL for what concerns a broker or the cluster
-- column: kind VARCHAR - offsets_expired
-- column: variant VARCHAR - wording
-- column: severity VARCHAR - act, look, normal
-- column: pod VARCHAR - pod to go and look at
-- column: broker BIGINT - broker concerned
-- column: started_at TIMESTAMPTZ - beginning
-- column: ended_at TIMESTAMPTZ - end
-- column: facts MAP(VARCHAR, VARCHAR) - what the templates fill in
-- column: confidence VARCHAR - certain, likely, possible
-- column: evidence STRUCT(source VARCHAR, line BIGINT, ts TIMESTAMPTZ, message VARCHAR)[] - the lines
-- needs: offset_expirations
-- uses: offset_expirations

SELECT cluster, group_id, 'offsets_expired' AS kind, CASE WHEN returned_at IS NULL THEN 'default' ELSE 'returned' END AS variant,
  CASE WHEN returned_at IS NULL THEN 'normal' ELSE 'look' END AS severity, NULL::VARCHAR AS pod, broker, ts AS started_at, returned_at AS ended_at,
  MAP {'group': group_id, 'at': human_time(ts), 'empty': human_ms(empty_ms), 'records': coalesce(records::VARCHAR, '?'), 'returned': coalesce(human_time(returned_at), '?')} AS facts,
  CASE WHEN certain THEN 'certain' ELSE 'possible' END AS confidence, evidence
FROM offset_expirations WHERE group_id IS NOT NULL
