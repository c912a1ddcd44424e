-- name: audit_source_accounted
-- row: an event of a source without an account
-- grain: subject, source, line
-- about: Every source of an event has its row in `sources`.
-- column: subject VARCHAR - what breaks the rule
-- column: detail VARCHAR - how
-- column: source VARCHAR - where it stands; NULL if it is no line
-- column: line BIGINT - its number
-- uses: checked_events
SELECT event AS subject, 'no account of ' || source AS detail, source, line
FROM checked_events
WHERE source IS NOT NULL AND source_lines IS NULL
