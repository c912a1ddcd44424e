-- name: audit_error_in_protocol_spelling
-- row: an event whose error is not spelled as the protocol spells it
-- grain: subject, source, line
-- about: `error` is the name of a Kafka error (NOT_COORDINATOR), however its writer worded it.
-- column: subject VARCHAR - what breaks the rule
-- column: detail VARCHAR - how
-- column: source VARCHAR - where it stands; NULL if it is no line
-- column: line BIGINT - its number
-- uses: checked_events
SELECT event AS subject, 'error ' || error AS detail, source, line
FROM checked_events
WHERE NOT regexp_full_match(error, '[A-Z][A-Z0-9]*(_[A-Z0-9]+)*')
