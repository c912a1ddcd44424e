-- name: finding_scale_down
-- row: a group that was made smaller
-- grain: cluster, group_id, pod, started_at
-- about: Members left in order and were not replaced.
-- like: verdicts
-- needs: shrinking_episodes
-- uses: shrinking_episodes

SELECT cluster, group_id, 'scale_down' AS kind, 'default' AS variant, 'normal' AS severity, NULL::VARCHAR AS pod, NULL::BIGINT AS broker, started_at,
  coalesce(recovered_at, floor_at) AS ended_at,
  MAP {
    'group': group_id, 'from': members_from::VARCHAR, 'floor': members_floor::VARCHAR, 'at': human_time(started_at),
    'lasted': human_ms(ms_between(started_at, floor_at)), 'gone': human_list(gone_pods),
    'later': CASE WHEN recovered_at IS NOT NULL THEN 'It was back at ' || members_to || ' at ' || human_time(recovered_at) || '.'
      WHEN members_to > members_floor THEN 'Later it grew to ' || members_to || ' again.' ELSE '' END
  } AS facts,
  'certain' AS confidence, evidence
FROM shrinking_episodes WHERE kind = 'scale_down'
