-- name: audit_level_known
-- row: an event with a level that no logger prints
-- grain: subject, source, line
-- about: `level` is a level in capitals, or NULL.
-- column: subject VARCHAR - what breaks the rule
-- column: detail VARCHAR - how
-- column: source VARCHAR - where it stands; NULL if it is no line
-- column: line BIGINT - its number
-- uses: checked_events
SELECT event AS subject, 'level ' || level AS detail, source, line
FROM checked_events
WHERE level NOT IN ('TRACE', 'DEBUG', 'INFO', 'NOTICE', 'WARN', 'ERROR', 'CRITICAL', 'FATAL')
