-- name: finding_offsets_topic_recreated
-- row: an offsets topic that was made anew: every group's positions and generations are gone
-- grain: cluster, started_at
-- about: The controller registers __consumer_offsets a second time; or three groups or more, and at least half of those in the logs, begin again at generation 1 within ten minutes.
-- column: cluster VARCHAR - cluster
-- column: group_id VARCHAR - group; NULL for what concerns a broker or the cluster
-- column: kind VARCHAR - offsets_topic_recreated
-- column: variant VARCHAR - wording
-- column: severity VARCHAR - act, look, normal
-- column: pod VARCHAR - pod to go and look at
-- column: broker BIGINT - broker concerned
-- column: started_at TIMESTAMPTZ - beginning
-- column: ended_at TIMESTAMPTZ - end
-- column: facts MAP(VARCHAR, VARCHAR) - what the templates fill in
-- column: confidence VARCHAR - certain, likely, possible
-- column: evidence STRUCT(source VARCHAR, line BIGINT, ts TIMESTAMPTZ, message VARCHAR)[] - the lines
-- needs: FROM events WHERE event = 'topic_created' AND field(fields, 'topic') = '__consumer_offsets' HAVING count(*) > 1
-- needs: FROM group_lines WHERE event = 'group_stabilized' AND generation = 1 HAVING count(DISTINCT group_id) >= 3
-- uses: events, group_lines

WITH made AS (
  SELECT cluster, ts, field(fields, 'topic_id') AS topic_id, line_of(source, line, ts, message) AS said
  FROM events WHERE event = 'topic_created' AND field(fields, 'topic') = '__consumer_offsets' AND ts IS NOT NULL
), twice AS (
  SELECT cluster, max(ts) AS started_at, list(said ORDER BY ts) AS evidence
  FROM made GROUP BY cluster
  HAVING count(DISTINCT coalesce(topic_id, ts::VARCHAR)) > 1 AND max(ts) - min(ts) > INTERVAL 1 SECOND
), settled AS (
  SELECT cluster, group_id, generation, ts, evidence, lag(generation) OVER (PARTITION BY cluster, group_id ORDER BY moment, evidence.line) AS before
  FROM group_lines WHERE event = 'group_stabilized' AND role = 'broker' AND generation IS NOT NULL
), again AS (
  SELECT *, count(*) FILTER (fresh) OVER (PARTITION BY cluster ORDER BY ts ROWS UNBOUNDED PRECEDING) AS wave
  FROM (SELECT *, coalesce(ts - lag(ts) OVER (PARTITION BY cluster ORDER BY ts) > INTERVAL 10 MINUTE, true) AS fresh
        FROM settled WHERE generation = 1 AND before > 1)
), at_once AS (
  SELECT cluster, wave, min(ts) AS started_at, max(ts) AS ended_at, list(DISTINCT group_id ORDER BY group_id) AS groups, list(evidence ORDER BY ts)[1:20] AS evidence
  FROM again GROUP BY cluster, wave HAVING count(DISTINCT group_id) >= 3
), known AS (SELECT cluster, count(DISTINCT group_id) AS groups FROM settled GROUP BY cluster)
SELECT cluster, NULL::VARCHAR AS group_id, 'offsets_topic_recreated' AS kind, 'default' AS variant, 'act' AS severity, NULL::VARCHAR AS pod, NULL::BIGINT AS broker,
  started_at, NULL::TIMESTAMPTZ AS ended_at, MAP {'at': human_time(started_at), 'count': '?', 'groups': '?'} AS facts, 'certain' AS confidence, evidence
FROM twice
UNION ALL
SELECT a.cluster, NULL, 'offsets_topic_recreated', 'restarted', 'act', NULL, NULL, a.started_at, a.ended_at,
  MAP {'at': human_time(a.started_at), 'count': len(a.groups)::VARCHAR, 'groups': human_list(a.groups)}, 'likely', a.evidence
FROM at_once a JOIN known k ON k.cluster IS NOT DISTINCT FROM a.cluster
WHERE 2 * len(a.groups) >= k.groups AND NOT EXISTS (FROM twice t WHERE t.cluster IS NOT DISTINCT FROM a.cluster)
