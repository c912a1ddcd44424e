-- name: fenced_requests
-- row: a request that was rejected because its sender is no longer what it claims to be
-- grain: cluster, group_id, pod, ts, operation
-- about: ILLEGAL_GENERATION, UNKNOWN_MEMBER_ID, FENCED_INSTANCE_ID, UNRELEASED_INSTANCE_ID, FENCED_MEMBER_EPOCH and STALE_MEMBER_EPOCH, in
--   whatever words the client put them. What one rejection makes a client print (the failure, one line a partition, the reset of
--   its generation) is one row.
-- column: cluster VARCHAR - cluster
-- column: group_id VARCHAR - group
-- column: ts TIMESTAMPTZ - rejection
-- column: pod VARCHAR - pod of the rejected member
-- column: member_id VARCHAR - member id that was rejected
-- column: generation BIGINT - generation (for KIP-848 the member's epoch) that it sent, or had last
-- column: error VARCHAR - Kafka error in its protocol spelling
-- column: operation VARCHAR - heartbeat, commit, join, sync, leave or unknown
-- column: evidence STRUCT(source VARCHAR, line BIGINT, ts TIMESTAMPTZ, message VARCHAR)[] - the lines
-- uses: rejections

SELECT cluster, group_id, ts, pod, member_id, generation, error, operation, evidence FROM rejections ORDER BY moment
