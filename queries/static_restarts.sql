-- name: static_restarts
-- row: one return of a static member
-- grain: cluster, group_id, instance_id, back_at
-- about: `quiet`: back within the session timeout, the coordinator swapped the member id and nothing else happened. `late`: the
--   coordinator had removed it, so that it cost two rebalances. `fenced`: a second process took the id of a member that was alive, which is
--   then fenced; two processes that go on taking it from each other are one row. From client logs alone a return into the same
--   generation is quiet, one after the group went on without it is late.
-- column: cluster VARCHAR - cluster
-- column: group_id VARCHAR - group
-- column: instance_id VARCHAR - group.instance.id
-- column: left_at TIMESTAMPTZ - when it went: its process's last line before, else its removal; NULL if it never went (fenced) or nothing tells
-- column: back_at TIMESTAMPTZ - when it came back
-- column: away_ms DOUBLE in ms - back_at minus left_at
-- column: outcome VARCHAR - quiet, late, fenced
-- column: pod VARCHAR - pod that came back (that took the id)
-- column: fenced_pod VARCHAR - pod that lost the id
-- column: last_back_at TIMESTAMPTZ - last time that the id was taken, where two processes fight for it
-- column: times BIGINT - how often it was taken
-- column: evidence STRUCT(source VARCHAR, line BIGINT, ts TIMESTAMPTZ, message VARCHAR)[] - the lines
-- needs: static_member_replaced, static_member_joined, instance_fenced, fenced
-- needs: FROM group_lines WHERE event = 'subscription_changed' AND instance_id IS NOT NULL
-- uses: group_lines, member_exits, member_pods, process_signs

WITH lines AS (
  SELECT * FROM group_lines WHERE moment IS NOT NULL
),
-- the old owner was told, or refused, while it was alive
fencings AS (
  SELECT cluster, group_id, coalesce(instance_id, client_part(member_id)) AS instance_id, ts, moment, pod, process, member_id, evidence
  FROM lines
  WHERE event IN ('static_member_fenced', 'instance_fenced') OR (event = 'fenced' AND error = 'FENCED_INSTANCE_ID')
),
-- a member that joins with a known instance id: the broker's word
taken AS (
  SELECT cluster, group_id, coalesce(instance_id, client_part(other_member_id)) AS instance_id, ts, moment,
    coalesce(member_id, NULL) AS member_id, other_member_id AS old_member_id, [evidence] AS evidence
  FROM lines WHERE role = 'broker' AND event = 'static_member_replaced' AND group_id IS NOT NULL
),
-- brokers 2.3 and 2.4 do not name the group of a replacement; nothing is said about those
swapped AS (
  SELECT t.*, lead(t.moment) OVER (PARTITION BY t.cluster, t.group_id, t.instance_id ORDER BY t.moment) AS next_moment
  FROM taken AS t WHERE t.instance_id IS NOT NULL
),
fought AS (
  SELECT s.cluster, s.group_id, s.instance_id, s.ts, min(f.moment) AS fenced_moment, any_value(f.pod) FILTER (f.pod IS NOT NULL) AS fenced_pod,
    list(f.evidence ORDER BY f.moment) AS evidence
  FROM swapped AS s JOIN fencings AS f
    ON f.cluster IS NOT DISTINCT FROM s.cluster AND f.instance_id = s.instance_id
  -- the broker's line about the refused request does not name the group
  WHERE (f.group_id IS NULL OR f.group_id = s.group_id) AND f.moment >= s.moment - INTERVAL 1 SECOND AND (s.next_moment IS NULL OR f.moment < s.next_moment)
  GROUP BY ALL
),
broker_returns AS (
  SELECT s.cluster, s.group_id, s.instance_id, s.ts AS back_at, s.moment AS back_moment,
    CASE WHEN f.ts IS NOT NULL THEN 'fenced' ELSE 'quiet' END AS outcome, old_member_id, NULL::TIMESTAMPTZ AS removed_at, f.fenced_pod,
    list_concat(s.evidence, coalesce(f.evidence, [])) AS evidence
  FROM swapped AS s LEFT JOIN fought AS f
    ON f.cluster IS NOT DISTINCT FROM s.cluster AND f.group_id = s.group_id AND f.instance_id = s.instance_id AND f.ts = s.ts
  UNION ALL
  -- joins anew after its removal
  SELECT j.cluster, j.group_id, j.instance_id, j.ts, j.moment, 'late', e.member_id, e.ts, NULL, list_concat(e.evidence, [j.evidence])
  FROM (SELECT * FROM lines WHERE event = 'static_member_joined' AND role = 'broker' AND instance_id IS NOT NULL) AS j
  ASOF JOIN (
    SELECT *, coalesce(instance_id, client_part(member_id)) AS instance FROM member_exits WHERE moment IS NOT NULL
      AND kind IN ('session_timeout', 'crash', 'left', 'failed_to_rejoin')
  ) AS e ON e.cluster IS NOT DISTINCT FROM j.cluster AND e.group_id = j.group_id AND e.instance = j.instance_id AND j.moment > e.moment
),
-- client logs alone: the process begins anew and joins with the same instance id
starts AS (
  SELECT cluster, group_id, instance_id, process, pod, ts, moment, evidence FROM lines
  WHERE role = 'client' AND event = 'subscription_changed' AND instance_id IS NOT NULL
),
joins AS (
  SELECT cluster, group_id, instance_id, process, member_id, generation, ts, moment FROM lines
  WHERE role = 'client' AND event IN ('join_succeeded', 'sync_succeeded') AND instance_id IS NOT NULL AND generation IS NOT NULL
),
before AS (
  SELECT s.*, j.generation AS old_generation, j.member_id AS old_member_id
  FROM starts AS s ASOF JOIN joins AS j
    ON j.cluster IS NOT DISTINCT FROM s.cluster AND j.group_id = s.group_id AND j.instance_id = s.instance_id AND s.moment > j.moment
),
after AS (
  SELECT b.*, j.generation AS new_generation, j.ts AS back_at, j.moment AS back_moment
  FROM before AS b ASOF JOIN joins AS j
    ON j.cluster IS NOT DISTINCT FROM b.cluster AND j.group_id = b.group_id AND j.process = b.process AND b.moment < j.moment
),
robbed AS (
  SELECT a.cluster, a.group_id, a.process, a.moment, any_value(f.pod) AS pod, list(f.evidence ORDER BY f.moment) AS evidence
  FROM after AS a JOIN fencings AS f
    ON f.cluster IS NOT DISTINCT FROM a.cluster AND f.group_id = a.group_id AND f.instance_id = a.instance_id
  WHERE f.process <> a.process AND f.moment BETWEEN a.back_moment - INTERVAL 1 SECOND AND a.back_moment + INTERVAL 10 SECOND
  GROUP BY ALL
),
client_returns AS (
  SELECT a.cluster, a.group_id, a.instance_id, back_at, back_moment,
    CASE WHEN r.process IS NOT NULL THEN 'fenced' WHEN new_generation = old_generation THEN 'quiet' ELSE 'late' END AS outcome,
    old_member_id, NULL::TIMESTAMPTZ AS removed_at, r.pod AS fenced_pod, list_concat([a.evidence], coalesce(r.evidence, [])) AS evidence
  FROM after AS a LEFT JOIN robbed AS r
    ON r.cluster IS NOT DISTINCT FROM a.cluster AND r.group_id = a.group_id AND r.process = a.process AND r.moment = a.moment
  WHERE (a.cluster, a.group_id) NOT IN (
    SELECT (cluster, group_id) FROM lines WHERE role = 'broker' AND event LIKE 'static_member%' AND group_id IS NOT NULL)
),
returns AS (
  SELECT r.*, m.pod AS old_pod, m.process AS old_process
  FROM (FROM broker_returns UNION ALL FROM client_returns) AS r
  LEFT JOIN member_pods AS m ON m.cluster IS NOT DISTINCT FROM r.cluster AND m.group_id = r.group_id AND m.member_id = r.old_member_id
),
-- who came back: the process that said last before the return that it subscribes
returned AS (
  SELECT r.*, s.pod AS new_pod
  FROM returns AS r ASOF LEFT JOIN starts AS s
    ON s.cluster IS NOT DISTINCT FROM r.cluster AND s.group_id = r.group_id AND s.instance_id = r.instance_id
      AND r.back_moment + INTERVAL 1 SECOND >= s.moment
),
-- when it went: the last sign of life of its old process before the new one began
closings AS (
  SELECT cluster, pod, moment AS closed_moment FROM process_signs WHERE sign = 'closes' AND moment IS NOT NULL
),
dated AS (
  SELECT r.*, c.closed_moment
  FROM returned AS r ASOF LEFT JOIN closings AS c
    ON c.cluster IS NOT DISTINCT FROM r.cluster AND c.pod = coalesce(r.old_pod, r.new_pod) AND r.back_moment > c.closed_moment
),
-- two processes that take the id from each other again and again: one fight
turns AS (
  SELECT *, coalesce(outcome = 'fenced' AND lag(outcome) OVER turns = 'fenced'
    AND ms_between(lag(back_moment) OVER turns, back_moment) < 300000, false) AS goes_on
  FROM dated WINDOW turns AS (PARTITION BY cluster, group_id, instance_id ORDER BY back_moment)
),
-- the member that comes back last in a fight is not fenced any more: it belongs to the fight if it is close to it
fights AS (
  SELECT *, count_if(NOT goes_on) OVER (PARTITION BY cluster, group_id, instance_id ORDER BY back_moment) AS fight FROM turns
)
SELECT cluster, group_id, instance_id,
  CASE WHEN outcome = 'fenced' THEN NULL ELSE coalesce(arg_min(closed_moment, back_moment), arg_min(removed_at, back_moment)) END AS left_at,
  min(back_at) AS back_at,
  CASE WHEN outcome = 'fenced' THEN NULL
    ELSE ms_between(coalesce(arg_min(closed_moment, back_moment), arg_min(removed_at, back_moment)), min(back_at)) END AS away_ms,
  outcome, coalesce(arg_min(new_pod, back_moment), instance_id) AS pod,
  arg_min(coalesce(fenced_pod, CASE WHEN outcome = 'fenced' THEN old_pod END), back_moment) AS fenced_pod,
  max(back_at) AS last_back_at, count(*) AS times, list_sort(list_distinct(flatten(list(evidence)))) AS evidence
FROM fights
GROUP BY cluster, group_id, instance_id, outcome, fight
ORDER BY 2, 3, 5
