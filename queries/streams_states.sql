-- name: streams_states
-- row: a time that a Streams thread, or a whole Streams client, was in one state
-- grain: cluster, pod, thread, started_at
-- about: From one printed transition to the next of the same thread. Only a thread that is RUNNING processes; a client is RUNNING when all
--   of its threads are.
-- column: cluster VARCHAR - cluster
-- column: group_id VARCHAR - group, which is the application.id
-- column: pod VARCHAR - pod
-- column: thread VARCHAR - stream thread; NULL for the client as a whole
-- column: state VARCHAR - CREATED, STARTING, PARTITIONS_REVOKED, PARTITIONS_ASSIGNED, RUNNING, PENDING_SHUTDOWN, DEAD; of clients REBALANCING, NOT_RUNNING, ERROR too
-- column: from_state VARCHAR - state before
-- column: started_at TIMESTAMPTZ - it was entered
-- column: ended_at TIMESTAMPTZ - it was left; NULL if it lasts
-- column: duration_ms DOUBLE in ms - between the two
-- column: evidence STRUCT(source VARCHAR, line BIGINT, ts TIMESTAMPTZ, message VARCHAR)[] - both transitions
-- uses: streams_lines

SELECT cluster, group_id, pod, thread, state, from_state, ts AS started_at, lead(ts) OVER next AS ended_at,
  ms_between(moment, lead(moment) OVER next) AS duration_ms,
  list_filter([evidence, lead(evidence) OVER next], lambda said: said IS NOT NULL) AS evidence
FROM (SELECT * REPLACE (CASE WHEN event = 'stream_thread_state_changed' THEN thread END AS thread)
      FROM streams_lines WHERE event IN ('stream_thread_state_changed', 'streams_client_state_changed'))
WINDOW next AS (PARTITION BY cluster, pod, thread, event ORDER BY moment, evidence.source, evidence.line)
ORDER BY started_at
