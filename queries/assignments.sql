-- name: assignments
-- row: what one member owned in one generation
-- grain: cluster, group_id, incarnation, generation, member_id, pod
-- about: From the leader's plan where its log is at hand (it names every member), else from what each client says that it got.
--   A client that prints only what was added says nothing about the whole under a cooperative assignor and is left out then.
-- column: cluster VARCHAR - cluster
-- column: group_id VARCHAR - group
-- column: generation BIGINT - generation
-- column: member_id VARCHAR - member; NULL if its client did not print it
-- column: pod VARCHAR - the member's pod
-- column: topic_partitions VARCHAR[] - partitions as topic-number, sorted
-- column: incarnation BIGINT - life of the group
-- column: assigned_at TIMESTAMPTZ - when the plan was made, or the client got its part
-- column: told_by VARCHAR - leader or member
-- column: evidence STRUCT(source VARCHAR, line BIGINT, ts TIMESTAMPTZ, message VARCHAR)[] - the line
-- needs: generation_lines, partitions_assigned
-- uses: generation_lines, client_joins, group_lines, member_pods

WITH plan_lines AS (
  SELECT cluster, group_id, incarnation, number AS generation, process, member_id, topic_partitions, ts, evidence,
    CASE WHEN position('=Assignment(partitions=[' IN evidence.message) > 0 THEN plan_of(evidence.message) END AS plan
  FROM generation_lines WHERE event = 'assignment_computed'
),
planned AS (
  SELECT cluster, group_id, incarnation, generation, unnest(plan).member_id AS member_id, unnest(plan).topic_partitions AS topic_partitions,
    ts, evidence
  FROM plan_lines WHERE plan IS NOT NULL
  UNION ALL
  SELECT cluster, group_id, incarnation, generation, member_id, list_distinct(flatten(list(topic_partitions))), min(ts), any_value(evidence)
  FROM plan_lines WHERE plan IS NULL AND member_id IS NOT NULL AND topic_partitions IS NOT NULL
  GROUP BY ALL
),
plans AS (
  SELECT cluster, group_id, incarnation, generation, member_id, any_value(topic_partitions) AS topic_partitions, min(ts) AS ts,
    any_value(evidence) AS evidence
  FROM planned GROUP BY ALL
),
-- each client's own word: the whole of it (synced, or the current part of a diff), or what was handed out under an eager assignor
told AS (
  SELECT cluster, group_id, process, moment, source, line, event, topic_partitions, ts, evidence FROM group_lines
  WHERE role = 'client' AND topic_partitions IS NOT NULL AND event IN ('sync_succeeded', 'assignment_diff', 'partitions_assigned')
),
owned AS (
  SELECT j.cluster, j.group_id, j.incarnation, j.generation, j.process, j.member_id, j.pod, j.assignor,
    arg_min(t.topic_partitions, (CASE t.event WHEN 'sync_succeeded' THEN 1 WHEN 'assignment_diff' THEN 2 ELSE 3 END, t.line)) AS topic_partitions,
    arg_min(t.event, (CASE t.event WHEN 'sync_succeeded' THEN 1 WHEN 'assignment_diff' THEN 2 ELSE 3 END, t.line)) AS event,
    min(t.ts) AS ts, any_value(t.evidence) AS evidence
  FROM told AS t ASOF JOIN (SELECT * FROM client_joins WHERE last_moment IS NOT NULL AND synced) AS j
    ON j.cluster IS NOT DISTINCT FROM t.cluster AND j.group_id = t.group_id AND j.process = t.process
      AND t.moment >= j.last_moment - INTERVAL 5 MILLISECOND
  WHERE ms_between(j.last_moment, t.moment) < 5000
  GROUP BY ALL
)
SELECT p.cluster, p.group_id, p.generation, p.member_id, coalesce(m.pod, client_part(p.member_id)) AS pod,
  list_sort(p.topic_partitions) AS topic_partitions, p.incarnation, p.ts AS assigned_at, 'leader' AS told_by, [p.evidence] AS evidence
FROM plans AS p LEFT JOIN member_pods AS m ON m.cluster IS NOT DISTINCT FROM p.cluster AND m.group_id = p.group_id AND m.member_id = p.member_id
UNION ALL
SELECT o.cluster, o.group_id, o.generation, o.member_id, o.pod, list_sort(o.topic_partitions), o.incarnation, o.ts, 'member', [o.evidence]
FROM owned AS o
WHERE (o.cluster, o.group_id, o.incarnation, o.generation) NOT IN (SELECT (cluster, group_id, incarnation, generation) FROM plans)
  AND (o.event <> 'partitions_assigned' OR o.assignor IN ('range', 'roundrobin', 'sticky', 'RoundRobinAssigner'))
ORDER BY 1, 2, 3, 4, 5
