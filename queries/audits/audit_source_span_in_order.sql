-- name: audit_source_span_in_order
-- row: a source that ends before it begins
-- grain: subject, source, line
-- about: first_ts is not after last_ts.
-- column: subject VARCHAR - what breaks the rule
-- column: detail VARCHAR - how
-- column: source VARCHAR - where it stands; NULL if it is no line
-- column: line BIGINT - its number
-- uses: checked_sources
SELECT source AS subject, 'from ' || first_ts || ' to ' || last_ts AS detail, source, NULL::BIGINT AS line
FROM checked_sources
WHERE span_ms < 0
