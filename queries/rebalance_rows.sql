-- name: rebalance_rows
-- row: one rebalance of a classic group, from brokers and clients together, not yet explained
-- grain: cluster, group_id, incarnation, generation, turn
-- about: The brokers' rebalances, completed by what clients say about the same generation; generations that only clients
--   name are rows of their own: from the first joining or noticing line of any member to the last line that says
--   joined or synced, completed if any member synced.
-- column: cluster VARCHAR - cluster
-- column: group_id VARCHAR - group
-- column: incarnation BIGINT - life of the group
-- column: generation BIGINT - generation that the rebalance leads to
-- column: turn BIGINT - tells apart several tries for one generation; NULL if only clients tell
-- column: place BIGINT - 1, 2, .. in the order of the group's rebalances
-- column: started_at TIMESTAMPTZ - beginning
-- column: stabilized_at TIMESTAMPTZ - end of the join phase
-- column: completed_at TIMESTAMPTZ - end; NULL if superseded or open
-- column: outcome VARCHAR - completed, emptied, superseded, open
-- column: members BIGINT - members of the new generation
-- column: static_members BIGINT - static members of the new generation
-- column: reason VARCHAR - the brokers' reason
-- column: leader_member_id VARCHAR - member that leads
-- column: leader_pod VARCHAR - its pod, if its own client says that it leads
-- column: leader_client_id VARCHAR - its client.id, if its own client says that it leads
-- column: planned_at TIMESTAMPTZ - when the leader's client computed the assignment
-- column: leader_joined_at TIMESTAMPTZ - when the leader's client learned that it had joined
-- column: assignor VARCHAR - assignor in force
-- column: coordinator BIGINT - coordinating broker
-- column: offsets_partition BIGINT - partition of __consumer_offsets
-- column: seen_by VARCHAR - broker, client, both
-- column: opened_moment TIMESTAMPTZ - beginning by corrected time
-- column: stabilized_moment TIMESTAMPTZ - end of the join phase by corrected time
-- column: closed_moment TIMESTAMPTZ - end by corrected time
-- column: pods VARCHAR[] - pods whose clients say that they joined it
-- column: evidence STRUCT(source VARCHAR, line BIGINT, ts TIMESTAMPTZ, message VARCHAR)[] - the lines
-- uses: broker_rebalances, client_joins

WITH clients AS (
  SELECT cluster, group_id, incarnation, generation,
    arg_min(asked_at, asked_moment) AS asked_at, min(asked_moment) AS asked_moment,
    arg_max(last_at, last_moment) AS last_at, max(last_moment) AS last_moment,
    bool_or(synced) AS any_synced,
    max(planned_members) AS planned_members, max(said_members) AS said_members,
    arg_max(coalesce(member_id, leader_member_id), leads) FILTER (leads OR leader_member_id IS NOT NULL) AS leader_member_id,
    any_value(pod) FILTER (leads) AS leader_pod, any_value(client_id) FILTER (leads) AS leader_client_id,
    any_value(planned_at) FILTER (leads) AS planned_at, any_value(joined_at) FILTER (leads) AS leader_joined_at,
    mode(assignor) AS assignor,
    list_sort(list_distinct(list(pod))) AS pods, list_sort(flatten(list(evidence))) AS evidence
  FROM client_joins GROUP BY ALL
),
latest AS (
  SELECT (cluster, group_id, incarnation, generation) AS key, max(generation) OVER (PARTITION BY cluster, group_id, incarnation) AS newest,
    max(incarnation) OVER (PARTITION BY cluster, group_id) AS last_incarnation
  FROM clients
),
brokers AS (
  SELECT *, turn = max(turn) OVER (PARTITION BY cluster, group_id, incarnation, generation) AS last_turn
  FROM broker_rebalances
),
matched AS (
  SELECT coalesce(b.cluster, c.cluster) AS cluster, coalesce(b.group_id, c.group_id) AS group_id,
    coalesce(b.incarnation, c.incarnation) AS incarnation, coalesce(b.generation, c.generation) AS generation, turn,
    coalesce(b.started_at, c.asked_at) AS started_at, b.stabilized_at,
    CASE WHEN b.outcome IN ('completed', 'emptied') THEN b.completed_at WHEN any_synced THEN c.last_at END AS completed_at,
    CASE WHEN b.outcome IN ('completed', 'emptied') THEN b.outcome WHEN any_synced THEN 'completed'
         WHEN b.outcome IS NOT NULL THEN b.outcome
         WHEN c.generation < newest OR c.incarnation < last_incarnation THEN 'superseded' ELSE 'open' END AS outcome,
    coalesce(b.members, c.planned_members, c.said_members) AS members, b.static_members, b.reason,
    coalesce(b.leader_member_id, c.leader_member_id) AS leader_member_id,
    CASE WHEN b.leader_member_id IS NULL OR c.leader_member_id IS NULL OR b.leader_member_id = c.leader_member_id
      THEN leader_pod END AS leader_pod,
    leader_client_id, planned_at, leader_joined_at, assignor, b.coordinator, b.offsets_partition,
    CASE WHEN b.generation IS NULL THEN 'client' WHEN c.generation IS NULL THEN 'broker' ELSE 'both' END AS seen_by,
    coalesce(b.opened_moment, c.asked_moment, c.last_moment) AS opened_moment,
    b.stabilized_moment,
    coalesce(b.closed_moment, c.last_moment) AS closed_moment,
    coalesce(c.pods, []) AS pods,
    coalesce(b.evidence, []) || coalesce(c.evidence, []) AS evidence
  FROM brokers AS b
  FULL JOIN (SELECT * FROM clients JOIN latest ON latest.key = (cluster, group_id, incarnation, generation)) AS c
    ON b.cluster IS NOT DISTINCT FROM c.cluster AND b.group_id = c.group_id AND b.incarnation = c.incarnation AND b.generation = c.generation
      AND b.last_turn
)
SELECT cluster, group_id, incarnation, generation, turn,
  row_number() OVER places AS place,
  started_at, stabilized_at, completed_at, outcome, members, static_members, reason,
  -- brokers before 3.0 name the leader of a generation only when it joins again and so ends it
  coalesce(leader_member_id, CASE WHEN outcome = 'completed' AND lead(generation) OVER places = generation + 1
    AND lead(reason) OVER places ILIKE 'leader %' THEN members_of_reason(lead(reason) OVER places)[1] END) AS leader_member_id,
  leader_pod, leader_client_id,
  planned_at, leader_joined_at, assignor, coordinator, offsets_partition, seen_by, opened_moment, stabilized_moment, closed_moment,
  pods, evidence
FROM matched
WINDOW places AS (PARTITION BY cluster, group_id ORDER BY incarnation, generation, turn NULLS LAST)
