-- name: finding_late_static_restart
-- row: a static member that came back too late
-- grain: cluster, group_id, pod, started_at
-- about: See static_restarts.
-- like: verdicts
-- needs: static_restarts
-- uses: static_restarts

SELECT cluster, group_id, 'late_static_restart' AS kind, 'default' AS variant, 'look' AS severity, pod, NULL::BIGINT AS broker,
  coalesce(left_at, back_at) AS started_at, back_at AS ended_at,
  MAP {
    'pod': coalesce(pod, '?'), 'group': group_id, 'instance': instance_id, 'at': human_time(back_at),
    'away': CASE WHEN away_ms IS NULL THEN 'longer than its session timeout' ELSE human_ms(away_ms) END
  } AS facts,
  'certain' AS confidence, evidence
FROM static_restarts WHERE outcome = 'late'
