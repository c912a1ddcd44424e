-- name: audit_line_within_source
-- row: an event at a line that its source does not have
-- grain: subject, source, line
-- about: Lines are counted from 1 to `sources.lines`.
-- column: subject VARCHAR - what breaks the rule
-- column: detail VARCHAR - how
-- column: source VARCHAR - where it stands; NULL if it is no line
-- column: line BIGINT - its number
-- uses: checked_events
SELECT event AS subject, 'line ' || line || ' of ' || coalesce(source_lines::VARCHAR, '?') AS detail, source, line
FROM checked_events
WHERE line NOT BETWEEN 1 AND coalesce(source_lines, line) OR line < 1
