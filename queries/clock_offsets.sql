-- name: clock_offsets
-- row: a client's source whose clock can be compared with the brokers'
-- grain: cluster, source
-- about: The clock lies between the bounds of clock_bounds; the offset shown is their middle. NULL where it is
--   bounded on one side only, or where the bounds contradict each other (a clock that was set while the log ran).
-- column: cluster VARCHAR - cluster the source belongs to
-- column: source VARCHAR - path of the source
-- column: offset_ms DOUBLE in ms - how far its clock is ahead of the brokers' (negative: behind)
-- column: bound_ms DOUBLE in ms - the true offset is at most this far from `offset_ms`
-- column: pairs BIGINT - pairs of cause and effect that say so
-- column: evidence STRUCT(source VARCHAR, line BIGINT, ts TIMESTAMPTZ, message VARCHAR)[] - the pairs that bound most
-- uses: clock_bounds

-- Lines are stamped a little before or after what they tell of: bounds may cross by that much.
WITH consistent AS (SELECT *, low_ms - high_ms <= 20 AS agrees FROM clock_bounds)
SELECT cluster, source,
  CASE WHEN agrees THEN (low_ms + high_ms) / 2 END AS offset_ms,
  CASE WHEN agrees THEN greatest(abs(high_ms - low_ms) / 2, 1) END AS bound_ms,
  (pairs_low + pairs_high)::BIGINT AS pairs, evidence
FROM consistent
ORDER BY cluster, source
