-- name: epoch_members
-- row: a moment at which the number of members of a KIP-848 group changed
-- grain: cluster, group_id, changed_at, member_id
-- about: Counted from the coordinator's lines about members that came and went. Nothing is told of a group whose first members are not
--   known: one that was neither made, nor converted, nor loaded with a count in these logs, or that has static members, whose places stay
--   taken while they are away. Without brokers' logs nobody counts.
-- column: cluster VARCHAR - cluster
-- column: group_id VARCHAR - group
-- column: changed_at TIMESTAMPTZ - from here on
-- column: members BIGINT - members from here on
-- column: change VARCHAR - joined, left, fenced, converted (from the classic protocol) or loaded (by a new coordinator)
-- column: member_id VARCHAR - member that came or went; NULL for converted and loaded
-- column: pod VARCHAR - its pod
-- column: evidence STRUCT(source VARCHAR, line BIGINT, ts TIMESTAMPTZ, message VARCHAR)[] - the line
-- needs: group_epoch_bumped
-- uses: events, epoch_lines, protocol_migrations, rebalances, assignments, member_pods

WITH counted AS (
  -- (cluster, group_id) compares as a row: a cluster without a name is NULL
  SELECT cluster, group_id, arg_min(epoch, moment) FILTER (event = 'group_epoch_bumped') = 1 AS made_here
  FROM epoch_lines WHERE role = 'broker' GROUP BY cluster, group_id
  HAVING count(*) FILTER (event = 'group_epoch_bumped') > 0 AND count(*) FILTER (event LIKE 'static_member_%') = 0
), conversions AS (
  SELECT cluster, group_id, min(started_at) AS since, bool_or(online IS NOT false) AS online, max(from_generation) AS generation,
    any_value(evidence) AS evidence, count(*) AS times
  FROM protocol_migrations GROUP BY cluster, group_id
), carried AS (
  SELECT c.cluster, c.group_id, list(DISTINCT a.member_id) FILTER (a.member_id IS NOT NULL) AS ids, max(r.members) AS members
  FROM conversions c
  JOIN rebalances r ON r.cluster IS NOT DISTINCT FROM c.cluster AND r.group_id = c.group_id AND r.generation = c.generation
    AND r.outcome = 'completed' AND r.completed_at <= c.since
  JOIN assignments a ON a.cluster IS NOT DISTINCT FROM r.cluster AND a.group_id = r.group_id AND a.generation = r.generation
    AND a.incarnation = r.incarnation
  GROUP BY c.cluster, c.group_id
), loads AS (
  SELECT cluster, group_id, min(ts) AS since, arg_min(members, ts) AS members, [arg_min(line_of(source, line, ts, message), ts)] AS evidence
  FROM events WHERE event = 'group_loaded' AND role = 'broker' AND members IS NOT NULL AND group_type IS DISTINCT FROM 'classic'
  GROUP BY cluster, group_id
), base AS (
  SELECT g.cluster, g.group_id,
    CASE WHEN c.times IS NOT NULL THEN c.since WHEN NOT g.made_here THEN l.since END AS since,
    CASE WHEN c.online THEN k.members WHEN c.times IS NOT NULL OR g.made_here THEN 0 ELSE l.members END AS members,
    CASE WHEN c.online THEN k.ids ELSE []::VARCHAR[] END AS ids,
    CASE WHEN c.times IS NOT NULL THEN 'converted' WHEN NOT g.made_here THEN 'loaded' END AS change,
    CASE WHEN c.times IS NOT NULL THEN c.evidence WHEN NOT g.made_here THEN l.evidence END AS evidence
  FROM counted g
  LEFT JOIN conversions c ON c.cluster IS NOT DISTINCT FROM g.cluster AND c.group_id = g.group_id
  LEFT JOIN carried k ON k.cluster IS NOT DISTINCT FROM g.cluster AND k.group_id = g.group_id
  LEFT JOIN loads l ON l.cluster IS NOT DISTINCT FROM g.cluster AND l.group_id = g.group_id
  WHERE coalesce(c.times, 1) = 1
), known AS (
  SELECT * FROM base WHERE members IS NOT NULL AND (change IS DISTINCT FROM 'converted' OR members = len(ids))
), signs AS (
  SELECT l.cluster, l.group_id, l.moment, l.ts, l.event, l.member_id, l.event = 'member_joined' AS there, k.members AS first_members,
    k.members > len(k.ids) AS some_unnamed, list_contains(k.ids, l.member_id) AS carried, l.evidence
  FROM epoch_lines l JOIN known k ON k.cluster IS NOT DISTINCT FROM l.cluster AND k.group_id = l.group_id
  WHERE l.role = 'broker' AND l.event IN ('member_joined', 'member_left', 'member_fenced') AND l.member_id IS NOT NULL
    AND (k.since IS NULL OR l.ts >= k.since)
), steps AS (
  SELECT *, coalesce(lag(there) OVER (PARTITION BY cluster, group_id, member_id ORDER BY moment, evidence.source, evidence.line),
    carried OR (NOT there AND some_unnamed)) AS was_there
  FROM signs
), summed AS (
  SELECT *, first_members + sum(CASE WHEN there = was_there THEN 0 WHEN there THEN 1 ELSE -1 END)
    OVER (PARTITION BY cluster, group_id ORDER BY moment, evidence.source, evidence.line ROWS UNBOUNDED PRECEDING) AS members
  FROM steps
), told AS (
  SELECT cluster, group_id, ts AS changed_at, moment, members::BIGINT AS members, event.replace('member_', '') AS change, member_id, [evidence] AS evidence
  FROM summed WHERE there <> was_there
  UNION ALL BY NAME
  SELECT cluster, group_id, since AS changed_at, since AS moment, members, change, NULL::VARCHAR AS member_id, evidence
  FROM known WHERE since IS NOT NULL
)
SELECT t.cluster, t.group_id, t.changed_at, t.members, t.change, t.member_id, p.pod, t.evidence
FROM told t
LEFT JOIN member_pods p ON p.cluster IS NOT DISTINCT FROM t.cluster AND p.group_id = t.group_id AND p.member_id = t.member_id
ORDER BY t.cluster, t.group_id, t.moment
