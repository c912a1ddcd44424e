-- name: audit_lines_understood
-- row: a source with too many lines that belong to no record
-- grain: subject, source, line
-- about: Lines that belong to no record are at most max_foreign_percent of a source: else its layout was not understood.
-- column: subject VARCHAR - what breaks the rule
-- column: detail VARCHAR - how
-- column: source VARCHAR - where it stands; NULL if it is no line
-- column: line BIGINT - its number
-- param: max_foreign_percent DOUBLE = 90 - share of lines that belong to no record, in percent
-- uses: checked_sources
SELECT source AS subject, printf('%.1f', foreign_percent) || ' % of its lines belong to no record' AS detail, source, NULL::BIGINT AS line
FROM checked_sources
WHERE foreign_percent > getvariable('max_foreign_percent') AND events > 0
