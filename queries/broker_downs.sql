-- name: broker_downs
-- row: a time that a broker was down
-- grain: cluster, broker, down_at
-- about: From the first line of its shutdown to its next start. For a broker that starts without having stopped, or
--   that the controller gave up, from the moment when connections to it broke, else the last line that it wrote before
--   (`killed`: a crash, a kill, a lost machine); from the fencing itself when the broker's own log is not there (`fenced`).
-- column: cluster VARCHAR - cluster
-- column: broker BIGINT - broker id
-- column: down_at TIMESTAMPTZ - last sign of service
-- column: up_at TIMESTAMPTZ - it serves again; NULL when the logs end before
-- column: how VARCHAR - stopped, killed or fenced
-- column: exact BOOLEAN - `down_at` is when it went; else it may have gone any time between then and its fencing or start
-- column: evidence STRUCT(source VARCHAR, line BIGINT, ts TIMESTAMPTZ, message VARCHAR)[] - stop, fencing and start
-- uses: events

WITH signs AS (
  SELECT cluster, broker_id AS broker, ts, event, role, line_of(source, line, ts, message) AS said
  FROM events
  WHERE ts IS NOT NULL AND role IN ('broker', 'controller') AND event IN ('broker_started', 'broker_stopping', 'broker_stopped', 'broker_fenced')
), written AS (
  SELECT cluster, broker_id AS broker, ts, source, line,
    ts - lag(ts) OVER (PARTITION BY cluster, broker_id ORDER BY ts) > INTERVAL 1 SECOND AS after_silence
  FROM events WHERE ts IS NOT NULL AND role = 'broker' AND broker_id IS NOT NULL
), alive AS (
  -- the last line before a silence: of the lines before a start, those after it belong to the start
  SELECT cluster, broker, ts, source, line
  FROM (SELECT *, lead(after_silence, 1, true) OVER (PARTITION BY cluster, broker ORDER BY ts) AS ends FROM written)
  WHERE ends
), marked AS (
  SELECT *, count(*) FILTER (event = 'broker_started') OVER (
      PARTITION BY cluster, broker ORDER BY ts ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS life,
    max(ts) FILTER (event = 'broker_started') OVER (
      PARTITION BY cluster, broker ORDER BY ts ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS former
  FROM signs WHERE broker IS NOT NULL
), lives AS (
  SELECT cluster, broker, life, max(former) AS former,
    min(ts) FILTER (event = 'broker_stopping') AS stopping_at, arg_min(said, ts) FILTER (event = 'broker_stopping') AS stopping,
    min(ts) FILTER (event = 'broker_fenced') AS fenced_at, arg_min(said, ts) FILTER (event = 'broker_fenced') AS fenced,
    max(ts) FILTER (event = 'broker_started') AS up_at, arg_max(said, ts) FILTER (event = 'broker_started') AS started
  FROM marked GROUP BY cluster, broker, life
), losses AS (
  -- connections to a broker that break, several within seconds
  SELECT cluster, broker_id AS broker, ts, lead(ts) OVER (PARTITION BY cluster, broker_id ORDER BY ts) - ts < INTERVAL 5 SECOND AS several
  FROM events WHERE event = 'connection_lost' AND broker_id IS NOT NULL AND ts IS NOT NULL
), last_signs AS (
  SELECT lives.*, alive.ts AS last_at, alive.source AS last_source, alive.line AS last_line
  FROM lives ASOF LEFT JOIN alive
    ON alive.cluster IS NOT DISTINCT FROM lives.cluster AND alive.broker = lives.broker
    AND alive.ts < least(coalesce(lives.fenced_at, lives.up_at), coalesce(lives.up_at, lives.fenced_at)) - INTERVAL 500 MILLISECOND
), broken AS (
  SELECT s.cluster, s.broker, s.life, min(l.ts) AS broken_at
  FROM last_signs s JOIN losses l ON l.cluster IS NOT DISTINCT FROM s.cluster AND l.broker = s.broker
  WHERE l.several AND l.ts BETWEEN s.last_at AND coalesce(s.fenced_at, s.up_at)
  GROUP BY s.cluster, s.broker, s.life
)
SELECT s.cluster, s.broker,
  CASE WHEN stopping_at IS NOT NULL THEN stopping_at
       WHEN last_at IS NOT NULL AND (former IS NULL OR last_at >= former) THEN coalesce(b.broken_at, last_at)
       ELSE fenced_at END AS down_at,
  up_at,
  CASE WHEN stopping_at IS NOT NULL THEN 'stopped'
       WHEN last_at IS NOT NULL AND s.life > 0 AND up_at IS NOT NULL THEN 'killed' ELSE 'fenced' END AS how,
  stopping_at IS NOT NULL OR b.broken_at IS NOT NULL AS exact,
  list_filter([coalesce(stopping, e.said), fenced, started], lambda said: said IS NOT NULL) AS evidence
FROM last_signs s LEFT JOIN broken b ON b.cluster IS NOT DISTINCT FROM s.cluster AND b.broker = s.broker AND b.life = s.life
LEFT JOIN (SELECT source, line, line_of(source, line, ts, message) AS said FROM events
    WHERE (source, line) IN (SELECT (last_source, last_line) FROM last_signs)) e ON e.source = s.last_source AND e.line = s.last_line
WHERE stopping_at IS NOT NULL OR fenced_at IS NOT NULL OR s.life > 0 AND up_at IS NOT NULL
