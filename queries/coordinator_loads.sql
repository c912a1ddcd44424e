-- name: coordinator_loads
-- row: a load of an offsets partition by a broker that became its coordinator
-- grain: cluster, broker, offsets_partition, started_at
-- about: From the first line that schedules or begins the load to the line that ends it; `duration_ms` as the broker says, else the
--   time between. Records and bytes are printed from 3.8 on by the new coordinator. `groups` lie on the partition, as far as
--   the logs know them; `pods_hit` and `errors` count their clients' requests that were answered
--   COORDINATOR_LOAD_IN_PROGRESS meanwhile. Most loads are of empty partitions and take a few milliseconds.
-- column: cluster VARCHAR - cluster
-- column: broker BIGINT - broker that loaded
-- column: offsets_partition BIGINT - partition of __consumer_offsets
-- column: started_at TIMESTAMPTZ - load scheduled or begun; NULL when that line is missing
-- column: finished_at TIMESTAMPTZ - loaded; NULL if it failed or the logs end before
-- column: duration_ms DOUBLE in ms - how long the load took
-- column: records BIGINT - records read; NULL where the broker does not say
-- column: bytes BIGINT in bytes - bytes read; NULL where the broker does not say
-- column: groups VARCHAR[] - groups on the partition
-- column: pods_hit VARCHAR[] - pods whose requests were turned away
-- column: errors BIGINT - requests turned away
-- column: evidence STRUCT(source VARCHAR, line BIGINT, ts TIMESTAMPTZ, message VARCHAR)[] - start, end, refusals
-- needs: offsets_partition_load_started, offsets_partition_load_finished, offsets_partition_load_failed, coordinator_elected
-- uses: events, group_partitions, coordinator_lines

WITH signs AS (
  SELECT cluster, broker_id AS broker, offsets_partition, ts, event, duration_ms, fields,
    line_of(source, line, ts, message) AS said
  FROM events
  WHERE role = 'broker' AND ts IS NOT NULL AND broker_id IS NOT NULL AND offsets_partition IS NOT NULL
    AND event IN ('coordinator_elected', 'offsets_partition_load_started', 'offsets_partition_load_finished', 'offsets_partition_load_failed')
), placed AS (
  SELECT *, count(*) FILTER (event IN ('offsets_partition_load_finished', 'offsets_partition_load_failed')) OVER (
      PARTITION BY cluster, broker, offsets_partition ORDER BY ts, event
      ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS nth
  FROM (SELECT * REPLACE (CASE WHEN event LIKE '%_started' THEN 'begun' WHEN event = 'coordinator_elected' THEN 'begun' ELSE event END AS event)
        FROM signs)
), loads AS (
  SELECT cluster, broker, offsets_partition, nth,
    min(ts) FILTER (event = 'begun') AS started_at,
    max(ts) FILTER (event = 'offsets_partition_load_finished') AS finished_at,
    max(ts) FILTER (event = 'offsets_partition_load_failed') AS failed_at,
    max(duration_ms) FILTER (event = 'offsets_partition_load_finished') AS said_ms,
    max(TRY_CAST(fields['records'] AS BIGINT)) AS records, max(TRY_CAST(fields['bytes'] AS BIGINT)) AS bytes,
    list(said ORDER BY ts) AS said
  FROM placed GROUP BY cluster, broker, offsets_partition, nth
), held AS (
  SELECT cluster, offsets_partition, list(group_id ORDER BY group_id) AS groups
  FROM group_partitions WHERE offsets_partition IS NOT NULL GROUP BY cluster, offsets_partition
), turned_away AS (
  SELECT c.cluster, p.offsets_partition, c.moment, c.pod, c.evidence
  FROM coordinator_lines c JOIN group_partitions p ON p.cluster IS NOT DISTINCT FROM c.cluster AND p.group_id = c.group_id
  WHERE c.error = 'COORDINATOR_LOAD_IN_PROGRESS' AND p.offsets_partition IS NOT NULL
), hits AS (
  SELECT l.cluster, l.broker, l.offsets_partition, l.nth, list(DISTINCT t.pod ORDER BY t.pod) AS pods_hit, count(*) AS errors,
    list(t.evidence ORDER BY t.moment)[1:20] AS said
  FROM turned_away t
  ASOF JOIN loads l ON l.cluster IS NOT DISTINCT FROM t.cluster AND l.offsets_partition = t.offsets_partition
    AND t.moment >= l.started_at - INTERVAL 100 MILLISECOND
  WHERE t.moment <= coalesce(l.finished_at, t.moment) + INTERVAL 2 SECOND
  GROUP BY l.cluster, l.broker, l.offsets_partition, l.nth
)
SELECT l.cluster, l.broker, l.offsets_partition, l.started_at, l.finished_at,
  coalesce(l.said_ms, ms_between(l.started_at, l.finished_at)) AS duration_ms, l.records, l.bytes,
  coalesce(h.groups, []) AS groups, coalesce(t.pods_hit, []) AS pods_hit, coalesce(t.errors, 0) AS errors,
  list_concat(l.said[1:4], coalesce(t.said, [])) AS evidence
FROM loads l
LEFT JOIN held h ON h.cluster IS NOT DISTINCT FROM l.cluster AND h.offsets_partition = l.offsets_partition
LEFT JOIN hits t ON t.cluster IS NOT DISTINCT FROM l.cluster AND t.broker = l.broker AND t.offsets_partition = l.offsets_partition
  AND t.nth = l.nth
ORDER BY coalesce(l.started_at, l.finished_at), l.offsets_partition
