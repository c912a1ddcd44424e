-- name: audit_unknown_is_null
-- row: an event that says 'unknown' by an empty text or a negative number
-- grain: subject, source, line
-- about: What is not known is NULL, never '' and never -1.
-- column: subject VARCHAR - what breaks the rule
-- column: detail VARCHAR - how
-- column: source VARCHAR - where it stands; NULL if it is no line
-- column: line BIGINT - its number
-- uses: checked_events
SELECT event AS subject, placeholder || ' holds a placeholder' AS detail, source, line
FROM checked_events
WHERE placeholder IS NOT NULL
