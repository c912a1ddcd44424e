-- name: finding_silent_skip
-- row: a group that came back, found none of its committed positions, and started at the end
-- grain: cluster, group_id, started_at
-- about: The group had positions before (they were seen, or expired, or a consumer that commits by itself ran long enough), its consumers were gone, and the next ones found nothing committed and were set to the end of the log. What arrived in between was not read; how much is in offset_resets where it can be told.
-- column: cluster VARCHAR - cluster
-- column: group_id VARCHAR - group; NULL for what concerns a broker or the cluster
-- column: kind VARCHAR - silent_skip
-- column: variant VARCHAR - wording
-- column: severity VARCHAR - act, look, normal
-- column: pod VARCHAR - pod to go and look at
-- column: broker BIGINT - broker concerned
-- column: started_at TIMESTAMPTZ - beginning
-- column: ended_at TIMESTAMPTZ - end
-- column: facts MAP(VARCHAR, VARCHAR) - what the templates fill in
-- column: confidence VARCHAR - certain, likely, possible
-- column: evidence STRUCT(source VARCHAR, line BIGINT, ts TIMESTAMPTZ, message VARCHAR)[] - the lines
-- needs: FROM offset_resets WHERE why = 'no_committed_offset' AND skipped <> 'no'
-- uses: offset_resets, offset_lines, offset_expirations, consumer_settings, group_lines

WITH skips AS (
  SELECT * FROM offset_resets
  WHERE why = 'no_committed_offset' AND group_id IS NOT NULL AND skipped <> 'no'
    AND (strategy = 'latest' OR strategy IS NULL AND to_offset > 0)
), waves AS (
  SELECT *, count(*) FILTER (fresh) OVER (PARTITION BY cluster, group_id ORDER BY ts, topic, partition ROWS UNBOUNDED PRECEDING) AS wave
  FROM (SELECT *, coalesce(ts - lag(ts) OVER (PARTITION BY cluster, group_id ORDER BY ts, topic, partition) > INTERVAL 1 MINUTE, true) AS fresh FROM skips)
), returns AS (
  SELECT cluster, group_id, wave, min(ts) AS started_at, max(ts) AS ended_at, count(*) AS partitions, list(DISTINCT topic ORDER BY topic) AS topics,
    list(DISTINCT pod ORDER BY pod) FILTER (pod IS NOT NULL) AS pods, bool_and(skipped = 'yes') AS sure, bool_and(strategy = 'latest') AS configured,
    any_value(reason) AS reason, flatten(list(evidence ORDER BY ts))[1:20] AS evidence
  FROM waves GROUP BY cluster, group_id, wave
), positions AS (
  -- the group committed: a consumer resumed at, or logged, a committed offset; or it may have, by itself
  SELECT cluster, group_id, min(moment) FILTER (kind IN ('resumed', 'committed')) AS committed_at FROM offset_lines
  WHERE group_id IS NOT NULL GROUP BY cluster, group_id
), expired AS (
  SELECT cluster, group_id, min(ts) AS expired_at, max(empty_since) AS empty_since FROM offset_expirations WHERE group_id IS NOT NULL GROUP BY cluster, group_id
), former AS (
  -- the last sign of a member before the return, and how long the group had had members
  SELECT r.cluster, r.group_id, r.wave, min(g.moment) AS since, max(g.moment) AS until, max(g.generation) AS generation
  FROM returns r JOIN group_lines g ON g.cluster IS NOT DISTINCT FROM r.cluster AND g.group_id = r.group_id
  WHERE g.moment < r.started_at - INTERVAL 10 SECOND
    AND g.event IN ('join_succeeded', 'sync_succeeded', 'group_stabilized', 'assignment_received', 'partitions_assigned', 'partitions_revoked', 'leave_sent', 'member_left', 'client_closed', 'group_empty')
  GROUP BY r.cluster, r.group_id, r.wave
), reborn AS (
  -- generations begin again: the group itself had been removed
  SELECT r.cluster, r.group_id, r.wave, min(g.generation) AS generation
  FROM returns r JOIN group_lines g ON g.cluster IS NOT DISTINCT FROM r.cluster AND g.group_id = r.group_id
  WHERE g.generation > 0 AND g.event IN ('join_succeeded', 'sync_succeeded', 'group_stabilized') AND g.moment BETWEEN r.started_at - INTERVAL 10 SECOND AND r.ended_at + INTERVAL 1 SECOND
  GROUP BY r.cluster, r.group_id, r.wave
), commits AS (
  SELECT cluster, group_id, bool_or(auto_commit) AS auto_commit, max(coalesce(auto_commit_ms, 5000)) AS every_ms FROM consumer_settings WHERE group_id IS NOT NULL GROUP BY cluster, group_id
), judged AS (
  SELECT r.*, f.since, f.until, e.expired_at,
    CASE WHEN e.expired_at < r.started_at THEN 'expired' WHEN p.committed_at < r.started_at THEN 'committed'
         WHEN c.auto_commit AND ms_between(f.since, f.until) > c.every_ms THEN 'auto'
         WHEN b.generation <= f.generation THEN 'reborn' END AS proof
  FROM returns r
  JOIN former f ON f.cluster IS NOT DISTINCT FROM r.cluster AND f.group_id = r.group_id AND f.wave = r.wave
  LEFT JOIN reborn b ON b.cluster IS NOT DISTINCT FROM r.cluster AND b.group_id = r.group_id AND b.wave = r.wave
  LEFT JOIN positions p ON p.cluster IS NOT DISTINCT FROM r.cluster AND p.group_id = r.group_id
  LEFT JOIN expired e ON e.cluster IS NOT DISTINCT FROM r.cluster AND e.group_id = r.group_id
  LEFT JOIN commits c ON c.cluster IS NOT DISTINCT FROM r.cluster AND c.group_id = r.group_id
)
SELECT cluster, group_id, 'silent_skip' AS kind, CASE WHEN proof = 'expired' THEN 'expired' ELSE 'default' END AS variant,
  -- a consumer that never commits looks the same when its group was removed: then it is only looked at
  CASE WHEN proof = 'reborn' THEN 'look' ELSE 'act' END AS severity, NULL::VARCHAR AS pod, NULL::BIGINT AS broker,
  started_at, ended_at,
  MAP {'group': group_id, 'at': human_time(started_at), 'away': human_ms(ms_between(until, started_at)), 'partitions': partitions::VARCHAR, 'topics': human_list(topics),
    'pods': human_list(coalesce(pods, [])), 'expired': coalesce(human_time(expired_at), '?'), 'reason': reason,
    'policy': CASE WHEN configured THEN 'auto.offset.reset=latest' ELSE 'its reset policy' END} AS facts,
  CASE WHEN sure THEN 'certain' WHEN proof IN ('expired', 'committed') THEN 'likely' ELSE 'possible' END AS confidence, evidence
FROM judged WHERE proof IS NOT NULL
