-- name: offset_resets
-- row: a position that the reset policy set
-- grain: cluster, group_id, topic, partition, ts
-- about: `why` is what the same consumer said about the partition before: nothing committed, position out of range, log truncated. `skipped`
--   compares the new position with the last one that the logs know of the group. `yes`: the old one is known, was below the new one, and
--   what lay between was not read. `no`: the group had no position before, or the new one is not above it. Else `undecidable`, and
--   `reason` names what is missing.
-- column: cluster VARCHAR - cluster
-- column: group_id VARCHAR - group; NULL where the client does not say
-- column: ts TIMESTAMPTZ - when
-- column: topic VARCHAR - topic
-- column: partition BIGINT - partition
-- column: to_offset BIGINT - new position; NULL where the client says it in words only
-- column: strategy VARCHAR - earliest, latest, none or by_duration:.. as configured or said; NULL if neither is in the logs
-- column: why VARCHAR - no_committed_offset, out_of_range, log_truncation or unknown
-- column: skipped VARCHAR - yes, no or undecidable
-- column: reason VARCHAR - how `skipped` follows, in records where they are known, or what is missing to tell
-- column: pod VARCHAR - pod of the consumer
-- column: evidence STRUCT(source VARCHAR, line BIGINT, ts TIMESTAMPTZ, message VARCHAR)[] - old position, cause, reset
-- uses: offset_lines, consumer_settings, group_lines

WITH resets AS (
  SELECT *, row_number() OVER (ORDER BY moment, evidence.source, evidence.line, partition) AS id FROM offset_lines WHERE kind = 'reset'
), caused AS (
  SELECT r.*, c.kind AS cause, c.position AS cause_position, c.evidence AS cause_line, r.moment - c.moment AS apart
  FROM resets r ASOF LEFT JOIN (FROM offset_lines WHERE kind IN ('none', 'out_of_range', 'truncated')) c
    ON c.cluster IS NOT DISTINCT FROM r.cluster AND c.process = r.process AND c.topic = r.topic AND c.partition = r.partition
    AND c.moment <= r.moment
), configured AS (
  SELECT c.*, coalesce(c.target, s.offset_reset) AS strategy
  FROM caused c ASOF LEFT JOIN consumer_settings s
    ON s.cluster IS NOT DISTINCT FROM c.cluster AND s.pod = c.pod AND s.group_id = c.group_id AND s.ts <= c.ts
), before AS (
  -- the last position of the group in the partition that any of its consumers told, in an earlier life
  SELECT c.*, p.position AS last_position, p.kind AS last_kind, p.evidence AS last_line
  FROM configured c ASOF LEFT JOIN (FROM offset_lines WHERE position IS NOT NULL AND kind IN ('resumed', 'reset', 'committed')) p
    ON p.cluster IS NOT DISTINCT FROM c.cluster AND p.group_id = c.group_id AND p.topic = c.topic AND p.partition = c.partition
    AND p.moment < c.moment
), births AS (
  -- the group is seen to come into being: its first generation follows 0, and nothing is known of it before
  SELECT cluster, group_id, min(moment) AS since,
    coalesce(bool_or(event = 'group_preparing_rebalance' AND generation = 0 OR event = 'group_stabilized' AND generation = 1), false) AS from_zero
  FROM group_lines WHERE group_id IS NOT NULL GROUP BY cluster, group_id
), lives AS (
  SELECT cluster, group_id, min(moment) FILTER (event IN ('join_succeeded', 'sync_succeeded', 'group_stabilized')) AS settled_at
  FROM group_lines WHERE group_id IS NOT NULL GROUP BY cluster, group_id
), judged AS (
  SELECT b.*,
    CASE WHEN b.because IS NOT NULL THEN b.because
         WHEN b.apart > INTERVAL 10 MINUTE THEN 'unknown'
         WHEN b.cause = 'none' THEN 'no_committed_offset' WHEN b.cause = 'out_of_range' THEN 'out_of_range'
         WHEN b.cause = 'truncated' THEN 'log_truncation' ELSE 'unknown' END AS why,
    coalesce(b.asked, CASE WHEN b.cause IN ('out_of_range', 'truncated') AND b.apart <= INTERVAL 10 MINUTE THEN b.cause_position END) AS lost_position,
    v.settled_at, z.from_zero
  FROM before b
  LEFT JOIN lives v ON v.cluster IS NOT DISTINCT FROM b.cluster AND v.group_id = b.group_id
  LEFT JOIN births z ON z.cluster IS NOT DISTINCT FROM b.cluster AND z.group_id = b.group_id
), decided AS (
  SELECT *,
    CASE
      WHEN why IN ('out_of_range', 'log_truncation') AND lost_position IS NOT NULL AND position IS NOT NULL THEN
        CASE WHEN position > lost_position THEN ['yes', (position - lost_position) || ' records between the old position ' || lost_position || ' and the new one were not read']
             ELSE ['no', 'the old position ' || lost_position || ' lay ' || (lost_position - position) || ' records beyond the new one: those will be read again'] END
      WHEN why IN ('out_of_range', 'log_truncation') THEN
        ['undecidable', 'missing: ' || CASE WHEN lost_position IS NULL THEN 'the position that was out of range' ELSE 'the offset that the position was set to' END
          || '; records were skipped if the old position had been deleted, none if it lay beyond the end']
      WHEN why = 'no_committed_offset' AND last_position IS NULL AND (settled_at IS NULL OR settled_at > moment - INTERVAL 1 MINUTE) THEN
        CASE WHEN strategy = 'earliest' OR position = 0 THEN ['no', 'it starts at the beginning of the log']
             WHEN from_zero THEN ['no', 'the group is new: it had no position to lose, unless an older group of the same name expired before these logs']
             ELSE ['undecidable', 'missing: whether the group had committed before these logs begin'] END
      WHEN why = 'no_committed_offset' AND (strategy = 'earliest' OR position = 0) THEN ['no', 'it starts at the beginning of the log and reads again what the group had read']
      WHEN why = 'no_committed_offset' AND last_kind = 'committed' AND position > last_position THEN
        ['yes', (position - last_position) || ' records after the last commit ' || last_position || ' were not read']
      WHEN last_position IS NOT NULL AND position IS NOT NULL AND position <= last_position THEN ['no', 'the group was known to be at ' || last_position || ' or further before']
      WHEN why = 'no_committed_offset' AND last_position IS NOT NULL AND position IS NOT NULL THEN
        ['undecidable', 'missing: the last committed offset; at most ' || (position - last_position) || ' records, as the group was known to be at ' || last_position || ' or further before']
      ELSE ['undecidable', 'missing: the position that the group had before'] END AS verdict
  FROM judged
)
SELECT cluster, group_id, ts, topic, partition, position AS to_offset, strategy, why, verdict[1] AS skipped, verdict[2] AS reason, pod,
  list_filter([last_line, CASE WHEN apart <= INTERVAL 10 MINUTE THEN cause_line END, evidence], lambda said: said IS NOT NULL) AS evidence
FROM decided
ORDER BY moment, topic, partition
