-- name: audit_lines_add_up
-- row: a source whose lines do not add up
-- grain: subject, source, line
-- about: lines = records + continuation_lines + foreign_lines + undated_lines.
-- column: subject VARCHAR - what breaks the rule
-- column: detail VARCHAR - how
-- column: source VARCHAR - where it stands; NULL if it is no line
-- column: line BIGINT - its number
-- uses: checked_sources
SELECT source AS subject, unaccounted || ' of ' || lines || ' lines in no class' AS detail, source, NULL::BIGINT AS line
FROM checked_sources
WHERE unaccounted <> 0 OR unaccounted IS NULL
