-- name: audit_origin_known
-- row: an event that does not say what it is or where it stands
-- grain: subject, source, line
-- about: Every event names its kind, the statement it came from, its source and its line.
-- column: subject VARCHAR - what breaks the rule
-- column: detail VARCHAR - how
-- column: source VARCHAR - where it stands; NULL if it is no line
-- column: line BIGINT - its number
-- uses: checked_events
SELECT event AS subject, concat_ws(', ', CASE WHEN source IS NULL THEN 'no source' END, CASE WHEN line IS NULL THEN 'no line' END,
    CASE WHEN event IS NULL THEN 'no event' END, CASE WHEN template IS NULL THEN 'no template' END,
    CASE WHEN role IS NULL THEN 'no role' END) AS detail, source, line
FROM checked_events
WHERE source IS NULL OR line IS NULL OR event IS NULL OR template IS NULL OR role IS NULL
