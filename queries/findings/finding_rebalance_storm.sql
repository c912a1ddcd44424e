-- name: finding_rebalance_storm
-- row: a run of rebalances that feed each other
-- grain: cluster, group_id, pod, started_at
-- about: See storms.
-- like: verdicts
-- needs: storms
-- uses: storms

SELECT cluster, group_id, 'rebalance_storm' AS kind, 'default' AS variant, 'act' AS severity, NULL::VARCHAR AS pod, NULL::BIGINT AS broker,
  started_at, ended_at,
  MAP {
    'group': group_id, 'rebalances': rebalances::VARCHAR, 'lasted': human_ms(ms_between(started_at, ended_at)), 'at': human_time(started_at),
    'evictions': evictions::VARCHAR, 'pods': human_list(pods), 'first': coalesce(first_trigger_pod, first_trigger_member_id, '?'),
    'cause': CASE cause WHEN 'poll_timeout' THEN 'did not poll in time' WHEN 'crash' THEN 'crashed' WHEN 'failed_to_rejoin' THEN 'did not rejoin in time'
      ELSE 'sent no heartbeat in time' END,
    'limit': CASE WHEN limit_known THEN ' (limit ' || human_ms(limit_ms) || ')' ELSE '' END,
    'mitigation': mitigation
  } AS facts,
  'certain' AS confidence, evidence
FROM storms
