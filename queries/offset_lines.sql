-- name: offset_lines
-- row: a client's line about its position in one partition
-- grain: cluster, source, line, topic, partition
-- about: `kind`: `none` (nothing was committed), `resumed` (it starts at a committed offset), `reset` (set by the reset policy),
--   `out_of_range` (the position no longer exists, or not yet), `truncated`, `committed`. `position` is the offset that the line gives to
--   the group; for `out_of_range` the one that was asked for.
-- column: cluster VARCHAR - cluster
-- column: group_id VARCHAR - group; NULL where the client does not say
-- column: moment TIMESTAMPTZ - corrected time
-- column: ts TIMESTAMPTZ - time as printed
-- column: pod VARCHAR - pod that wrote the line
-- column: process VARCHAR - pod and client id
-- column: topic VARCHAR - topic
-- column: partition BIGINT - partition
-- column: kind VARCHAR - none, resumed, reset, out_of_range, truncated or committed
-- column: position BIGINT - offset
-- column: asked BIGINT - for a reset that says so: the position that was not there
-- column: target VARCHAR - where a reset went, if the client says it in words: earliest, latest or the words
-- column: because VARCHAR - why a reset was made, if the line itself says so
-- column: evidence STRUCT(source VARCHAR, line BIGINT, ts TIMESTAMPTZ, message VARCHAR) - the line
-- uses: events, corrected_offsets

WITH lines AS (
  SELECT e.cluster, e.group_id, e.ts,
    CASE WHEN o.offset_ms IS NULL THEN e.ts ELSE e.ts - to_microseconds((o.offset_ms * 1000)::BIGINT) END AS moment,
    e.pod, coalesce(e.pod, e.source) || '|' || coalesce(e.client_id, '') AS process, e.event, e.error, e.fields, e.message,
    CASE WHEN len(e.topic_partitions) > 0 THEN e.topic_partitions
         WHEN field(e.fields, 'topic') IS NOT NULL THEN [field(e.fields, 'topic') || '-' || coalesce(field(e.fields, 'partition'), '')]
         ELSE [NULL] END AS places,
    line_of(e.source, e.line, e.ts, e.message) AS evidence
  FROM events e LEFT JOIN corrected_offsets o ON o.cluster IS NOT DISTINCT FROM e.cluster AND o.source = e.source
  WHERE e.role = 'client'
    -- consumers without a group that follow a changelog or a Connect topic start where they are told to
    AND NOT coalesce(e.client_id LIKE '%-restore-consumer%' OR e.client_id LIKE '%-global-consumer%', false)
    AND NOT (e.group_id IS NULL AND e.client_id IS NOT NULL AND e.client IN ('java', 'streams', 'connect'))
    AND e.event IN ('no_committed_offset', 'committed_offset_applied', 'offset_reset', 'offset_out_of_range', 'log_truncation', 'offsets_committed')
), placed AS (SELECT * EXCLUDE (places), unnest(places) AS place FROM lines)
SELECT cluster, group_id, moment, ts, pod, process,
  nullif(regexp_extract(place, '^(.*)-\d*$', 1), '') AS topic, TRY_CAST(regexp_extract(place, '-(\d+)$', 1) AS BIGINT) AS partition,
  CASE event WHEN 'no_committed_offset' THEN 'none' WHEN 'committed_offset_applied' THEN 'resumed' WHEN 'offset_reset' THEN 'reset'
    WHEN 'offset_out_of_range' THEN 'out_of_range' WHEN 'log_truncation' THEN 'truncated' ELSE 'committed' END AS kind,
  TRY_CAST(coalesce(field(fields, 'to_offset'), regexp_extract(field(fields, 'to_pos'), '^(?:offset )?(\d+)', 1), field(fields, 'offset'),
    field(fields, 'fetch_offset'), field(fields, 'current_position')) AS BIGINT) AS position,
  TRY_CAST(coalesce(field(fields, 'from_offset'), regexp_extract(field(fields, 'from_pos'), '(\d+)', 1),
    CASE WHEN event = 'offset_reset' AND coalesce(error, message) ILIKE '%out%of%range%' THEN field(fields, 'offset') END) AS BIGINT) AS asked,
  CASE WHEN field(fields, 'to_pos') ILIKE '%END%' THEN 'latest' WHEN field(fields, 'to_pos') ILIKE '%BEGINNING%' THEN 'earliest' ELSE field(fields, 'to_pos') END AS target,
  CASE WHEN event = 'offset_reset' AND (error = 'OFFSET_OUT_OF_RANGE' OR message ILIKE '%out%of%range%' OR message ILIKE '%before the first offset%') THEN 'out_of_range'
       WHEN event = 'offset_reset' AND message ILIKE '%no previously committed%' THEN 'no_committed_offset' END AS because,
  evidence
FROM placed
