-- name: coordinator_moves
-- row: a change of a group's coordinator
-- grain: cluster, group_id, elected_at, to_broker
-- about: With brokers' logs a move is a new leader of the group's offsets partition while the group was known. Brokers whose logs
--   are missing are placed by what consumers discover, counted only where they stay with it: discovering and losing
--   the same broker again and again is no move, and a first discovery is none. `elected_at` is then NULL.
-- column: cluster VARCHAR - cluster
-- column: group_id VARCHAR - group
-- column: offsets_partition BIGINT - partition of __consumer_offsets that holds the group
-- column: from_broker BIGINT - coordinator before
-- column: to_broker BIGINT - coordinator after
-- column: resigned_at TIMESTAMPTZ - the old one resigned or began to unload; NULL if it was killed or its log is missing
-- column: elected_at TIMESTAMPTZ - the new one was elected, or began to load
-- column: loaded_at TIMESTAMPTZ - it had loaded the partition: from here on it answers
-- column: rediscovered STRUCT(pod VARCHAR, "at" TIMESTAMPTZ)[] - when each pod that used the old one found the new one
-- column: last_rediscovered_at TIMESTAMPTZ - when the last of them did
-- column: stuck_pods VARCHAR[] - pods that went on with the old one: refused again and again without finding the new one
-- column: evidence STRUCT(source VARCHAR, line BIGINT, ts TIMESTAMPTZ, message VARCHAR)[] - resignation, election, load, discoveries, refusals
-- needs: offsets_leaders, coordinator_lines
-- uses: events, group_lines, group_partitions, offsets_leaders, coordinator_lines

WITH lives AS (
  SELECT cluster, group_id, min(moment) AS since, max(moment) AS until,
    max(moment) FILTER (event IN ('group_dead', 'groups_deleted')) AS dead_at
  FROM group_lines WHERE group_id IS NOT NULL AND moment IS NOT NULL GROUP BY cluster, group_id
), logged AS (
  SELECT DISTINCT cluster, broker FROM offsets_leaders
), sightings AS (
  SELECT p.cluster, p.group_id, l.broker, l.elected_at AS "at", l.elected_at, l.loaded_at,
    l.evidence[1:2] AS said, 1 AS rank
  FROM offsets_leaders l JOIN group_partitions p ON p.cluster IS NOT DISTINCT FROM l.cluster AND p.offsets_partition = l.offsets_partition
  UNION ALL
  SELECT c.cluster, c.group_id, c.broker, c.moment, NULL, NULL, [c.evidence], 2
  FROM coordinator_lines c
  WHERE c.kind = 'found' AND c.steady AND c.broker IS NOT NULL
    AND NOT EXISTS (FROM logged WHERE logged.cluster IS NOT DISTINCT FROM c.cluster AND logged.broker = c.broker)
), turns AS (
  SELECT *, lag(broker) OVER bygroup AS before
  FROM sightings WINDOW bygroup AS (PARTITION BY cluster, group_id ORDER BY "at", rank)
), changes AS (
  SELECT *, lead("at") OVER (PARTITION BY cluster, group_id ORDER BY "at", rank) AS until_at
  FROM turns WHERE before IS DISTINCT FROM broker
), moves AS (
  SELECT c.*, row_number() OVER (PARTITION BY c.cluster, c.group_id ORDER BY c."at") AS move
  FROM changes c JOIN lives g ON g.cluster IS NOT DISTINCT FROM c.cluster AND g.group_id = c.group_id
  WHERE before IS NOT NULL AND g.since < c."at"
    AND NOT coalesce(g.dead_at < c."at" AND g.until <= g.dead_at, false)
), users AS (
  -- a pod that had found or used a coordinator before
  SELECT cluster, group_id, pod, process, min(moment) AS since, max(moment) AS until FROM coordinator_lines GROUP BY ALL
), refound AS (
  SELECT m.cluster, m.group_id, m.move, c.process, any_value(c.pod) AS pod, min(c.moment) AS "at",
    arg_min(c.evidence, c.moment) AS said
  FROM coordinator_lines c
  ASOF JOIN moves m ON m.cluster IS NOT DISTINCT FROM c.cluster AND m.group_id = c.group_id
    AND c.moment >= m."at" - INTERVAL 1 SECOND
  JOIN users u ON u.cluster IS NOT DISTINCT FROM c.cluster AND u.group_id = c.group_id AND u.process = c.process
  WHERE c.kind = 'found' AND c.broker = m.broker AND u.since < m."at" - INTERVAL 1 SECOND
  GROUP BY m.cluster, m.group_id, m.move, c.process
), refused AS (
  -- refusals by the old coordinator after the new one could answer, before the pod found it (if it ever did)
  SELECT m.cluster, m.group_id, m.move, c.process, any_value(c.pod) AS pod, count(*) AS times, max(c.moment) AS last_at,
    arg_max(c.evidence, c.moment) AS said
  FROM coordinator_lines c
  ASOF JOIN moves m ON m.cluster IS NOT DISTINCT FROM c.cluster AND m.group_id = c.group_id AND c.moment >= m."at"
  JOIN users u ON u.cluster IS NOT DISTINCT FROM c.cluster AND u.group_id = c.group_id AND u.process = c.process
  LEFT JOIN refound r ON r.cluster IS NOT DISTINCT FROM c.cluster AND r.group_id = c.group_id AND r.move = m.move AND r.process = c.process
  WHERE c.kind IN ('refused', 'lost') AND c.error = 'NOT_COORDINATOR' AND u.since < m."at"
    AND c.moment > coalesce(m.loaded_at, m."at") + INTERVAL 10 SECOND AND (r."at" IS NULL OR c.moment < r."at")
  GROUP BY m.cluster, m.group_id, m.move, c.process HAVING count(*) >= 2
), found_again AS (
  SELECT cluster, group_id, move, list({'pod': pod, 'at': "at"} ORDER BY "at", pod) AS rediscovered,
    max("at") AS last_rediscovered_at, list(said ORDER BY "at")[1:20] AS said
  FROM (SELECT cluster, group_id, move, pod, min("at") AS "at", arg_min(said, "at") AS said FROM refound GROUP BY ALL)
  GROUP BY cluster, group_id, move
), stuck AS (
  SELECT cluster, group_id, move, list(DISTINCT pod ORDER BY pod) AS stuck_pods, list(said ORDER BY last_at)[1:20] AS said
  FROM refused GROUP BY cluster, group_id, move
), resigned AS (
  SELECT m.cluster, m.group_id, m.move, max(l.resigned_at) AS resigned_at, arg_max(l.evidence[-1], l.resigned_at) AS said
  FROM moves m
  JOIN group_partitions p ON p.cluster IS NOT DISTINCT FROM m.cluster AND p.group_id = m.group_id
  JOIN offsets_leaders l ON l.cluster IS NOT DISTINCT FROM m.cluster AND l.offsets_partition = p.offsets_partition
    AND l.broker = m.before
  WHERE l.until_at = m.elected_at
    OR m.elected_at IS NULL AND l.resigned_at BETWEEN m."at" - INTERVAL 5 MINUTE AND m."at" + INTERVAL 2 SECOND
  GROUP BY m.cluster, m.group_id, m.move
)
SELECT m.cluster, m.group_id, p.offsets_partition, m.before AS from_broker, m.broker AS to_broker,
  r.resigned_at, m.elected_at, m.loaded_at,
  f.rediscovered, f.last_rediscovered_at, s.stuck_pods,
  list_concat(list_filter([r.said], lambda said: said IS NOT NULL), m.said, coalesce(f.said, []), coalesce(s.said, [])) AS evidence
FROM moves m
LEFT JOIN group_partitions p ON p.cluster IS NOT DISTINCT FROM m.cluster AND p.group_id = m.group_id
LEFT JOIN found_again f ON f.cluster IS NOT DISTINCT FROM m.cluster AND f.group_id = m.group_id AND f.move = m.move
LEFT JOIN stuck s ON s.cluster IS NOT DISTINCT FROM m.cluster AND s.group_id = m.group_id AND s.move = m.move
LEFT JOIN resigned r ON r.cluster IS NOT DISTINCT FROM m.cluster AND r.group_id = m.group_id AND r.move = m.move
ORDER BY m."at", m.group_id
