-- name: member_exits
-- row: one member that went
-- grain: cluster, group_id, member_id, ts
-- about: A member goes once. The broker's line counts, else the client's own. `poll_timeout`: the client left because
--   the application did not poll (its own words or the reason that it sent). A member that vanished (no heartbeat) is a `crash`
--   if its process never speaks again or begins anew, a `session_timeout` if the same process goes on later, or if no
--   line of the process is at hand; it `left` if its process shut down in order without telling the broker (static members,
--   Streams). Member ids that were handed out but never used do not count.
-- column: cluster VARCHAR - cluster
-- column: group_id VARCHAR - group
-- column: ts TIMESTAMPTZ - when the coordinator removed it (else when the client went)
-- column: generation BIGINT - generation that it was last a member of; NULL for KIP-848 groups
-- column: member_id VARCHAR - member id
-- column: pod VARCHAR - the member's pod
-- column: kind VARCHAR - left, poll_timeout, session_timeout, crash, failed_to_rejoin, failed_to_sync, fenced, admin
-- column: silent_ms DOUBLE in ms - time between its process's last line and `ts`; NULL if it left by itself or no line is at hand
-- column: heard BOOLEAN - lines of its process are at hand
-- column: came_back_at TIMESTAMPTZ - first line of its process after `ts`, corrected time
-- column: instance_id VARCHAR - group.instance.id of a static member
-- column: moment TIMESTAMPTZ - `ts`, corrected
-- column: evidence STRUCT(source VARCHAR, line BIGINT, ts TIMESTAMPTZ, message VARCHAR)[] - the lines
-- needs: departures
-- uses: departures, vanished_fates

SELECT d.cluster, d.group_id, ts, generation, d.member_id, d.pod,
  CASE WHEN kind <> 'vanished' THEN kind ELSE coalesce(fate, 'session_timeout') END AS kind,
  CASE WHEN kind = 'vanished' THEN ms_between(heard_at, d.moment) END AS silent_ms,
  coalesce(known, false) AND (kind <> 'vanished' OR coalesce(heard_at, back_at) IS NOT NULL OR first_line IS NOT NULL) AS heard,
  back_at AS came_back_at, instance_id, d.moment, evidence
FROM departures AS d LEFT JOIN vanished_fates AS t
  ON t.cluster IS NOT DISTINCT FROM d.cluster AND t.group_id = d.group_id AND t.member_id = d.member_id
ORDER BY 3, 2, 5, 7
