-- name: audit_columns_as_documented
-- row: a column that is missing or of another type than documented
-- grain: subject
-- about: `events` and `sources` have the documented columns, of the documented types. Later versions may add some.
-- column: subject VARCHAR - what breaks the rule
-- column: detail VARCHAR - how
-- column: source VARCHAR - where it stands; NULL if it is no line
-- column: line BIGINT - its number
-- uses: checked_columns
SELECT table_name || '.' || column_name AS subject, coalesce(actual, 'no such column') || ' instead of ' || expected AS detail,
       NULL::VARCHAR AS source, NULL::BIGINT AS line
FROM checked_columns
WHERE expected IS NOT NULL AND actual IS DISTINCT FROM expected
