-- name: offset_expirations
-- row: an expiry of committed offsets, and the group that it hit
-- grain: cluster, ts, offsets_partition, group_id
-- about: The broker says how many records it removed, from 3.7 on (new coordinator) of which offsets partition, but not whose. They are the
--   group's if it lies on the partition and was empty then; `certain` if it is the only such group in the logs and came back without
--   committed offsets. Group unknown: `group_id` NULL.
-- column: cluster VARCHAR - cluster
-- column: group_id VARCHAR - group whose offsets they were, as far as that can be told
-- column: ts TIMESTAMPTZ - removed
-- column: broker BIGINT - broker that removed them
-- column: offsets_partition BIGINT - partition of __consumer_offsets; NULL where the broker does not say
-- column: records BIGINT - records removed: offsets, and one for the group itself
-- column: empty_since TIMESTAMPTZ - the group's last member went
-- column: empty_ms DOUBLE in ms - for how long it had been empty
-- column: returned_at TIMESTAMPTZ - first time that a consumer of it then found no committed offset
-- column: certain BOOLEAN - nobody else's offsets can have been meant
-- column: evidence STRUCT(source VARCHAR, line BIGINT, ts TIMESTAMPTZ, message VARCHAR)[] - group empty, expiry, return
-- needs: offsets_expired
-- uses: events, group_lines, group_partitions, offset_lines

WITH expiries AS (
  SELECT cluster, ts, broker_id AS broker, offsets_partition,
    TRY_CAST(coalesce(field(fields, 'records'), field(fields, 'offset_count')) AS BIGINT) AS records, line_of(source, line, ts, message) AS said
  FROM events WHERE event = 'offsets_expired' AND role = 'broker' AND ts IS NOT NULL
), counted AS (FROM expiries WHERE coalesce(records, 1) > 0),
signs AS (
  -- lines of one instant are one sign: a group that went empty in it is empty
  SELECT cluster, group_id, moment, min(ts) AS ts, bool_or(event = 'group_empty' OR event = 'group_loaded' AND members = 0) AS empties,
    arg_max(evidence, (event = 'group_empty', evidence.line)) AS evidence
  FROM group_lines
  WHERE group_id IS NOT NULL AND role = 'broker'
    AND event IN ('group_empty', 'group_loaded', 'group_stabilized', 'member_joined', 'group_preparing_rebalance', 'assignment_received', 'static_member_joined')
  GROUP BY cluster, group_id, moment
), hosts AS (
  SELECT e.*, p.group_id FROM counted e JOIN group_partitions p ON p.cluster IS NOT DISTINCT FROM e.cluster AND p.offsets_partition = e.offsets_partition
), last_signs AS (
  SELECT h.*, s.empties, s.ts AS empty_since, s.moment AS empty_moment, s.evidence AS empty_line
  FROM hosts h ASOF JOIN signs s ON s.cluster IS NOT DISTINCT FROM h.cluster AND s.group_id = h.group_id AND s.moment <= h.ts
), hit AS (
  SELECT l.*, min(n.ts) AS returned_at, arg_min(n.evidence, n.moment) AS returned
  FROM last_signs l
  LEFT JOIN offset_lines n ON n.cluster IS NOT DISTINCT FROM l.cluster AND n.group_id = l.group_id AND n.kind = 'none' AND n.moment > l.ts
  WHERE l.empties GROUP BY ALL
), told AS (
  SELECT *, count(*) OVER (PARTITION BY cluster, ts, offsets_partition) AS candidates
  FROM hit
)
SELECT cluster, group_id, ts, broker, offsets_partition, records, empty_since, ms_between(empty_moment, ts) AS empty_ms, returned_at,
  candidates = 1 AND returned_at IS NOT NULL AS certain,
  list_filter([empty_line, said, returned], lambda line: line IS NOT NULL) AS evidence
FROM told
UNION ALL
SELECT c.cluster, NULL, c.ts, c.broker, c.offsets_partition, c.records, NULL, NULL, NULL, false, [c.said]
FROM counted c WHERE NOT EXISTS (FROM told t WHERE t.cluster IS NOT DISTINCT FROM c.cluster AND t.ts = c.ts AND t.offsets_partition IS NOT DISTINCT FROM c.offsets_partition)
ORDER BY ts
