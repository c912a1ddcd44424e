-- name: audit_event_unique
-- row: a line that gave the same event twice
-- grain: subject, source, line
-- about: A line gives an event of one statement once.
-- column: subject VARCHAR - what breaks the rule
-- column: detail VARCHAR - how
-- column: source VARCHAR - where it stands; NULL if it is no line
-- column: line BIGINT - its number
-- uses: checked_events
SELECT event AS subject, count(*) || ' times' AS detail, source, line
FROM checked_events
WHERE source IS NOT NULL AND line IS NOT NULL
GROUP BY source, line, template, event
HAVING count(*) > 1
