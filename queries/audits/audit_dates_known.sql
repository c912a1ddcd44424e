-- name: audit_dates_known
-- row: a source with too many records without a date
-- grain: subject, source, line
-- about: Records whose date cannot be told are at most max_undated_percent of a source; `--date` names the date.
-- column: subject VARCHAR - what breaks the rule
-- column: detail VARCHAR - how
-- column: source VARCHAR - where it stands; NULL if it is no line
-- column: line BIGINT - its number
-- param: max_undated_percent DOUBLE = 50 - share of records without a date, in percent
-- uses: checked_sources
SELECT source AS subject, printf('%.1f', undated_percent) || ' % of its records have no date' AS detail, source, NULL::BIGINT AS line
FROM checked_sources
WHERE undated_percent > getvariable('max_undated_percent')
