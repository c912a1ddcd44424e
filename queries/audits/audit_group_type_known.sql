-- name: audit_group_type_known
-- row: an event of a group of no known type
-- grain: subject, source, line
-- about: `group_type` is classic, consumer, share or streams, or NULL.
-- column: subject VARCHAR - what breaks the rule
-- column: detail VARCHAR - how
-- column: source VARCHAR - where it stands; NULL if it is no line
-- column: line BIGINT - its number
-- uses: checked_events
SELECT event AS subject, 'group_type ' || group_type AS detail, source, line
FROM checked_events
WHERE group_type NOT IN ('classic', 'consumer', 'share', 'streams')
