-- name: streams_tasks
-- row: a Streams task that came to another thread
-- grain: cluster, group_id, task_id, role, moved_at
-- about: From the assignments that threads handle. An active task has one owner: its row names the one before. A standby may have several; its row
--   names where it came to. What a thread keeps is no row.
-- column: cluster VARCHAR - cluster
-- column: group_id VARCHAR - group, which is the application.id
-- column: task_id VARCHAR - task: subtopology_partition
-- column: role VARCHAR - active or standby
-- column: moved_at TIMESTAMPTZ - the new owner handled its assignment
-- column: from_pod VARCHAR - owner before; NULL for the first that the logs show
-- column: from_thread VARCHAR - its thread
-- column: to_pod VARCHAR - new owner
-- column: to_thread VARCHAR - its thread
-- column: was_standby BOOLEAN - the new owner of an active task had it as a standby before: its store was warm
-- column: evidence STRUCT(source VARCHAR, line BIGINT, ts TIMESTAMPTZ, message VARCHAR)[] - the assignments
-- uses: streams_lines

WITH handled AS (
  SELECT *, lag(active) OVER mine AS active_before, lag(standby) OVER mine AS standby_before
  FROM streams_lines WHERE event = 'streams_assignment_handled' AND active IS NOT NULL
  WINDOW mine AS (PARTITION BY cluster, pod, thread ORDER BY moment, evidence.line)
), gained AS (
  SELECT cluster, group_id, pod, thread, moment, ts, evidence, 'active' AS role,
    unnest(list_filter(active, lambda task: NOT list_contains(coalesce(active_before, []), task))) AS task_id
  FROM handled
  UNION ALL
  SELECT cluster, group_id, pod, thread, moment, ts, evidence, 'standby',
    unnest(list_filter(standby, lambda task: NOT list_contains(coalesce(standby_before, []), task)))
  FROM handled
), warm AS (
  SELECT cluster, pod, moment, unnest(standby_before) AS task_id FROM handled WHERE len(standby_before) > 0
), owners AS (
  SELECT *, lag(pod) OVER bytask AS from_pod, lag(thread) OVER bytask AS from_thread, lag(evidence) OVER bytask AS before
  FROM gained
  WINDOW bytask AS (PARTITION BY cluster, group_id, role, task_id ORDER BY moment, evidence.line)
)
SELECT o.cluster, o.group_id, o.task_id, o.role, o.ts AS moved_at,
  CASE WHEN o.role = 'active' THEN o.from_pod END AS from_pod, CASE WHEN o.role = 'active' THEN o.from_thread END AS from_thread,
  o.pod AS to_pod, o.thread AS to_thread,
  CASE WHEN o.role = 'active' THEN EXISTS (FROM warm w WHERE w.cluster IS NOT DISTINCT FROM o.cluster AND w.pod = o.pod AND w.task_id = o.task_id
    AND w.moment = o.moment) END AS was_standby,
  list_filter([CASE WHEN o.role = 'active' THEN o.before END, o.evidence], lambda said: said IS NOT NULL) AS evidence
FROM owners o
WHERE o.role = 'standby' OR o.from_pod IS NULL OR o.from_pod <> o.pod OR o.from_thread <> o.thread
ORDER BY o.moment, o.task_id
