-- name: finding_coordinator_moved
-- row: a move of coordinators away from one broker
-- grain: cluster, group_id, broker, started_at
-- about: Moves of groups with members, taken together when they leave the same broker within a minute; up to three groups are named one by one. Normal when every consumer found the new coordinator within ten seconds, which is what Kafka is built for.
-- column: cluster VARCHAR - cluster
-- column: group_id VARCHAR - group; NULL for what concerns a broker or the cluster
-- column: kind VARCHAR - coordinator_moved
-- column: variant VARCHAR - wording
-- column: severity VARCHAR - act, look, normal
-- column: pod VARCHAR - pod to go and look at
-- column: broker BIGINT - broker concerned
-- column: started_at TIMESTAMPTZ - beginning
-- column: ended_at TIMESTAMPTZ - end
-- column: facts MAP(VARCHAR, VARCHAR) - what the templates fill in
-- column: confidence VARCHAR - certain, likely, possible
-- column: evidence STRUCT(source VARCHAR, line BIGINT, ts TIMESTAMPTZ, message VARCHAR)[] - the lines
-- needs: coordinator_moves
-- uses: coordinator_moves, broker_downs, group_lines

WITH alive AS (
  -- groups that had members at the move: a consumer found the new coordinator, or the new one loaded members, or saw them later
  SELECT m.*, coalesce(m.elected_at, m.rediscovered[1]."at") AS moved_at
  FROM coordinator_moves m
  WHERE len(m.rediscovered) > 0 OR len(m.stuck_pods) > 0
    OR EXISTS (FROM group_lines g WHERE g.cluster IS NOT DISTINCT FROM m.cluster AND g.group_id = m.group_id AND g.role = 'broker'
      AND g.broker_id = m.to_broker AND g.moment BETWEEN m.elected_at AND m.elected_at + INTERVAL 2 MINUTE
      AND (g.event = 'group_loaded' AND g.members > 0 OR g.event IN ('member_expired', 'member_loaded', 'assignment_received', 'static_member_replaced')))
), waves AS (
  SELECT *, count(*) FILTER (fresh) OVER (PARTITION BY cluster, from_broker ORDER BY moved_at, group_id ROWS UNBOUNDED PRECEDING) AS wave
  FROM (SELECT *, coalesce(moved_at - lag(moved_at) OVER (PARTITION BY cluster, from_broker ORDER BY moved_at, group_id) > INTERVAL 1 MINUTE, true) AS fresh FROM alive)
), sized AS (
  SELECT *, count(DISTINCT group_id) OVER (PARTITION BY cluster, from_broker, wave) AS groups_moved FROM waves
), incidents AS (
  SELECT cluster, CASE WHEN groups_moved <= 3 THEN group_id END AS group_id, from_broker, wave, min(moved_at) AS started_at,
    max(last_rediscovered_at) AS last_rediscovered_at, max(loaded_at) AS loaded_at,
    list(DISTINCT group_id ORDER BY group_id) AS groups, list(DISTINCT to_broker ORDER BY to_broker) AS to_brokers,
    max(ms_between(moved_at, last_rediscovered_at)) AS slowest_ms,
    count(DISTINCT pods.pod) AS pods, list_sort(list_distinct(flatten(list(stuck_pods) FILTER (stuck_pods IS NOT NULL)))) AS stuck,
    bool_and(elected_at IS NOT NULL) AS by_broker, bool_or(resigned_at IS NOT NULL) AS resigned,
    flatten(list(evidence[1:8] ORDER BY moved_at))[1:24] AS evidence
  FROM sized LEFT JOIN LATERAL (SELECT unnest(rediscovered).pod AS pod) pods ON true
  GROUP BY ALL
)
SELECT i.cluster, i.group_id, 'coordinator_moved' AS kind,
  CASE WHEN len(i.stuck) > 0 THEN 'stuck' WHEN i.slowest_ms IS NULL THEN 'unobserved' ELSE 'default' END AS variant,
  CASE WHEN len(i.stuck) > 0 OR i.slowest_ms > 10000 OR d.how IN ('killed', 'fenced') THEN 'look' ELSE 'normal' END AS severity,
  NULL::VARCHAR AS pod, i.from_broker AS broker, i.started_at,
  greatest(coalesce(i.last_rediscovered_at, i.loaded_at, i.started_at), i.started_at) AS ended_at,
  MAP {
    'groups': CASE WHEN len(i.groups) = 1 THEN 'group ' || i.groups[1] ELSE len(i.groups) || ' groups' END, 'names': human_list(i.groups),
    'from': coalesce(i.from_broker::VARCHAR, '?'), 'to': human_list([broker::VARCHAR FOR broker IN i.to_brokers]), 'at': human_time(i.started_at),
    -- DuckDB before 2.0 loses a column of an ASOF join that only its condition names
    'broker_up': human_time(d.up_at),
    'why': CASE d.how WHEN 'stopped' THEN 'broker ' || i.from_broker || ' was shut down at ' || human_time(d.down_at)
      WHEN 'killed' THEN 'broker ' || i.from_broker || ' died without shutting down at ' || human_time(d.down_at)
      WHEN 'fenced' THEN 'the controller gave broker ' || i.from_broker || ' up at ' || human_time(d.down_at)
      ELSE 'leadership of its offsets partition moved (no stop of broker ' || coalesce(i.from_broker::VARCHAR, '?') || ' is in the logs)' END,
    'pods': i.pods::VARCHAR, 'slowest': human_ms(i.slowest_ms), 'stuck': human_list(i.stuck)
  } AS facts,
  CASE WHEN i.by_broker THEN 'certain' ELSE 'likely' END AS confidence,
  list_concat(i.evidence, coalesce(d.evidence, [])) AS evidence
FROM incidents i
ASOF LEFT JOIN broker_downs d ON d.cluster IS NOT DISTINCT FROM i.cluster AND d.broker = i.from_broker AND d.down_at <= i.started_at + INTERVAL 2 SECOND
  AND coalesce(d.up_at, i.started_at) >= i.started_at - INTERVAL 30 SECOND
