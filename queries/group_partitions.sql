-- name: group_partitions
-- row: a group and the offsets partition that holds it
-- grain: cluster, group_id
-- about: As the brokers' lines of the group say; else by the hash of its name over as many partitions as the offsets topic of
--   the cluster is known to have, else over Kafka's default of 50.
-- column: cluster VARCHAR - cluster
-- column: group_id VARCHAR - group
-- column: offsets_partition BIGINT - partition of __consumer_offsets
-- column: hashed BOOLEAN - derived from the name, not read from a line
-- uses: events

WITH said AS (
  SELECT cluster, group_id, mode(offsets_partition) FILTER (role = 'broker') AS offsets_partition
  FROM events WHERE group_id IS NOT NULL GROUP BY cluster, group_id
)
SELECT cluster, group_id, offsets_partition, false AS hashed FROM said
