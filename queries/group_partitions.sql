-- name: group_partitions
-- row: a group and the offsets partition that holds it
-- grain: cluster, group_id
-- about: As the brokers' lines about the group say; else by the hash of its name over as many partitions as the offsets topic of
--   the cluster has: as a kafka-topics dump or the controller's log counts them, else Kafka's default of 50 (more, if a
--   partition beyond was seen: then nothing is said).
-- column: cluster VARCHAR - cluster
-- column: group_id VARCHAR - group
-- column: offsets_partition BIGINT - partition of __consumer_offsets; NULL if nothing tells
-- column: hashed BOOLEAN - derived from the name, not read from a line
-- uses: events

WITH said AS (
  SELECT cluster, group_id, mode(offsets_partition) FILTER (role = 'broker') AS offsets_partition
  FROM events WHERE group_id IS NOT NULL GROUP BY cluster, group_id
), counted AS (
  SELECT cluster,
    max(CASE WHEN event = 'partition_registered' AND field(fields, 'topic') = '__consumer_offsets'
        THEN TRY_CAST(field(fields, 'partition') AS BIGINT) + 1
      WHEN role = 'tool' THEN TRY_CAST(field(fields, 'partition_count') AS BIGINT) END) AS partitions,
    max(offsets_partition) AS highest
  FROM events GROUP BY cluster
), topics AS (
  SELECT cluster, CASE WHEN partitions IS NOT NULL THEN partitions WHEN coalesce(highest, 0) < 50 THEN 50 END AS partitions
  FROM counted
)
SELECT said.cluster, group_id,
  coalesce(offsets_partition, offsets_partition_of(group_id, partitions))::BIGINT AS offsets_partition,
  offsets_partition IS NULL AS hashed
FROM said LEFT JOIN topics ON topics.cluster IS NOT DISTINCT FROM said.cluster
