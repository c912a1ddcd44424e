-- name: reconciliations
-- row: a member's way to the target of a group epoch
-- grain: cluster, group_id, epoch, member_id, started_at
-- about: From the member's first transition in the epoch to the one that leaves it stable, by consumers' own lines or, before 4.0, the
--   brokers'. A member that has to give partitions up reconciles twice: it revokes while still in its old epoch, and is
--   given the rest in the new one; both are one row.
-- column: cluster VARCHAR - cluster
-- column: group_id VARCHAR - group
-- column: epoch BIGINT - epoch of the group
-- column: member_id VARCHAR - member
-- column: pod VARCHAR - its pod
-- column: started_at TIMESTAMPTZ - it began to reconcile
-- column: stable_at TIMESTAMPTZ - it was stable; NULL if it was not before the next epoch or the end
-- column: duration_ms DOUBLE in ms - between the two
-- column: waited_ms DOUBLE in ms - from the target assignment to the beginning: the member's heartbeat interval, mostly
-- column: revoked VARCHAR[] - partitions that it gave up
-- column: assigned VARCHAR[] - partitions that it was given
-- column: outcome VARCHAR - completed, interrupted (the next epoch came first), left (it went, or was fenced) or open
-- column: evidence STRUCT(source VARCHAR, line BIGINT, ts TIMESTAMPTZ, message VARCHAR)[] - first and last transition
-- needs: epoch_lines
-- uses: epoch_lines, member_pods

WITH spans AS (
  SELECT cluster, group_id, span, coalesce(max(epoch) FILTER (event IN ('group_epoch_bumped', 'target_assignment_computed')),
      max(epoch) FILTER (event = 'member_state_changed')) AS epoch,
    min(moment) FILTER (event = 'target_assignment_computed') AS target_at,
    lead(span) OVER (PARTITION BY cluster, group_id ORDER BY span) IS NOT NULL AS followed
  FROM epoch_lines WHERE span > 0 GROUP BY cluster, group_id, span
), steps AS (
  SELECT cluster, group_id, span, member_id, process, ts, moment, evidence, upper(state) AS state
  FROM epoch_lines
  WHERE event IN ('member_state_changed', 'member_assignment_changed') AND member_id IS NOT NULL AND state IS NOT NULL
    AND upper(state) <> 'JOINING'
), paths AS (
  SELECT cluster, group_id, span, member_id, any_value(process) AS process,
    min(ts) AS started_at, min(moment) AS since, arg_max(state, (moment, evidence.line)) AS ends,
    max(ts) FILTER (state = 'STABLE') AS stable_at, max(moment) FILTER (state = 'STABLE') AS until,
    arg_min(evidence, (moment, evidence.line)) AS first_said, arg_max(evidence, (moment, evidence.line)) AS last_said,
    bool_or(state IN ('RECONCILING', 'ACKNOWLEDGING', 'STABLE', 'UNREVOKED_PARTITIONS', 'UNRELEASED_PARTITIONS', 'UNREVOKED_TASKS', 'UNRELEASED_TASKS')) AS reconciles
  FROM steps GROUP BY cluster, group_id, span, member_id
), handed AS (
  SELECT cluster, group_id, span, process,
    list_sort(list_distinct(flatten(list(topic_partitions) FILTER (event IN ('partitions_revoked', 'partitions_lost'))))) AS revoked,
    list_sort(list_distinct(flatten(list(topic_partitions) FILTER (event = 'partitions_assigned')))) AS assigned
  FROM epoch_lines WHERE event IN ('partitions_revoked', 'partitions_lost', 'partitions_assigned') GROUP BY cluster, group_id, span, process
)
SELECT p.cluster, p.group_id, s.epoch, p.member_id, m.pod, p.started_at,
  CASE WHEN p.ends = 'STABLE' THEN p.stable_at END AS stable_at,
  CASE WHEN p.ends = 'STABLE' THEN ms_between(p.since, p.until) END AS duration_ms,
  CASE WHEN p.since >= s.target_at THEN ms_between(s.target_at, p.since) END AS waited_ms,
  coalesce(h.revoked, []) AS revoked, coalesce(h.assigned, []) AS assigned,
  CASE WHEN p.ends = 'STABLE' THEN 'completed'
       WHEN p.ends IN ('UNSUBSCRIBED', 'LEAVING', 'PREPARE_LEAVING', 'STALE', 'FENCED', 'FATAL') THEN 'left'
       WHEN s.followed THEN 'interrupted' ELSE 'open' END AS outcome,
  list_distinct([p.first_said, p.last_said]) AS evidence
FROM paths p
JOIN spans s ON s.cluster IS NOT DISTINCT FROM p.cluster AND s.group_id = p.group_id AND s.span = p.span
LEFT JOIN member_pods m ON m.cluster IS NOT DISTINCT FROM p.cluster AND m.group_id = p.group_id AND m.member_id = p.member_id
LEFT JOIN handed h ON h.cluster IS NOT DISTINCT FROM p.cluster AND h.group_id = p.group_id AND h.span = p.span AND h.process = p.process
WHERE p.reconciles
ORDER BY p.since
