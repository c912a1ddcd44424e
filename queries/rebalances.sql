-- name: rebalances
-- row: one rebalance of a classic group
-- grain: cluster, group_id, incarnation, generation, started_at
-- about: From the first "Preparing to rebalance" (or the first joining line of any client) to the assignment that ends it,
--   or to the group going empty. "Stabilized" ends the join phase only. KIP-848 epochs are in group_epochs.
-- column: cluster VARCHAR - cluster
-- column: group_id VARCHAR - group
-- column: group_type VARCHAR - classic (Connect worker groups are classic too)
-- column: incarnation BIGINT - 1, 2, ..: generations restart when a group went Dead or its offsets topic was made anew
-- column: generation BIGINT - the generation that it leads to
-- column: started_at TIMESTAMPTZ - beginning; NULL when its line is missing
-- column: stabilized_at TIMESTAMPTZ - end of the join phase, by the broker
-- column: completed_at TIMESTAMPTZ - assignment received, or group empty; NULL if superseded or open
-- column: duration_ms DOUBLE in ms - completed_at minus started_at
-- column: outcome VARCHAR - completed, emptied, superseded (never assigned: another began, or the coordinator was lost), open
-- column: members_before BIGINT - members of the last settled generation, NULL if none was seen
-- column: members BIGINT - members of the new generation
-- column: static_members BIGINT - static members of the new generation
-- column: cause VARCHAR - why it began, one of: member_joined, member_left, poll_timeout, session_timeout, member_failed_to_rejoin,
--   leader_rejoined, member_rejoined, metadata_changed, subscription_changed, assignor_changed, static_replaced, cooperative_follow_up, admin,
--   coordinator_moved, assignment_not_stored, member_failed_to_sync, over_capacity, protocol_migration, unknown
-- column: trigger_member_id VARCHAR - member that set it off
-- column: trigger_pod VARCHAR - its pod
-- column: trigger_reason VARCHAR - the words that say so
-- column: waited_for VARCHAR - pod of the member that the join phase waited for (its id where no pod is known)
-- column: leader_member_id VARCHAR - member that led the new generation
-- column: leader_pod VARCHAR - its pod
-- column: assignor VARCHAR - assignor in force, if a client names it
-- column: coordinator BIGINT - broker that coordinated it
-- column: offsets_partition BIGINT - partition of __consumer_offsets of the group
-- column: seen_by VARCHAR - broker, client or both
-- column: evidence STRUCT(source VARCHAR, line BIGINT, ts TIMESTAMPTZ, message VARCHAR)[] - the lines that show it
-- needs: rebalance_rows
-- uses: rebalance_rows, rebalance_causes, join_waits, leaders

WITH settled AS (
  SELECT *,
    last_value(CASE WHEN outcome = 'completed' THEN {'members': members} END IGNORE NULLS) OVER (
      PARTITION BY cluster, group_id, incarnation ORDER BY place ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING).members AS members_before
  FROM rebalance_rows
)
SELECT r.cluster, r.group_id, 'classic' AS group_type, r.incarnation, r.generation, r.started_at, r.stabilized_at, r.completed_at,
  ms_between(r.started_at, r.completed_at) AS duration_ms, r.outcome, members_before, r.members, r.static_members,
  c.cause, c.trigger_member_id, c.trigger_pod, c.trigger_reason, w.waited_for,
  CASE WHEN r.outcome <> 'emptied' THEN coalesce(r.leader_member_id, l.member_id) END AS leader_member_id,
  CASE WHEN r.outcome <> 'emptied' THEN l.pod END AS leader_pod,
  r.assignor, r.coordinator, r.offsets_partition, r.seen_by, r.evidence
FROM settled AS r
LEFT JOIN rebalance_causes AS c ON c.cluster IS NOT DISTINCT FROM r.cluster AND c.group_id = r.group_id AND c.incarnation = r.incarnation
  AND c.generation = r.generation AND c.turn IS NOT DISTINCT FROM r.turn
LEFT JOIN join_waits AS w ON w.cluster IS NOT DISTINCT FROM r.cluster AND w.group_id = r.group_id AND w.incarnation = r.incarnation
  AND w.generation = r.generation AND w.turn IS NOT DISTINCT FROM r.turn
LEFT JOIN leaders AS l ON l.cluster IS NOT DISTINCT FROM r.cluster AND l.group_id = r.group_id AND l.incarnation = r.incarnation
  AND l.generation = r.generation AND (r.turn IS NULL OR r.leader_member_id IS NOT NULL OR r.leader_pod IS NOT NULL)
ORDER BY 1, 2, 4, 5, 6
