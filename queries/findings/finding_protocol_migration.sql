-- name: finding_protocol_migration
-- row: a group that moved from one rebalance protocol to another
-- grain: cluster, group_id, started_at
-- about: Normal when it was completed, or done while the group was empty; to be looked at while members of both protocols share the group at the end of the logs, when conversions were refused, and for a downgrade.
-- column: cluster VARCHAR - cluster
-- column: group_id VARCHAR - group; NULL for what concerns a broker or the cluster
-- column: kind VARCHAR - protocol_migration
-- column: variant VARCHAR - wording
-- column: severity VARCHAR - act, look, normal
-- column: pod VARCHAR - pod to go and look at
-- column: broker BIGINT - broker concerned
-- column: started_at TIMESTAMPTZ - beginning
-- column: ended_at TIMESTAMPTZ - end
-- column: facts MAP(VARCHAR, VARCHAR) - what the templates fill in
-- column: confidence VARCHAR - certain, likely, possible
-- column: evidence STRUCT(source VARCHAR, line BIGINT, ts TIMESTAMPTZ, message VARCHAR)[] - the lines
-- needs: protocol_migrations, group_conversion_rejected
-- uses: protocol_migrations, events

SELECT cluster, group_id, 'protocol_migration' AS kind,
  CASE WHEN rejected > 0 THEN 'rejected' WHEN direction LIKE '%_to_classic' THEN 'downgrade' WHEN completed_at IS NULL AND online THEN 'mixed' ELSE 'default' END AS variant,
  CASE WHEN rejected > 0 OR direction LIKE '%_to_classic' OR completed_at IS NULL AND online THEN 'look' ELSE 'normal' END AS severity,
  NULL::VARCHAR AS pod, NULL::BIGINT AS broker, started_at, completed_at AS ended_at,
  MAP {'group': group_id, 'from': split_part(direction, '_to_', 1), 'to': split_part(direction, '_to_', 2), 'at': human_time(started_at), 'lasted': CASE WHEN duration_ms IS NULL THEN 'its end is not seen' ELSE human_ms(duration_ms) END,
    'how': CASE WHEN online THEN 'online, with members of both protocols in the group' WHEN NOT online THEN 'while it was empty' ELSE 'as its clients show' END,
    'generation': coalesce(from_generation::VARCHAR, '?'), 'epoch': coalesce(first_epoch::VARCHAR, '?'), 'old': human_list(old_pods), 'rejected': rejected::VARCHAR} AS facts,
  CASE WHEN online IS NULL THEN 'likely' ELSE 'certain' END AS confidence, evidence
FROM protocol_migrations
UNION ALL
-- refused, and never converted
SELECT e.cluster, e.group_id, 'protocol_migration', 'rejected', 'look', NULL, NULL, min(e.ts), max(e.ts),
  MAP {'group': e.group_id, 'from': 'its', 'to': 'the other', 'at': human_time(min(e.ts)), 'lasted': '?', 'how': '?', 'generation': '?', 'epoch': '?', 'old': '?', 'rejected': count(*)::VARCHAR},
  'certain', list(line_of(e.source, e.line, e.ts, e.message) ORDER BY e.ts)[1:10]
FROM events e
WHERE e.event = 'group_conversion_rejected' AND e.group_id IS NOT NULL
  AND NOT EXISTS (FROM protocol_migrations m WHERE m.cluster IS NOT DISTINCT FROM e.cluster AND m.group_id = e.group_id)
GROUP BY e.cluster, e.group_id
