-- name: log_gaps
-- row: a silence of a source where lines were due
-- grain: cluster, source, started_at
-- about: Quiet logs are no gaps. A silence counts only where something else proves that the source should have spoken: a consumer joined a
--   generation whose coordinator's log, quiet around that time, does not show it; a coordinator saw a Java consumer join or leave
--   while the pod's log was quiet; a consumer that committed like a clock stopped to, and its source with it, and went on later; or a
--   broker's log ends without a shutdown while others lost their connections to it and went on. Times that the broker was down are
--   none. Lines that are no events cannot be seen from here.
-- column: cluster VARCHAR - cluster
-- column: source VARCHAR - path of the source
-- column: started_at TIMESTAMPTZ - last event before
-- column: ended_at TIMESTAMPTZ - first event after; NULL if the source ends there
-- column: evidence STRUCT(source VARCHAR, line BIGINT, ts TIMESTAMPTZ, message VARCHAR)[] - last line before, what proves it, first line after
-- uses: events, corrected_offsets, broker_downs, offsets_leaders, group_partitions

WITH lines AS (
  -- lines are named by source and number until the end, where the few that count are fetched
  SELECT e.cluster, e.source, e.line, e.ts, e.event, e.role, e.client, e.group_id, e.generation, e.member_id, e.client_id, e.broker_id,
    CASE WHEN o.offset_ms IS NULL THEN e.ts ELSE e.ts - to_microseconds((o.offset_ms * 1000)::BIGINT) END AS moment
  FROM events e LEFT JOIN corrected_offsets o ON o.cluster IS NOT DISTINCT FROM e.cluster AND o.source = e.source
  WHERE e.ts IS NOT NULL AND e.role IN ('broker', 'client')
), silences AS (
  SELECT cluster, source, ts AS started_at, moment AS since, line AS before,
    lead(ts) OVER bysource AS ended_at, lead(moment) OVER bysource AS until, lead(line) OVER bysource AS after,
    -- a process that begins anew was away, not silent
    role = 'client' AND lead(event) OVER bysource IN ('client_config', 'client_version', 'subscription_changed') AS restarted
  FROM lines
  WINDOW bysource AS (PARTITION BY cluster, source ORDER BY moment, line)
  QUALIFY until - since >= INTERVAL 10 SECOND
), broker_sources AS (
  SELECT cluster, broker_id AS broker, source FROM lines WHERE role = 'broker' AND broker_id IS NOT NULL
  GROUP BY ALL HAVING count(*) >= 20
), joined AS (
  SELECT cluster, group_id, generation, max(moment) AS moment, arg_max({'source': source, 'line': line}, moment) AS said
  FROM lines WHERE role = 'client' AND event IN ('join_succeeded', 'sync_succeeded') AND generation > 0 AND group_id IS NOT NULL
  GROUP BY cluster, group_id, generation
), settled AS (
  SELECT DISTINCT cluster, group_id, generation FROM lines
  WHERE role = 'broker' AND event IN ('group_stabilized', 'assignment_received') AND generation IS NOT NULL
), unseen AS (
  -- generations that a consumer joined and that the log of the broker which led the group then does not show
  SELECT j.cluster, l.broker, j.moment, j.said
  FROM joined j
  JOIN group_partitions p ON p.cluster IS NOT DISTINCT FROM j.cluster AND p.group_id = j.group_id AND NOT p.hashed
  ASOF JOIN offsets_leaders l ON l.cluster IS NOT DISTINCT FROM j.cluster AND l.offsets_partition = p.offsets_partition AND l.elected_at <= j.moment
  WHERE NOT EXISTS (FROM settled s WHERE s.cluster IS NOT DISTINCT FROM j.cluster AND s.group_id = j.group_id AND s.generation = j.generation)
), consumers AS (
  SELECT cluster, group_id, client_id, any_value(source) AS source FROM lines
  WHERE role = 'client' AND client = 'java' AND event = 'join_succeeded' AND client_id IS NOT NULL
  GROUP BY cluster, group_id, client_id HAVING count(DISTINCT source) = 1
), proofs AS (
  SELECT u.cluster, b.source, u.moment, u.said
  FROM unseen u JOIN broker_sources b ON b.cluster IS NOT DISTINCT FROM u.cluster AND b.broker = u.broker
  UNION ALL
  SELECT b.cluster, c.source, b.moment, {'source': b.source, 'line': b.line}
  FROM lines b JOIN consumers c
    ON c.cluster IS NOT DISTINCT FROM b.cluster AND c.group_id = b.group_id AND c.client_id = client_part(b.member_id)
  WHERE b.role = 'broker' AND b.event IN ('member_joined', 'member_left', 'member_id_assigned')
), proved AS (
  SELECT p.cluster, p.source, s.started_at, s.since, s.until, s.ended_at, s.before, s.after, list(p.said ORDER BY p.moment)[1:3] AS said
  FROM proofs p ASOF JOIN silences s ON s.cluster IS NOT DISTINCT FROM p.cluster AND s.source = p.source AND s.since <= p.moment
  WHERE p.moment BETWEEN s.since + INTERVAL 3 SECOND AND s.until - INTERVAL 3 SECOND AND NOT s.restarted
  GROUP BY ALL
), clockwork AS (
  -- twenty commits in a row, each a tenth of the silence apart or less
  SELECT s.cluster, s.source, s.started_at, s.since, s.until, s.ended_at, s.before, s.after, []::STRUCT(source VARCHAR, line BIGINT)[] AS said
  FROM silences s
  ASOF JOIN (
    SELECT cluster, source, moment, moment - lag(moment, 20) OVER ticks AS span
    FROM lines WHERE event = 'offsets_committed' WINDOW ticks AS (PARTITION BY cluster, source ORDER BY moment, line)
  ) t ON t.cluster IS NOT DISTINCT FROM s.cluster AND t.source = s.source AND t.moment <= s.since
  WHERE s.until - s.since >= INTERVAL 30 SECOND AND s.since - t.moment <= (s.until - s.since) / 10
    AND t.span >= (s.until - s.since) / 2 AND t.span <= 2 * (s.until - s.since)
), ends AS (
  SELECT l.cluster, b.broker, l.source, max(l.ts) AS started_at, max(l.moment) AS since, arg_max(l.line, (l.moment, l.line)) AS before,
    arg_max(l.event, (l.moment, l.line)) AS event
  FROM lines l JOIN broker_sources b ON b.cluster IS NOT DISTINCT FROM l.cluster AND b.source = l.source
  GROUP BY l.cluster, b.broker, l.source
), last_lines AS (
  SELECT cluster, max(since) AS last_at FROM ends GROUP BY cluster
), cut_off AS (
  SELECT e.cluster, e.source, e.started_at, e.since, NULL::TIMESTAMPTZ AS until, NULL::TIMESTAMPTZ AS ended_at, e.before, NULL::BIGINT AS after,
    list({'source': c.source, 'line': c.line} ORDER BY c.moment)[1:3] AS said
  FROM ends e
  JOIN last_lines a ON a.cluster IS NOT DISTINCT FROM e.cluster AND a.last_at > e.since + INTERVAL 1 MINUTE
  JOIN lines c ON c.cluster IS NOT DISTINCT FROM e.cluster AND c.event = 'connection_lost' AND c.broker_id = e.broker AND c.source <> e.source
  WHERE c.moment BETWEEN e.since - INTERVAL 1 MINUTE AND e.since + INTERVAL 5 MINUTE
    AND e.event NOT IN ('broker_stopping', 'broker_stopped')
  GROUP BY ALL
), found AS (
  SELECT * FROM proved
  UNION ALL
  SELECT * FROM clockwork c WHERE NOT EXISTS (FROM proved p WHERE p.cluster IS NOT DISTINCT FROM c.cluster AND p.source = c.source AND p.since = c.since)
  UNION ALL
  SELECT * FROM cut_off
), kept AS (
  SELECT f.cluster, f.source, f.started_at, f.ended_at,
    list_concat([{'source': f.source, 'line': f.before}], f.said, CASE WHEN f.after IS NULL THEN [] ELSE [{'source': f.source, 'line': f.after}] END) AS said
  FROM found f
  WHERE NOT EXISTS (
    FROM broker_downs d JOIN broker_sources b ON b.cluster IS NOT DISTINCT FROM d.cluster AND b.broker = d.broker
    WHERE b.cluster IS NOT DISTINCT FROM f.cluster AND b.source = f.source AND d.down_at <= coalesce(f.until, d.down_at) AND coalesce(d.up_at, f.since) >= f.since)
), wanted AS (SELECT cluster, source, started_at, ended_at, unnest(said) AS said, generate_subscripts(said, 1) AS place FROM kept)
SELECT w.cluster, w.source, w.started_at, w.ended_at, list(line_of(e.source, e.line, e.ts, e.message) ORDER BY w.place) AS evidence
FROM wanted w JOIN events e ON e.source = w.said.source AND e.line = w.said.line
GROUP BY w.cluster, w.source, w.started_at, w.ended_at
ORDER BY w.started_at
