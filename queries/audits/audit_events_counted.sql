-- name: audit_events_counted
-- row: a source whose events are more or fewer than its account says
-- grain: subject, source, line
-- about: The account's `events` are the rows that are stored.
-- column: subject VARCHAR - what breaks the rule
-- column: detail VARCHAR - how
-- column: source VARCHAR - where it stands; NULL if it is no line
-- column: line BIGINT - its number
-- uses: checked_sources, events
SELECT source AS subject, stored_events || ' events stored, ' || events || ' accounted for' AS detail, source, NULL::BIGINT AS line
FROM checked_sources
WHERE stored_events IS DISTINCT FROM events
