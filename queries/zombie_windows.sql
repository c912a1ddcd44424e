-- name: zombie_windows
-- row: a time that a pod took itself for a member and was none
-- grain: cluster, group_id, member_id, evicted_at
-- about: From the removal of the member (the coordinator's line, else the client's leaving for a poll timeout) to the first thing by
--   which its own process could know: a rejected request, lost partitions, its own session timer, a new join. `partitions` are
--   what it held: records that it worked on meanwhile are worked on again by the new owner. `spoke` says whether the process
--   wrote anything in the window: one that was frozen did not.
-- column: cluster VARCHAR - cluster
-- column: group_id VARCHAR - group
-- column: pod VARCHAR - pod
-- column: member_id VARCHAR - member id that was removed
-- column: evicted_at TIMESTAMPTZ - removed
-- column: discovered_at TIMESTAMPTZ - its process learned of it; NULL when it never did in the logs
-- column: window_ms DOUBLE in ms - between the two
-- column: partitions VARCHAR[] - partitions that it was last given
-- column: spoke BOOLEAN - its process wrote something in between
-- column: refused_commits BIGINT - commits of it that were rejected, then or within a minute after
-- column: evidence STRUCT(source VARCHAR, line BIGINT, ts TIMESTAMPTZ, message VARCHAR)[] - eviction, discovery, refused commits
-- needs: FROM member_exits WHERE kind IN ('session_timeout', 'failed_to_rejoin', 'failed_to_sync', 'poll_timeout')
-- uses: events, corrected_offsets, member_exits, member_pods, rejections

WITH removed AS (
  SELECT x.cluster, x.group_id, x.pod, x.member_id, x.ts AS evicted_at, x.moment, x.kind, m.process, x.evidence
  FROM member_exits x
  JOIN member_pods m ON m.cluster IS NOT DISTINCT FROM x.cluster AND m.group_id = x.group_id AND m.member_id = x.member_id
  WHERE x.kind IN ('session_timeout', 'failed_to_rejoin', 'failed_to_sync', 'poll_timeout') AND m.process IS NOT NULL
), words AS (
  SELECT e.cluster, e.group_id, coalesce(e.pod, e.source) || '|' || coalesce(e.client_id, '') AS process, e.event, e.member_id, e.ts, e.topic_partitions,
    CASE WHEN o.offset_ms IS NULL THEN e.ts ELSE e.ts - to_microseconds((o.offset_ms * 1000)::BIGINT) END AS moment,
    line_of(e.source, e.line, e.ts, e.message) AS said
  FROM events e LEFT JOIN corrected_offsets o ON o.cluster IS NOT DISTINCT FROM e.cluster AND o.source = e.source
  WHERE e.role = 'client' AND e.ts IS NOT NULL AND e.group_id IS NOT NULL
), learned AS (
  SELECT r.cluster, r.group_id, r.member_id, r.evicted_at, w.ts AS discovered_at, w.moment, w.said
  FROM removed r ASOF JOIN (SELECT cluster, group_id, process, moment, ts, said FROM words WHERE event IN ('fenced', 'instance_fenced', 'partitions_lost', 'session_timeout', 'generation_reset', 'join_started', 'member_id_assigned', 'join_succeeded')) w
    ON w.cluster IS NOT DISTINCT FROM r.cluster AND w.group_id = r.group_id AND w.process = r.process
    AND w.moment >= r.moment - INTERVAL 50 MILLISECOND
), rejected AS (
  SELECT r.cluster, r.group_id, r.member_id, r.evicted_at, count(*) FILTER (f.operation = 'commit') AS refused_commits, min(f.ts) AS discovered_at, min(f.moment) AS moment,
    flatten(list(f.evidence ORDER BY f.moment))[1:5] AS said
  FROM removed r JOIN rejections f ON f.cluster IS NOT DISTINCT FROM r.cluster AND f.group_id = r.group_id AND f.process = r.process
  WHERE f.moment BETWEEN r.moment AND r.moment + INTERVAL 10 MINUTE AND (f.member_id IS NULL OR f.member_id = r.member_id)
  GROUP BY r.cluster, r.group_id, r.member_id, r.evicted_at
), held AS (
  SELECT r.cluster, r.group_id, r.member_id, r.evicted_at, w.topic_partitions AS partitions
  FROM removed r ASOF JOIN (SELECT cluster, group_id, process, moment, topic_partitions FROM words WHERE event IN ('partitions_assigned', 'assignment_diff') AND len(topic_partitions) > 0) w
    ON w.cluster IS NOT DISTINCT FROM r.cluster AND w.group_id = r.group_id AND w.process = r.process AND w.moment <= r.moment
), found AS (
  SELECT r.*, least(coalesce(l.discovered_at, f.discovered_at), coalesce(f.discovered_at, l.discovered_at)) AS discovered_at,
    least(coalesce(l.moment, f.moment), coalesce(f.moment, l.moment)) AS until, coalesce(f.refused_commits, 0) AS refused_commits,
    list_concat(r.evidence[1:3], list_filter([l.said], lambda said: said IS NOT NULL), coalesce(f.said, [])) AS lines
  FROM removed r
  LEFT JOIN learned l ON l.cluster IS NOT DISTINCT FROM r.cluster AND l.group_id = r.group_id AND l.member_id = r.member_id AND l.evicted_at = r.evicted_at
  LEFT JOIN rejected f ON f.cluster IS NOT DISTINCT FROM r.cluster AND f.group_id = r.group_id AND f.member_id = r.member_id AND f.evicted_at = r.evicted_at
), talk AS (
  SELECT f.cluster, f.group_id, f.member_id, f.evicted_at, 1 AS lines
  FROM found f ASOF JOIN (SELECT cluster, group_id, process, moment FROM words) w ON w.cluster IS NOT DISTINCT FROM f.cluster AND w.group_id = f.group_id AND w.process = f.process
    AND w.moment >= f.moment + INTERVAL 200 MILLISECOND
  WHERE w.moment < f.until - INTERVAL 200 MILLISECOND
)
SELECT f.cluster, f.group_id, f.pod, f.member_id, f.evicted_at, f.discovered_at, ms_between(f.moment, f.until) AS window_ms,
  coalesce(h.partitions, []) AS partitions, t.lines IS NOT NULL AS spoke, f.refused_commits::BIGINT AS refused_commits,
  list_distinct(f.lines) AS evidence
FROM found f
LEFT JOIN held h ON h.cluster IS NOT DISTINCT FROM f.cluster AND h.group_id = f.group_id AND h.member_id = f.member_id AND h.evicted_at = f.evicted_at
LEFT JOIN talk t ON t.cluster IS NOT DISTINCT FROM f.cluster AND t.group_id = f.group_id AND t.member_id = f.member_id AND t.evicted_at = f.evicted_at
WHERE f.until IS NULL OR f.until > f.moment + INTERVAL 100 MILLISECOND
ORDER BY f.moment
