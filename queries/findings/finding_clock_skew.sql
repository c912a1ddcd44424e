-- name: finding_clock_skew
-- row: a source whose clock is wrong
-- grain: cluster, source
-- about: Clocks off by more than their bound and a tenth of a second, proved by at least three pairs of cause and effect, two of them on the side that excludes zero. Views order and measure with corrected times; evidence shows the printed ones.
-- column: cluster VARCHAR - cluster
-- column: group_id VARCHAR - group; NULL for what concerns a broker or the cluster
-- column: kind VARCHAR - clock_skew
-- column: variant VARCHAR - wording
-- column: severity VARCHAR - act, look, normal
-- column: pod VARCHAR - pod to go and look at
-- column: broker BIGINT - broker concerned
-- column: started_at TIMESTAMPTZ - beginning
-- column: ended_at TIMESTAMPTZ - end
-- column: facts MAP(VARCHAR, VARCHAR) - what the templates fill in
-- column: confidence VARCHAR - certain, likely, possible
-- column: evidence STRUCT(source VARCHAR, line BIGINT, ts TIMESTAMPTZ, message VARCHAR)[] - the lines
-- needs: FROM clock_offsets WHERE pairs >= 3 AND abs(offset_ms) > bound_ms + 100
-- uses: clock_offsets, clock_bounds, events

WITH pods AS (
  SELECT cluster, source, mode(pod) AS pod, mode(group_id) AS group_id, count(DISTINCT pod) AS pods FROM events WHERE role = 'client' GROUP BY cluster, source
), off AS (
  SELECT o.*, p.pod, p.group_id, b.low_ms, b.high_ms, round(o.offset_ms / 900000) * 900000 AS zone_ms
  FROM clock_offsets o
  JOIN clock_bounds b ON b.cluster IS NOT DISTINCT FROM o.cluster AND b.source = o.source
  LEFT JOIN pods p ON p.cluster IS NOT DISTINCT FROM o.cluster AND p.source = o.source
  WHERE o.pairs >= 3 AND abs(o.offset_ms) > o.bound_ms + 100
    AND (o.offset_ms > 0 AND b.pairs_low >= 2 OR o.offset_ms < 0 AND b.pairs_high >= 2)
)
SELECT cluster, NULL::VARCHAR AS group_id, 'clock_skew' AS kind, CASE WHEN zone_ms <> 0 AND abs(offset_ms - zone_ms) <= greatest(2000, bound_ms) THEN 'zone' ELSE 'default' END AS variant,
  'look' AS severity, pod, NULL::BIGINT AS broker, list_min([said.ts FOR said IN evidence]) AS started_at, list_max([said.ts FOR said IN evidence]) AS ended_at,
  MAP {'pod': coalesce(pod, source), 'source': source, 'offset': CASE WHEN abs(offset_ms) < 60000 THEN round(abs(offset_ms))::BIGINT || ' ms' ELSE human_ms(abs(offset_ms)) END, 'way': CASE WHEN offset_ms > 0 THEN 'ahead of' ELSE 'behind' END, 'bound': human_ms(bound_ms),
    'pairs': pairs::VARCHAR} AS facts,
  'certain' AS confidence, evidence
FROM off
