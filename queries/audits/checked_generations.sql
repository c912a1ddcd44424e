-- name: checked_generations
-- row: one generation of a classic group, as its coordinator announced it
-- grain: cluster, group_id, source, line
-- about: Lines of brokers that announce a new generation (`group_stabilized`, `group_empty`), each beside the one
--   before it. A coordinator counts generations up by one; a lower number begins a new incarnation of the group.
--   `step` is unknown (NULL) where another broker may have announced a generation in between: the line before
--   is another broker's, or the broker loaded or gave up the offsets partition, or restarted.
--   `most` and `fewest` are the members before, plus those that were given an id or joined (in this round or in
--   the one before: an id may be used late), and minus those that a line says are gone (in this round or, since
--   a coordinator prints it when it has let go of its lock, in the next). Both are NULL unless
--   the generation before is the direct predecessor, `most` also where the broker does not print joins
--   (Kafka before 3.0 prints them at DEBUG).
-- column: cluster VARCHAR - cluster
-- column: group_id VARCHAR - group
-- column: broker_id BIGINT - coordinator that announced it
-- column: generation BIGINT - the new generation
-- column: previous BIGINT - generation announced before it
-- column: step BIGINT - generation minus previous, where both are of one incarnation and one coordinator
-- column: members BIGINT - members it settled with
-- column: most BIGINT - members that it can have at most
-- column: fewest BIGINT - members that it has at least
-- column: ts TIMESTAMPTZ - time of the line
-- column: source VARCHAR - where the line stands
-- column: line BIGINT - its number
-- uses: events
WITH seen AS (
  SELECT cluster, group_id, broker_id, offsets_partition, event, generation, members, member_id, message, ts, source, line
  FROM events WHERE role = 'broker' AND ts IS NOT NULL
),
told AS (
  -- a line that reached server.log and stdout counts once
  SELECT cluster, group_id, broker_id, event, generation, ts, max(offsets_partition) AS offsets_partition,
         max(CASE event WHEN 'group_empty' THEN 0 ELSE members END) AS members,
         min(source) AS source, arg_min(line, source) AS line
  FROM seen
  WHERE group_id IS NOT NULL AND generation IS NOT NULL AND event IN ('group_stabilized', 'group_empty')
  GROUP BY ALL
),
turned AS (
  SELECT cluster, broker_id, offsets_partition, max(ts) AS at FROM seen
  WHERE event IN ('coordinator_elected', 'coordinator_resigned', 'offsets_partition_load_started',
                  'offsets_partition_load_finished', 'offsets_partition_unload_started')
  GROUP BY ALL
),
restarted AS (SELECT cluster, broker_id, ts AS at FROM seen WHERE event = 'broker_started'),
tenured AS (
  SELECT t.*, r.at AS restarted_at FROM told t
  ASOF LEFT JOIN restarted r
    ON r.cluster IS NOT DISTINCT FROM t.cluster AND r.broker_id IS NOT DISTINCT FROM t.broker_id AND t.ts >= r.at
),
ordered AS (
  SELECT t.*, u.at AS turned_at, row_number() OVER w AS place,
         lag(t.generation) OVER w AS previous, lag(t.broker_id) OVER w AS previous_broker, lag(t.ts) OVER w AS since,
         lag(t.members) OVER w AS before, lag(t.restarted_at) OVER w AS previous_restart
  FROM tenured t LEFT JOIN turned u
    ON u.cluster IS NOT DISTINCT FROM t.cluster AND u.broker_id IS NOT DISTINCT FROM t.broker_id
       AND u.offsets_partition = t.offsets_partition
  WINDOW w AS (PARTITION BY t.cluster, t.group_id ORDER BY t.ts, t.source, t.line)
),
stepped AS (
  SELECT *,
         CASE WHEN generation >= previous AND broker_id IS NOT DISTINCT FROM previous_broker
                   AND restarted_at IS NOT DISTINCT FROM previous_restart
                   AND NOT coalesce(turned_at BETWEEN since AND ts, false)
              THEN generation - previous END AS step
  FROM ordered
),
named AS (
  SELECT cluster, group_id, ts,
         event IN ('member_id_assigned', 'member_joined', 'static_member_joined') AS joins,
         unnest(list_distinct(CASE
           WHEN event IN ('member_id_assigned', 'member_joined', 'static_member_joined') THEN [member_id]
           ELSE list_append(regexp_extract_all(message, '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'), member_id) END)) AS member
  FROM seen
  WHERE group_id IS NOT NULL
    AND event IN ('member_id_assigned', 'member_joined', 'static_member_joined', 'member_left', 'member_expired',
                  'members_removed_rebalance_timeout', 'members_removed_sync_timeout', 'group_preparing_rebalance',
                  'static_member_replaced', 'pending_member_removed')
),
lived AS (
  -- a member within a round: a newcomer's id is in the reason of the rebalance too, but is not gone
  SELECT n.cluster, n.group_id, coalesce(o.place, 0) + 1 AS place, right(n.member, 36) AS member, bool_or(n.joins) AS joined
  FROM named n ASOF LEFT JOIN ordered o
    ON o.cluster IS NOT DISTINCT FROM n.cluster AND o.group_id = n.group_id AND n.ts > o.ts
  WHERE n.member IS NOT NULL
  GROUP BY ALL
),
placed AS (
  SELECT cluster, group_id, place, count(*) FILTER (joined) AS joined, count(*) FILTER (NOT joined) AS gone
  FROM lived GROUP BY ALL
),
printing AS (SELECT cluster, group_id FROM placed GROUP BY ALL HAVING sum(joined) > 0)
SELECT s.cluster, s.group_id, s.broker_id, s.generation, s.previous, s.step, s.members,
       CASE WHEN s.step = 1 AND q.group_id IS NOT NULL
            THEN s.before + coalesce(p.joined, 0) + coalesce(r.joined, 0) END::BIGINT AS most,
       CASE WHEN s.step = 1 THEN greatest(s.before - coalesce(p.gone, 0) - coalesce(a.gone, 0), 0) END::BIGINT AS fewest,
       s.ts, s.source, s.line
FROM stepped s
LEFT JOIN placed p ON p.cluster IS NOT DISTINCT FROM s.cluster AND p.group_id = s.group_id AND p.place = s.place
LEFT JOIN placed r ON r.cluster IS NOT DISTINCT FROM s.cluster AND r.group_id = s.group_id AND r.place = s.place - 1
LEFT JOIN placed a ON a.cluster IS NOT DISTINCT FROM s.cluster AND a.group_id = s.group_id AND a.place = s.place + 1
LEFT JOIN printing q ON q.cluster IS NOT DISTINCT FROM s.cluster AND q.group_id = s.group_id
