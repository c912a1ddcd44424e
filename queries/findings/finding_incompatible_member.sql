-- name: finding_incompatible_member
-- row: a client whose protocol the group cannot accept
-- grain: cluster, group_id, pod, started_at
-- about: Refused with INCONSISTENT_GROUP_PROTOCOL outside a one-step assignor change; or let in, but unable to read the others subscriptions (another library): then whoever leads gives up and leaves.
-- like: verdicts
-- needs: refused_joins, join_failed, rejoin_requested
-- uses: refused_joins, shrinking_episodes, group_lines, member_pods

WITH episodes AS (
  SELECT cluster, group_id, unnest(refused_pods) AS pod FROM shrinking_episodes WHERE kind = 'one_step_assignor_change'
),
refused AS (
  SELECT r.* FROM refused_joins AS r
  WHERE r.error = 'INCONSISTENT_GROUP_PROTOCOL' AND (r.cluster, r.group_id, r.pod) NOT IN (SELECT (cluster, group_id, pod) FROM episodes)
),
-- one client cannot parse what another one sent as its subscription
unreadable AS (
  SELECT cluster, group_id, regexp_extract(evidence.message, 'unable to read metadata for member,? (.+?)(?:: |$)', 1) AS member_id, NULL::VARCHAR AS pod,
    ts, evidence
  FROM group_lines WHERE role = 'client' AND event = 'join_failed' AND evidence.message ILIKE '%unable to read metadata for member%'
  UNION ALL
  SELECT cluster, group_id, NULL, pod, ts, evidence
  FROM group_lines WHERE role = 'client' AND event = 'rejoin_requested' AND evidence.message ILIKE '%parsing consumer protocol%'
),
placed AS (
  SELECT u.cluster, u.group_id, coalesce(u.pod, m.pod, client_part(u.member_id)) AS pod, u.ts, u.evidence
  FROM unreadable AS u LEFT JOIN member_pods AS m
    ON m.cluster IS NOT DISTINCT FROM u.cluster AND m.group_id = u.group_id AND m.member_id = u.member_id
)
SELECT cluster, group_id, 'incompatible_member' AS kind, CASE WHEN group_id IS NULL THEN 'unnamed' ELSE 'default' END AS variant, 'act' AS severity, pod,
  NULL::BIGINT AS broker, min(ts) AS started_at, max(last_ts) AS ended_at,
  MAP {
    'pod': coalesce(pod, '?'), 'group': coalesce(group_id, '?'), 'times': sum(attempts)::VARCHAR,
    'span': CASE WHEN min(ts) IS NULL THEN 'its log prints no time' ELSE human_time(min(ts)) || ' to ' || human_time(max(last_ts)) END,
    'offered': CASE WHEN max(offered) IS NULL THEN 'no assignor that all members support' ELSE 'only ' || max(offered) END
  } AS facts,
  'certain' AS confidence, flatten(list(evidence)) AS evidence
FROM refused GROUP BY cluster, group_id, pod
UNION ALL
SELECT cluster, group_id, 'incompatible_member', 'unreadable', 'act', pod, NULL, min(ts), max(ts),
  MAP {
    'pod': coalesce(pod, '?'), 'group': coalesce(group_id, '?'), 'times': count(*)::VARCHAR,
    'span': CASE WHEN min(ts) IS NULL THEN 'no time printed' ELSE human_time(min(ts)) || ' to ' || human_time(max(ts)) END
  },
  'likely', list(evidence ORDER BY ts)[:40]
FROM placed WHERE pod IS NOT NULL GROUP BY cluster, group_id, pod
