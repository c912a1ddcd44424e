-- name: audit_epoch_in_range
-- row: an event with an impossible epoch
-- grain: subject, source, line
-- about: Epochs are 32-bit counters from 0; -1 and -2 are what leaving members send.
-- column: subject VARCHAR - what breaks the rule
-- column: detail VARCHAR - how
-- column: source VARCHAR - where it stands; NULL if it is no line
-- column: line BIGINT - its number
-- uses: checked_events
SELECT event AS subject, 'epoch ' || epoch AS detail, source, line
FROM checked_events
WHERE epoch NOT BETWEEN -2 AND 2147483647
