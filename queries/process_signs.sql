-- name: process_signs
-- row: one line of a client by which one can tell whether its process lives on
-- grain: cluster, source, line
-- about: `sign` sorts the lines: `starts` is what a new consumer prints, `closes` what one prints that is shut down in order,
--   `goes_on` what only one prints that was a member before (its timer ran out, its member id or generation is not known any more, its partitions
--   are lost), `speaks` any other.
-- column: cluster VARCHAR - cluster
-- column: pod VARCHAR - pod
-- column: client_id VARCHAR - client id; a line without one gets the pod's only client id, else NULL
-- column: moment TIMESTAMPTZ - corrected time; NULL where the source has no time
-- column: sign VARCHAR - starts, closes, goes_on or speaks
-- column: source VARCHAR - source
-- column: line BIGINT - line
-- uses: events, corrected_offsets

WITH signs AS (
  SELECT events.cluster, pod,
    coalesce(client_id, CASE WHEN event = 'client_closed' THEN field(fields, 'id') END) AS client_id,
    CASE WHEN offset_ms IS NULL THEN ts ELSE ts - to_microseconds((offset_ms * 1000)::BIGINT) END AS moment,
    CASE WHEN event IN ('subscription_changed', 'client_config', 'client_version', 'client_started') THEN 'starts'
         WHEN event IN ('client_closed', 'leave_sent') THEN 'closes'
         WHEN event IN ('session_timeout', 'poll_timeout', 'fenced', 'instance_fenced', 'partitions_lost', 'generation_reset')
           OR error IN ('UNKNOWN_MEMBER_ID', 'ILLEGAL_GENERATION', 'FENCED_INSTANCE_ID', 'FENCED_MEMBER_EPOCH', 'STALE_MEMBER_EPOCH')
           THEN 'goes_on'
         ELSE 'speaks' END AS sign,
    events.source, line
  FROM events LEFT JOIN corrected_offsets
    ON corrected_offsets.cluster IS NOT DISTINCT FROM events.cluster AND corrected_offsets.source = events.source
  WHERE role = 'client' AND pod IS NOT NULL
),
single AS (
  SELECT cluster, pod, any_value(client_id) AS only_client_id FROM signs
  GROUP BY ALL HAVING count(DISTINCT client_id) = 1
)
SELECT signs.cluster, signs.pod, coalesce(client_id, only_client_id) AS client_id, moment, sign, source, line
FROM signs LEFT JOIN single ON single.cluster IS NOT DISTINCT FROM signs.cluster AND single.pod = signs.pod
