-- name: zombies
-- row: a time that a pod took itself for a member and was none
-- grain: cluster, group_id, pod, evicted_at
-- about: From the removal of the member (the coordinator's line, else the client's leaving for a poll timeout) to the first thing by
--   which its own process could know: a rejected request, lost partitions, its own session timer, a new join. See zombie_windows
--   for the partitions that it held and whether it was at work.
-- column: cluster VARCHAR - cluster
-- column: group_id VARCHAR - group
-- column: pod VARCHAR - pod
-- column: evicted_at TIMESTAMPTZ - removed
-- column: discovered_at TIMESTAMPTZ - its process learned of it; NULL when it never did in the logs
-- column: window_ms DOUBLE in ms - between the two
-- column: evidence STRUCT(source VARCHAR, line BIGINT, ts TIMESTAMPTZ, message VARCHAR)[] - eviction, discovery, refused commits
-- uses: zombie_windows

SELECT cluster, group_id, pod, evicted_at, discovered_at, window_ms, evidence FROM zombie_windows ORDER BY evicted_at
