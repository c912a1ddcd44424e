-- name: refused_joins
-- row: one run of refusals of one client
-- grain: cluster, group_id, pod, client_id, error, ts
-- about: A client that is turned away tries again, some a thousand times a second, some as a new process: one row, until it
--   joins or another error answers it. Brokers log nothing about it. `attempts` counts refusals, however many
--   lines the client and its framework print for each.
-- column: cluster VARCHAR - cluster
-- column: group_id VARCHAR - group that it asked for; NULL if its log does not say
-- column: ts TIMESTAMPTZ - first refusal; NULL if its log prints no time
-- column: last_ts TIMESTAMPTZ - last refusal of the run
-- column: pod VARCHAR - pod
-- column: client_id VARCHAR - client.id
-- column: client VARCHAR - client library
-- column: error VARCHAR - error in the protocol's spelling
-- column: offered VARCHAR - assignors that it offered, in order of preference, if it printed its settings
-- column: attempts BIGINT - refusals
-- column: evidence STRUCT(source VARCHAR, line BIGINT, ts TIMESTAMPTZ, message VARCHAR)[] - first and last line of the run
-- uses: events, group_lines, consumer_settings

WITH refusals AS (
  SELECT cluster, group_id, pod, client_id, client, error, ts, event, source, line,
    line_of(source, line, ts, message) AS evidence
  FROM events
  WHERE role = 'client' AND event NOT IN ('member_id_assigned', 'generation_reset', 'rejoin_requested', 'instance_fenced', 'fenced')
    AND error IN ('INCONSISTENT_GROUP_PROTOCOL', 'GROUP_MAX_SIZE_REACHED', 'INVALID_SESSION_TIMEOUT', 'INVALID_GROUP_ID',
      'UNSUPPORTED_ASSIGNOR')
),
pods AS (SELECT DISTINCT cluster, pod FROM refusals),
-- what a refused pod's lines say about its group and client id where the refusal itself does not
known AS (
  SELECT (cluster, pod) AS key,
    CASE WHEN count(DISTINCT group_id) = 1 THEN any_value(group_id) END AS pod_group,
    CASE WHEN count(DISTINCT client_id) = 1 THEN any_value(client_id) END AS pod_client_id
  FROM events WHERE role = 'client' AND (cluster, pod) IN (SELECT (cluster, pod) FROM pods)
  GROUP BY cluster, pod
),
steps AS (
  SELECT cluster, pod, coalesce(group_id, pod_group) AS group_id, coalesce(client_id, pod_client_id) AS client_id, client, error,
    ts, event, source, line, evidence
  FROM refusals LEFT JOIN known ON known.key = (cluster, pod)
  UNION ALL
  SELECT DISTINCT ON (cluster, pod, group_id, client_id, source, line) cluster, pod, group_id, client_id, client, NULL, ts, event, source, line, NULL
  FROM group_lines WHERE event = 'join_succeeded' AND (cluster, pod) IN (SELECT (cluster, pod) FROM pods)
),
runs AS (
  SELECT *, count_if(error IS DISTINCT FROM before) OVER (PARTITION BY cluster, pod, group_id, client_id ORDER BY ts, source, line) AS run
  FROM (
    SELECT *, lag(error) OVER (PARTITION BY cluster, pod, group_id, client_id ORDER BY ts, source, line) AS before FROM steps
  )
),
counted AS (
  SELECT cluster, group_id, pod, client_id, error, run, event, any_value(client) AS client, count(*) AS lines,
    min(ts) AS ts, max(ts) AS last_ts, arg_min(evidence, (ts, line)) AS first_line, arg_max(evidence, (ts, line)) AS last_line,
    any_value(evidence) AS any_line
  FROM runs WHERE error IS NOT NULL GROUP BY ALL
),
rows AS (
  SELECT cluster, group_id, pod, client_id, error, run, any_value(client) AS client, max(lines) AS attempts,
    min(ts) AS ts, max(last_ts) AS last_ts,
    list_distinct([coalesce(arg_min(first_line, ts), any_value(any_line)), coalesce(arg_max(last_line, last_ts), any_value(any_line))]) AS evidence
  FROM counted GROUP BY ALL
)
SELECT rows.cluster, rows.group_id, rows.ts, last_ts, rows.pod, rows.client_id, client, error,
  array_to_string(offered, ', ') AS offered, attempts, list_sort(evidence) AS evidence
FROM rows ASOF LEFT JOIN (
    SELECT cluster, pod, ts, assignors_of(assignors) AS offered FROM consumer_settings WHERE ts IS NOT NULL AND assignors IS NOT NULL
  ) AS settings
  ON settings.cluster IS NOT DISTINCT FROM rows.cluster AND settings.pod = rows.pod AND settings.ts <= rows.ts
ORDER BY 3, 2, 5, 6, 8
