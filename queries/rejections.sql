-- name: rejections
-- row: a request that was rejected because its sender is no longer what it claims to be, with who sent it
-- grain: cluster, group_id, pod, ts, operation
-- about: ILLEGAL_GENERATION, UNKNOWN_MEMBER_ID, FENCED_INSTANCE_ID, UNRELEASED_INSTANCE_ID, FENCED_MEMBER_EPOCH and STALE_MEMBER_EPOCH, in
--   whatever words the client put them. What one rejection makes a client print (the failure, one line a partition, the reset of
--   its generation) is one row. Without clients' lines the broker's refusals of static members are shown.
-- column: cluster VARCHAR - cluster
-- column: group_id VARCHAR - group
-- column: ts TIMESTAMPTZ - rejection, as printed
-- column: pod VARCHAR - pod of the rejected member
-- column: member_id VARCHAR - member id that was rejected
-- column: generation BIGINT - generation (for KIP-848 the member's epoch) that it sent, or had last
-- column: error VARCHAR - Kafka error in its protocol spelling
-- column: operation VARCHAR - heartbeat, commit, join, sync, leave or unknown
-- column: process VARCHAR - pod and client id of the member
-- column: moment TIMESTAMPTZ - `ts`, corrected
-- column: evidence STRUCT(source VARCHAR, line BIGINT, ts TIMESTAMPTZ, message VARCHAR)[] - the lines
-- needs: fenced, instance_fenced, static_member_fenced
-- needs: FROM events WHERE error IN ('ILLEGAL_GENERATION', 'UNKNOWN_MEMBER_ID', 'FENCED_INSTANCE_ID', 'UNRELEASED_INSTANCE_ID', 'FENCED_MEMBER_EPOCH', 'STALE_MEMBER_EPOCH')
-- uses: events, corrected_offsets, member_pods

WITH lines AS (
  SELECT e.cluster, e.group_id, e.ts,
    CASE WHEN o.offset_ms IS NULL THEN e.ts ELSE e.ts - to_microseconds((o.offset_ms * 1000)::BIGINT) END AS moment,
    e.event, e.pod, coalesce(e.pod, e.source) || '|' || coalesce(e.client_id, '') AS process, e.member_id,
    CASE WHEN e.generation >= 0 THEN e.generation ELSE e.epoch END AS generation, e.error, e.instance_id,
    field(e.fields, 'detail_event') AS detail, e.message, e.source, e.line, line_of(e.source, e.line, e.ts, e.message) AS evidence
  FROM events e LEFT JOIN corrected_offsets o ON o.cluster IS NOT DISTINCT FROM e.cluster AND o.source = e.source
  WHERE e.role = 'client' AND e.group_id IS NOT NULL AND e.ts IS NOT NULL
    AND e.event IN ('fenced', 'instance_fenced', 'heartbeat_failed', 'join_failed', 'sync_failed', 'offset_commit_failed', 'leave_failed',
      'generation_reset', 'join_succeeded', 'sync_succeeded', 'member_state_changed')
), known AS (
  -- who the consumer was, as it said last
  SELECT *,
    last_value(CASE WHEN event IN ('join_succeeded', 'sync_succeeded', 'member_state_changed') THEN member_id END IGNORE NULLS) OVER above AS last_member_id,
    last_value(CASE WHEN event IN ('join_succeeded', 'sync_succeeded') THEN generation WHEN event = 'member_state_changed' AND generation > 0 THEN generation END IGNORE NULLS) OVER above AS last_generation
  FROM lines WINDOW above AS (PARTITION BY cluster, group_id, process ORDER BY moment, source, line ROWS UNBOUNDED PRECEDING)
), rejected AS (
  SELECT *,
    CASE WHEN error IN ('ILLEGAL_GENERATION', 'UNKNOWN_MEMBER_ID', 'FENCED_INSTANCE_ID', 'UNRELEASED_INSTANCE_ID', 'FENCED_MEMBER_EPOCH', 'STALE_MEMBER_EPOCH') THEN error
         WHEN event = 'instance_fenced' THEN 'FENCED_INSTANCE_ID'
         WHEN event = 'fenced' AND (detail = 'generation_reset' OR message ILIKE '%generation id is not%' OR message ILIKE '%generation % is not current%') THEN 'ILLEGAL_GENERATION'
         WHEN event = 'fenced' AND message ILIKE '%epoch % is fenced%' THEN 'FENCED_MEMBER_EPOCH'
         WHEN event = 'fenced' AND (detail IN ('member_id_reset', 'join_failed') OR message ILIKE '%unknown%' OR message ILIKE '%member id%is not valid%'
           OR message ILIKE '%not aware of this member%') THEN 'UNKNOWN_MEMBER_ID' END AS fence,
    CASE WHEN event = 'offset_commit_failed' OR detail = 'offset_commit_failed' OR message ILIKE '%offsetcommit%' OR message ILIKE '%OFFSET_COMMIT response%' THEN 'commit'
         WHEN event = 'join_failed' OR detail = 'join_failed' OR message ILIKE '%joingroup%' OR message ILIKE '%JOIN_GROUP response%' OR message ILIKE '%join returned%' THEN 'join'
         WHEN event = 'sync_failed' OR detail = 'sync_failed' OR message ILIKE '%syncgroup%' OR message ILIKE '%SYNC_GROUP response%' THEN 'sync'
         WHEN event = 'leave_failed' OR message ILIKE '%leavegroup%' THEN 'leave'
         WHEN event = 'heartbeat_failed' OR message ILIKE '%heart%beat%' OR detail IN ('heartbeat_failed', 'member_fenced', 'fenced_member') THEN 'heartbeat'
         ELSE 'unknown' END AS operation
  FROM known
), runs AS (
  -- one rejection, many lines: the same error of the same consumer within a fifth of a second
  SELECT *, coalesce(moment - lag(moment) OVER same > INTERVAL 200 MILLISECOND, true) AS fresh
  FROM rejected
  WHERE fence IS NOT NULL AND event NOT IN ('join_succeeded', 'sync_succeeded', 'member_state_changed')
  WINDOW same AS (PARTITION BY cluster, group_id, process, fence ORDER BY moment, source, line)
), numbered AS (
  SELECT *, count(*) FILTER (fresh) OVER (PARTITION BY cluster, group_id, process, fence ORDER BY moment, source, line ROWS UNBOUNDED PRECEDING) AS run FROM runs
), requests AS (
  SELECT cluster, group_id, process, fence AS error, run, any_value(pod) AS pod, min(ts) AS ts, min(moment) AS moment,
    arg_min(coalesce(member_id, last_member_id), (event = 'generation_reset', moment)) AS member_id,
    arg_min(coalesce(generation, last_generation), (event = 'generation_reset', moment)) AS generation,
    coalesce(arg_min(operation, moment) FILTER (operation <> 'unknown'), 'unknown') AS operation,
    list(evidence ORDER BY moment, line)[1:10] AS evidence
  FROM numbered GROUP BY cluster, group_id, process, fence, run
)
SELECT cluster, group_id, ts, pod, member_id, generation, error, operation, process, moment, evidence FROM requests
UNION ALL
-- the old coordinator does not name the group: the member id leads to it
SELECT e.cluster, coalesce(e.group_id, p.group_id), e.ts, p.pod, e.member_id, e.generation, 'FENCED_INSTANCE_ID',
  CASE WHEN field(e.fields, 'operation') ILIKE '%commit%' THEN 'commit' ELSE coalesce(field(e.fields, 'operation'), 'unknown') END,
  p.process, e.ts, [line_of(e.source, e.line, e.ts, e.message)]
FROM events e
LEFT JOIN member_pods p ON p.cluster IS NOT DISTINCT FROM e.cluster AND p.member_id = e.member_id AND p.group_id = coalesce(e.group_id, p.group_id)
WHERE e.event = 'static_member_fenced' AND e.role = 'broker' AND e.ts IS NOT NULL AND coalesce(e.group_id, p.group_id) IS NOT NULL
  AND NOT EXISTS (FROM requests r WHERE r.cluster IS NOT DISTINCT FROM e.cluster AND r.group_id = coalesce(e.group_id, p.group_id)
    AND r.error = 'FENCED_INSTANCE_ID')
ORDER BY moment
