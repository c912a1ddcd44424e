-- name: checked_events
-- row: one event, with what the audits measure on it
-- grain: source, line, template
-- about: The narrow frame that the data quality rules look at. Whatever a rule needs to know about a
--   line beyond its own columns (its place in the source, the line before it) is worked out here.
-- column: cluster VARCHAR - cluster the event belongs to
-- column: source VARCHAR - where the line stands
-- column: line BIGINT - its number in the decompressed source, from 1
-- column: ts TIMESTAMPTZ - time of the line as its writer printed it
-- column: event VARCHAR - what happened
-- column: level VARCHAR - severity printed with the line
-- column: role VARCHAR - who wrote it
-- column: group_id VARCHAR - consumer group
-- column: group_type VARCHAR - kind of the group
-- column: generation BIGINT - generation of a classic group
-- column: epoch BIGINT - epoch
-- column: members BIGINT - members of the group
-- column: static_members BIGINT - static members among them
-- column: broker_id BIGINT - broker
-- column: offsets_partition BIGINT - partition of __consumer_offsets
-- column: duration_ms DOUBLE in ms - duration printed in the line
-- column: error VARCHAR - Kafka error
-- column: template VARCHAR - statement that the line came from; rows of a tool's table come from none
-- column: placeholder VARCHAR - first column that holds an empty text or -1 instead of NULL
-- column: missing VARCHAR - first column that this kind of event cannot be without, yet lacks
-- column: mixed VARCHAR - says which, if a generation stands at an epoch group or the other way round
-- column: ahead_ms DOUBLE in ms - how far ts lies behind the time of its ingest, as a distance into the future; NULL if it does not
-- column: back_ms DOUBLE in ms - how far ts falls back behind the line before it, of the same process in the same source
-- column: outside_ms DOUBLE in ms - how far ts lies outside the first and last time of its source
-- column: source_lines BIGINT - lines of the source; NULL if the source is not accounted for
-- uses: events, sources
WITH accounted AS (
  SELECT source, sum(lines)::BIGINT AS lines, min(first_ts) AS first_ts, max(last_ts) AS last_ts,
         max(ingested_at) AS ingested_at
  FROM sources GROUP BY source
)
SELECT
  e.cluster, e.source, e.line, e.ts, e.event, e.level, e.role, e.group_id, e.group_type, e.generation, e.epoch,
  e.members, e.static_members, e.broker_id, e.offsets_partition, e.duration_ms, e.error,
  coalesce(e.template, CASE e.role WHEN 'tool' THEN 'table of a tool' END) AS template,
  CASE WHEN e.generation < 0 THEN 'generation' WHEN e.epoch < -2 THEN 'epoch' WHEN e.members < 0 THEN 'members'
       WHEN e.static_members < 0 THEN 'static_members' WHEN e.broker_id < 0 THEN 'broker_id'
       WHEN e.offsets_partition < 0 THEN 'offsets_partition' WHEN e.duration_ms < 0 THEN 'duration_ms'
       WHEN e.cluster = '' THEN 'cluster' WHEN e.event = '' THEN 'event' WHEN e.member_id = '' THEN 'member_id'
       WHEN e.group_id = '' THEN 'group_id' WHEN e.instance_id = '' THEN 'instance_id'
       WHEN e.client_id = '' THEN 'client_id' WHEN e.pod = '' THEN 'pod' WHEN e.state = '' THEN 'state'
       WHEN e.reason = '' THEN 'reason' WHEN e.error = '' THEN 'error' WHEN e.assignor = '' THEN 'assignor'
       END AS placeholder,
  CASE WHEN e.role = 'broker' AND e.group_id IS NULL
            AND e.event IN ('group_preparing_rebalance', 'group_stabilized', 'assignment_received', 'group_empty',
                            'group_dead', 'group_epoch_bumped', 'target_assignment_computed') THEN 'group_id'
       WHEN e.role = 'broker' AND e.generation IS NULL
            AND e.event IN ('group_preparing_rebalance', 'group_stabilized', 'assignment_received', 'group_empty')
            AND e.group_type IS DISTINCT FROM 'consumer' THEN 'generation'
       WHEN e.role = 'broker' AND e.epoch IS NULL
            AND e.event IN ('group_epoch_bumped', 'target_assignment_computed') THEN 'epoch'
       WHEN e.role = 'broker' AND e.offsets_partition IS NULL
            AND e.event IN ('coordinator_elected', 'coordinator_resigned') THEN 'offsets_partition'
       END AS missing,
  CASE WHEN e.group_type IN ('consumer', 'share', 'streams') AND e.generation IS NOT NULL THEN 'generation'
       WHEN e.group_type = 'classic' AND e.epoch IS NOT NULL AND e.group_id IS NOT NULL THEN 'epoch'
       END AS mixed,
  CASE WHEN e.ts > s.ingested_at THEN (epoch_us(e.ts) - epoch_us(s.ingested_at)) / 1000.0 END AS ahead_ms,
  greatest(0, (epoch_us(lag(e.ts IGNORE NULLS) OVER process) - epoch_us(e.ts)) / 1000.0) AS back_ms,
  greatest(0, (epoch_us(s.first_ts) - epoch_us(e.ts)) / 1000.0, (epoch_us(e.ts) - epoch_us(s.last_ts)) / 1000.0)
    AS outside_ms,
  s.lines AS source_lines
FROM events e LEFT JOIN accounted s ON s.source = e.source
WINDOW process AS (PARTITION BY e.source, e.pod, e.client_id ORDER BY e.line)
