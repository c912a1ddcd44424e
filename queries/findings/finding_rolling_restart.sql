-- name: finding_rolling_restart
-- row: a group whose members were replaced one after another
-- grain: cluster, group_id, pod, started_at
-- about: Members that leave in order and members that come alternate, at least twice and for at least half of the group, with no more than five minutes in between. A group of one member never counts (short-lived consumers).
-- like: verdicts
-- needs: member_exits
-- uses: member_exits, arrivals, rebalance_rows, group_teardowns

WITH comings AS (
  SELECT e.cluster, e.group_id, 'left' AS step, coalesce(e.pod, e.member_id) AS pod, e.ts, e.moment, e.evidence
  FROM member_exits AS e LEFT JOIN group_teardowns AS t
    ON t.cluster IS NOT DISTINCT FROM e.cluster AND t.group_id = e.group_id AND e.ts BETWEEN t.started_at - INTERVAL 1 SECOND AND t.emptied_at
  WHERE e.kind = 'left' AND t.first_place IS NULL AND e.moment IS NOT NULL
  UNION ALL
  SELECT cluster, group_id, 'came', pod, ts, moment, evidence FROM arrivals WHERE moment IS NOT NULL
),
linked AS (
  SELECT *, coalesce(ms_between(lag(moment) OVER turns, moment) > 300000, true) AS begins,
    step = 'came' AND lag(step) OVER turns = 'left' AS replaces
  FROM comings WINDOW turns AS (PARTITION BY cluster, group_id ORDER BY moment)
),
runs AS (
  SELECT *, count_if(begins) OVER (PARTITION BY cluster, group_id ORDER BY moment) AS run FROM linked
),
rolls AS (
  SELECT cluster, group_id, run, min(ts) FILTER (step = 'left') AS started_at, max(ts) AS ended_at,
    count_if(step = 'left') AS lefts, count_if(replaces) AS replacements, list(pod ORDER BY moment) FILTER (step = 'left') AS gone,
    flatten(list(evidence ORDER BY moment))[:60] AS evidence
  FROM runs GROUP BY ALL HAVING count_if(replaces) >= 2
),
sizes AS (
  SELECT r.cluster, r.group_id, r.run, max(g.members) AS members, min(g.members) FILTER (g.outcome = 'completed') AS low, count(*) AS rebalances,
    count_if(g.outcome = 'superseded') AS superseded
  FROM rolls AS r JOIN rebalance_rows AS g ON g.cluster IS NOT DISTINCT FROM r.cluster AND g.group_id = r.group_id
  WHERE coalesce(g.started_at, g.completed_at) BETWEEN r.started_at AND r.ended_at
  GROUP BY ALL
)
SELECT r.cluster, r.group_id, 'rolling_restart' AS kind, 'default' AS variant, 'normal' AS severity, NULL::VARCHAR AS pod, NULL::BIGINT AS broker,
  r.started_at, r.ended_at,
  MAP {
    'group': r.group_id, 'lefts': lefts::VARCHAR, 'members': s.members::VARCHAR, 'at': human_time(r.started_at),
    'lasted': human_ms(ms_between(r.started_at, r.ended_at)), 'rebalances': rebalances::VARCHAR, 'low': low::VARCHAR, 'gone': human_list(list_distinct(gone))
  } AS facts,
  'certain' AS confidence, evidence
FROM rolls AS r JOIN sizes AS s ON s.cluster IS NOT DISTINCT FROM r.cluster AND s.group_id = r.group_id AND s.run = r.run
WHERE s.members >= 2 AND 2 * r.replacements >= least(s.members, r.lefts) AND 2 * r.lefts >= s.members
  -- members that leave because a rebalance fails are no deploy
  AND s.superseded <= 1
