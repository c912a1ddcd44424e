-- name: audit_generation_in_range
-- row: an event with an impossible generation
-- grain: subject, source, line
-- about: Generations are 32-bit counters from 0.
-- column: subject VARCHAR - what breaks the rule
-- column: detail VARCHAR - how
-- column: source VARCHAR - where it stands; NULL if it is no line
-- column: line BIGINT - its number
-- uses: checked_events
SELECT event AS subject, 'generation ' || generation AS detail, source, line
FROM checked_events
WHERE generation NOT BETWEEN 0 AND 2147483647
