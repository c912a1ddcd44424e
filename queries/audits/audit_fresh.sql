-- name: audit_fresh
-- row: a dataset whose newest line is too old
-- grain: subject, source, line
-- about: The newest line of the dataset is at most max_quiet_ms old; off unless the limit is given.
-- column: subject VARCHAR - what breaks the rule
-- column: detail VARCHAR - how
-- column: source VARCHAR - where it stands; NULL if it is no line
-- column: line BIGINT - its number
-- param: max_quiet_ms DOUBLE - how old the newest line may be, in ms; NULL: as old as it likes
-- uses: checked_sources
SELECT 'the dataset' AS subject, 'the newest line is ' || round(min(quiet_ms) / 3600000, 1) || ' h old' AS detail, arg_min(source, quiet_ms) AS source,
  NULL::BIGINT AS line
FROM checked_sources
HAVING min(quiet_ms) > getvariable('max_quiet_ms')
