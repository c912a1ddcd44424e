-- name: epoch_lines
-- row: an event of a group that has epochs (KIP-848 consumer, share and streams groups), once
-- grain: cluster, source, line
-- about: The base of group_epochs and reconciliations. `span` numbers the group epochs of a group: from one bump, or, without
--   brokers' logs, from the first consumer that shows a higher epoch, to the next. Epochs that begin again (group deleted) go on
--   being numbered.
-- column: cluster VARCHAR - cluster
-- column: group_id VARCHAR - group
-- column: moment TIMESTAMPTZ - corrected time, for order and durations
-- column: ts TIMESTAMPTZ - time as printed
-- column: event VARCHAR - name of the vocabulary
-- column: role VARCHAR - broker or client
-- column: pod VARCHAR - pod that wrote the line; NULL for broker lines
-- column: process VARCHAR - consumer that wrote the line; NULL for broker lines
-- column: broker_id BIGINT - broker that wrote the line
-- column: offsets_partition BIGINT - partition of __consumer_offsets that holds the group
-- column: group_type VARCHAR - consumer, share or streams
-- column: epoch BIGINT - epoch that the line names: the group's in bumps and targets, else the member's
-- column: member_id VARCHAR - member the line is about
-- column: state VARCHAR - state that the line names
-- column: reason VARCHAR - reason that the line gives
-- column: assignor VARCHAR - assignor that the line names
-- column: topic_partitions VARCHAR[] - partitions that the line names
-- column: duration_ms DOUBLE in ms - duration that the line names
-- column: subscribes BOOLEAN - for a bump of 4.1 or later: some member subscribes to something
-- column: span BIGINT - number of the group epoch in force; 0 before the first that the logs show
-- column: evidence STRUCT(source VARCHAR, line BIGINT, ts TIMESTAMPTZ, message VARCHAR) - the line
-- needs: group_epoch_bumped, target_assignment_computed, member_assignment_changed, member_state_changed, target_assignment_received
-- uses: events, corrected_offsets

WITH marked AS (
  SELECT DISTINCT cluster, group_id FROM events
  WHERE group_id IS NOT NULL AND event IN ('group_epoch_bumped', 'target_assignment_computed', 'member_assignment_changed',
    'member_state_changed', 'target_assignment_received')
), lines AS (
  SELECT e.cluster, e.group_id, e.ts,
    CASE WHEN o.offset_ms IS NULL THEN e.ts ELSE e.ts - to_microseconds((o.offset_ms * 1000)::BIGINT) END AS moment,
    e.event, e.role, CASE WHEN e.role = 'client' THEN e.pod END AS pod,
    CASE WHEN e.role = 'client' THEN coalesce(e.pod, e.source) || '|' || coalesce(e.client_id, '') END AS process,
    CASE WHEN e.role = 'broker' THEN e.broker_id END AS broker_id, e.offsets_partition, e.group_type, e.epoch, e.member_id,
    CASE WHEN e.event = 'group_epoch_bumped' THEN coalesce(field(fields, 'group_metadata_hash'), field(fields, 'metadata_hash')) <> '0'
      END AS subscribes,
    e.state, e.reason, e.assignor, e.topic_partitions, e.duration_ms, e.source, e.line,
    line_of(e.source, e.line, e.ts, e.message) AS evidence
  FROM events e
  JOIN marked m ON m.cluster IS NOT DISTINCT FROM e.cluster AND m.group_id = e.group_id
  LEFT JOIN corrected_offsets o ON o.cluster IS NOT DISTINCT FROM e.cluster AND o.source = e.source
  WHERE e.ts IS NOT NULL AND e.role IN ('broker', 'client')
    AND e.event IN ('group_epoch_bumped', 'target_assignment_computed', 'member_assignment_changed', 'group_converted',
      'member_joined', 'member_left', 'member_fenced', 'static_member_left', 'static_member_replaced', 'static_member_joined',
      'subscription_changed', 'member_state_changed', 'target_assignment_received', 'assignment_diff', 'partitions_assigned',
      'partitions_revoked', 'partitions_lost', 'reconciliation_interrupted', 'poll_timeout', 'fenced')
), logged AS (
  SELECT cluster, group_id, count(*) FILTER (event IN ('group_epoch_bumped', 'target_assignment_computed')) > 0 AS by_broker
  FROM lines GROUP BY cluster, group_id
), raised AS (
  SELECT l.*,
    CASE WHEN g.by_broker THEN l.event IN ('group_epoch_bumped', 'target_assignment_computed')
      ELSE l.event = 'member_state_changed' AND l.epoch > 0 END AS shows
  FROM lines l JOIN logged g ON g.cluster IS NOT DISTINCT FROM l.cluster AND g.group_id = l.group_id
), compared AS (
  SELECT *, CASE WHEN shows AND role = 'broker' THEN epoch IS DISTINCT FROM last_value(CASE WHEN shows THEN epoch END IGNORE NULLS) OVER above
      WHEN shows THEN epoch > coalesce(max(CASE WHEN shows THEN epoch END) OVER above, 0) ELSE false END AS begins
  FROM raised
  WINDOW above AS (PARTITION BY cluster, group_id ORDER BY moment, source, line ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
)
SELECT cluster, group_id, moment, ts, event, role, pod, process, broker_id, offsets_partition, group_type, epoch, member_id, state,
  reason, assignor, topic_partitions, duration_ms, subscribes,
  count(*) FILTER (begins) OVER (PARTITION BY cluster, group_id ORDER BY moment, source, line ROWS UNBOUNDED PRECEDING) AS span,
  evidence
FROM compared
