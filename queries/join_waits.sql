-- name: join_waits
-- row: one rebalance and the member that its join phase waited for
-- grain: cluster, group_id, incarnation, generation, turn
-- about: The join phase ends when every member of the former generation has joined again or is gone. The one waited for
--   is a member that was removed or left while the phase lasted and ended it, else the member of the former
--   generation that asked to join last, by its own log. A newcomer is never waited for. NULL if the logs at hand do not tell, and after an
--   empty group, where the coordinator only waits for company. While the phase is still open at the end of the log: the one member
--   of the former generation that has not asked, if the logs of all its members are at hand.
-- column: cluster VARCHAR - cluster
-- column: group_id VARCHAR - group
-- column: incarnation BIGINT - life of the group
-- column: generation BIGINT - generation
-- column: turn BIGINT - try for the generation
-- column: waited_for VARCHAR - pod of the member waited for, or its member id where no pod is known
-- column: waited_member_id VARCHAR - its member id
-- column: waited_ms DOUBLE in ms - from the beginning of the rebalance to the moment that it joined or was gone
-- column: gone BOOLEAN - it did not join: it was removed or left
-- column: evidence STRUCT(source VARCHAR, line BIGINT, ts TIMESTAMPTZ, message VARCHAR)[] - the lines that show it
-- needs: rebalance_rows
-- uses: rebalance_rows, client_joins, member_exits

WITH phases AS (
  SELECT *, lag(generation) OVER places AS former, lag(outcome) OVER places AS former_outcome, lag(pods) OVER places AS former_pods,
    lag(members) OVER places AS former_members
  FROM rebalance_rows
  WINDOW places AS (PARTITION BY cluster, group_id, incarnation ORDER BY place)
),
-- gone while the phase lasted, the last one at its end
departed AS (
  SELECT p.cluster, p.group_id, p.incarnation, p.generation, p.turn,
    arg_max(member_id, moment) AS member_id, arg_max(e.pod, moment) AS pod, max(moment) AS moment, arg_max(e.evidence, moment) AS evidence
  FROM phases AS p JOIN member_exits AS e
    ON e.cluster IS NOT DISTINCT FROM p.cluster AND e.group_id = p.group_id AND e.generation = p.former
  WHERE p.former_outcome <> 'emptied' AND p.stabilized_moment IS NOT NULL
    AND e.moment > p.opened_moment + INTERVAL 100 MILLISECOND
    AND e.moment BETWEEN p.stabilized_moment - INTERVAL 1 SECOND AND p.stabilized_moment
  GROUP BY ALL
),
-- joined again: a process that was in the former generation too
rejoined AS (
  SELECT j.cluster, j.group_id, j.incarnation, j.generation, j.process, j.pod, j.member_id, j.last_asked_moment, j.evidence
  FROM client_joins AS j JOIN client_joins AS f
    ON f.cluster IS NOT DISTINCT FROM j.cluster AND f.group_id = j.group_id AND f.incarnation = j.incarnation AND f.process = j.process
      AND f.generation = j.generation - 1 AND f.member_id IS NOT DISTINCT FROM j.member_id
),
slowest AS (
  SELECT p.cluster, p.group_id, p.incarnation, p.generation, p.turn,
    arg_max(r.member_id, last_asked_moment) AS member_id, arg_max(r.pod, last_asked_moment) AS pod,
    max(last_asked_moment) AS moment, arg_max(r.evidence, last_asked_moment) AS evidence
  FROM phases AS p JOIN rejoined AS r
    ON r.cluster IS NOT DISTINCT FROM p.cluster AND r.group_id = p.group_id AND r.incarnation = p.incarnation AND r.generation = p.generation
  WHERE p.former_outcome <> 'emptied'
    AND (p.stabilized_moment IS NULL
      OR r.last_asked_moment BETWEEN p.stabilized_moment - INTERVAL 2 SECOND AND p.stabilized_moment + INTERVAL 100 MILLISECOND)
  GROUP BY ALL
)
SELECT p.cluster, p.group_id, p.incarnation, p.generation, p.turn,
  coalesce(CASE WHEN d.member_id IS NOT NULL AND (s.moment IS NULL OR d.moment >= s.moment) THEN coalesce(d.pod, d.member_id) END,
    s.pod, s.member_id, d.pod, d.member_id) AS waited_for,
  CASE WHEN d.member_id IS NOT NULL AND (s.moment IS NULL OR d.moment >= s.moment) THEN d.member_id
       WHEN s.pod IS NOT NULL THEN s.member_id END AS waited_member_id,
  ms_between(p.opened_moment, CASE WHEN d.member_id IS NOT NULL AND (s.moment IS NULL OR d.moment >= s.moment)
    THEN d.moment ELSE s.moment END) AS waited_ms,
  d.member_id IS NOT NULL AND (s.moment IS NULL OR d.moment >= s.moment) AS gone,
  CASE WHEN d.member_id IS NOT NULL AND (s.moment IS NULL OR d.moment >= s.moment) THEN d.evidence ELSE s.evidence END AS evidence
FROM phases AS p
LEFT JOIN departed AS d ON d.cluster IS NOT DISTINCT FROM p.cluster AND d.group_id = p.group_id AND d.incarnation = p.incarnation
  AND d.generation = p.generation AND d.turn IS NOT DISTINCT FROM p.turn
LEFT JOIN slowest AS s ON s.cluster IS NOT DISTINCT FROM p.cluster AND s.group_id = p.group_id AND s.incarnation = p.incarnation
  AND s.generation = p.generation AND s.turn IS NOT DISTINCT FROM p.turn
WHERE d.member_id IS NOT NULL OR s.pod IS NOT NULL
