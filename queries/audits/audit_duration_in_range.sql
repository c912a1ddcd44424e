-- name: audit_duration_in_range
-- row: an event with an impossible duration
-- grain: subject, source, line
-- about: Durations are not negative and not longer than max_duration_ms.
-- column: subject VARCHAR - what breaks the rule
-- column: detail VARCHAR - how
-- column: source VARCHAR - where it stands; NULL if it is no line
-- column: line BIGINT - its number
-- param: max_duration_ms DOUBLE = 604800000 - the longest duration there may be, in ms
-- uses: checked_events
SELECT event AS subject, duration_ms || ' ms' AS detail, source, line
FROM checked_events
WHERE duration_ms NOT BETWEEN 0 AND getvariable('max_duration_ms')
