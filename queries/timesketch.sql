-- name: timesketch
-- row: one event, as Timesketch and other timeline tools take it
-- grain: source, line
-- about: `loganalyst query DATASET timesketch --format jsonl -o timeline.jsonl` (or csv) makes a file that Timesketch
--   imports: it needs `message`, `datetime` and `timestamp_desc`, and keeps the other columns as attributes. Events
--   without a known time cannot stand on a timeline and are left out.
-- column: message VARCHAR - what the log says
-- column: datetime TIMESTAMPTZ - when
-- column: timestamp_desc VARCHAR - what happened then: the event
-- column: cluster VARCHAR - cluster
-- column: group_id VARCHAR - group
-- column: generation BIGINT - generation of a classic group
-- column: epoch BIGINT - epoch of a KIP-848, share or streams group
-- column: member_id VARCHAR - member
-- column: pod VARCHAR - process that wrote the line
-- column: role VARCHAR - broker, controller, client or tool
-- column: error VARCHAR - Kafka error in its protocol spelling
-- column: source VARCHAR - source of the line
-- column: line BIGINT - line in the source, from 1
-- uses: events

SELECT message, ts AS datetime, event AS timestamp_desc, cluster, group_id, generation, epoch, member_id, pod, role, error, source, line
FROM events WHERE ts IS NOT NULL ORDER BY ts, source, line
