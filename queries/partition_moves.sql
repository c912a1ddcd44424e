-- name: partition_moves
-- row: one partition that changed hands between two assignments
-- grain: cluster, group_id, topic, partition, taken_at
-- about: From assignments that are known whole. `gap_ms` is the time nobody consumed it, by the clients' own words: from the old owner's
--   revocation (or loss) to the new owner's hand-over; NULL if one of the two was not logged. A partition that kept its owner is not listed,
--   even where an eager assignor took it away for a moment.
-- column: cluster VARCHAR - cluster
-- column: group_id VARCHAR - group
-- column: topic VARCHAR - topic
-- column: partition BIGINT - partition
-- column: from_pod VARCHAR - pod that owned it; NULL if nobody did in the generation before
-- column: to_pod VARCHAR - pod that owns it now
-- column: gap_ms DOUBLE in ms - time between the old owner's revocation and the new owner's hand-over
-- column: generation BIGINT - generation that moved it
-- column: incarnation BIGINT - life of the group
-- column: taken_at TIMESTAMPTZ - when the new assignment was made
-- column: from_member_id VARCHAR - member that owned it
-- column: to_member_id VARCHAR - member that owns it now
-- column: evidence STRUCT(source VARCHAR, line BIGINT, ts TIMESTAMPTZ, message VARCHAR)[] - both assignments
-- needs: assignments
-- uses: assignments, group_lines

WITH owned AS (
  SELECT cluster, group_id, incarnation, generation, member_id, pod, assigned_at, unnest(topic_partitions) AS topic_partition, evidence
  FROM assignments
),
-- generations whose assignment is known whole: by the leader's plan, or by any member's word if nothing better is there
moves AS (
  SELECT *, lag(pod) OVER hands AS from_pod, lag(member_id) OVER hands AS from_member_id, lag(evidence) OVER hands AS from_evidence,
    lag(generation) OVER hands AS from_generation
  FROM owned
  WINDOW hands AS (PARTITION BY cluster, group_id, incarnation, topic_partition ORDER BY generation)
),
moved AS (
  SELECT * FROM moves
  WHERE from_pod IS NOT NULL AND (from_member_id IS DISTINCT FROM member_id AND (from_pod IS DISTINCT FROM pod OR from_member_id IS NOT NULL))
),
given_up AS (
  SELECT cluster, group_id, pod, unnest(topic_partitions) AS topic_partition, moment AS given_moment
  FROM group_lines WHERE event IN ('partitions_revoked', 'partitions_lost') AND role = 'client' AND moment IS NOT NULL
),
handed AS (
  SELECT cluster, group_id, pod, unnest(topic_partitions) AS topic_partition, moment AS handed_moment
  FROM group_lines WHERE event = 'partitions_assigned' AND role = 'client' AND moment IS NOT NULL
),
handed_over AS (
  SELECT m.*, h.handed_moment
  FROM moved AS m ASOF LEFT JOIN handed AS h
    ON h.cluster IS NOT DISTINCT FROM m.cluster AND h.group_id = m.group_id AND h.pod = m.pod AND h.topic_partition = m.topic_partition
      AND h.handed_moment >= m.assigned_at - INTERVAL 1 SECOND
)
SELECT m.cluster, m.group_id, regexp_extract(m.topic_partition, '^(.*)-\d+$', 1) AS topic,
  try_cast(regexp_extract(m.topic_partition, '-(\d+)$', 1) AS BIGINT) AS partition, from_pod, m.pod AS to_pod,
  CASE WHEN given_moment <= handed_moment AND ms_between(given_moment, handed_moment) < 3600000
    THEN ms_between(given_moment, handed_moment) END AS gap_ms,
  m.generation, m.incarnation, m.assigned_at AS taken_at, from_member_id, m.member_id AS to_member_id,
  list_distinct(from_evidence || m.evidence) AS evidence
FROM handed_over AS m ASOF LEFT JOIN given_up AS g
  ON g.cluster IS NOT DISTINCT FROM m.cluster AND g.group_id = m.group_id AND g.pod = m.from_pod AND g.topic_partition = m.topic_partition
    AND g.given_moment <= m.handed_moment
ORDER BY 1, 2, 10, 3, 4, 6
