-- name: group_lines
-- row: one event that tells about a group's membership, once
-- grain: cluster, source, line
-- about: The base of the views of classic groups. A line that a broker wrote to two places (server.log and
--   stdout, a copy, a paste) counts once; a client's line counts once for each pod. `moment` is the time to order by
--   and to measure with: `ts` minus the offset of the source's clock; a line without a time takes the time of the
--   line above it in its source (else of the one below). Read `ts` for what was printed.
--   A client line without a group (librdkafka at its default level prints none) gets it from the brokers' member ids that begin
--   with its client id, or else from the other lines of its pod, if these name one group only.
-- column: cluster VARCHAR - cluster
-- column: group_id VARCHAR - group
-- column: moment TIMESTAMPTZ - corrected time, for order and durations; NULL in a source without any time
-- column: ts TIMESTAMPTZ - time as printed
-- column: event VARCHAR - name of the vocabulary
-- column: role VARCHAR - broker or client
-- column: client VARCHAR - client library, NULL for brokers
-- column: pod VARCHAR - pod that wrote the line; NULL for broker lines
-- column: process VARCHAR - pod and client id: one consumer of one pod, over all its lives; NULL for broker lines
-- column: broker_id BIGINT - broker that wrote the line; NULL for client lines
-- column: group_type VARCHAR - type of the group at that moment
-- column: generation BIGINT - generation as the line says it (the old one in a group_preparing_rebalance)
-- column: member_id VARCHAR - member the line is about
-- column: instance_id VARCHAR - its group.instance.id
-- column: client_id VARCHAR - its client.id
-- column: other_member_id VARCHAR - the leader, or the former member id, that the line names besides
-- column: member_ids VARCHAR - text of the member ids that were removed together
-- column: detail VARCHAR - finer name of the event, if there is one
-- column: leads BOOLEAN - a client line says whether its member leads
-- column: members BIGINT - number of members
-- column: static_members BIGINT - number of static members
-- column: offsets_partition BIGINT - partition of __consumer_offsets that holds the group
-- column: state VARCHAR - state that the line names
-- column: reason VARCHAR - reason that the line gives
-- column: error VARCHAR - Kafka error in its protocol spelling
-- column: assignor VARCHAR - assignor that the line names
-- column: topic_partitions VARCHAR[] - partitions that the line names
-- column: duration_ms DOUBLE in ms - duration that the line names
-- column: source VARCHAR - source
-- column: line BIGINT - line in the source
-- column: evidence STRUCT(source VARCHAR, line BIGINT, ts TIMESTAMPTZ, message VARCHAR) - the line
-- uses: events, corrected_offsets

WITH relevant AS (
  SELECT *,
    hash(cluster, ts, message, CASE WHEN role = 'client' THEN pod ELSE broker_id::VARCHAR END, event) AS twin
  FROM events
  WHERE role IN ('broker', 'client')
    AND event IN (
      'group_preparing_rebalance', 'group_stabilized', 'assignment_received', 'group_empty', 'group_dead',
      'group_rebalance_failed', 'group_leader_replaced', 'members_removed_rebalance_timeout',
      'members_removed_sync_timeout', 'groups_deleted', 'group_converted', 'group_loaded', 'group_unloaded',
      'member_joined', 'member_left', 'member_expired', 'member_fenced', 'member_id_assigned', 'member_loaded',
      'pending_member_removed', 'static_member_joined', 'static_member_left', 'static_member_replaced',
      'static_member_unchanged', 'static_member_fenced', 'join_rejected',
      'client_closed', 'client_crashed', 'subscription_changed', 'session_timeout', 'poll_timeout', 'leave_sent',
      'leave_succeeded', 'leave_failed', 'join_started', 'join_succeeded', 'join_failed', 'leader_elected',
      'assignment_started', 'assignment_computed', 'sync_succeeded', 'sync_failed', 'rejoin_requested',
      'rebalance_noticed', 'generation_reset', 'fenced', 'instance_fenced', 'partitions_assigned',
      'partitions_revoked', 'partitions_lost', 'assignment_diff', 'member_state_changed')
),
twins AS (
  SELECT twin, min({'source': source, 'line': line}) AS first
  FROM relevant WHERE ts IS NOT NULL
  GROUP BY twin HAVING count(*) > 1
),
once AS (
  SELECT relevant.*
  FROM relevant LEFT JOIN twins USING (twin)
  WHERE first IS NULL OR (source = first.source AND (role = 'client' OR line = first.line))
),
groups_of_clients AS (
  SELECT cluster, client_part(member_id) AS client_id, any_value(group_id) AS client_group
  FROM once WHERE role = 'broker' AND member_id IS NOT NULL AND group_id IS NOT NULL
  GROUP BY ALL HAVING count(DISTINCT group_id) = 1
),
groups_of_pods AS (
  SELECT cluster, pod, any_value(group_id) AS pod_group
  FROM once WHERE role = 'client' AND pod IS NOT NULL
  GROUP BY ALL HAVING count(DISTINCT group_id) = 1
),
grouped AS (
  SELECT once.* REPLACE (CASE WHEN role = 'client' THEN coalesce(group_id, client_group, pod_group) ELSE group_id END AS group_id)
  FROM once
  LEFT JOIN groups_of_clients ON groups_of_clients.cluster IS NOT DISTINCT FROM once.cluster AND groups_of_clients.client_id = once.client_id
  LEFT JOIN groups_of_pods ON groups_of_pods.cluster IS NOT DISTINCT FROM once.cluster AND groups_of_pods.pod = once.pod
),
undated AS (SELECT DISTINCT source FROM grouped WHERE ts IS NULL),
timed AS (
  SELECT *, ts AS near FROM grouped WHERE source NOT IN (FROM undated)
  UNION ALL
  SELECT *, coalesce(ts, last_value(ts IGNORE NULLS) OVER above, first_value(ts IGNORE NULLS) OVER below) AS near
  FROM grouped WHERE source IN (FROM undated)
  WINDOW above AS (PARTITION BY source ORDER BY line ROWS UNBOUNDED PRECEDING),
         below AS (PARTITION BY source ORDER BY line ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING)
)
SELECT timed.cluster, group_id,
  CASE WHEN offset_ms IS NULL THEN near ELSE near - to_microseconds((offset_ms * 1000)::BIGINT) END AS moment,
  ts, event, role, client,
  CASE WHEN role = 'client' THEN pod END AS pod,
  CASE WHEN role = 'client' THEN coalesce(pod, timed.source) || '|' || coalesce(client_id, '') END AS process,
  CASE WHEN role = 'broker' THEN broker_id END AS broker_id,
  group_type, generation,
  -- a leader's plan may name other members; the leader's own id, carried over from other lines, is not the plan's
  CASE WHEN event = 'assignment_computed' THEN field(fields, 'member_id') ELSE member_id END AS member_id, instance_id, client_id,
  coalesce(field(fields, 'leader_member_id'), field(fields, 'old_member_id'), field(fields, 'old_leader_member_id'))
    AS other_member_id,
  field(fields, 'member_ids') AS member_ids,
  field(fields, 'detail_event') AS detail,
  CASE WHEN regexp_full_match(fields['me'], '\s*\(?me\)?\s*') OR lower(coalesce(fields['leader'], fields['is_leader'])) = 'true' THEN true
       WHEN lower(coalesce(fields['leader'], fields['is_leader'])) = 'false' THEN false END AS leads,
  members, static_members, offsets_partition, state, reason, error, assignor, topic_partitions, duration_ms,
  timed.source, line, line_of(timed.source, line, ts, message) AS evidence
FROM timed LEFT JOIN corrected_offsets ON corrected_offsets.cluster IS NOT DISTINCT FROM timed.cluster AND corrected_offsets.source = timed.source
