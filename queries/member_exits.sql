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
  SELECT cluster, group_id, process, source, line, ts, moment, event, member_id, instance_id, reason, error, evidence
  FROM group_lines
  WHERE role = 'client' AND group_id IS NOT NULL
    AND (event IN ('leave_sent', 'poll_timeout', 'session_timeout', 'instance_fenced', 'partitions_lost')
      OR (event = 'fenced' AND error IN ('UNKNOWN_MEMBER_ID', 'FENCED_MEMBER_EPOCH')))
),
client_says AS (
  SELECT words.cluster, words.group_id,
    coalesce(CASE WHEN words.event IN ('leave_sent', 'poll_timeout', 'fenced') THEN words.member_id END, memberships.member_id) AS member_id,
    instance_id, ts, moment, evidence,
    CASE WHEN event = 'poll_timeout' THEN 3 WHEN event = 'leave_sent' THEN 4 ELSE 5 END AS weight,
    CASE WHEN event = 'poll_timeout' OR cause_of_leaving(reason) = 'poll_timeout' THEN 'poll_timeout'
         WHEN event = 'leave_sent' THEN 'left' WHEN event = 'instance_fenced' THEN 'fenced'
         ELSE 'session_timeout' END AS kind
  FROM client_words AS words ASOF LEFT JOIN memberships
    ON words.cluster IS NOT DISTINCT FROM memberships.cluster AND words.group_id = memberships.group_id
      AND words.process = memberships.process AND words.moment >= memberships.joined_moment
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
  SELECT gone.*, pods.pod, pods.client_id, how, how IN ('member', 'client', 'instance') AS known
  FROM gone LEFT JOIN member_pods AS pods
    ON pods.cluster IS NOT DISTINCT FROM gone.cluster AND pods.group_id = gone.group_id AND pods.member_id = gone.member_id
),
last_joined AS (
  SELECT (cluster, group_id, member_id) AS key, max(generation) AS generation, min(last_moment) AS first_moment, max(last_moment) AS last_moment
  FROM client_joins WHERE member_id IS NOT NULL GROUP BY ALL
),
settled AS (
  SELECT cluster, group_id, generation, closed_moment FROM broker_rebalances WHERE outcome = 'completed'
),
dated AS (
  SELECT placed.*, coalesce(last_joined.generation, settled.generation) AS generation,
    coalesce(last_joined.first_moment, placed.moment - INTERVAL 1 DAY) AS joined_moment
  FROM placed
  LEFT JOIN last_joined ON last_joined.key = (placed.cluster, placed.group_id, placed.member_id)
  ASOF LEFT JOIN settled ON placed.cluster IS NOT DISTINCT FROM settled.cluster AND placed.group_id = settled.group_id
    AND placed.moment > settled.closed_moment
),
vanished AS (
  SELECT cluster, group_id, member_id, pod, moment, joined_moment,
    CASE WHEN (cluster, pod, client_id) IN (SELECT (cluster, pod, client_id) FROM process_signs) THEN client_id ELSE '' END AS client_id
  FROM dated WHERE kind = 'vanished' AND known
),
-- what the member's own consumer printed: each the nearest of its kind before or after a moment
signs AS (
  SELECT cluster, pod, coalesce(client_id, '') AS client_id, moment AS sign_moment, sign FROM process_signs
  WHERE moment IS NOT NULL AND (cluster, pod) IN (SELECT (cluster, pod) FROM vanished)
),
heard AS (
  SELECT vanished.*, sign_moment AS heard_at FROM vanished ASOF LEFT JOIN signs
    ON vanished.cluster IS NOT DISTINCT FROM signs.cluster AND vanished.pod = signs.pod AND vanished.client_id = signs.client_id
      AND vanished.moment >= signs.sign_moment
),
back AS (
  SELECT heard.*, sign_moment AS back_at FROM heard ASOF LEFT JOIN signs
    ON heard.cluster IS NOT DISTINCT FROM signs.cluster AND heard.pod = signs.pod AND heard.client_id = signs.client_id
      AND heard.moment < signs.sign_moment
),
goes_on AS (
  SELECT back.*, sign_moment AS goes_on_at
  FROM back ASOF LEFT JOIN (FROM signs WHERE sign = 'goes_on') AS signs
    ON back.cluster IS NOT DISTINCT FROM signs.cluster AND back.pod = signs.pod AND back.client_id = signs.client_id
      AND back.moment < signs.sign_moment
),
begun AS (
  SELECT goes_on.*, sign_moment AS starts_at
  FROM goes_on ASOF LEFT JOIN (FROM signs WHERE sign = 'starts') AS signs
    ON goes_on.cluster IS NOT DISTINCT FROM signs.cluster AND goes_on.pod = signs.pod AND goes_on.client_id = signs.client_id
      AND goes_on.joined_moment < signs.sign_moment
),
anew AS (
  SELECT begun.*, sign_moment AS pod_starts_at
  FROM begun ASOF LEFT JOIN (FROM signs WHERE sign = 'starts') AS signs
    ON begun.cluster IS NOT DISTINCT FROM signs.cluster AND begun.pod = signs.pod AND begun.heard_at < signs.sign_moment
),
fates AS (
  SELECT anew.*, sign_moment AS closed_at
  FROM anew ASOF LEFT JOIN (FROM signs WHERE sign = 'closes') AS signs
    ON anew.cluster IS NOT DISTINCT FROM signs.cluster AND anew.pod = signs.pod AND anew.client_id = signs.client_id
      AND anew.joined_moment < signs.sign_moment
)
SELECT dated.cluster, dated.group_id, ts, generation, dated.member_id, dated.pod,
  CASE WHEN kind <> 'vanished' THEN kind
       WHEN coalesce(heard_at, back_at) IS NULL THEN 'session_timeout'
       WHEN closed_at <= dated.moment AND (starts_at IS NULL OR closed_at < starts_at) THEN 'left'
       WHEN starts_at <= dated.moment OR back_at IS NULL OR pod_starts_at <= back_at THEN 'crash'
       WHEN starts_at IS NOT NULL AND (goes_on_at IS NULL OR starts_at < goes_on_at) THEN 'crash'
       ELSE 'session_timeout' END AS kind,
  CASE WHEN kind = 'vanished' THEN ms_between(heard_at, dated.moment) END AS silent_ms,
  coalesce(known, false) AND (kind <> 'vanished' OR coalesce(heard_at, back_at) IS NOT NULL) AS heard,
  back_at AS came_back_at, instance_id, dated.moment, evidence
FROM dated LEFT JOIN fates
  ON fates.cluster IS NOT DISTINCT FROM dated.cluster AND fates.group_id = dated.group_id AND fates.member_id = dated.member_id
