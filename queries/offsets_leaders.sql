-- name: offsets_leaders
-- row: a time that one broker coordinated the groups of an offsets partition
-- grain: cluster, offsets_partition, elected_at
-- about: From brokers' logs alone: a broker becomes coordinator when it is elected or begins to load the partition, and is it until
--   another one does. Kafka prints resignations of partitions that a broker never led; only that of the leader, at the end of
--   its time, is taken. A leader that was down and loads anew goes on in the same row.
-- column: cluster VARCHAR - cluster
-- column: offsets_partition BIGINT - partition of __consumer_offsets
-- column: broker BIGINT - broker that led it
-- column: former_broker BIGINT - broker that led it before; NULL for the first that the logs show
-- column: elected_at TIMESTAMPTZ - it was elected, or its load began
-- column: loaded_at TIMESTAMPTZ - its load ended
-- column: resigned_at TIMESTAMPTZ - it resigned or began to unload; NULL if it was killed or goes on
-- column: until_at TIMESTAMPTZ - the next one was elected; NULL for the last
-- column: evidence STRUCT(source VARCHAR, line BIGINT, ts TIMESTAMPTZ, message VARCHAR)[] - elected, loaded, resigned
-- uses: events

WITH signs AS (
  SELECT cluster, offsets_partition, broker_id AS broker, ts, event, line_of(source, line, ts, message) AS said
  FROM events
  WHERE role = 'broker' AND ts IS NOT NULL AND broker_id IS NOT NULL AND offsets_partition IS NOT NULL
    AND event IN ('coordinator_elected', 'offsets_partition_load_started', 'offsets_partition_load_finished',
      'coordinator_resigned', 'offsets_partition_unload_started')
), gained AS (
  SELECT *, lag(broker) OVER byplace IS DISTINCT FROM broker AS changed
  FROM signs WHERE event IN ('coordinator_elected', 'offsets_partition_load_started', 'offsets_partition_load_finished')
  WINDOW byplace AS (PARTITION BY cluster, offsets_partition ORDER BY ts, event)
), terms AS (
  SELECT *, count(*) FILTER (changed) OVER (PARTITION BY cluster, offsets_partition ORDER BY ts, event ROWS UNBOUNDED PRECEDING) AS term
  FROM gained
), led AS (
  SELECT cluster, offsets_partition, term, any_value(broker) AS broker, min(ts) AS elected_at, arg_min(said, ts) AS elected,
    min(ts) FILTER (event = 'offsets_partition_load_finished') AS loaded_at,
    arg_min(said, ts) FILTER (event = 'offsets_partition_load_finished') AS loaded
  FROM terms GROUP BY cluster, offsets_partition, term
), successive AS (
  SELECT *, lag(broker) OVER byterm AS former_broker, lead(elected_at) OVER byterm AS until_at
  FROM led WINDOW byterm AS (PARTITION BY cluster, offsets_partition ORDER BY term)
), given_up AS (
  SELECT s.cluster, s.offsets_partition, l.term, max(s.ts) AS resigned_at, arg_max(s.said, s.ts) AS resigned
  FROM signs s ASOF JOIN successive l
    ON l.cluster IS NOT DISTINCT FROM s.cluster AND l.offsets_partition = s.offsets_partition AND l.broker = s.broker
    AND s.ts > l.elected_at
  WHERE s.event IN ('coordinator_resigned', 'offsets_partition_unload_started')
    AND (l.until_at IS NULL OR s.ts <= l.until_at + INTERVAL 2 SECOND)
  GROUP BY s.cluster, s.offsets_partition, l.term
)
SELECT l.cluster, l.offsets_partition, l.broker, l.former_broker, l.elected_at, l.loaded_at, g.resigned_at, l.until_at,
  list_filter([l.elected, l.loaded, g.resigned], lambda said: said IS NOT NULL) AS evidence
FROM successive l LEFT JOIN given_up g
  ON g.cluster IS NOT DISTINCT FROM l.cluster AND g.offsets_partition = l.offsets_partition AND g.term = l.term
