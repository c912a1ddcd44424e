-- name: audit_wordings_known
-- row: a dataset with too many wordings that the catalogue does not know
-- grain: subject
-- about: Records that hold words of a known statement and yet match none are at most max_unknown_percent of those with such
--   words: else Kafka or a client words its lines in a way that is new. `loganalyst explain` says where such a line
--   departs from the statement that comes closest.
-- column: subject VARCHAR - what breaks the rule
-- column: detail VARCHAR - how
-- column: source VARCHAR - where it stands; NULL if it is no line
-- column: line BIGINT - its number
-- param: max_unknown_percent DOUBLE = 50 - share of unknown wordings, in percent
-- uses: checked_sources
SELECT 'the dataset' AS subject, printf('%.1f', max(unknown_percent)) || ' % of its telling records match no statement' AS detail,
       NULL::VARCHAR AS source, NULL::BIGINT AS line
FROM checked_sources
HAVING max(unknown_percent) > getvariable('max_unknown_percent')
