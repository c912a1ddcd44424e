-- name: audit_event_in_vocabulary
-- row: an event whose kind is no word of the vocabulary
-- grain: subject, source, line
-- about: `event` is a name of the closed vocabulary, or `other`.
-- column: subject VARCHAR - what breaks the rule
-- column: detail VARCHAR - how
-- column: source VARCHAR - where it stands; NULL if it is no line
-- column: line BIGINT - its number
-- uses: checked_events, event_names
SELECT event AS subject, 'no kind of event is named ' || event AS detail, source, line
FROM checked_events
WHERE event NOT IN (SELECT event FROM event_names)
