-- name: coordinator_lines
-- row: a client's line about its coordinator
-- grain: cluster, source, line
-- about: What each consumer says of finding, losing and using its coordinator. `kind`: `found` (it learned who it is), `lost` (it
--   gave it up), `refused` (a request was answered NOT_COORDINATOR, COORDINATOR_NOT_AVAILABLE or COORDINATOR_LOAD_IN_PROGRESS),
--   `asked` (nobody could tell it), `served` (the coordinator answered with what was asked for). Node ids 2147483647 - n
--   are read as broker n.
-- column: cluster VARCHAR - cluster
-- column: group_id VARCHAR - group
-- column: moment TIMESTAMPTZ - corrected time, for order and durations
-- column: pod VARCHAR - pod that wrote the line
-- column: process VARCHAR - pod and client id: one consumer of one pod
-- column: kind VARCHAR - found, lost, refused, asked or served
-- column: broker BIGINT - broker that the line names
-- column: error VARCHAR - Kafka error in its protocol spelling
-- column: event VARCHAR - name of the vocabulary
-- column: steady BOOLEAN - for `found`: the consumer did not lose it, was not refused by it and did not look for it again within three seconds
-- column: evidence STRUCT(source VARCHAR, line BIGINT, ts TIMESTAMPTZ, message VARCHAR) - the line
-- uses: events, corrected_offsets

WITH named AS (
  SELECT cluster, group_id, ts, pod, coalesce(pod, source) || '|' || coalesce(client_id, '') AS process, event, state, error,
    coalesce(broker_id, CASE WHEN node > 1073741823 THEN 2147483647 - node ELSE node END) AS broker,
    source, line, line_of(source, line, ts, message) AS evidence
  FROM (SELECT *, TRY_CAST(field(fields, 'coordinator_node_id') AS BIGINT) AS node FROM events)
  WHERE role = 'client' AND group_id IS NOT NULL AND ts IS NOT NULL
    AND event IN ('coordinator_discovered', 'coordinator_unavailable', 'coordinator_lookup_failed', 'heartbeat_failed',
      'join_failed', 'sync_failed', 'offset_commit_failed', 'leave_failed', 'rejoin_requested', 'generation_reset',
      'join_succeeded', 'sync_succeeded', 'offsets_committed', 'committed_offset_applied', 'no_committed_offset',
      'target_assignment_received', 'leader_elected', 'member_id_assigned', 'partitions_assigned', 'member_state_changed')
), kinds AS (
  SELECT *,
    CASE
      WHEN event = 'coordinator_discovered' THEN 'found'
      WHEN event = 'coordinator_unavailable' THEN 'lost'
      WHEN error IN ('NOT_COORDINATOR', 'COORDINATOR_NOT_AVAILABLE', 'COORDINATOR_LOAD_IN_PROGRESS')
        AND event NOT IN ('rejoin_requested', 'generation_reset') THEN 'refused'
      WHEN event = 'coordinator_lookup_failed' THEN 'asked'
      WHEN event IN ('join_succeeded', 'sync_succeeded', 'offsets_committed', 'committed_offset_applied',
        'no_committed_offset', 'target_assignment_received', 'leader_elected', 'member_id_assigned',
        'partitions_assigned') OR event = 'member_state_changed' AND upper(state) IN ('RECONCILING', 'ACKNOWLEDGING', 'STABLE') THEN 'served'
    END AS kind
  FROM named
), timed AS (
  SELECT kinds.*, CASE WHEN o.offset_ms IS NULL THEN ts ELSE ts - to_microseconds((o.offset_ms * 1000)::BIGINT) END AS moment
  FROM kinds LEFT JOIN corrected_offsets o ON o.cluster IS NOT DISTINCT FROM kinds.cluster AND o.source = kinds.source
  WHERE kind IS NOT NULL
), followed AS (
  SELECT *,
    min(CASE WHEN kind = 'lost' OR kind = 'refused' AND error <> 'COORDINATOR_LOAD_IN_PROGRESS' THEN moment END) OVER later AS trouble,
    min(CASE WHEN kind = 'served' THEN moment END) OVER later AS service,
    -- a consumer that finds it again within seconds is still looking for one that answers
    min(CASE WHEN kind = 'found' THEN moment END) OVER soon AS again,
    count(*) FILTER (kind = 'found') OVER lately AS tries
  FROM timed
  WINDOW later AS (PARTITION BY cluster, group_id, process ORDER BY moment, source, line
      ROWS BETWEEN 1 FOLLOWING AND 40 FOLLOWING),
    soon AS (PARTITION BY cluster, group_id, process ORDER BY moment RANGE BETWEEN INTERVAL 500 MILLISECOND FOLLOWING AND INTERVAL 3 SECOND FOLLOWING),
    lately AS (PARTITION BY cluster, group_id, process ORDER BY moment RANGE BETWEEN INTERVAL 3 SECOND PRECEDING AND CURRENT ROW)
)
SELECT cluster, group_id, moment, pod, process, kind, broker, error, event,
  CASE WHEN kind = 'found'
    THEN (trouble IS NULL OR trouble > moment + INTERVAL 3 SECOND OR coalesce(service < trouble, false))
      AND (again IS NULL OR coalesce(service < again, false))
      -- the last of several tries, with nothing behind it, is not known to have held
      AND NOT (tries >= 3 AND trouble IS NULL AND service IS NULL) END AS steady,
  evidence
FROM followed
