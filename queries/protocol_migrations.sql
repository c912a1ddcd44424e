-- name: protocol_migrations
-- row: a move of a group from one rebalance protocol to another
-- grain: cluster, group_id, started_at
-- about: The coordinator converts a group when the first member of the other protocol joins (online: members of both share it) or while
--   it is empty. An online upgrade is over when the last classic member is gone; until then the group is mixed. Without brokers' logs a
--   migration shows where members with generations give way to members with epochs.
-- column: cluster VARCHAR - cluster
-- column: group_id VARCHAR - group
-- column: direction VARCHAR - classic_to_consumer, consumer_to_classic, classic_to_streams, streams_to_classic
-- column: online BOOLEAN - the group had members when it was converted
-- column: started_at TIMESTAMPTZ - conversion; from clients alone the first member of the new protocol
-- column: completed_at TIMESTAMPTZ - last member of the old protocol gone; the conversion itself for an empty group; NULL if not seen
-- column: duration_ms DOUBLE in ms - between the two
-- column: from_generation BIGINT - last generation before it
-- column: first_epoch BIGINT - first epoch after it
-- column: old_members BIGINT - members of the old protocol that were in the mixed group
-- column: old_pods VARCHAR[] - their pods
-- column: rejected BIGINT - conversions refused
-- column: evidence STRUCT(source VARCHAR, line BIGINT, ts TIMESTAMPTZ, message VARCHAR)[] - conversion, last of the old, refusals
-- needs: group_converted, epoch_lines
-- uses: events, group_lines, epoch_lines, member_pods

WITH conversions AS (
  SELECT cluster, group_id, ts AS started_at, moment, evidence,
    CASE WHEN evidence.message ILIKE '%to a streams group%' THEN 'classic_to_streams'
         WHEN evidence.message ILIKE '%streams group to a classic%' THEN 'streams_to_classic'
         WHEN evidence.message ILIKE '%to a consumer group%' THEN 'classic_to_consumer' ELSE 'consumer_to_classic' END AS direction,
    evidence.message NOT ILIKE '%the empty%' AS online,
    lead(moment) OVER (PARTITION BY cluster, group_id ORDER BY moment) AS next_at
  FROM group_lines WHERE event = 'group_converted' AND role = 'broker'
), old_members AS (
  -- classic member ids end in a UUID with dashes, the others' are 22 letters of base64
  SELECT c.cluster, c.group_id, c.started_at, g.member_id,
    max(g.ts) FILTER (g.event IN ('member_left', 'member_expired', 'member_fenced')) AS gone_at,
    arg_max(g.evidence, g.moment) FILTER (g.event IN ('member_left', 'member_expired', 'member_fenced')) AS said
  FROM conversions c JOIN group_lines g ON g.cluster IS NOT DISTINCT FROM c.cluster AND g.group_id = c.group_id
  WHERE g.role = 'broker' AND g.member_id IS NOT NULL AND g.moment > c.moment - INTERVAL 100 MILLISECOND AND (c.next_at IS NULL OR g.moment < c.next_at)
    AND g.event IN ('member_joined', 'member_left', 'member_expired', 'member_fenced')
    AND (c.direction = 'classic_to_consumer') = (client_part(g.member_id) IS NOT NULL)
  GROUP BY c.cluster, c.group_id, c.started_at, g.member_id
), over AS (
  SELECT o.cluster, o.group_id, o.started_at, count(*) AS old_members, list(DISTINCT m.pod ORDER BY m.pod) FILTER (m.pod IS NOT NULL) AS old_pods,
    CASE WHEN bool_and(o.gone_at IS NOT NULL) THEN max(o.gone_at) END AS completed_at, arg_max(o.said, o.gone_at) AS said
  FROM old_members o LEFT JOIN member_pods m ON m.cluster IS NOT DISTINCT FROM o.cluster AND m.group_id = o.group_id AND m.member_id = o.member_id
  GROUP BY o.cluster, o.group_id, o.started_at
), generations AS (
  SELECT cluster, group_id, moment, generation FROM group_lines
  WHERE generation IS NOT NULL AND event IN ('group_stabilized', 'assignment_received', 'group_empty', 'join_succeeded', 'sync_succeeded')
), epochs AS (
  SELECT cluster, group_id, moment, epoch FROM epoch_lines WHERE epoch > 0
), refusals AS (
  SELECT cluster, group_id, count(*) AS rejected, list(line_of(source, line, ts, message) ORDER BY ts)[1:5] AS said
  FROM events WHERE event = 'group_conversion_rejected' AND group_id IS NOT NULL GROUP BY cluster, group_id
), by_broker AS (
  SELECT c.cluster, c.group_id, c.direction, c.online, c.started_at, c.moment,
    CASE WHEN c.online THEN o.completed_at ELSE c.started_at END AS completed_at,
    coalesce(o.old_members, 0) AS old_members, coalesce(o.old_pods, []) AS old_pods,
    list_filter([c.evidence, o.said], lambda said: said IS NOT NULL) AS evidence
  FROM conversions c LEFT JOIN over o ON o.cluster IS NOT DISTINCT FROM c.cluster AND o.group_id = c.group_id AND o.started_at = c.started_at
), client_signs AS (
  SELECT cluster, group_id, 'consumer' AS protocol, moment, ts, pod, evidence FROM epoch_lines
  WHERE event = 'member_state_changed' AND epoch > 0
  UNION ALL
  SELECT cluster, group_id, 'classic', moment, ts, pod, evidence FROM group_lines
  WHERE role = 'client' AND generation IS NOT NULL AND event IN ('join_succeeded', 'sync_succeeded')
), by_client AS (
  SELECT cluster, group_id,
    CASE WHEN min(moment) FILTER (protocol = 'classic') < min(moment) FILTER (protocol = 'consumer') THEN 'classic_to_consumer' ELSE 'consumer_to_classic' END AS direction,
    greatest(min(ts) FILTER (protocol = 'classic'), min(ts) FILTER (protocol = 'consumer')) AS started_at,
    greatest(min(moment) FILTER (protocol = 'classic'), min(moment) FILTER (protocol = 'consumer')) AS moment,
    count(DISTINCT pod) FILTER (protocol = 'classic') AS old_members,
    list(DISTINCT pod ORDER BY pod) FILTER (protocol = 'classic' AND pod IS NOT NULL) AS old_pods,
    list_filter([arg_max(evidence, moment) FILTER (protocol = 'classic'), arg_min(evidence, moment) FILTER (protocol = 'consumer')], lambda said: said IS NOT NULL) AS evidence
  FROM client_signs GROUP BY cluster, group_id
  HAVING count(DISTINCT protocol) = 2
), found AS (
  FROM by_broker
  UNION ALL BY NAME
  SELECT cluster, group_id, direction, NULL::BOOLEAN AS online, started_at, moment, NULL::TIMESTAMPTZ AS completed_at, old_members, old_pods, evidence
  FROM by_client c WHERE NOT EXISTS (FROM by_broker b WHERE b.cluster IS NOT DISTINCT FROM c.cluster AND b.group_id = c.group_id)
), with_generation AS (
  SELECT f.*, g.generation AS from_generation
  FROM found f ASOF LEFT JOIN generations g ON g.cluster IS NOT DISTINCT FROM f.cluster AND g.group_id = f.group_id AND g.moment < f.moment
)
SELECT w.cluster, w.group_id, w.direction, w.online, w.started_at, w.completed_at, ms_between(w.started_at, w.completed_at) AS duration_ms,
  w.from_generation, CASE WHEN w.direction LIKE 'classic_to_%' THEN e.epoch END AS first_epoch, w.old_members::BIGINT AS old_members, w.old_pods,
  coalesce(r.rejected, 0)::BIGINT AS rejected, list_concat(w.evidence, coalesce(r.said, [])) AS evidence
FROM with_generation w
ASOF LEFT JOIN epochs e ON e.cluster IS NOT DISTINCT FROM w.cluster AND e.group_id = w.group_id AND e.moment >= w.moment
LEFT JOIN refusals r ON r.cluster IS NOT DISTINCT FROM w.cluster AND r.group_id = w.group_id
ORDER BY w.moment
