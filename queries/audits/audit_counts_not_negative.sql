-- name: audit_counts_not_negative
-- row: a source with a negative count
-- grain: subject, source, line
-- about: No count of a source is negative.
-- column: subject VARCHAR - what breaks the rule
-- column: detail VARCHAR - how
-- column: source VARCHAR - where it stands; NULL if it is no line
-- column: line BIGINT - its number
-- uses: checked_sources
SELECT source AS subject, 'a count of ' || least AS detail, source, NULL::BIGINT AS line
FROM checked_sources
WHERE least < 0
