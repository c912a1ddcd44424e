-- name: client_joins
-- row: one generation that one consumer process joined, by its own words
-- grain: cluster, group_id, incarnation, generation, process
-- about: `asked_at` is the first line of joining or of noticing the rebalance since the process last joined, was
--   refused, left, was fenced or began: what it did before belongs to another generation. A client that prints no
--   line for the SyncGroup answer prints its "joined" line after it (Java up to 2.6.0, kafkajs): it counts as synced.
-- column: cluster VARCHAR - cluster
-- column: group_id VARCHAR - group
-- column: incarnation BIGINT - life of the group, see generation_lines
-- column: generation BIGINT - generation joined
-- column: process VARCHAR - consumer process
-- column: pod VARCHAR - its pod
-- column: client VARCHAR - its client library
-- column: client_id VARCHAR - its client.id
-- column: member_id VARCHAR - its member id in that generation, if printed
-- column: asked_at TIMESTAMPTZ - first joining or noticing line
-- column: last_asked_at TIMESTAMPTZ - last joining line before the generation was joined
-- column: joined_at TIMESTAMPTZ - first line that says joined
-- column: synced_at TIMESTAMPTZ - last line that says synced (or joined, where that comes after the sync)
-- column: synced BOOLEAN - such a line is there (its time may be unknown)
-- column: last_at TIMESTAMPTZ - last line that says joined or synced
-- column: asked_moment TIMESTAMPTZ - asked_at by corrected time
-- column: last_asked_moment TIMESTAMPTZ - last_asked_at by corrected time
-- column: last_moment TIMESTAMPTZ - last_at by corrected time
-- column: assignor VARCHAR - assignor that the client names
-- column: leads BOOLEAN - true if the process computed the assignment or says that it leads
-- column: planned_at TIMESTAMPTZ - when it computed the assignment
-- column: planned_members BIGINT - members in its plan
-- column: said_members BIGINT - members of the group as a line of the client says it
-- column: leader_member_id VARCHAR - leader that it names
-- column: evidence STRUCT(source VARCHAR, line BIGINT, ts TIMESTAMPTZ, message VARCHAR)[] - the lines
-- needs: join_succeeded, sync_succeeded, leader_elected, assignment_computed
-- uses: group_lines, generation_lines

WITH steps AS (
  SELECT cluster, group_id, process, source, line, ts, moment, event, evidence,
    event IN ('join_started', 'rebalance_noticed') AS asks,
    event IN ('join_succeeded', 'sync_succeeded', 'leave_sent', 'poll_timeout', 'fenced', 'instance_fenced',
      'session_timeout', 'partitions_lost', 'client_closed', 'client_crashed', 'subscription_changed')
      OR (event = 'join_failed' AND error IN ('INCONSISTENT_GROUP_PROTOCOL', 'GROUP_MAX_SIZE_REACHED',
        'INVALID_SESSION_TIMEOUT', 'INVALID_GROUP_ID', 'GROUP_AUTHORIZATION_FAILED', 'FENCED_INSTANCE_ID')) AS cuts
  FROM group_lines
  WHERE role = 'client' AND group_id IS NOT NULL
),
stretches AS (
  SELECT *, coalesce(count_if(cuts) OVER (PARTITION BY cluster, group_id, process, source ORDER BY line
    ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS stretch
  FROM steps
),
asked AS (
  SELECT (cluster, group_id, process, source, stretch) AS key,
    min(ts) FILTER (asks) AS asked_at, min(moment) FILTER (asks) AS asked_moment,
    max(ts) FILTER (event = 'join_started') AS last_asked_at,
    max(moment) FILTER (event = 'join_started') AS last_asked_moment,
    arg_min(evidence, line) FILTER (asks) AS first_line
  FROM stretches GROUP BY ALL
),
joined AS (
  SELECT generation_lines.*, stretch
  FROM generation_lines JOIN stretches
    ON stretches.cluster IS NOT DISTINCT FROM generation_lines.cluster AND stretches.group_id = generation_lines.group_id
      AND stretches.process = generation_lines.process AND stretches.source = generation_lines.source AND stretches.line = generation_lines.line
  WHERE role = 'client'
),
says_sync AS (
  SELECT DISTINCT cluster, process FROM group_lines WHERE event IN ('sync_succeeded', 'sync_failed')
),
planned AS (
  SELECT (cluster, group_id, incarnation, number, process) AS key,
    max(greatest(members, nullif(len(plan_cuts(evidence.message)) - 1, 0))) AS whole_plan,
    count(DISTINCT member_id) FILTER (len(plan_cuts(evidence.message)) = 1) AS plan_lines
  FROM generation_lines WHERE event = 'assignment_computed'
  GROUP BY ALL
)
SELECT cluster, group_id, incarnation, number AS generation, process,
  any_value(pod) AS pod, any_value(client) AS client, any_value(client_id) AS client_id,
  max(joined.member_id) FILTER (event IN ('join_succeeded', 'sync_succeeded', 'leader_elected')) AS member_id,
  min(asked_at) AS asked_at, max(last_asked_at) AS last_asked_at,
  min(ts) FILTER (event IN ('join_succeeded', 'leader_elected')) AS joined_at,
  CASE WHEN (cluster, process) IN (SELECT (cluster, process) FROM says_sync)
       THEN max(ts) FILTER (event = 'sync_succeeded') ELSE max(ts) FILTER (event = 'join_succeeded') END AS synced_at,
  count_if(event = 'sync_succeeded'
    OR (event = 'join_succeeded' AND (cluster, process) NOT IN (SELECT (cluster, process) FROM says_sync))) > 0 AS synced,
  max(ts) FILTER (event IN ('join_succeeded', 'sync_succeeded')) AS last_at,
  min(asked_moment) AS asked_moment, max(last_asked_moment) AS last_asked_moment,
  max(moment) FILTER (event IN ('join_succeeded', 'sync_succeeded')) AS last_moment,
  max(assignor) FILTER (event <> 'assignment_computed') AS assignor,
  count_if(event IN ('assignment_computed', 'leader_elected')
    AND (joined.leader_member_id IS NOT NULL OR event = 'assignment_computed' OR joined.member_id IS NULL)) > 0
    OR coalesce(bool_or(joined.leader_member_id = joined.member_id), false) AS leads,
  max(ts) FILTER (event = 'assignment_computed') AS planned_at,
  nullif(greatest(any_value(whole_plan), any_value(plan_lines)), 0) AS planned_members,
  max(members) FILTER (event IN ('join_succeeded', 'leader_elected') AND members > 0) AS said_members,
  max(joined.leader_member_id) AS leader_member_id,
  list_sort(list_filter(list_distinct(list(first_line) || list(evidence)), lambda it: it IS NOT NULL)) AS evidence
FROM joined
LEFT JOIN asked ON asked.key = (cluster, group_id, process, source, stretch)
LEFT JOIN planned ON planned.key = (cluster, group_id, incarnation, number, process)
GROUP BY cluster, group_id, incarnation, number, process
