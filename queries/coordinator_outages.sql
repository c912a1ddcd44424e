-- name: coordinator_outages
-- row: a time a group had no coordinator
-- grain: cluster, group_id, started_at
-- about: From the brokers' logs: the leader of the group's offsets partition went down, and for three seconds or more no broker
--   (the same one, come back, included) loaded the partition. From the clients': every consumer of the group that says
--   anything about its coordinator had lost it, or was refused, and none was served; the first to be served, or to
--   keep what it found, ends it. What a group's consumers meet before any of them was ever served is the start of the group
--   and no outage; a consumer alone in trouble is not one either.
-- column: cluster VARCHAR - cluster
-- column: group_id VARCHAR - group
-- column: offsets_partition BIGINT - partition of __consumer_offsets that holds the group
-- column: started_at TIMESTAMPTZ - the coordinator was gone
-- column: ended_at TIMESTAMPTZ - there was one again; NULL when the logs end before
-- column: pods_hit VARCHAR[] - pods that met it
-- column: why VARCHAR - no_leader (no other replica could lead), broker_down, not_available, loading, not_coordinator or unreachable
-- column: evidence STRUCT(source VARCHAR, line BIGINT, ts TIMESTAMPTZ, message VARCHAR)[] - loss, refusals, recovery
-- needs: broker_downs
-- needs: FROM coordinator_lines WHERE NOT (kind = 'served' OR kind = 'found' AND steady)
-- uses: events, group_lines, group_partitions, broker_downs, offsets_leaders, coordinator_lines

WITH trouble AS (
  -- runs of trouble of one consumer: from the first bad line to the next good one
  SELECT *, kind = 'served' OR kind = 'found' AND steady AS good,
    count(*) FILTER (kind = 'served' OR kind = 'found' AND steady) OVER (
      PARTITION BY cluster, group_id, process ORDER BY moment, evidence.line ROWS UNBOUNDED PRECEDING) AS run
  FROM coordinator_lines
), runs AS (
  SELECT cluster, group_id, process, run, any_value(pod) AS pod,
    min(moment) FILTER (NOT good) AS started_at, max(moment) FILTER (NOT good) AS last_bad_at, count(*) FILTER (NOT good) AS lines,
    arg_min(kind, (moment, evidence.line)) = 'lost' AS begins_lost,
    bool_or(error = 'COORDINATOR_NOT_AVAILABLE') AS not_available, bool_or(error = 'COORDINATOR_LOAD_IN_PROGRESS') AS loading,
    bool_or(error = 'NOT_COORDINATOR') AS not_coordinator,
    list(evidence ORDER BY moment) FILTER (NOT good) AS said
  FROM trouble GROUP BY cluster, group_id, process, run
), ended AS (
  SELECT r.*, g.moment AS ended_at, g.evidence AS ending
  FROM runs r LEFT JOIN (SELECT cluster, group_id, process, run, min(moment) AS moment, arg_min(evidence, moment) AS evidence
      FROM trouble WHERE good GROUP BY cluster, group_id, process, run) g
    ON g.cluster IS NOT DISTINCT FROM r.cluster AND g.group_id = r.group_id AND g.process = r.process AND g.run = r.run + 1
  -- run 0 is the start of the consumer, unless the log begins with its losing what it had
  WHERE r.started_at IS NOT NULL AND (r.run > 0 OR r.begins_lost)
), spans AS (
  SELECT *, coalesce(started_at > max(coalesce(ended_at, TIMESTAMPTZ 'infinity')) OVER (PARTITION BY cluster, group_id
      ORDER BY started_at, process ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), true) AS fresh
  FROM ended
), numbered AS (
  SELECT *, count(*) FILTER (fresh) OVER (PARTITION BY cluster, group_id ORDER BY started_at, process ROWS UNBOUNDED PRECEDING) AS island
  FROM spans
), by_consumer AS (
  SELECT cluster, group_id, island, process, any_value(pod) AS pod, min(started_at) AS started_at,
    CASE WHEN bool_and(ended_at IS NOT NULL) THEN max(ended_at) END AS ended_at, arg_max(ending, ended_at) AS ending,
    bool_or(not_available) AS not_available, bool_or(loading) AS loading, bool_or(not_coordinator) AS not_coordinator,
    sum(lines) AS lines, max(last_bad_at) AS last_bad_at, flatten(list(said[1:5] ORDER BY started_at))[1:8] AS said
  FROM numbered GROUP BY cluster, group_id, island, process
), islands AS (
  SELECT cluster, group_id, island, min(started_at) AS started_at, min(ended_at) AS ended_at, arg_min(ending, ended_at) AS ending,
    count(*) AS consumers, list(DISTINCT pod ORDER BY pod) AS pods_hit,
    bool_or(not_available) AS not_available, bool_or(loading) AS loading, bool_or(not_coordinator) AS not_coordinator,
    sum(lines) AS lines, max(last_bad_at) AS last_bad_at, flatten(list(said ORDER BY started_at))[1:20] AS said
  FROM by_consumer GROUP BY cluster, group_id, island
), active AS (
  -- consumers that were at work around the island: first seen before it, last seen after its beginning
  SELECT i.cluster, i.group_id, i.island, count(*) AS consumers
  FROM islands i JOIN (SELECT cluster, group_id, process, min(moment) AS since, max(moment) AS until
      FROM coordinator_lines GROUP BY ALL) c ON c.cluster IS NOT DISTINCT FROM i.cluster AND c.group_id = i.group_id
  WHERE c.since < i.started_at AND c.until > i.started_at
  GROUP BY i.cluster, i.group_id, i.island
), by_clients AS (
  SELECT i.cluster, i.group_id, i.started_at, i.ended_at, i.pods_hit,
    CASE WHEN i.not_available THEN 'not_available' WHEN i.loading THEN 'loading' WHEN i.not_coordinator THEN 'not_coordinator'
         ELSE 'unreachable' END AS why,
    list_concat(i.said, list_filter([i.ending], lambda said: said IS NOT NULL)) AS evidence
  FROM islands i LEFT JOIN active a ON a.cluster IS NOT DISTINCT FROM i.cluster AND a.group_id = i.group_id AND a.island = i.island
  WHERE i.consumers >= coalesce(a.consumers, 1)
    -- a single refusal lasts until the client asks again, which says nothing about the coordinator
    AND i.last_bad_at - i.started_at >= INTERVAL 1 SECOND
), lives AS (
  SELECT cluster, group_id, min(moment) AS since, max(moment) AS until FROM group_lines
  WHERE group_id IS NOT NULL GROUP BY cluster, group_id
), gains AS (
  SELECT cluster, offsets_partition, broker_id AS broker, ts, line_of(source, line, ts, message) AS said
  FROM events
  WHERE role = 'broker' AND ts IS NOT NULL AND offsets_partition IS NOT NULL
    AND event IN ('coordinator_elected', 'offsets_partition_load_started', 'offsets_partition_load_finished')
), held AS (
  SELECT DISTINCT cluster, offsets_partition FROM group_partitions WHERE offsets_partition IS NOT NULL
), orphaned AS (
  -- who led each partition that holds a group when a broker went
  SELECT d.cluster, d.broker, d.down_at, d.up_at, d.offsets_partition, d.evidence
  FROM (SELECT d.*, p.offsets_partition FROM broker_downs d JOIN held p ON p.cluster IS NOT DISTINCT FROM d.cluster) d
  ASOF JOIN offsets_leaders l
    ON l.cluster IS NOT DISTINCT FROM d.cluster AND l.offsets_partition = d.offsets_partition AND l.elected_at < d.down_at
  WHERE l.broker = d.broker AND (l.until_at IS NULL OR l.until_at > d.down_at + INTERVAL 3 SECOND)
), regained AS (
  SELECT o.*, g.ts AS gained_at, g.said, g.broker = o.broker AS came_back
  FROM orphaned o ASOF LEFT JOIN gains g ON g.cluster IS NOT DISTINCT FROM o.cluster AND g.offsets_partition = o.offsets_partition
    AND g.ts >= o.down_at + INTERVAL 500 MILLISECOND
), by_brokers AS (
  SELECT r.cluster, p.group_id, r.offsets_partition, r.down_at AS started_at, r.gained_at AS ended_at, r.came_back,
    list_concat(r.evidence, list_filter([r.said], lambda said: said IS NOT NULL)) AS evidence
  FROM regained r
  JOIN group_partitions p ON p.cluster IS NOT DISTINCT FROM r.cluster AND p.offsets_partition = r.offsets_partition
  JOIN lives v ON v.cluster IS NOT DISTINCT FROM r.cluster AND v.group_id = p.group_id
  -- where nothing regained it, the logs must go on after it, and the group with them
  WHERE v.since < r.down_at AND (r.gained_at >= r.down_at + INTERVAL 3 SECOND OR r.gained_at IS NULL AND v.until > r.down_at + INTERVAL 10 SECOND)
), leaderless AS (
  SELECT cluster, TRY_CAST(field(fields, 'partition') AS BIGINT) AS offsets_partition, min(ts) AS ts
  FROM events WHERE event = 'partition_leaderless' AND field(fields, 'topic') = '__consumer_offsets' GROUP BY ALL
), together AS (
  SELECT b.cluster, b.group_id, b.offsets_partition, b.started_at, b.ended_at, b.came_back,
    list_sort(list_distinct(flatten(list(c.pods_hit)))) AS pods_hit, any_value(b.evidence) AS by_broker,
    flatten(list(c.evidence ORDER BY c.started_at) FILTER (c.evidence IS NOT NULL))[1:20] AS by_client,
    bool_or(c.why = 'not_available') AS not_available
  FROM by_brokers b LEFT JOIN by_clients c ON c.cluster IS NOT DISTINCT FROM b.cluster AND c.group_id = b.group_id
    AND c.started_at <= coalesce(b.ended_at, c.started_at) AND coalesce(c.ended_at, b.started_at) >= b.started_at
  GROUP BY b.cluster, b.group_id, b.offsets_partition, b.started_at, b.ended_at, b.came_back
)
SELECT t.cluster, t.group_id, t.offsets_partition, t.started_at, t.ended_at, coalesce(t.pods_hit, []) AS pods_hit,
  CASE WHEN l.ts IS NOT NULL OR t.not_available OR t.came_back THEN 'no_leader' ELSE 'broker_down' END AS why,
  list_concat(t.by_broker, coalesce(t.by_client, [])) AS evidence
FROM together t LEFT JOIN leaderless l ON l.cluster IS NOT DISTINCT FROM t.cluster AND l.offsets_partition = t.offsets_partition
  AND l.ts BETWEEN t.started_at - INTERVAL 1 MINUTE AND coalesce(t.ended_at, l.ts)
UNION ALL
SELECT c.cluster, c.group_id, p.offsets_partition, c.started_at, c.ended_at, c.pods_hit, c.why, c.evidence
FROM by_clients c LEFT JOIN group_partitions p ON p.cluster IS NOT DISTINCT FROM c.cluster AND p.group_id = c.group_id
WHERE NOT EXISTS (FROM by_brokers b WHERE b.cluster IS NOT DISTINCT FROM c.cluster AND b.group_id = c.group_id
    AND c.started_at <= coalesce(b.ended_at, c.started_at) AND coalesce(c.ended_at, b.started_at) >= b.started_at)
ORDER BY started_at, group_id
