-- name: audit_offsets_partition_in_range
-- row: an event of an impossible partition of __consumer_offsets
-- grain: subject, source, line
-- about: Partitions are counted from 0; a topic of offsets has 50 unless configured otherwise.
-- column: subject VARCHAR - what breaks the rule
-- column: detail VARCHAR - how
-- column: source VARCHAR - where it stands; NULL if it is no line
-- column: line BIGINT - its number
-- param: max_offsets_partition BIGINT = 9999 - the highest partition there may be
-- uses: checked_events
SELECT event AS subject, 'offsets_partition ' || offsets_partition AS detail, source, line
FROM checked_events
WHERE offsets_partition NOT BETWEEN 0 AND getvariable('max_offsets_partition')
