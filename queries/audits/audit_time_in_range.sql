-- name: audit_time_in_range
-- row: an event at an impossible time
-- grain: subject, source, line
-- about: No line is older than Kafka's first release, none newer than its ingest (by more than max_ahead_ms: clocks differ).
-- column: subject VARCHAR - what breaks the rule
-- column: detail VARCHAR - how
-- column: source VARCHAR - where it stands; NULL if it is no line
-- column: line BIGINT - its number
-- param: max_ahead_ms DOUBLE = 86400000 - how far in the future a line may stand, in ms
-- uses: checked_events
SELECT event AS subject, 'at ' || ts || CASE WHEN ahead_ms > 0 THEN ', ' || ahead_ms || ' ms after its ingest' ELSE '' END AS detail, source, line
FROM checked_events
WHERE ts < TIMESTAMPTZ '2011-01-01 00:00:00+00' OR ahead_ms > getvariable('max_ahead_ms')
