-- name: corrected_offsets
-- row: a source whose clock is off by more than its bound
-- grain: cluster, source
-- about: What views subtract from `ts` to order lines and measure durations across sources. Sources that are
--   not here need no correction: their clocks may be right, within bounds and a margin. Must not use group_lines,
--   which uses this.
-- column: cluster VARCHAR - cluster the source belongs to
-- column: source VARCHAR - path of the source
-- column: offset_ms DOUBLE in ms - how far the source's clock is ahead of the brokers'
-- uses: clock_offsets

SELECT cluster, source, offset_ms FROM clock_offsets WHERE abs(offset_ms) > bound_ms + 50
