-- name: group_epochs
-- row: a group epoch of a KIP-848 consumer, share or streams group
-- grain: cluster, group_id, bumped_at, epoch
-- about: A bump, the target that the coordinator computed for it, and the time when the last member that had to change had done so.
--   `trigger` is the member event that stands before the bump. Converged: every member that began to reconcile in the epoch is
--   stable again; NULL when the next bump came first, or when no log shows a member change (the coordinator of 4.x prints members'
--   transitions at DEBUG, consumers print theirs at INFO). There is no leader in these groups.
-- column: cluster VARCHAR - cluster
-- column: group_id VARCHAR - group
-- column: group_type VARCHAR - consumer, share or streams
-- column: epoch BIGINT - group epoch
-- column: bumped_at TIMESTAMPTZ - bump; without brokers' logs NULL
-- column: target_at TIMESTAMPTZ - target assignment computed; without brokers' logs NULL
-- column: converged_at TIMESTAMPTZ - last member stable
-- column: duration_ms DOUBLE in ms - from the bump (without it: from the first sign) to convergence
-- column: outcome VARCHAR - converged, superseded (the next epoch came first), emptied (no member left, as 4.1 and later tell), unseen (no member change in the logs) or open
-- column: trigger VARCHAR - member_joined, member_left, poll_timeout, session_timeout, crash, slow_revocation, static_replaced, subscription_changed, protocol_migration, admin or unknown
-- column: trigger_member_id VARCHAR - member that caused it
-- column: trigger_pod VARCHAR - its pod
-- column: trigger_reason VARCHAR - reason that a line gives
-- column: reconciled BIGINT - members that had to change
-- column: assignor VARCHAR - the coordinator's assignor
-- column: coordinator BIGINT - broker that coordinates the group
-- column: offsets_partition BIGINT - partition of __consumer_offsets that holds the group
-- column: seen_by VARCHAR - broker, client or both
-- column: evidence STRUCT(source VARCHAR, line BIGINT, ts TIMESTAMPTZ, message VARCHAR)[] - trigger, bump, target, last transition
-- needs: epoch_lines
-- uses: epoch_lines, member_pods, member_exits

WITH spans AS (
  SELECT cluster, group_id, span,
    coalesce(max(epoch) FILTER (event IN ('group_epoch_bumped', 'target_assignment_computed')),
      max(epoch) FILTER (event = 'member_state_changed')) AS epoch,
    max(group_type) FILTER (group_type <> 'classic') AS group_type,
    min(ts) FILTER (event = 'group_epoch_bumped') AS bumped_at, min(ts) FILTER (event = 'target_assignment_computed') AS target_at,
    min(moment) AS since, max(assignor) AS assignor,
    max(broker_id) AS coordinator, max(offsets_partition) FILTER (role = 'broker') AS offsets_partition,
    bool_and(subscribes) AS subscribes, bool_or(role = 'broker') AS by_broker, bool_or(role = 'client') AS by_client,
    list(evidence ORDER BY moment) FILTER (event IN ('group_epoch_bumped', 'target_assignment_computed')) AS said
  FROM epoch_lines WHERE span > 0 GROUP BY cluster, group_id, span
), steps AS (
  -- a member's transitions: broker lines before 4.0, consumers' lines after
  SELECT cluster, group_id, span, member_id, ts, moment, evidence,
    CASE WHEN upper(state) = 'STABLE' THEN 'done' WHEN upper(state) IN ('UNSUBSCRIBED', 'LEAVING', 'PREPARE_LEAVING', 'STALE', 'FENCED', 'FATAL') THEN 'gone'
         ELSE 'going' END AS step
  FROM epoch_lines
  WHERE event IN ('member_state_changed', 'member_assignment_changed') AND member_id IS NOT NULL AND state IS NOT NULL
    AND upper(state) <> 'JOINING'
), paths AS (
  SELECT cluster, group_id, span, member_id, arg_max(step, (moment, evidence.line)) AS ends, max(ts) AS ts, max(moment) AS moment,
    arg_max(evidence, (moment, evidence.line)) AS said
  FROM steps GROUP BY cluster, group_id, span, member_id
), converged AS (
  SELECT cluster, group_id, span, count(*) FILTER (ends <> 'gone') AS reconciled,
    CASE WHEN bool_and(ends IN ('done', 'gone')) THEN max(ts) FILTER (ends = 'done') END AS converged_at,
    CASE WHEN bool_and(ends IN ('done', 'gone')) THEN max(moment) FILTER (ends = 'done') END AS moment,
    arg_max(said, moment) FILTER (ends = 'done') AS said
  FROM paths GROUP BY cluster, group_id, span
), member_signs AS (
  SELECT cluster, group_id, moment, ts, event, member_id, reason, evidence, span,
    min(CASE WHEN event IN ('group_epoch_bumped', 'target_assignment_computed') THEN {'moment': moment, 'span': span} END) OVER (
      PARTITION BY cluster, group_id ORDER BY moment, evidence.source, evidence.line
      ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING) AS next_bump
  FROM epoch_lines WHERE role = 'broker'
), signs AS (
  -- a member event belongs to the bump right after it; in the new coordinator's log it may also stand behind it
  SELECT cluster, group_id, moment, event, member_id, reason, evidence,
    CASE WHEN next_bump.moment - moment < INTERVAL 1 SECOND AND next_bump.span > span THEN next_bump.span ELSE span END AS span
  FROM member_signs
  WHERE event IN ('member_joined', 'member_left', 'member_fenced', 'static_member_left', 'static_member_replaced',
      'static_member_joined', 'subscription_changed', 'group_converted')
), triggers AS (
  SELECT s.cluster, s.group_id, s.span, bool_or(g.event = 'group_converted') AS converted,
    arg_min(g.event, abs(epoch_us(g.moment) - epoch_us(s.begun_at))) FILTER (g.event <> 'group_converted') AS event,
    arg_min(g.member_id, abs(epoch_us(g.moment) - epoch_us(s.begun_at))) FILTER (g.event <> 'group_converted') AS member_id,
    arg_min(g.reason, abs(epoch_us(g.moment) - epoch_us(s.begun_at))) FILTER (g.event <> 'group_converted') AS reason,
    arg_min(g.evidence, abs(epoch_us(g.moment) - epoch_us(s.begun_at))) AS said
  FROM (SELECT *, coalesce(bumped_at, target_at) AS begun_at FROM spans) s JOIN signs g ON g.cluster IS NOT DISTINCT FROM s.cluster AND g.group_id = s.group_id AND g.span = s.span
  WHERE g.moment BETWEEN s.begun_at - INTERVAL 1 SECOND AND s.begun_at + INTERVAL 1 SECOND
  GROUP BY s.cluster, s.group_id, s.span
), followers AS (
  SELECT cluster, group_id, span, lead(span) OVER (PARTITION BY cluster, group_id ORDER BY span) IS NOT NULL AS followed FROM spans
), gone AS (
  SELECT cluster, group_id, member_id, ts, kind, pod FROM member_exits WHERE member_id IS NOT NULL
)
SELECT s.cluster, s.group_id, coalesce(s.group_type, 'consumer') AS group_type, s.epoch, s.bumped_at, s.target_at, c.converged_at,
  ms_between(coalesce(s.bumped_at, s.target_at, s.since), c.moment) AS duration_ms,
  CASE WHEN NOT s.subscribes THEN 'emptied'
       WHEN c.moment IS NOT NULL THEN 'converged'
       WHEN c.reconciled > 0 THEN CASE WHEN n.followed THEN 'superseded' ELSE 'open' END
       ELSE 'unseen' END AS outcome,
  CASE WHEN t.converted THEN 'protocol_migration'
       WHEN t.event IN ('member_left', 'member_fenced') AND g.ts >= coalesce(s.bumped_at, s.target_at) - INTERVAL 2 SECOND
         AND g.kind IN ('poll_timeout', 'session_timeout', 'crash', 'admin') THEN g.kind
       WHEN t.event = 'member_fenced' THEN CASE WHEN t.reason ILIKE '%session%' THEN 'session_timeout' ELSE 'slow_revocation' END
       WHEN t.event IN ('member_joined', 'static_member_joined') THEN 'member_joined'
       WHEN t.event IN ('member_left', 'static_member_left') THEN 'member_left'
       WHEN t.event = 'static_member_replaced' THEN 'static_replaced'
       WHEN t.event = 'subscription_changed' THEN 'subscription_changed'
       ELSE 'unknown' END AS trigger,
  t.member_id AS trigger_member_id, coalesce(p.pod, g.pod) AS trigger_pod, t.reason AS trigger_reason,
  coalesce(c.reconciled, 0)::BIGINT AS reconciled,
  s.assignor, s.coordinator, s.offsets_partition,
  CASE WHEN s.by_broker AND s.by_client THEN 'both' WHEN s.by_broker THEN 'broker' ELSE 'client' END AS seen_by,
  list_concat(list_filter([t.said], lambda line: line IS NOT NULL), coalesce(s.said, []),
    list_filter([c.said], lambda line: line IS NOT NULL)) AS evidence
FROM spans s
JOIN followers n ON n.cluster IS NOT DISTINCT FROM s.cluster AND n.group_id = s.group_id AND n.span = s.span
LEFT JOIN converged c ON c.cluster IS NOT DISTINCT FROM s.cluster AND c.group_id = s.group_id AND c.span = s.span
LEFT JOIN triggers t ON t.cluster IS NOT DISTINCT FROM s.cluster AND t.group_id = s.group_id AND t.span = s.span
LEFT JOIN member_pods p ON p.cluster IS NOT DISTINCT FROM s.cluster AND p.group_id = s.group_id AND p.member_id = t.member_id
ASOF LEFT JOIN gone g ON g.cluster IS NOT DISTINCT FROM s.cluster AND g.group_id = s.group_id AND g.member_id = t.member_id
  AND g.ts <= coalesce(s.bumped_at, s.target_at) + INTERVAL 1 SECOND
ORDER BY s.since
