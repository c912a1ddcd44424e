-- name: consumer_settings
-- row: the settings that a Java consumer printed when it was made
-- grain: cluster, source, line
-- about: Read from the ConsumerConfig listing. Settings that the listing lacks are NULL.
-- column: cluster VARCHAR - cluster
-- column: group_id VARCHAR - group.id
-- column: client_id VARCHAR - client.id
-- column: pod VARCHAR - pod
-- column: ts TIMESTAMPTZ - when it was printed
-- column: offset_reset VARCHAR - auto.offset.reset: earliest, latest, none or by_duration:..
-- column: auto_commit BOOLEAN - enable.auto.commit
-- column: auto_commit_ms BIGINT in ms - auto.commit.interval.ms
-- column: session_ms BIGINT in ms - session.timeout.ms
-- column: poll_ms BIGINT in ms - max.poll.interval.ms
-- column: heartbeat_ms BIGINT in ms - heartbeat.interval.ms
-- column: protocol VARCHAR - group.protocol
-- column: assignors VARCHAR - partition.assignment.strategy, as printed
-- column: source VARCHAR - source
-- column: line BIGINT - line in the source
-- column: evidence STRUCT(source VARCHAR, line BIGINT, ts TIMESTAMPTZ, message VARCHAR) - the first line of the listing
-- uses: events

SELECT cluster, coalesce(nullif(nullif(regexp_extract(message, '\n\s*group\.id = (\S+)', 1), ''), 'null'), group_id) AS group_id,
  coalesce(nullif(nullif(regexp_extract(message, '\n\s*client\.id = (\S+)', 1), ''), 'null'), client_id) AS client_id, pod, ts,
  nullif(regexp_extract(message, '\n\s*auto\.offset\.reset = (\S+)', 1), '') AS offset_reset,
  TRY_CAST(nullif(regexp_extract(message, '\n\s*enable\.auto\.commit = (\S+)', 1), '') AS BOOLEAN) AS auto_commit,
  TRY_CAST(regexp_extract(message, '\n\s*auto\.commit\.interval\.ms = (\d+)', 1) AS BIGINT) AS auto_commit_ms,
  TRY_CAST(regexp_extract(message, '\n\s*session\.timeout\.ms = (\d+)', 1) AS BIGINT) AS session_ms,
  TRY_CAST(regexp_extract(message, '\n\s*max\.poll\.interval\.ms = (\d+)', 1) AS BIGINT) AS poll_ms,
  TRY_CAST(regexp_extract(message, '\n\s*heartbeat\.interval\.ms = (\d+)', 1) AS BIGINT) AS heartbeat_ms,
  nullif(regexp_extract(message, '\n\s*group\.protocol = (\S+)', 1), '') AS protocol,
  nullif(regexp_extract(message, '\n\s*partition\.assignment\.strategy = \[?([^\]\n]*)', 1), '') AS assignors,
  source, line, line_of(source, line, ts, regexp_extract(message, '^[^\n]*')) AS evidence
FROM events
WHERE event = 'client_config' AND message LIKE '%ConsumerConfig%'
