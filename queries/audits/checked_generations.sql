-- name: checked_generations
-- row: one generation of a classic group, as one coordinator announced it
-- grain: cluster, group_id, broker_id, source, line
-- about: Lines of brokers that announce a new generation (`group_stabilized`, `group_empty`), each beside the one
--   before it. A coordinator counts generations up by one; a lower number begins a new incarnation of the group.
--   The step is unknown (NULL) where another broker may have announced a generation in between: the group's
--   offsets partition was loaded or unloaded, or its logs show a broker that starts or stops.
--   `most` is the highest number of members that is possible: the members before plus those given an id or
--   joined since; `fewest` the members before minus those that left. Both are unknown unless the generation before
--   is the direct predecessor.
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
WITH told AS (
  -- a line that reached server.log and stdout counts once
  SELECT cluster, group_id, generation, members, event, broker_id, ts, min(source) AS source, arg_min(line, source) AS line
  FROM events
  WHERE role = 'broker' AND group_id IS NOT NULL AND generation IS NOT NULL
    AND event IN ('group_stabilized', 'group_empty')
  GROUP BY ALL
),
moves AS (
  SELECT cluster, broker_id, ts FROM events
  WHERE role = 'broker' AND event IN ('broker_started', 'broker_stopping', 'broker_stopped')
),
loads AS (
  SELECT cluster, offsets_partition, ts FROM events
  WHERE role = 'broker' AND offsets_partition IS NOT NULL
    AND event IN ('offsets_partition_load_started', 'offsets_partition_load_finished', 'coordinator_elected',
                  'coordinator_resigned', 'offsets_partition_unload_started')
),
ordered AS (
  SELECT *, lag(generation) OVER w AS previous, lag(broker_id) OVER w AS previous_broker, lag(ts) OVER w AS since,
         CASE lag(event) OVER w WHEN 'group_empty' THEN 0 ELSE lag(members) OVER w END AS before
  FROM told
  WINDOW w AS (PARTITION BY cluster, group_id ORDER BY ts, source, line)
),
stepped AS (
  SELECT o.* EXCLUDE (since, before, previous_broker), o.since, o.before,
         CASE WHEN o.generation > o.previous AND o.broker_id IS NOT DISTINCT FROM o.previous_broker
              THEN o.generation - o.previous
              WHEN o.generation = o.previous THEN 0 END AS step
  FROM ordered o
)
SELECT cluster, group_id, broker_id, generation, previous, step, members, NULL::BIGINT AS most, NULL::BIGINT AS fewest, ts, source, line
FROM stepped
