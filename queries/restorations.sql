-- name: restorations
-- row: a Streams task whose state was restored
-- grain: cluster, pod, task_id, finished_at
-- about: From the assignment that made the task active on the pod to the line that calls it restored. `records` are those read from
--   changelog partitions of the task's number on the pod meanwhile: of all subtopologies, where several have that number.
-- column: cluster VARCHAR - cluster
-- column: group_id VARCHAR - group, which is the application.id
-- column: task_id VARCHAR - task: subtopology_partition
-- column: pod VARCHAR - pod
-- column: thread VARCHAR - thread that was given the task
-- column: started_at TIMESTAMPTZ - assigned; NULL if the logs do not show it
-- column: finished_at TIMESTAMPTZ - restored
-- column: duration_ms DOUBLE in ms - between the two, or as the line says
-- column: records BIGINT - records read from changelogs
-- column: changelogs VARCHAR[] - changelog partitions read
-- column: evidence STRUCT(source VARCHAR, line BIGINT, ts TIMESTAMPTZ, message VARCHAR)[] - assignment, changelogs, end
-- needs: streams_lines
-- uses: streams_lines

WITH finished AS (
  SELECT cluster, group_id, pod, moment, ts, task_id, duration_ms, evidence FROM streams_lines WHERE event = 'task_restored' AND task_id IS NOT NULL
  UNION ALL
  SELECT cluster, group_id, pod, moment, ts, unnest(restored), duration_ms, evidence
  FROM streams_lines WHERE event = 'task_restored' AND task_id IS NULL AND len(restored) > 0
), assigned AS (
  SELECT cluster, pod, thread, moment, ts, evidence,
    unnest(list_filter(active, lambda task: NOT list_contains(coalesce(active_before, []), task))) AS task_id
  FROM (SELECT *, lag(active) OVER (PARTITION BY cluster, pod, thread ORDER BY moment, evidence.line) AS active_before
        FROM streams_lines WHERE event = 'streams_assignment_handled' AND active IS NOT NULL)
), begun AS (
  SELECT f.*, a.thread, a.ts AS started_at, a.moment AS since, a.evidence AS start
  FROM finished f ASOF LEFT JOIN assigned a
    ON a.cluster IS NOT DISTINCT FROM f.cluster AND a.pod = f.pod AND a.task_id = f.task_id AND a.moment <= f.moment
), once AS (
  SELECT *, row_number() OVER (PARTITION BY cluster, pod, task_id, started_at ORDER BY moment) AS nth FROM begun
), spent AS (
  SELECT o.cluster, o.pod, o.task_id, o.moment, sum(c.records)::BIGINT AS records, list(DISTINCT c.changelog ORDER BY c.changelog) AS changelogs,
    list(c.evidence ORDER BY c.moment)[1:5] AS said
  FROM once o JOIN (FROM streams_lines WHERE event = 'task_restored' AND changelog IS NOT NULL) c
    ON c.cluster IS NOT DISTINCT FROM o.cluster AND c.pod = o.pod AND regexp_extract(c.changelog, '\d+$') = regexp_extract(o.task_id, '\d+$')
  WHERE c.moment BETWEEN o.since AND o.moment
  GROUP BY o.cluster, o.pod, o.task_id, o.moment
)
SELECT o.cluster, o.group_id, o.task_id, o.pod, o.thread, o.started_at, o.ts AS finished_at,
  coalesce(ms_between(o.since, o.moment), o.duration_ms) AS duration_ms, s.records, coalesce(s.changelogs, []) AS changelogs,
  list_concat(list_filter([o.start], lambda said: said IS NOT NULL), coalesce(s.said, []), [o.evidence]) AS evidence
FROM once o LEFT JOIN spent s ON s.cluster IS NOT DISTINCT FROM o.cluster AND s.pod = o.pod AND s.task_id = o.task_id AND s.moment = o.moment
WHERE o.nth = 1
ORDER BY o.moment, o.task_id
