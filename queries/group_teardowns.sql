-- name: group_teardowns
-- row: a group that was stopped whole, as the last thing that the logs say of it in one life
-- grain: cluster, group_id, incarnation
-- about: Its members left in order within a minute, one fall from the full count to empty, and nothing came after. That is
--   a stop, not a shrinking group. A group into which clients are being refused is never one.
-- column: cluster VARCHAR - cluster
-- column: group_id VARCHAR - group
-- column: incarnation BIGINT - life of the group
-- column: first_place BIGINT - place (rebalance_rows) of the first rebalance of the stop
-- column: last_place BIGINT - place of the rebalance that left the group empty
-- column: started_at TIMESTAMPTZ - first leave
-- column: emptied_at TIMESTAMPTZ - empty
-- column: members BIGINT - members before
-- needs: rebalance_rows
-- uses: rebalance_rows, rebalance_causes, member_exits, refused_joins, client_joins

WITH rows AS (
  SELECT r.*, cause, max(place) OVER (PARTITION BY r.cluster, r.group_id, r.incarnation) AS last_place,
    lag(members) OVER (PARTITION BY r.cluster, r.group_id, r.incarnation ORDER BY place) AS former_members
  FROM rebalance_rows AS r LEFT JOIN rebalance_causes AS c ON c.cluster IS NOT DISTINCT FROM r.cluster AND c.group_id = r.group_id
    AND c.incarnation = r.incarnation AND c.generation = r.generation AND c.turn IS NOT DISTINCT FROM r.turn
  WHERE outcome IN ('completed', 'emptied')
),
-- the last rebalance that did not lower the count, or not because somebody left in order: the stop begins behind it
peaks AS (
  SELECT cluster, group_id, incarnation, max(place) AS peak_place FROM rows
  WHERE former_members IS NULL OR members IS NULL OR members >= former_members OR cause NOT IN ('member_left', 'admin')
  GROUP BY ALL
),
-- clients do not see their group empty: all members of the last generation left, and no other generation came
left_last AS (
  SELECT r.cluster, r.group_id, r.incarnation, max(e.ts) AS last_left_at
  FROM rows AS r JOIN member_exits AS e
    ON e.cluster IS NOT DISTINCT FROM r.cluster AND e.group_id = r.group_id AND e.generation = r.generation AND e.kind = 'left'
  WHERE r.place = r.last_place AND r.seen_by = 'client' AND r.members IS NOT NULL
  GROUP BY r.cluster, r.group_id, r.incarnation, r.members HAVING count(DISTINCT e.member_id) >= r.members
),
stops AS (
  SELECT r.cluster, r.group_id, r.incarnation, min(place) AS first_place, max(place) AS last_place, arg_min(started_at, place) AS started_at,
    coalesce(any_value(l.last_left_at), arg_max(completed_at, place)) AS emptied_at, arg_min(former_members, place) AS members
  FROM rows AS r JOIN peaks AS p ON p.cluster IS NOT DISTINCT FROM r.cluster AND p.group_id = r.group_id
    AND p.incarnation = r.incarnation AND r.place > p.peak_place
  LEFT JOIN left_last AS l ON l.cluster IS NOT DISTINCT FROM r.cluster AND l.group_id = r.group_id AND l.incarnation = r.incarnation
  GROUP BY ALL
  HAVING (arg_max(outcome, place) = 'emptied' OR any_value(l.last_left_at) IS NOT NULL) AND max(place) = any_value(last_place)
    AND ms_between(arg_min(started_at, place), coalesce(any_value(l.last_left_at), arg_max(completed_at, place))) <= 60000
),
-- somebody did not go in order
unruly AS (
  SELECT s.cluster, s.group_id FROM stops AS s JOIN member_exits AS e ON e.cluster IS NOT DISTINCT FROM s.cluster AND e.group_id = s.group_id
  WHERE e.kind NOT IN ('left', 'admin') AND e.ts BETWEEN s.started_at - INTERVAL 1 SECOND AND s.emptied_at
),
-- somebody was being turned away and has not been let in since
turned_away AS (
  SELECT s.cluster, s.group_id, f.pod
  FROM stops AS s JOIN refused_joins AS f ON f.cluster IS NOT DISTINCT FROM s.cluster AND f.group_id = s.group_id
  LEFT JOIN client_joins AS j ON j.cluster IS NOT DISTINCT FROM f.cluster AND j.group_id = f.group_id AND j.pod = f.pod
  WHERE f.error = 'INCONSISTENT_GROUP_PROTOCOL' AND f.last_ts >= s.started_at - INTERVAL 30 SECOND
  GROUP BY ALL HAVING max(j.joined_at) IS NULL OR max(j.joined_at) < max(f.last_ts)
)
SELECT * FROM stops
WHERE (cluster, group_id) NOT IN (SELECT (cluster, group_id) FROM unruly)
  AND (cluster, group_id) NOT IN (SELECT (cluster, group_id) FROM turned_away)
