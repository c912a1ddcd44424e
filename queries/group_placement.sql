-- name: group_placement
-- row: one group and where its coordinator lives
-- grain: cluster, group_id
-- about: The hash of the group's name modulo the partitions of the offsets topic; the broker is the last coordinator that the logs show,
--   else the last known leader of the partition. Nothing balances this: groups that share a partition share a coordinator for ever.
-- column: cluster VARCHAR - cluster
-- column: group_id VARCHAR - group
-- column: hash BIGINT - Java's String.hashCode of the name, signed
-- column: offsets_partition BIGINT - partition of __consumer_offsets; NULL if the number of partitions is not known
-- column: broker BIGINT - coordinating broker; NULL if the logs do not tell
-- column: shares_partition_with VARCHAR[] - other groups on the same partition
-- column: evidence STRUCT(source VARCHAR, line BIGINT, ts TIMESTAMPTZ, message VARCHAR)[] - empty: the name alone decides
-- uses: group_partitions, offsets_leaders, group_lines

WITH sharing AS (
  SELECT cluster, offsets_partition, list_sort(list(group_id)) AS groups FROM group_partitions
  WHERE offsets_partition IS NOT NULL GROUP BY ALL
),
led AS (
  SELECT cluster, offsets_partition, arg_max(broker, elected_at) AS broker, max(elected_at) AS since FROM offsets_leaders GROUP BY ALL
),
spoken AS (
  SELECT cluster, group_id, arg_max(broker_id, moment) AS broker, max(moment) AS at_moment FROM group_lines
  WHERE role = 'broker' AND broker_id IS NOT NULL AND moment IS NOT NULL
    AND event IN ('group_preparing_rebalance', 'group_stabilized', 'assignment_received', 'group_empty', 'group_loaded', 'member_joined')
  GROUP BY ALL
)
SELECT p.cluster, p.group_id, java_hash_code(p.group_id) AS hash, p.offsets_partition,
  CASE WHEN led.since IS NULL OR spoken.at_moment > led.since THEN coalesce(spoken.broker, led.broker) ELSE led.broker END AS broker,
  list_filter(coalesce(s.groups, []), lambda other: other <> p.group_id) AS shares_partition_with,
  []::STRUCT(source VARCHAR, line BIGINT, ts TIMESTAMPTZ, message VARCHAR)[] AS evidence
FROM group_partitions AS p
LEFT JOIN sharing AS s ON s.cluster IS NOT DISTINCT FROM p.cluster AND s.offsets_partition = p.offsets_partition
LEFT JOIN led ON led.cluster IS NOT DISTINCT FROM p.cluster AND led.offsets_partition = p.offsets_partition
LEFT JOIN spoken ON spoken.cluster IS NOT DISTINCT FROM p.cluster AND spoken.group_id = p.group_id
