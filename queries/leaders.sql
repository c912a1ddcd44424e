-- name: leaders
-- row: one generation of a classic group whose leader is known
-- grain: cluster, group_id, incarnation, generation
-- about: The leader is the member that computes the assignment. It is named by the broker (3.0 and later), by the client that
--   computed the assignment or says that it leads, or by a client that prints the leader's id (librdkafka, kafkajs).
-- column: cluster VARCHAR - cluster
-- column: group_id VARCHAR - group
-- column: generation BIGINT - generation
-- column: pod VARCHAR - pod that led
-- column: member_id VARCHAR - member that led
-- column: client_id VARCHAR - its client.id
-- column: assigned_at TIMESTAMPTZ - when its assignment reached the coordinator (else when it computed it); NULL if it never did
-- column: assign_ms DOUBLE in ms - from the end of the join phase to the assignment (else from its own "joined" to its own result)
-- column: waited_on_leader BOOLEAN - the group waited for its leader: the join phase for it to join, or over a second for its assignment
-- column: incarnation BIGINT - life of the group
-- column: assignor VARCHAR - assignor in force
-- column: evidence STRUCT(source VARCHAR, line BIGINT, ts TIMESTAMPTZ, message VARCHAR)[] - the lines of the rebalance
-- needs: rebalance_rows
-- uses: rebalance_rows, member_pods, join_waits

WITH timed AS (
  SELECT *,
    CASE WHEN seen_by = 'client' THEN planned_at WHEN outcome = 'completed' THEN coalesce(completed_at, planned_at) ELSE planned_at END AS assigned_at,
    CASE WHEN stabilized_at IS NOT NULL AND outcome = 'completed' THEN ms_between(stabilized_at, completed_at)
         ELSE ms_between(leader_joined_at, planned_at) END AS assign_ms
  FROM rebalance_rows
  WHERE leader_member_id IS NOT NULL OR leader_pod IS NOT NULL
  QUALIFY row_number() OVER (PARTITION BY cluster, group_id, incarnation, generation ORDER BY turn DESC NULLS LAST) = 1
)
SELECT timed.cluster, timed.group_id, timed.generation, coalesce(leader_pod, pods.pod) AS pod, leader_member_id AS member_id,
  coalesce(leader_client_id, pods.client_id) AS client_id, assigned_at, assign_ms,
  coalesce(assign_ms >= 1000, false) OR coalesce(waits.waited_ms >= 1000 AND waits.waited_member_id = leader_member_id, false)
    AS waited_on_leader,
  timed.incarnation, assignor, timed.evidence
FROM timed
LEFT JOIN member_pods AS pods ON pods.cluster IS NOT DISTINCT FROM timed.cluster AND pods.group_id = timed.group_id AND pods.member_id = leader_member_id
LEFT JOIN join_waits AS waits ON waits.cluster IS NOT DISTINCT FROM timed.cluster AND waits.group_id = timed.group_id
  AND waits.incarnation = timed.incarnation AND waits.generation = timed.generation AND waits.turn IS NOT DISTINCT FROM timed.turn
ORDER BY 1, 2, 3, 7
