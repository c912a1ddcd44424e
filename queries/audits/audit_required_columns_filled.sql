-- name: audit_required_columns_filled
-- row: an event without the column that gives it meaning
-- grain: subject, source, line
-- about: A coordinator's lines about a group name the group and its generation or epoch.
-- column: subject VARCHAR - what breaks the rule
-- column: detail VARCHAR - how
-- column: source VARCHAR - where it stands; NULL if it is no line
-- column: line BIGINT - its number
-- uses: checked_events
SELECT event AS subject, missing || ' is missing' AS detail, source, line
FROM checked_events
WHERE missing IS NOT NULL
