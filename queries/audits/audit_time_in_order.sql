-- name: audit_time_in_order
-- row: an event that falls back in time
-- grain: subject, source, line
-- about: Within a source, the lines of one process rise in time, but for what its threads swap (max_back_ms).
-- column: subject VARCHAR - what breaks the rule
-- column: detail VARCHAR - how
-- column: source VARCHAR - where it stands; NULL if it is no line
-- column: line BIGINT - its number
-- param: max_back_ms DOUBLE = 5000 - how far a line may fall back, in ms
-- uses: checked_events
SELECT event AS subject, back_ms || ' ms before the line above it' AS detail, source, line
FROM checked_events
WHERE back_ms > getvariable('max_back_ms')
