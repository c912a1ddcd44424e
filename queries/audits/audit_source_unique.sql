-- name: audit_source_unique
-- row: a content that was counted twice
-- grain: subject, source, line
-- about: One content has one account.
-- column: subject VARCHAR - what breaks the rule
-- column: detail VARCHAR - how
-- column: source VARCHAR - where it stands; NULL if it is no line
-- column: line BIGINT - its number
-- uses: checked_sources
SELECT min(source) AS subject, count(*) || ' accounts' AS detail, min(source) AS source, NULL::BIGINT AS line
FROM checked_sources
GROUP BY source, fingerprint
HAVING count(*) > 1
