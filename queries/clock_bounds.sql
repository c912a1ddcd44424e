-- name: clock_bounds
-- row: a client's source, and the bounds that causes and effects set to its clock
-- grain: cluster, source
-- about: A line that tells of a cause cannot be younger than the line that tells of its effect. Where the one is a
--   client's and the other a broker's, the difference of their times bounds how far the client's clock is ahead of the
--   brokers': from above when the broker's line came first (member id given, Stabilized, Assignment received), from
--   below when the client's did (Finished assignment, leave sent, rejoin with the given member id). Times printed in
--   whole seconds count as up to a second later. Generations that occur twice in a group are left aside. Where all
--   brokers together contradict each other, the broker with most pairs stands alone; bounds that contradict each
--   other even so are shown, and nothing is derived from them. Must not use group_lines, which uses this.
-- column: cluster VARCHAR - cluster the source belongs to
-- column: source VARCHAR - path of the client's source
-- column: low_ms DOUBLE in ms - the clock is at least this much ahead of the brokers'; NULL without such a pair
-- column: high_ms DOUBLE in ms - and at most this much
-- column: pairs_low BIGINT - pairs that bound it from below
-- column: pairs_high BIGINT - pairs that bound it from above
-- column: evidence STRUCT(source VARCHAR, line BIGINT, ts TIMESTAMPTZ, message VARCHAR)[] - the pairs that bound most
-- uses: events

WITH lines AS (
  SELECT cluster, role = 'broker' AS by_broker, event, group_id, generation, member_id, ts, source,
    {'source': source, 'line': line, 'ts': ts, 'message': message} AS said
  FROM events
  WHERE ts IS NOT NULL AND group_id IS NOT NULL AND role IN ('broker', 'client')
    AND event IN ('member_id_assigned', 'member_joined', 'member_left', 'group_stabilized', 'assignment_received',
      'join_succeeded', 'sync_succeeded', 'assignment_computed', 'leave_sent', 'join_started')
), grain AS (
  -- times of whole seconds: the moment lies anywhere in the second
  SELECT cluster, source, CASE WHEN bool_and(epoch_us(ts) % 1000000 = 0) THEN 1000.0 ELSE 1.0 END AS step_ms
  FROM events WHERE ts IS NOT NULL GROUP BY cluster, source HAVING count(*) > 0
), generations AS (
  SELECT cluster, group_id, generation, event, min(ts) AS ts, arg_min(source, ts) AS source, arg_min(said, ts) AS said
  FROM lines
  WHERE by_broker AND event IN ('group_stabilized', 'assignment_received') AND generation IS NOT NULL
  GROUP BY cluster, group_id, generation, event HAVING count(DISTINCT ts) = 1
), members AS (
  SELECT cluster, group_id, member_id, event, min(ts) AS ts, arg_min(source, ts) AS source, arg_min(said, ts) AS said
  FROM lines
  WHERE by_broker AND event IN ('member_id_assigned', 'member_joined', 'member_left') AND member_id IS NOT NULL
  GROUP BY cluster, group_id, member_id, event HAVING count(DISTINCT ts) = 1
), pairs AS (
  SELECT c.cluster, c.source, b.source AS broker_source, c.ts AS client_ts, b.ts AS broker_ts, [b.said, c.said] AS said,
    NOT (c.event = 'assignment_computed' AND b.event = 'assignment_received') AS broker_first
  FROM lines c JOIN generations b
    ON b.cluster IS NOT DISTINCT FROM c.cluster AND b.group_id = c.group_id AND b.generation = c.generation
  WHERE NOT c.by_broker
    AND (c.event IN ('join_succeeded', 'assignment_computed') AND b.event = 'group_stabilized'
      OR c.event = 'assignment_computed' AND b.event = 'assignment_received'
      OR c.event = 'sync_succeeded' AND b.event = 'assignment_received')
  UNION ALL
  SELECT c.cluster, c.source, b.source, c.ts, b.ts, [b.said, c.said], b.event = 'member_id_assigned'
  FROM lines c JOIN members b
    ON b.cluster IS NOT DISTINCT FROM c.cluster AND b.group_id = c.group_id AND b.member_id = c.member_id
  WHERE NOT c.by_broker
    AND (c.event = 'member_id_assigned' AND b.event IN ('member_id_assigned', 'member_joined')
      OR c.event = 'join_started' AND b.event = 'member_id_assigned'
      OR c.event = 'leave_sent' AND b.event = 'member_left')
), measured AS (
  SELECT p.* EXCLUDE (client_ts, broker_ts),
    ms_between(broker_ts, client_ts) + CASE WHEN broker_first THEN c.step_ms - 1 ELSE 1 - b.step_ms END AS ahead_ms
  FROM pairs p
  JOIN grain c ON c.cluster IS NOT DISTINCT FROM p.cluster AND c.source = p.source
  JOIN grain b ON b.cluster IS NOT DISTINCT FROM p.cluster AND b.source = p.broker_source
), by_broker AS (
  SELECT cluster, source, broker_source,
    max(ahead_ms) FILTER (NOT broker_first) AS low_ms, min(ahead_ms) FILTER (broker_first) AS high_ms,
    count(*) FILTER (NOT broker_first) AS pairs_low, count(*) FILTER (broker_first) AS pairs_high,
    arg_max(said, ahead_ms) FILTER (NOT broker_first) AS said_low,
    arg_min(said, ahead_ms) FILTER (broker_first) AS said_high
  FROM measured GROUP BY cluster, source, broker_source
), together AS (
  SELECT cluster, source, max(low_ms) AS low_ms, min(high_ms) AS high_ms,
    sum(pairs_low)::BIGINT AS pairs_low, sum(pairs_high)::BIGINT AS pairs_high,
    arg_max(said_low, low_ms) AS said_low, arg_min(said_high, high_ms) AS said_high,
    arg_max({'low_ms': low_ms, 'high_ms': high_ms, 'pairs_low': pairs_low, 'pairs_high': pairs_high,
      'said_low': said_low, 'said_high': said_high}, pairs_low + pairs_high) AS alone
  FROM by_broker GROUP BY cluster, source
)
SELECT cluster, source,
  CASE WHEN low_ms > high_ms THEN alone.low_ms ELSE low_ms END AS low_ms,
  CASE WHEN low_ms > high_ms THEN alone.high_ms ELSE high_ms END AS high_ms,
  CASE WHEN low_ms > high_ms THEN alone.pairs_low ELSE pairs_low END AS pairs_low,
  CASE WHEN low_ms > high_ms THEN alone.pairs_high ELSE pairs_high END AS pairs_high,
  list_concat(CASE WHEN low_ms > high_ms THEN alone.said_low ELSE said_low END, CASE WHEN low_ms > high_ms THEN alone.said_high ELSE said_high END) AS evidence
FROM together
