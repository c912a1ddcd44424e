-- name: audit_generation_and_epoch_apart
-- row: an event that mixes generations and epochs
-- grain: subject, source, line
-- about: Classic groups count generations; consumer, share and streams groups count epochs.
-- column: subject VARCHAR - what breaks the rule
-- column: detail VARCHAR - how
-- column: source VARCHAR - where it stands; NULL if it is no line
-- column: line BIGINT - its number
-- uses: checked_events
SELECT event AS subject, group_type || ' group with ' || CASE mixed WHEN 'epoch' THEN 'an epoch' ELSE 'a generation' END AS detail, source, line
FROM checked_events
WHERE mixed IS NOT NULL
