-- name: finding_offsets_topic_at_risk
-- row: an offsets topic that the loss of one broker would take groups from
-- grain: cluster, started_at
-- about: From kafka-topics dumps (replicas, in-sync replicas, leaders) and the controller's registrations of new partitions; proved by an outage in which no replica could lead. With a single broker in the logs one replica is all there can be: normal.
-- column: cluster VARCHAR - cluster
-- column: group_id VARCHAR - group; NULL for what concerns a broker or the cluster
-- column: kind VARCHAR - offsets_topic_at_risk
-- column: variant VARCHAR - wording
-- column: severity VARCHAR - act, look, normal
-- column: pod VARCHAR - pod to go and look at
-- column: broker BIGINT - broker concerned
-- column: started_at TIMESTAMPTZ - beginning
-- column: ended_at TIMESTAMPTZ - end
-- column: facts MAP(VARCHAR, VARCHAR) - what the templates fill in
-- column: confidence VARCHAR - certain, likely, possible
-- column: evidence STRUCT(source VARCHAR, line BIGINT, ts TIMESTAMPTZ, message VARCHAR)[] - the lines
-- needs: coordinator_outages
-- needs: FROM events WHERE role = 'tool' OR event = 'partition_registered' AND field(fields, 'replicas') NOT LIKE '%,%'
-- uses: events, coordinator_outages

WITH dumped AS (
  SELECT cluster, source, offsets_partition, broker_id AS leader, string_split(field(fields, 'replicas'), ',') AS replicas,
    CASE WHEN field(fields, 'isr') IS NULL THEN [] ELSE string_split(field(fields, 'isr'), ',') END AS isr, line_of(source, line, ts, message) AS said
  FROM events WHERE role = 'tool' AND field(fields, 'detail_event') = 'dump_partition' AND field(fields, 'replicas') IS NOT NULL
), registered AS (
  -- '[1]' or '[2, 3, 1]'
  SELECT cluster, TRY_CAST(field(fields, 'partition') AS BIGINT) AS offsets_partition, ts,
    string_split(regexp_replace(field(fields, 'replicas'), '[\[\] ]', '', 'g'), ',') AS replicas, line_of(source, line, ts, message) AS said
  FROM events WHERE event = 'partition_registered' AND field(fields, 'topic') = '__consumer_offsets' AND field(fields, 'replicas') IS NOT NULL
), brokers AS (
  SELECT cluster, count(DISTINCT broker) AS brokers
  FROM (SELECT cluster, broker_id AS broker FROM events WHERE role = 'broker' AND broker_id IS NOT NULL
          AND event IN ('coordinator_elected', 'offsets_partition_load_started', 'offsets_partition_load_finished', 'partition_leader_start', 'group_stabilized')
        UNION ALL SELECT cluster, TRY_CAST(unnest(replicas) AS BIGINT) FROM dumped UNION ALL SELECT cluster, TRY_CAST(unnest(replicas) AS BIGINT) FROM registered)
  GROUP BY cluster
), single AS (
  SELECT cluster, count(DISTINCT offsets_partition) AS partitions, min(ts) AS ts, list(said ORDER BY ts, offsets_partition)[1:10] AS said, bool_or(dump) AS by_dump
  FROM (SELECT cluster, offsets_partition, NULL::TIMESTAMPTZ AS ts, said, true AS dump FROM dumped WHERE len(replicas) = 1
        UNION ALL SELECT cluster, offsets_partition, ts, said, false FROM registered WHERE len(replicas) = 1)
  GROUP BY cluster
), proved AS (
  SELECT cluster, min(started_at) AS started_at, max(ended_at) AS ended_at, list(DISTINCT group_id ORDER BY group_id) AS groups,
    flatten(list(evidence[1:6] ORDER BY started_at))[1:12] AS said
  FROM coordinator_outages WHERE why = 'no_leader' GROUP BY cluster
), short AS (
  SELECT cluster, source, count(*) FILTER (len(isr) < len(replicas)) AS partitions, count(*) FILTER (leader IS NULL) AS offline,
    count(*) FILTER (len(replicas) = 1) AS single, list(said ORDER BY offsets_partition) FILTER (len(isr) < len(replicas) OR leader IS NULL) AS said
  FROM dumped GROUP BY cluster, source
)
SELECT coalesce(s.cluster, p.cluster) AS cluster, NULL::VARCHAR AS group_id, 'offsets_topic_at_risk' AS kind,
  CASE WHEN s.partitions IS NULL THEN 'proved' WHEN p.groups IS NOT NULL THEN 'single_proved' ELSE 'single' END AS variant,
  CASE WHEN b.brokers = 1 AND p.groups IS NULL THEN 'normal' ELSE 'act' END AS severity,
  NULL::VARCHAR AS pod, NULL::BIGINT AS broker, coalesce(p.started_at, s.ts) AS started_at, p.ended_at,
  MAP {'partitions': coalesce(s.partitions::VARCHAR, '?'), 'brokers': coalesce(b.brokers::VARCHAR, '?'), 'groups': human_list(coalesce(p.groups, [])),
    'at': coalesce(human_time(p.started_at), '?'), 'lasted': coalesce(human_ms(ms_between(p.started_at, p.ended_at)), '?')} AS facts,
  CASE WHEN s.partitions IS NULL THEN 'likely' ELSE 'certain' END AS confidence,
  list_concat(coalesce(s.said, []), coalesce(p.said, [])) AS evidence
FROM single s
FULL JOIN proved p ON p.cluster IS NOT DISTINCT FROM s.cluster
LEFT JOIN brokers b ON b.cluster IS NOT DISTINCT FROM coalesce(s.cluster, p.cluster)
UNION ALL
SELECT s.cluster, NULL, 'offsets_topic_at_risk', CASE WHEN offline > 0 THEN 'offline' ELSE 'short' END,
  CASE WHEN offline > 0 THEN 'act' ELSE 'look' END, NULL, NULL, NULL, NULL,
  MAP {'partitions': partitions::VARCHAR, 'offline': offline::VARCHAR, 'dump': source}, 'certain', said[1:20]
FROM short s
WHERE (offline > 0 OR partitions > 0) AND single = 0
