-- name: audit_time_within_source
-- row: an event outside the time range of its source
-- grain: subject, source, line
-- about: `sources` holds the first and last time of a source; its events lie within.
-- column: subject VARCHAR - what breaks the rule
-- column: detail VARCHAR - how
-- column: source VARCHAR - where it stands; NULL if it is no line
-- column: line BIGINT - its number
-- uses: checked_events
SELECT event AS subject, outside_ms || ' ms outside' AS detail, source, line
FROM checked_events
WHERE outside_ms > 0
