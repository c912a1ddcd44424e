-- name: rebalance_causes
-- row: one rebalance and what set it off
-- grain: cluster, group_id, incarnation, generation, turn
-- about: From the broker's reason; a leave is looked up in member_exits (poll timeout, admin), a rejoin in what the client asked
--   for (KIP-800, or its own log: cooperative follow-up, metadata, subscription, lost coordinator). Without a reason (brokers before 2.1, or
--   client logs alone) from the lines of members right before: who left, was removed, came new, or asked to join again.
-- column: cluster VARCHAR - cluster
-- column: group_id VARCHAR - group
-- column: incarnation BIGINT - life of the group
-- column: generation BIGINT - generation
-- column: turn BIGINT - try for the generation
-- column: cause VARCHAR - cause, one of the contract's list
-- column: trigger_member_id VARCHAR - member that set it off
-- column: trigger_pod VARCHAR - its pod
-- column: trigger_reason VARCHAR - the words that say so: the broker's reason, else the client's
-- needs: rebalance_rows
-- uses: rebalance_rows, member_exits, group_lines, client_joins, member_pods

WITH rows AS (
  SELECT *, client_reason_of(reason) AS asked, members_of_reason(reason)[1] AS named,
    lag(closed_moment) OVER places AS former_moment, lag(outcome) OVER places AS former_outcome,
    lag(coordinator) OVER places AS former_coordinator
  FROM rebalance_rows
  WINDOW places AS (PARTITION BY cluster, group_id ORDER BY place)
),
-- the first member that went since the former rebalance (for rebalances that give no reason), if it went near the beginning
gone_near AS (
  SELECT rows.cluster, rows.group_id, rows.incarnation, rows.generation, rows.turn,
    arg_min(e.member_id, e.moment) AS member_id, arg_min(e.kind, e.moment) AS kind, min(e.moment) AS moment
  FROM rows ASOF JOIN (SELECT * FROM member_exits WHERE moment IS NOT NULL) AS e
    ON e.cluster IS NOT DISTINCT FROM rows.cluster AND e.group_id = rows.group_id
      AND e.moment <= rows.opened_moment + INTERVAL 50 MILLISECOND
  WHERE rows.reason IS NULL AND (rows.former_moment IS NULL OR e.moment > rows.former_moment)
  GROUP BY ALL
),
-- what the clients asked for: one line a client, its own words
asks AS (
  SELECT cluster, group_id, process, pod, moment, reason, cause_of_asking(reason) AS cause
  FROM group_lines
  WHERE role = 'client' AND event = 'rejoin_requested' AND cause_of_asking(reason) IS NOT NULL
),
asked_by_member AS (
  SELECT rows.cluster, rows.group_id, rows.incarnation, rows.generation, rows.turn, asks.reason AS words, asks.cause
  FROM rows
  JOIN member_pods AS m ON m.cluster IS NOT DISTINCT FROM rows.cluster AND m.group_id = rows.group_id AND m.member_id = rows.named
  ASOF JOIN asks ON asks.cluster IS NOT DISTINCT FROM rows.cluster AND asks.group_id = rows.group_id AND asks.process = m.process
    AND asks.moment <= rows.opened_moment + INTERVAL 50 MILLISECOND
  WHERE rows.asked IS NULL AND ms_between(asks.moment, rows.opened_moment) < 2000
),
-- clients before 3.0 do not say why: one that gives partitions up right after its assignment follows up (cooperative)
revoked AS (
  SELECT cluster, group_id, process, moment FROM group_lines
  WHERE role = 'client' AND event = 'partitions_revoked' AND coalesce(len(topic_partitions), 1) > 0
),
follow_ups AS (
  SELECT rows.cluster, rows.group_id, rows.incarnation, rows.generation, rows.turn
  FROM rows
  JOIN member_pods AS m ON m.cluster IS NOT DISTINCT FROM rows.cluster AND m.group_id = rows.group_id AND m.member_id = rows.named
  ASOF JOIN revoked ON revoked.cluster IS NOT DISTINCT FROM rows.cluster AND revoked.group_id = rows.group_id AND revoked.process = m.process
    AND revoked.moment <= rows.opened_moment + INTERVAL 50 MILLISECOND
  WHERE rows.asked IS NULL AND ms_between(revoked.moment, rows.opened_moment) < 500
    AND rows.former_moment <= revoked.moment + INTERVAL 50 MILLISECOND
),
asked_by_anyone AS (
  SELECT rows.cluster, rows.group_id, rows.incarnation, rows.generation, rows.turn,
    asks.reason AS words, asks.cause, asks.pod, asks.process
  FROM rows ASOF JOIN asks
    ON asks.cluster IS NOT DISTINCT FROM rows.cluster AND asks.group_id = rows.group_id
      AND asks.moment <= rows.opened_moment + INTERVAL 50 MILLISECOND
  WHERE rows.reason IS NULL AND (rows.former_moment IS NULL OR asks.moment > rows.former_moment - INTERVAL 50 MILLISECOND)
),
-- newcomers: processes (or member ids) that join this generation and did not join the one before
newcomers AS (
  SELECT j.cluster, j.group_id, j.incarnation, j.generation,
    arg_min(j.member_id, j.asked_moment) AS member_id, arg_min(j.pod, j.asked_moment) AS pod, min(j.asked_moment) AS moment
  FROM client_joins AS j LEFT JOIN client_joins AS f
    ON f.cluster IS NOT DISTINCT FROM j.cluster AND f.group_id = j.group_id AND f.incarnation = j.incarnation
      AND f.generation = j.generation - 1 AND f.process = j.process
      AND (f.member_id = j.member_id OR f.member_id IS NULL OR j.member_id IS NULL)
  WHERE f.process IS NULL
  GROUP BY ALL
),
causes AS (
  SELECT rows.cluster, rows.group_id, rows.incarnation, rows.generation, rows.turn, rows.named, rows.reason, rows.asked,
    CASE
      WHEN rows.reason IS NOT NULL THEN
        CASE cause_of_reason(rows.reason, coalesce(rows.asked, asked_by_member.words))
          WHEN 'member_left' THEN CASE named_exit.kind WHEN 'poll_timeout' THEN 'poll_timeout' WHEN 'admin' THEN 'admin' ELSE 'member_left' END
          WHEN 'leader_rejoined' THEN CASE WHEN follow_ups.generation IS NOT NULL THEN 'cooperative_follow_up'
            WHEN rows.former_coordinator <> rows.coordinator THEN 'coordinator_moved' ELSE 'leader_rejoined' END
          WHEN 'member_rejoined' THEN CASE WHEN follow_ups.generation IS NOT NULL THEN 'cooperative_follow_up'
            WHEN rows.former_coordinator <> rows.coordinator THEN 'coordinator_moved' ELSE 'member_rejoined' END
          ELSE cause_of_reason(rows.reason, coalesce(rows.asked, asked_by_member.words)) END
      WHEN gone_near.member_id IS NOT NULL AND (newcomers.moment IS NULL OR gone_near.moment <= newcomers.moment) THEN
        CASE gone_near.kind WHEN 'left' THEN 'member_left' WHEN 'crash' THEN 'session_timeout' WHEN 'fenced' THEN 'static_replaced'
          WHEN 'failed_to_rejoin' THEN 'member_failed_to_rejoin' WHEN 'failed_to_sync' THEN 'member_failed_to_sync' ELSE gone_near.kind END
      WHEN asked_by_anyone.cause IS NOT NULL AND newcomers.moment IS NULL THEN asked_by_anyone.cause
      WHEN newcomers.moment IS NOT NULL THEN 'member_joined'
      ELSE 'unknown' END AS cause,
    CASE WHEN rows.reason IS NOT NULL THEN rows.named
         WHEN gone_near.member_id IS NOT NULL AND (newcomers.moment IS NULL OR gone_near.moment <= newcomers.moment) THEN gone_near.member_id
         WHEN asked_by_anyone.cause IS NOT NULL AND newcomers.moment IS NULL THEN NULL
         ELSE newcomers.member_id END AS trigger_member_id,
    CASE WHEN rows.reason IS NULL AND (gone_near.member_id IS NULL OR gone_near.moment > newcomers.moment)
      THEN coalesce(newcomers.pod, asked_by_anyone.pod) END AS own_pod,
    CASE WHEN rows.reason IS NULL AND gone_near.member_id IS NULL AND newcomers.moment IS NULL THEN asked_by_anyone.words END AS words
  FROM rows
  LEFT JOIN member_exits AS named_exit
    ON named_exit.cluster IS NOT DISTINCT FROM rows.cluster AND named_exit.group_id = rows.group_id AND named_exit.member_id = rows.named
  LEFT JOIN gone_near ON gone_near.cluster IS NOT DISTINCT FROM rows.cluster AND gone_near.group_id = rows.group_id
    AND gone_near.incarnation = rows.incarnation AND gone_near.generation = rows.generation AND gone_near.turn IS NOT DISTINCT FROM rows.turn
  LEFT JOIN asked_by_member ON asked_by_member.cluster IS NOT DISTINCT FROM rows.cluster AND asked_by_member.group_id = rows.group_id
    AND asked_by_member.incarnation = rows.incarnation AND asked_by_member.generation = rows.generation
    AND asked_by_member.turn IS NOT DISTINCT FROM rows.turn
  LEFT JOIN follow_ups ON follow_ups.cluster IS NOT DISTINCT FROM rows.cluster AND follow_ups.group_id = rows.group_id
    AND follow_ups.incarnation = rows.incarnation AND follow_ups.generation = rows.generation AND follow_ups.turn IS NOT DISTINCT FROM rows.turn
  LEFT JOIN asked_by_anyone ON asked_by_anyone.cluster IS NOT DISTINCT FROM rows.cluster AND asked_by_anyone.group_id = rows.group_id
    AND asked_by_anyone.incarnation = rows.incarnation AND asked_by_anyone.generation = rows.generation
    AND asked_by_anyone.turn IS NOT DISTINCT FROM rows.turn
  LEFT JOIN newcomers ON newcomers.cluster IS NOT DISTINCT FROM rows.cluster AND newcomers.group_id = rows.group_id
    AND newcomers.incarnation = rows.incarnation AND newcomers.generation = rows.generation
)
SELECT causes.cluster, causes.group_id, incarnation, generation, turn, cause, trigger_member_id,
  coalesce(own_pod, pods.pod, client_part(trigger_member_id)) AS trigger_pod, coalesce(reason, words) AS trigger_reason
FROM causes LEFT JOIN member_pods AS pods
  ON pods.cluster IS NOT DISTINCT FROM causes.cluster AND pods.group_id = causes.group_id AND pods.member_id = trigger_member_id
