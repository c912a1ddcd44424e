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
-- uses: group_lines, generation_lines, client_joins, member_pods, process_signs, broker_rebalances

WITH broker_says AS (
  SELECT cluster, group_id, member_id, instance_id, ts, moment, evidence, 1 AS weight,
    CASE WHEN event = 'member_left' THEN CASE cause_of_leaving(coalesce(reason, client_reason_of(evidence.message)))
           WHEN 'poll_timeout' THEN 'poll_timeout' WHEN 'admin' THEN 'admin' ELSE 'left' END
         WHEN event = 'member_expired' OR reason ILIKE '%session expired%' THEN 'vanished'
         WHEN event = 'member_fenced' AND reason ILIKE '%sync%' THEN 'failed_to_sync'
         ELSE 'failed_to_rejoin' END AS kind
  FROM group_lines
  WHERE role = 'broker' AND event IN ('member_left', 'member_expired', 'member_fenced') AND member_id IS NOT NULL
  UNION ALL
  SELECT cluster, group_id, unnest(member_ids_in(member_ids)), NULL, ts, moment, evidence, 1,
    CASE event WHEN 'members_removed_sync_timeout' THEN 'failed_to_sync' ELSE 'failed_to_rejoin' END
  FROM group_lines
  WHERE role = 'broker' AND event IN ('members_removed_rebalance_timeout', 'members_removed_sync_timeout')
    AND member_ids IS NOT NULL
  UNION ALL
  SELECT cluster, group_id, unnest(members_of_reason(reason)), NULL, ts, moment, evidence, 2,
    CASE cause_of_reason(reason, client_reason_of(reason))
      WHEN 'session_timeout' THEN 'vanished' WHEN 'member_failed_to_sync' THEN 'failed_to_sync'
      WHEN 'poll_timeout' THEN 'poll_timeout' WHEN 'admin' THEN 'admin' ELSE 'left' END
  FROM group_lines
  WHERE event = 'group_preparing_rebalance' AND (reason ILIKE '%leavegroup%' OR reason ILIKE '%heartbeat expiration%'
    OR reason ILIKE '%pending sync request expiration%')
),
-- a client's own words: it leaves, or it is told that it is no member any more
memberships AS (
  SELECT cluster, group_id, process, member_id, min(last_moment) AS joined_moment, min(last_at) AS joined_at
  FROM client_joins WHERE member_id IS NOT NULL GROUP BY ALL
),
client_words AS (
  SELECT cluster, group_id, process, client_id, source, line, ts, moment, event, member_id, instance_id, reason, error, evidence
  FROM group_lines
  WHERE role = 'client' AND group_id IS NOT NULL
    AND (event IN ('leave_sent', 'poll_timeout', 'session_timeout', 'instance_fenced', 'partitions_lost')
      OR (event = 'fenced' AND error IN ('UNKNOWN_MEMBER_ID', 'FENCED_MEMBER_EPOCH')))
),
attributed AS (
  SELECT words.*,
    coalesce(CASE WHEN words.event IN ('leave_sent', 'poll_timeout', 'fenced') THEN words.member_id END, memberships.member_id) AS its_member_id
  FROM client_words AS words ASOF LEFT JOIN memberships
    ON words.cluster IS NOT DISTINCT FROM memberships.cluster AND words.group_id = memberships.group_id
      AND words.process = memberships.process AND words.moment >= memberships.joined_moment
),
-- a client that never prints its member id (librdkafka at its default level): the next exit of its client id, if it is close
named AS (
  SELECT a.* REPLACE (coalesce(its_member_id, CASE WHEN ms_between(a.moment, b.moment) < 60000 THEN b.member_id END) AS its_member_id)
  FROM attributed AS a ASOF LEFT JOIN (SELECT *, client_part(member_id) AS client_id FROM broker_says WHERE moment IS NOT NULL) AS b
    ON b.cluster IS NOT DISTINCT FROM a.cluster AND b.group_id = a.group_id AND b.client_id = a.client_id
      AND a.moment - INTERVAL 2 SECOND <= b.moment
),
client_says AS (
  SELECT cluster, group_id, its_member_id AS member_id, instance_id, ts, moment, evidence,
    CASE WHEN event = 'poll_timeout' THEN 3 WHEN event = 'leave_sent' THEN 4 ELSE 5 END AS weight,
    CASE WHEN event = 'poll_timeout' OR cause_of_leaving(reason) = 'poll_timeout' THEN 'poll_timeout'
         WHEN event = 'leave_sent' THEN 'left' WHEN event = 'instance_fenced' THEN 'fenced'
         ELSE 'session_timeout' END AS kind
  FROM named
),
said AS (
  SELECT * FROM broker_says UNION ALL SELECT * FROM client_says WHERE member_id IS NOT NULL
),
gone AS (
  SELECT cluster, group_id, member_id, max(instance_id) AS instance_id,
    arg_min(ts, (weight, moment)) AS ts, arg_min(moment, (weight, moment)) AS moment,
    CASE WHEN bool_or(kind = 'poll_timeout' AND (weight <> 3 OR moment <= said_at + INTERVAL 60 SECOND)) AND NOT bool_or(kind = 'vanished')
           THEN 'poll_timeout'
         ELSE arg_min(kind, (weight, moment)) END AS kind,
    min(weight) <= 2 AS broker_saw,
    list_sort(list(evidence)) AS evidence
  FROM (SELECT *, min(moment) FILTER (weight <= 2) OVER (PARTITION BY cluster, group_id, member_id) AS said_at FROM said)
  WHERE weight <= 2 OR said_at IS NULL OR moment BETWEEN said_at - INTERVAL 60 SECOND AND said_at + INTERVAL 60 SECOND
  GROUP BY ALL
),
placed AS (
  SELECT gone.*, pods.pod, pods.client_id, pods.process, how IN ('member', 'client', 'instance') AS known
  FROM gone LEFT JOIN member_pods AS pods
    ON pods.cluster IS NOT DISTINCT FROM gone.cluster AND pods.group_id = gone.group_id AND pods.member_id = gone.member_id
),
last_joined AS (
  SELECT (cluster, group_id, member_id) AS key, max(generation) AS generation FROM client_joins WHERE member_id IS NOT NULL
  GROUP BY cluster, group_id, member_id
),
settled AS (
  SELECT cluster, group_id, generation, closed_moment FROM broker_rebalances WHERE outcome = 'completed'
),
dated AS (
  SELECT placed.*, coalesce(last_joined.generation, settled.generation) AS generation
  FROM placed
  LEFT JOIN last_joined ON last_joined.key = (placed.cluster, placed.group_id, placed.member_id)
  ASOF LEFT JOIN settled ON placed.cluster IS NOT DISTINCT FROM settled.cluster AND placed.group_id = settled.group_id
    AND placed.moment > settled.closed_moment
),
-- the member ids that a process had one after the other: when, and where in its log, it was first called so
names AS (
  SELECT cluster, group_id, process, member_id, min(moment) AS first_moment, arg_min(source, (moment, line)) AS source,
    min(line) AS first_line
  FROM group_lines
  WHERE role = 'client' AND member_id IS NOT NULL
    AND event IN ('join_succeeded', 'sync_succeeded', 'member_id_assigned', 'leader_elected')
  GROUP BY ALL
),
successors AS (
  SELECT *, lead(first_moment) OVER turns AS next_moment, lead(first_line) OVER turns AS next_line
  FROM names WINDOW turns AS (PARTITION BY cluster, group_id, process ORDER BY first_moment, first_line)
),
vanished AS (
  SELECT d.cluster, d.group_id, d.member_id, d.pod, d.moment, s.first_moment, s.next_moment, s.source, s.first_line, s.next_line,
    CASE WHEN (d.cluster, d.pod, d.client_id) IN (SELECT (cluster, pod, client_id) FROM process_signs) THEN d.client_id ELSE '' END AS client_id,
    -- where to look for a sign that the old member lives: after its removal, or before its process got a new id if that was earlier
    CASE WHEN s.next_moment < d.moment THEN greatest(s.first_moment, s.next_moment - INTERVAL 120 SECOND) ELSE d.moment END AS look_from
  FROM dated AS d LEFT JOIN successors AS s
    ON s.cluster IS NOT DISTINCT FROM d.cluster AND s.group_id = d.group_id AND s.process = d.process AND s.member_id = d.member_id
  WHERE d.kind = 'vanished' AND d.known
),
signs AS (
  SELECT cluster, pod, coalesce(client_id, '') AS client_id, moment AS sign_moment, sign, source, line FROM process_signs
  WHERE (cluster, pod) IN (SELECT (cluster, pod) FROM vanished)
),
timed AS (FROM signs WHERE sign_moment IS NOT NULL),
heard AS (
  SELECT v.*, sign_moment AS heard_at FROM vanished AS v ASOF LEFT JOIN timed
    ON v.cluster IS NOT DISTINCT FROM timed.cluster AND v.pod = timed.pod AND v.client_id = timed.client_id
      AND v.moment >= timed.sign_moment
),
back AS (
  SELECT v.*, sign_moment AS back_at, sign AS back_sign FROM heard AS v ASOF LEFT JOIN timed
    ON v.cluster IS NOT DISTINCT FROM timed.cluster AND v.pod = timed.pod AND v.client_id = timed.client_id
      AND v.moment < timed.sign_moment
),
goes_on AS (
  SELECT v.*, sign_moment AS goes_on_at
  FROM back AS v ASOF LEFT JOIN (FROM timed WHERE sign = 'goes_on') AS signs
    ON v.cluster IS NOT DISTINCT FROM signs.cluster AND v.pod = signs.pod AND v.client_id = signs.client_id
      AND v.look_from < signs.sign_moment
),
begun AS (
  SELECT v.*, sign_moment AS starts_at
  FROM goes_on AS v ASOF LEFT JOIN (FROM timed WHERE sign = 'starts') AS signs
    ON v.cluster IS NOT DISTINCT FROM signs.cluster AND v.pod = signs.pod AND v.client_id = signs.client_id
      AND v.look_from < signs.sign_moment
),
anew AS (
  SELECT v.*, sign_moment AS pod_starts_at
  FROM begun AS v ASOF LEFT JOIN (FROM timed WHERE sign = 'starts') AS signs
    ON v.cluster IS NOT DISTINCT FROM signs.cluster AND v.pod = signs.pod AND v.heard_at < signs.sign_moment
),
closed AS (
  SELECT v.*, sign_moment AS closed_at
  FROM anew AS v ASOF LEFT JOIN (FROM timed WHERE sign = 'closes') AS signs
    ON v.cluster IS NOT DISTINCT FROM signs.cluster AND v.pod = signs.pod AND v.client_id = signs.client_id
      AND coalesce(v.first_moment, v.moment - INTERVAL 1 HOUR) < signs.sign_moment
),
-- a log without times: the order of its lines says the same
fates AS (
  SELECT v.*, line AS goes_on_line
  FROM closed AS v ASOF LEFT JOIN (FROM signs WHERE sign = 'goes_on' AND sign_moment IS NULL) AS signs
    ON v.cluster IS NOT DISTINCT FROM signs.cluster AND v.pod = signs.pod AND v.source = signs.source AND v.first_line < signs.line
),
told AS (
  SELECT *,
    CASE
      -- no time in its log
      WHEN heard_at IS NULL AND back_at IS NULL AND first_line IS NOT NULL THEN
        CASE WHEN goes_on_line < coalesce(next_line, goes_on_line + 1) THEN 'session_timeout' ELSE 'crash' END
      WHEN heard_at IS NULL AND back_at IS NULL THEN 'session_timeout'
      WHEN closed_at <= moment AND coalesce(closed_at < starts_at, true) AND coalesce(closed_at < next_moment, true) THEN 'left'
      WHEN goes_on_at <= coalesce(next_moment, goes_on_at) AND coalesce(goes_on_at <= starts_at, true) THEN 'session_timeout'
      -- a new member id, or a new beginning, and no sign of the old member before it
      WHEN next_moment IS NOT NULL OR starts_at <= back_at OR pod_starts_at <= back_at OR back_at IS NULL THEN 'crash'
      ELSE 'session_timeout' END AS fate
  FROM fates
)
SELECT d.cluster, d.group_id, ts, generation, d.member_id, d.pod,
  CASE WHEN kind <> 'vanished' THEN kind ELSE coalesce(fate, 'session_timeout') END AS kind,
  CASE WHEN kind = 'vanished' THEN ms_between(heard_at, d.moment) END AS silent_ms,
  coalesce(known, false) AND (kind <> 'vanished' OR coalesce(heard_at, back_at) IS NOT NULL OR first_line IS NOT NULL) AS heard,
  back_at AS came_back_at, instance_id, d.moment, evidence
FROM dated AS d LEFT JOIN told AS t
  ON t.cluster IS NOT DISTINCT FROM d.cluster AND t.group_id = d.group_id AND t.member_id = d.member_id
