-- name: vanished_fates
-- row: what became of one member that vanished
-- grain: cluster, group_id, member_id
-- about: Looks in the log of its own consumer for signs of life (process_signs) after the coordinator removed it, or before its
--   process got a new member id, if that was earlier.
-- column: cluster VARCHAR - cluster
-- column: group_id VARCHAR - group
-- column: member_id VARCHAR - member id
-- column: heard_at TIMESTAMPTZ - last line of its consumer before the removal, corrected time
-- column: back_at TIMESTAMPTZ - first line of its consumer after the removal, corrected time
-- column: first_line BIGINT - first line that names the member id
-- column: fate VARCHAR - crash, session_timeout or left, see member_exits
-- needs: member_expired, member_fenced, lost_members
-- uses: departures, group_lines, process_signs

WITH names AS (
  SELECT cluster, group_id, process, member_id, min(moment) AS first_moment, arg_min(source, (moment, line)) AS source,
    min(line) AS first_line
  FROM group_lines
  WHERE role = 'client' AND member_id IS NOT NULL
    AND event IN ('join_succeeded', 'sync_succeeded', 'member_id_assigned', 'leader_elected')
  GROUP BY ALL
),
successors AS (
  SELECT *, lead(first_moment) OVER turns AS next_moment, lead(first_line) OVER turns AS next_line
  FROM names WINDOW turns AS (PARTITION BY cluster, group_id, process ORDER BY first_moment, first_line)
),
vanished AS (
  SELECT d.cluster, d.group_id, d.member_id, d.pod, d.moment, s.first_moment, s.next_moment, s.source, s.first_line, s.next_line,
    CASE WHEN (d.cluster, d.pod, d.client_id) IN (SELECT (cluster, pod, client_id) FROM process_signs) THEN d.client_id ELSE '' END AS client_id,
    -- where to look for a sign that the old member lives: after its removal, or before its process got a new id if that was earlier
    CASE WHEN s.next_moment < d.moment THEN greatest(s.first_moment, s.next_moment - INTERVAL 120 SECOND) ELSE d.moment END AS look_from
  FROM departures AS d LEFT JOIN successors AS s
    ON s.cluster IS NOT DISTINCT FROM d.cluster AND s.group_id = d.group_id AND s.process = d.process AND s.member_id = d.member_id
  WHERE d.kind = 'vanished' AND d.known
),
signs AS (
  SELECT cluster, pod, coalesce(client_id, '') AS client_id, moment AS sign_moment, sign, source, line FROM process_signs
  WHERE (cluster, pod) IN (SELECT (cluster, pod) FROM vanished)
),
timed AS (FROM signs WHERE sign_moment IS NOT NULL),
heard AS (
  SELECT v.*, sign_moment AS heard_at FROM vanished AS v ASOF LEFT JOIN timed
    ON v.cluster IS NOT DISTINCT FROM timed.cluster AND v.pod = timed.pod AND v.client_id = timed.client_id
      AND v.moment >= timed.sign_moment
),
back AS (
  SELECT v.*, sign_moment AS back_at, sign AS back_sign FROM heard AS v ASOF LEFT JOIN timed
    ON v.cluster IS NOT DISTINCT FROM timed.cluster AND v.pod = timed.pod AND v.client_id = timed.client_id
      AND v.moment < timed.sign_moment
),
goes_on AS (
  SELECT v.*, sign_moment AS goes_on_at
  FROM back AS v ASOF LEFT JOIN (FROM timed WHERE sign = 'goes_on') AS signs
    ON v.cluster IS NOT DISTINCT FROM signs.cluster AND v.pod = signs.pod AND v.client_id = signs.client_id
      AND v.look_from < signs.sign_moment
),
begun AS (
  SELECT v.*, sign_moment AS starts_at
  FROM goes_on AS v ASOF LEFT JOIN (FROM timed WHERE sign = 'starts') AS signs
    ON v.cluster IS NOT DISTINCT FROM signs.cluster AND v.pod = signs.pod AND v.client_id = signs.client_id
      AND v.look_from < signs.sign_moment
),
anew AS (
  SELECT v.*, sign_moment AS pod_starts_at
  FROM begun AS v ASOF LEFT JOIN (FROM timed WHERE sign = 'starts') AS signs
    ON v.cluster IS NOT DISTINCT FROM signs.cluster AND v.pod = signs.pod AND v.heard_at < signs.sign_moment
),
closed AS (
  SELECT v.*, sign_moment AS closed_at
  FROM anew AS v ASOF LEFT JOIN (FROM timed WHERE sign = 'closes') AS signs
    ON v.cluster IS NOT DISTINCT FROM signs.cluster AND v.pod = signs.pod AND v.client_id = signs.client_id
      AND coalesce(v.first_moment, v.moment - INTERVAL 1 HOUR) < signs.sign_moment
),
-- a log without times: the order of its lines says the same
fates AS (
  SELECT v.*, line AS goes_on_line
  FROM closed AS v ASOF LEFT JOIN (FROM signs WHERE sign = 'goes_on' AND sign_moment IS NULL) AS signs
    ON v.cluster IS NOT DISTINCT FROM signs.cluster AND v.pod = signs.pod AND v.source = signs.source AND v.first_line < signs.line
),
told AS (
  SELECT *,
    CASE
      -- no time in its log
      WHEN heard_at IS NULL AND back_at IS NULL AND first_line IS NOT NULL THEN
        CASE WHEN goes_on_line < coalesce(next_line, goes_on_line + 1) THEN 'session_timeout' ELSE 'crash' END
      WHEN heard_at IS NULL AND back_at IS NULL THEN 'session_timeout'
      WHEN closed_at <= moment AND coalesce(closed_at < starts_at, true) AND coalesce(closed_at < next_moment, true) THEN 'left'
      WHEN goes_on_at <= coalesce(next_moment, goes_on_at) AND coalesce(goes_on_at <= starts_at, true) THEN 'session_timeout'
      -- a new member id, or a new beginning, and no sign of the old member before it
      WHEN next_moment IS NOT NULL OR starts_at <= back_at OR pod_starts_at <= back_at OR back_at IS NULL THEN 'crash'
      ELSE 'session_timeout' END AS fate
  FROM fates
)
SELECT cluster, group_id, member_id, heard_at, back_at, first_line, fate FROM told
