-- name: finding_stuck_rebalance
-- row: a rebalance whose join phase did not end in time
-- grain: cluster, group_id, pod, started_at
-- about: Of a group that had members: look, or act if it lasted over a minute or is not over. A group that fills from Empty waits by design: normal.
-- like: verdicts
-- needs: rebalance_rows
-- uses: stuck_rebalances, rebalance_rows

SELECT cluster, group_id, 'stuck_rebalance' AS kind,
  CASE WHEN waited_for IS NULL THEN 'unknown' WHEN gone THEN 'gone' ELSE 'default' END AS variant,
  CASE WHEN ended_at IS NULL OR waited_ms > 60000 THEN 'act' ELSE 'look' END AS severity, waited_for AS pod, NULL::BIGINT AS broker, started_at, ended_at,
  MAP {
    'group': group_id, 'pod': coalesce(waited_for, '?'), 'lasted': human_ms(waited_ms), 'at': human_time(started_at),
    'end': CASE WHEN ended_at IS NULL THEN 'and was not over at the end of the logs' ELSE 'until ' || human_time(ended_at) END,
    'median': CASE WHEN median_ms IS NULL THEN '' ELSE ' (others took ' || human_ms(median_ms) || ')' END,
    'trigger': CASE WHEN trigger_pod IS NULL THEN '' WHEN cause = 'member_joined' THEN trigger_pod || ' had asked to join; ' ELSE trigger_pod || ' had set it off; ' END
  } AS facts,
  CASE WHEN waited_for IS NULL THEN 'likely' ELSE 'certain' END AS confidence, evidence
FROM stuck_rebalances
UNION ALL
SELECT cluster, group_id, 'stuck_rebalance', 'filling', 'normal', NULL, NULL, started_at, stabilized_at,
  MAP {'group': group_id, 'lasted': human_ms(ms_between(started_at, stabilized_at)), 'at': human_time(started_at), 'members': coalesce(members::VARCHAR, '?')},
  'certain', evidence
FROM (
  SELECT *, lag(outcome) OVER (PARTITION BY cluster, group_id, incarnation ORDER BY place) AS former_outcome FROM rebalance_rows
)
WHERE coalesce(former_outcome, CASE WHEN generation = 1 THEN 'emptied' END) = 'emptied' AND ms_between(started_at, stabilized_at) > 10000
