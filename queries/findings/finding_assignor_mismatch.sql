-- name: finding_assignor_mismatch
-- row: a member that keeps the group on another assignor than the one rolled out
-- grain: cluster, group_id, pod, started_at
-- about: The newest member puts an assignor first that the group does not run, a minute or more after it started, because another member does not offer it.
-- like: verdicts
-- needs: client_config
-- uses: rebalances, client_joins, consumer_settings, events

WITH ends AS (
  SELECT cluster, max(ts) AS last_ts FROM events GROUP BY ALL
),
latest AS (
  SELECT r.* FROM rebalances AS r
  WHERE r.outcome = 'completed' AND r.assignor IS NOT NULL
  QUALIFY row_number() OVER (PARTITION BY r.cluster, r.group_id ORDER BY r.incarnation DESC, r.generation DESC) = 1
),
offers AS (
  SELECT cluster, group_id, pod, assignors_of(assignors) AS offered, ts, evidence FROM consumer_settings
  WHERE assignors IS NOT NULL AND pod IS NOT NULL AND coalesce(protocol, 'classic') = 'classic'
  QUALIFY row_number() OVER (PARTITION BY cluster, group_id, pod ORDER BY ts DESC) = 1
),
members AS (
  SELECT l.cluster, l.group_id, l.generation, l.assignor, l.completed_at, j.pod, o.offered, o.ts AS offered_at, o.evidence
  FROM latest AS l
  JOIN client_joins AS j ON j.cluster IS NOT DISTINCT FROM l.cluster AND j.group_id = l.group_id AND j.incarnation = l.incarnation
    AND j.generation = l.generation
  JOIN offers AS o ON o.cluster IS NOT DISTINCT FROM j.cluster AND o.group_id = j.group_id AND o.pod = j.pod
),
wanted AS (
  SELECT cluster, group_id, arg_max(offered[1], offered_at) AS wanted, max(offered_at) AS since, arg_max(pod, offered_at) AS newest_pod,
    arg_max(evidence, offered_at) AS wanted_line
  FROM members GROUP BY ALL
)
SELECT m.cluster, m.group_id, 'assignor_mismatch' AS kind, 'default' AS variant, 'look' AS severity, m.pod, NULL::BIGINT AS broker,
  greatest(w.since, m.completed_at) AS started_at, NULL::TIMESTAMPTZ AS ended_at,
  MAP {
    'pod': m.pod, 'group': m.group_id, 'assignor': m.assignor, 'wanted': w.wanted, 'newest': w.newest_pod, 'offered': array_to_string(m.offered, ', '),
    'at': human_time(w.since)
  } AS facts,
  'certain' AS confidence, [m.evidence, w.wanted_line] AS evidence
FROM members AS m
JOIN wanted AS w ON w.cluster IS NOT DISTINCT FROM m.cluster AND w.group_id = m.group_id
JOIN ends ON ends.cluster IS NOT DISTINCT FROM m.cluster
WHERE w.wanted <> m.assignor AND NOT list_contains(m.offered, w.wanted) AND ms_between(greatest(w.since, m.completed_at), ends.last_ts) > 60000
