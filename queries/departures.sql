-- name: departures
-- row: one member that went, before it is known what became of one that vanished
-- grain: cluster, group_id, member_id
-- about: The broker's line about it counts, else the client's own; see member_exits.
-- column: cluster VARCHAR - cluster
-- column: group_id VARCHAR - group
-- column: member_id VARCHAR - member id; NULL if no log prints it
-- column: instance_id VARCHAR - group.instance.id of a static member
-- column: ts TIMESTAMPTZ - when the coordinator removed it (else when the client went)
-- column: moment TIMESTAMPTZ - ts, corrected
-- column: kind VARCHAR - as member_exits.kind, or `vanished`: removed for want of heartbeats
-- column: broker_saw BOOLEAN - a broker's line tells about it
-- column: evidence STRUCT(source VARCHAR, line BIGINT, ts TIMESTAMPTZ, message VARCHAR)[] - the lines
-- column: pod VARCHAR - the member's pod
-- column: client_id VARCHAR - its client.id
-- column: process VARCHAR - its consumer in group_lines
-- column: known BOOLEAN - lines of its consumer are at hand
-- column: generation BIGINT - generation that it was last a member of
-- needs: member_left, member_expired, member_fenced, members_removed_rebalance_timeout, members_removed_sync_timeout,
--   group_preparing_rebalance, leave_sent, poll_timeout, session_timeout, instance_fenced, partitions_lost, fenced, lost_members
-- uses: group_lines, client_joins, member_pods, broker_rebalances, lost_members

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
  SELECT cluster, group_id, process, pod, client_id, source, line, ts, moment, event, member_id, instance_id, reason, error, evidence
  FROM group_lines
  WHERE role = 'client'
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
         ELSE 'session_timeout' END AS kind,
    pod AS own_pod, process,
    its_member_id IS NULL AND coalesce(ms_between(lag(moment) OVER (PARTITION BY cluster, process, its_member_id ORDER BY moment, line), moment) > 60000, true)
      AS begins, line
  FROM named
  WHERE its_member_id IS NOT NULL OR event IN ('poll_timeout', 'session_timeout')
),
said AS (
  SELECT *, NULL AS own_pod, member_id AS key FROM broker_says
  UNION ALL BY NAME
  -- a client whose member id nobody prints: its words within a minute are about one exit
  SELECT * EXCLUDE (begins, line, process), coalesce(member_id, process || '#' || count_if(begins) OVER (
    PARTITION BY cluster, process, member_id ORDER BY moment, line)) AS key FROM client_says
  UNION ALL BY NAME
  SELECT cluster, group_id, member_id, NULL AS instance_id, ts, moment, evidence, 6 AS weight, 'vanished' AS kind, NULL AS own_pod, member_id AS key
  FROM lost_members
),
gone AS (
  SELECT cluster, group_id, key, any_value(member_id) AS member_id, max(instance_id) AS instance_id, any_value(own_pod) AS own_pod,
    arg_min(ts, (weight, moment)) AS ts, arg_min(moment, (weight, moment)) AS moment,
    CASE WHEN bool_or(kind = 'poll_timeout' AND (weight <> 3 OR said_at IS NULL OR moment <= said_at + INTERVAL 60 SECOND))
           AND NOT bool_or(kind = 'vanished' AND weight <= 2) THEN 'poll_timeout'
         ELSE arg_min(kind, (weight, moment)) END AS kind,
    min(weight) <= 2 AS broker_saw,
    list_sort(list(evidence)) AS evidence
  FROM (SELECT *, min(moment) FILTER (weight <= 2) OVER (PARTITION BY cluster, group_id, key) AS said_at FROM said)
  WHERE weight <= 2 OR said_at IS NULL OR moment BETWEEN said_at - INTERVAL 60 SECOND AND said_at + INTERVAL 60 SECOND
  GROUP BY cluster, group_id, key
),
placed AS (
  SELECT gone.* EXCLUDE (own_pod, key), coalesce(pods.pod, own_pod) AS pod, pods.client_id, pods.process,
    own_pod IS NOT NULL OR how IN ('member', 'client', 'instance') AS known
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
)
SELECT cluster, group_id, member_id, instance_id, ts, moment, kind, broker_saw, evidence, pod, client_id, process, known, generation FROM dated
