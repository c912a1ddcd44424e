-- name: stuck_rebalances
-- row: one rebalance whose join phase did not end in time
-- grain: cluster, group_id, started_at
-- about: A join phase longer than ten seconds and ten times the group's median, of a group that had members. It ends with the
--   stabilization, or with the end of the group's broker logs if it is still open. A group that fills from Empty waits by design and is not listed.
-- column: cluster VARCHAR - cluster
-- column: group_id VARCHAR - group
-- column: started_at TIMESTAMPTZ - beginning of the rebalance
-- column: ended_at TIMESTAMPTZ - end of the join phase; NULL if it has not ended in the logs
-- column: waited_for VARCHAR - pod that it waited for (member id where no pod is known); NULL if the logs do not tell
-- column: waited_ms DOUBLE in ms - length of the join phase, so far if it has not ended
-- column: median_ms DOUBLE in ms - median of the group's other join phases
-- column: generation BIGINT - generation that the rebalance leads to
-- column: trigger_pod VARCHAR - pod that set the rebalance off
-- column: cause VARCHAR - why it began
-- column: gone BOOLEAN - the member waited for never joined: it was removed or left
-- column: evidence STRUCT(source VARCHAR, line BIGINT, ts TIMESTAMPTZ, message VARCHAR)[] - the lines
-- needs: rebalance_rows
-- uses: rebalance_rows, rebalance_causes, join_waits, events

WITH ends AS (
  SELECT cluster, max(ts) AS last_ts FROM events WHERE role = 'broker' GROUP BY ALL
),
phases AS (
  SELECT r.*, lag(outcome) OVER places AS former_outcome, lag(members) OVER places AS former_members,
    CASE WHEN stabilized_at IS NOT NULL THEN stabilized_at
         WHEN outcome = 'open' THEN last_ts END AS until_at,
    CASE WHEN outcome <> 'emptied' THEN ms_between(started_at, CASE WHEN stabilized_at IS NOT NULL THEN stabilized_at
      WHEN outcome = 'open' AND seen_by <> 'client' THEN last_ts WHEN seen_by = 'client' THEN completed_at END) END AS phase_ms
  FROM rebalance_rows AS r LEFT JOIN ends ON ends.cluster IS NOT DISTINCT FROM r.cluster
  WINDOW places AS (PARTITION BY r.cluster, group_id, incarnation ORDER BY place)
),
-- the median of the group's other join phases, the first fill among them
medians AS (
  SELECT cluster, group_id, median(phase_ms) AS median_ms, count(phase_ms) AS phases, list(phase_ms)[:9] AS some
  FROM phases WHERE stabilized_at IS NOT NULL OR seen_by = 'client' GROUP BY ALL
),
compared AS (
  SELECT p.*, CASE WHEN m.phases > 8 THEN m.median_ms
    ELSE list_median(list_filter(m.some, lambda other: other <> p.phase_ms)) END AS median_ms
  FROM phases AS p LEFT JOIN medians AS m ON m.cluster IS NOT DISTINCT FROM p.cluster AND m.group_id = p.group_id
)
SELECT p.cluster, p.group_id, p.started_at, p.stabilized_at AS ended_at, w.waited_for, p.phase_ms AS waited_ms, p.median_ms, p.generation,
  c.trigger_pod, c.cause, coalesce(w.gone, false) AS gone, list_concat(p.evidence, coalesce(w.evidence, [])) AS evidence
FROM compared AS p
LEFT JOIN join_waits AS w ON w.cluster IS NOT DISTINCT FROM p.cluster AND w.group_id = p.group_id AND w.incarnation = p.incarnation
  AND w.generation = p.generation AND w.turn IS NOT DISTINCT FROM p.turn
LEFT JOIN rebalance_causes AS c ON c.cluster IS NOT DISTINCT FROM p.cluster AND c.group_id = p.group_id AND c.incarnation = p.incarnation
  AND c.generation = p.generation AND c.turn IS NOT DISTINCT FROM p.turn
WHERE p.phase_ms > 10000 AND p.former_outcome IN ('completed', 'superseded') AND coalesce(p.former_members, 1) > 0
  AND (p.median_ms IS NULL OR p.phase_ms > 10 * p.median_ms)
ORDER BY 2, 3
