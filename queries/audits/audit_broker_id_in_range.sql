-- name: audit_broker_id_in_range
-- row: an event of an impossible broker
-- grain: subject, source, line
-- about: Broker ids are not negative and not the ids 2147483647 - N under which clients know a coordinator.
-- column: subject VARCHAR - what breaks the rule
-- column: detail VARCHAR - how
-- column: source VARCHAR - where it stands; NULL if it is no line
-- column: line BIGINT - its number
-- uses: checked_events
SELECT event AS subject, 'broker_id ' || broker_id AS detail, source, line
FROM checked_events
WHERE broker_id NOT BETWEEN 0 AND 2000000000
