-- name: generation_lines
-- row: one line that names a generation of a classic group
-- grain: cluster, source, line
-- about: `number` is the generation that the line belongs to (a group_preparing_rebalance prints the old one and
--   begins the next). Generations restart when a group went Dead or its offsets topic was made anew; `incarnation`
--   counts that: from group_dead lines, from a rebalance with old generation 0 after others, and from numbers that
--   fall back by more than two. Lines of clients follow the incarnations of the brokers' lines where there are any.
--   Lines of groups that run the consumer, share or streams protocol at that moment are left out: they have epochs.
-- column: cluster VARCHAR - cluster
-- column: group_id VARCHAR - group
-- column: incarnation BIGINT - 1 for the first life of the group that was seen
-- column: number BIGINT - generation that the line belongs to
-- column: moment TIMESTAMPTZ - corrected time
-- column: ts TIMESTAMPTZ - time as printed
-- column: event VARCHAR - name of the vocabulary
-- column: role VARCHAR - broker or client
-- column: client VARCHAR - client library, NULL for brokers
-- column: pod VARCHAR - pod that wrote the line, NULL for brokers
-- column: process VARCHAR - consumer that wrote the line, NULL for brokers
-- column: broker_id BIGINT - broker that wrote the line, NULL for clients
-- column: member_id VARCHAR - member that the line is about
-- column: client_id VARCHAR - client id that the line carries
-- column: leader_member_id VARCHAR - member that leads, if the line says it
-- column: members BIGINT - number of members, if the line says it
-- column: static_members BIGINT - number of static members, if the line says it
-- column: offsets_partition BIGINT - partition of __consumer_offsets
-- column: state VARCHAR - state that the line names
-- column: reason VARCHAR - reason that the line gives
-- column: assignor VARCHAR - assignor that the line names
-- column: topic_partitions VARCHAR[] - partitions that the line names
-- column: source VARCHAR - source
-- column: line BIGINT - line in the source
-- column: evidence STRUCT(source VARCHAR, line BIGINT, ts TIMESTAMPTZ, message VARCHAR) - the line
-- uses: events, group_lines

WITH protocols AS (
  -- what protocol a group runs from this line on
  SELECT cluster, group_id, ts AS moment,
    event IN ('group_preparing_rebalance', 'group_stabilized') OR message ILIKE '% to a classic group%' AS classic
  FROM events
  WHERE group_id IS NOT NULL AND event IN ('group_preparing_rebalance', 'group_stabilized', 'group_converted', 'group_epoch_bumped',
    'target_assignment_computed', 'member_state_changed', 'target_assignment_received')
),
with_epochs AS (SELECT DISTINCT cluster, group_id FROM protocols WHERE NOT classic),
named AS (
  SELECT * FROM group_lines
  WHERE group_id IS NOT NULL AND coalesce(group_type, 'classic') = 'classic'
    AND event IN ('group_preparing_rebalance', 'group_stabilized', 'assignment_received', 'group_empty', 'group_dead',
      'join_succeeded', 'sync_succeeded', 'leader_elected', 'assignment_computed')
    AND (generation IS NOT NULL OR role = 'client')
),
-- a classic client in a group that runs another protocol prints the group's epoch as its generation
in_protocol AS (
  SELECT * FROM named WHERE role = 'broker' OR (cluster, group_id) NOT IN (SELECT (cluster, group_id) FROM with_epochs)
  UNION ALL
  SELECT named.* FROM named ASOF LEFT JOIN protocols
    ON protocols.cluster IS NOT DISTINCT FROM named.cluster AND protocols.group_id = named.group_id AND named.moment >= protocols.moment
  WHERE role = 'client' AND (named.cluster, named.group_id) IN (SELECT (cluster, group_id) FROM with_epochs)
    AND coalesce(classic, true)
),
-- the line that says who leads may lack the generation (kafka-go, kafka-python, Java before 2.4): it belongs to the
-- nearest line of the same process that has one
numbered AS (
  SELECT *,
    CASE WHEN generation IS NOT NULL OR role = 'broker' THEN generation
         WHEN above IS NULL THEN below WHEN below IS NULL THEN above
         WHEN line - above_line <= below_line - line THEN above ELSE below END AS known
  FROM (
    SELECT *,
      last_value(generation IGNORE NULLS) OVER above AS above,
      last_value(CASE WHEN generation IS NOT NULL THEN line END IGNORE NULLS) OVER above AS above_line,
      first_value(generation IGNORE NULLS) OVER below AS below,
      first_value(CASE WHEN generation IS NOT NULL THEN line END IGNORE NULLS) OVER below AS below_line
    FROM in_protocol
    WINDOW above AS (PARTITION BY cluster, group_id, source, process ORDER BY line ROWS UNBOUNDED PRECEDING),
           below AS (PARTITION BY cluster, group_id, source, process ORDER BY line ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING)
  )
),
marks AS (
  SELECT * EXCLUDE (above, below, above_line, below_line, known, generation),
    CASE WHEN event = 'group_preparing_rebalance' THEN known + 1 ELSE known END AS number
  FROM numbered WHERE known IS NOT NULL
),
broker_steps AS (
  SELECT *,
    CASE WHEN lag(event) OVER steps = 'group_dead' THEN event <> 'group_dead'
         WHEN event = 'group_preparing_rebalance' AND number = 1 THEN
           coalesce(lag(event) OVER steps <> 'group_preparing_rebalance' OR lag(number) OVER steps > 1, false)
         ELSE coalesce(number < lag(number) OVER steps - 2, false) END AS restarts
  FROM marks WHERE role = 'broker'
  WINDOW steps AS (PARTITION BY cluster, group_id ORDER BY moment, source, line)
),
client_steps AS (
  SELECT *,
    coalesce(number < before AND (number = 1 OR number < before - 2)
      AND (process_before > number OR ms_between(at_before, moment) > 5000), false) AS restarts
  FROM (
    SELECT *, lag(number) OVER steps AS before, lag(moment) OVER steps AS at_before,
      lag(number) OVER (PARTITION BY cluster, group_id, source, process ORDER BY line) AS process_before
    FROM marks WHERE role = 'client'
    WINDOW steps AS (PARTITION BY cluster, group_id ORDER BY moment, source, line)
  )
),
broker_lives AS (
  SELECT *, 1 + count_if(restarts) OVER (PARTITION BY cluster, group_id ORDER BY moment, source, line) AS incarnation
  FROM broker_steps
),
client_lives AS (
  SELECT *, 1 + count_if(restarts) OVER (PARTITION BY cluster, group_id ORDER BY moment, source, line) AS incarnation
  FROM client_steps
),
lives AS (
  SELECT cluster, group_id, incarnation, min(moment) AS from_at FROM broker_lives GROUP BY ALL
),
-- a client's line belongs to the brokers' incarnation that began last before it (some slack for clocks), if any began
followed AS (
  SELECT client_lives.* EXCLUDE (incarnation, before, at_before, process_before),
    CASE WHEN lives.incarnation IS NOT NULL THEN lives.incarnation
         WHEN (client_lives.cluster, client_lives.group_id) IN (SELECT (cluster, group_id) FROM lives) THEN 1
         ELSE client_lives.incarnation END AS incarnation
  FROM client_lives ASOF LEFT JOIN lives
    ON lives.cluster IS NOT DISTINCT FROM client_lives.cluster AND lives.group_id = client_lives.group_id
      AND client_lives.moment + INTERVAL 3 SECOND >= lives.from_at
),
every AS (
  SELECT * FROM broker_lives UNION ALL BY NAME SELECT * FROM followed
)
SELECT cluster, group_id, incarnation, number, moment, ts, event, role, client, pod, process, broker_id, member_id, client_id,
  CASE WHEN event IN ('assignment_received', 'join_succeeded') THEN coalesce(other_member_id,
         CASE WHEN leads THEN member_id WHEN event = 'assignment_received' THEN member_id END)
       WHEN event = 'leader_elected' AND leads IS NOT false THEN member_id END AS leader_member_id,
  members, static_members, offsets_partition, state, reason, assignor, topic_partitions, source, line, evidence
FROM every
