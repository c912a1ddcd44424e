-- name: evictions
-- row: one member that was thrown out of a classic group, or threw itself out
-- grain: cluster, group_id, member_id
-- about: The exits of member_exits that nobody wanted: poll timeouts, session timeouts, crashes, members that did not rejoin or
--   sync in time. With the limit that was in force for the member (its own settings, or what its log line says, else
--   Kafka's defaults: max.poll.interval.ms 5 minutes, session.timeout.ms 45 s), the rebalance that it happened in, and the return of its pod.
-- column: cluster VARCHAR - cluster
-- column: group_id VARCHAR - group
-- column: member_id VARCHAR - member
-- column: pod VARCHAR - its pod
-- column: kind VARCHAR - see member_exits
-- column: ts TIMESTAMPTZ - when it went
-- column: moment TIMESTAMPTZ - ts, corrected
-- column: limit_ms DOUBLE in ms - poll or session limit that it broke
-- column: limit_known BOOLEAN - the limit stands in the logs
-- column: silent_ms DOUBLE in ms - see member_exits
-- column: heard BOOLEAN - see member_exits
-- column: generation BIGINT - see member_exits
-- column: place BIGINT - the rebalance (rebalance_rows) that it set off or happened in
-- column: returned_at TIMESTAMPTZ - when its pod joined again; NULL if never
-- column: came_back_at TIMESTAMPTZ - see member_exits
-- column: evidence STRUCT(source VARCHAR, line BIGINT, ts TIMESTAMPTZ, message VARCHAR)[] - the lines
-- needs: FROM member_exits WHERE kind IN ('poll_timeout', 'session_timeout', 'crash', 'failed_to_rejoin', 'failed_to_sync')
-- uses: member_exits, arrivals, consumer_settings, rebalance_rows, events

WITH gone AS (
  SELECT e.* FROM member_exits AS e
  WHERE e.kind IN ('poll_timeout', 'session_timeout', 'crash', 'failed_to_rejoin', 'failed_to_sync') AND e.moment IS NOT NULL
),
limits AS (
  SELECT cluster, group_id, pod, max(poll_ms) AS poll_ms, max(session_ms) AS session_ms FROM consumer_settings GROUP BY ALL
),
-- librdkafka and others print the limit and by how much it was exceeded
words AS (
  SELECT cluster, pod, max(try_cast(field(fields, 'max_poll_ms') AS DOUBLE)) AS max_poll_ms
  FROM events WHERE event = 'poll_timeout' AND role = 'client' GROUP BY ALL
),
returned AS (
  SELECT g.*, a.ts AS returned_at
  FROM gone AS g ASOF LEFT JOIN arrivals AS a
    ON a.cluster IS NOT DISTINCT FROM g.cluster AND a.group_id = g.group_id AND a.pod = g.pod AND g.moment < a.moment
),
placed AS (
  SELECT r.*, p.place
  FROM returned AS r ASOF LEFT JOIN (SELECT * FROM rebalance_rows WHERE closed_moment IS NOT NULL) AS p
    ON p.cluster IS NOT DISTINCT FROM r.cluster AND p.group_id = r.group_id
      AND r.moment - INTERVAL 50 MILLISECOND <= p.closed_moment
)
SELECT p.cluster, p.group_id, p.member_id, p.pod, p.kind, p.ts, p.moment,
  CASE WHEN p.kind IN ('poll_timeout', 'failed_to_rejoin') THEN coalesce(w.max_poll_ms, l.poll_ms, 300000)
       ELSE coalesce(l.session_ms, 45000) END::DOUBLE AS limit_ms,
  CASE WHEN p.kind IN ('poll_timeout', 'failed_to_rejoin') THEN coalesce(w.max_poll_ms, l.poll_ms) ELSE l.session_ms END IS NOT NULL AS limit_known,
  p.silent_ms, p.heard, p.generation, p.place, p.returned_at, p.came_back_at, p.evidence
FROM placed AS p
LEFT JOIN limits AS l ON l.cluster IS NOT DISTINCT FROM p.cluster AND l.group_id = p.group_id AND l.pod = p.pod
LEFT JOIN words AS w ON w.cluster IS NOT DISTINCT FROM p.cluster AND w.pod = p.pod
