-- name: streams_lines
-- row: a line of a Streams application about its threads and tasks
-- grain: cluster, source, line
-- about: The base of streams_states, streams_tasks and restorations. Lines that name no group take that of the other lines of the pod.
-- column: cluster VARCHAR - cluster
-- column: group_id VARCHAR - group, which is the application.id
-- column: moment TIMESTAMPTZ - corrected time
-- column: ts TIMESTAMPTZ - time as printed
-- column: pod VARCHAR - pod
-- column: event VARCHAR - name of the vocabulary
-- column: thread VARCHAR - stream thread or state updater; NULL for lines of the whole client
-- column: state VARCHAR - state entered
-- column: from_state VARCHAR - state left
-- column: active VARCHAR[] - active tasks of a new assignment
-- column: standby VARCHAR[] - standby tasks of a new assignment
-- column: task_id VARCHAR - task that is restored
-- column: restored VARCHAR[] - tasks that a line calls restored together
-- column: changelog VARCHAR - changelog partition that was read
-- column: records BIGINT - records read from it
-- column: duration_ms DOUBLE in ms - duration that the line names
-- column: evidence STRUCT(source VARCHAR, line BIGINT, ts TIMESTAMPTZ, message VARCHAR) - the line
-- needs: stream_thread_state_changed, streams_client_state_changed, streams_assignment_handled, task_restored, task_migrated, stream_thread_failed
-- uses: events, corrected_offsets

WITH pods AS (
  SELECT cluster, pod, any_value(group_id) AS group_id
  FROM events
  WHERE role = 'client' AND client = 'streams' AND group_id IS NOT NULL AND pod IS NOT NULL
  GROUP BY cluster, pod HAVING count(DISTINCT group_id) = 1
)
SELECT e.cluster, coalesce(e.group_id, p.group_id) AS group_id,
  CASE WHEN o.offset_ms IS NULL THEN e.ts ELSE e.ts - to_microseconds((o.offset_ms * 1000)::BIGINT) END AS moment,
  e.ts, e.pod, e.event, coalesce(field(e.fields, 'thread_id'), field(e.fields, 'thread')) AS thread, e.state, field(e.fields, 'from_state') AS from_state,
  CASE WHEN e.event = 'streams_assignment_handled' THEN regexp_extract_all(field(e.fields, 'active_tasks'), '\w+_\d+') END AS active,
  CASE WHEN e.event = 'streams_assignment_handled' THEN regexp_extract_all(field(e.fields, 'standby_tasks'), '\w+_\d+') END AS standby,
  CASE WHEN e.event = 'task_restored' THEN field(e.fields, 'task_id') END AS task_id,
  CASE WHEN e.event = 'task_restored' THEN regexp_extract_all(coalesce(field(e.fields, 'all_tasks'), field(e.fields, 'active_task_ids')), '\w+_\d+') END AS restored,
  CASE WHEN e.event = 'task_restored' THEN coalesce(e.topic_partitions[1], field(e.fields, 'topic_partitions')) END AS changelog,
  TRY_CAST(field(e.fields, 'total_restored') AS BIGINT) AS records,
  coalesce(e.duration_ms, TRY_CAST(field(e.fields, 'time_ms') AS DOUBLE)) AS duration_ms,
  line_of(e.source, e.line, e.ts, e.message) AS evidence
FROM events e
LEFT JOIN pods p ON p.cluster IS NOT DISTINCT FROM e.cluster AND p.pod = e.pod
LEFT JOIN corrected_offsets o ON o.cluster IS NOT DISTINCT FROM e.cluster AND o.source = e.source
WHERE e.role = 'client' AND e.ts IS NOT NULL
  AND e.event IN ('stream_thread_state_changed', 'streams_client_state_changed', 'streams_assignment_handled', 'task_restored', 'task_migrated', 'stream_thread_failed')
