-- name: finding_stuck_on_old_coordinator
-- row: a pod that keeps using a coordinator that is none any more
-- grain: cluster, group_id, pod, started_at
-- about: The stuck pods of coordinator_moves; where no move is seen, a consumer that is refused with NOT_COORDINATOR three times or more over ten seconds without ever being served in between, or whose member the new coordinator throws out after such a refusal.
-- column: cluster VARCHAR - cluster
-- column: group_id VARCHAR - group; NULL for what concerns a broker or the cluster
-- column: kind VARCHAR - stuck_on_old_coordinator
-- column: variant VARCHAR - wording
-- column: severity VARCHAR - act, look, normal
-- column: pod VARCHAR - pod to go and look at
-- column: broker BIGINT - broker concerned
-- column: started_at TIMESTAMPTZ - beginning
-- column: ended_at TIMESTAMPTZ - end
-- column: facts MAP(VARCHAR, VARCHAR) - what the templates fill in
-- column: confidence VARCHAR - certain, likely, possible
-- column: evidence STRUCT(source VARCHAR, line BIGINT, ts TIMESTAMPTZ, message VARCHAR)[] - the lines
-- needs: FROM coordinator_moves WHERE len(stuck_pods) > 0
-- needs: FROM coordinator_lines WHERE error = 'NOT_COORDINATOR'
-- uses: coordinator_moves, coordinator_lines, coordinator_outages, member_exits, member_pods

WITH refusals AS (
  SELECT cluster, group_id, pod, process, moment, broker, evidence, kind, error,
    count(*) FILTER (kind = 'served' OR kind = 'found' AND steady) OVER (PARTITION BY cluster, group_id, process ORDER BY moment, evidence.line ROWS UNBOUNDED PRECEDING) AS run
  FROM coordinator_lines
), runs AS (
  SELECT cluster, group_id, pod, process, run, count(*) AS times, min(moment) AS since, max(moment) AS until,
    mode(broker) AS broker, list(evidence ORDER BY moment)[1:10] AS evidence
  FROM refusals WHERE error = 'NOT_COORDINATOR' AND kind IN ('refused', 'lost')
  GROUP BY ALL
), moved AS (
  SELECT m.cluster, m.group_id, unnest(m.stuck_pods) AS pod, m.from_broker, m.to_broker, coalesce(m.elected_at, m.rediscovered[1]."at") AS moved_at, m.evidence
  FROM coordinator_moves m WHERE len(m.stuck_pods) > 0
), thrown_out AS (
  SELECT x.cluster, x.group_id, coalesce(m.process, c.process) AS process, x.moment, x.evidence
  FROM member_exits x JOIN member_pods m ON m.cluster IS NOT DISTINCT FROM x.cluster AND m.group_id = x.group_id AND m.member_id = x.member_id
  LEFT JOIN (SELECT cluster, group_id, split_part(process, '|', -1) AS client_id, any_value(process) AS process FROM coordinator_lines
      GROUP BY ALL HAVING count(DISTINCT coordinator_lines.process) = 1) c
    ON c.cluster IS NOT DISTINCT FROM x.cluster AND c.group_id = x.group_id AND c.client_id = client_part(x.member_id)
  WHERE x.kind IN ('session_timeout', 'crash', 'failed_to_rejoin')
), served_again AS (
  SELECT r.cluster, r.group_id, r.process, r.run, c.moment
  FROM runs r ASOF JOIN (SELECT cluster, group_id, process, moment FROM coordinator_lines WHERE kind = 'served') c
    ON c.cluster IS NOT DISTINCT FROM r.cluster AND c.group_id = r.group_id AND c.process = r.process AND c.moment >= r.until
), expelled AS (
  SELECT r.cluster, r.group_id, r.process, r.run, t.moment, t.evidence AS said
  FROM runs r ASOF JOIN thrown_out t ON t.cluster IS NOT DISTINCT FROM r.cluster AND t.group_id = r.group_id AND t.process = r.process
    AND t.moment >= r.until + INTERVAL 5 SECOND
  LEFT JOIN served_again g ON g.cluster IS NOT DISTINCT FROM r.cluster AND g.group_id = r.group_id AND g.process = r.process AND g.run = r.run
  WHERE t.moment <= r.until + INTERVAL 5 MINUTE AND (g.moment IS NULL OR g.moment > t.moment)
), alone AS (
  SELECT r.*, x.moment AS expelled_at, x.said
  FROM runs r LEFT JOIN expelled x ON x.cluster IS NOT DISTINCT FROM r.cluster AND x.group_id = r.group_id AND x.process = r.process AND x.run = r.run
  WHERE (r.times >= 3 AND r.until - r.since >= INTERVAL 10 SECOND OR x.moment IS NOT NULL)
    -- a group that had no coordinator at all is another matter
    AND NOT EXISTS (FROM coordinator_outages o WHERE o.cluster IS NOT DISTINCT FROM r.cluster AND o.group_id = r.group_id
      AND o.started_at <= r.until AND coalesce(o.ended_at, r.since) >= r.since AND (r.times < 3 OR o.why <> 'not_coordinator'))
    AND NOT EXISTS (FROM moved m WHERE m.cluster IS NOT DISTINCT FROM r.cluster AND m.group_id = r.group_id AND m.pod = r.pod)
)
SELECT cluster, group_id, 'stuck_on_old_coordinator' AS kind, 'default' AS variant, 'act' AS severity, pod, from_broker AS broker,
  moved_at AS started_at, NULL::TIMESTAMPTZ AS ended_at,
  MAP {'group': group_id, 'pod': coalesce(pod, '?'), 'from': coalesce(from_broker::VARCHAR, '?'), 'to': coalesce(to_broker::VARCHAR, '?'),
    'at': human_time(moved_at)} AS facts,
  'certain' AS confidence, evidence
FROM moved
UNION ALL
SELECT cluster, group_id, 'stuck_on_old_coordinator', CASE WHEN expelled_at IS NULL THEN 'alone' ELSE 'expelled' END, 'act', pod, broker, since, coalesce(expelled_at, until),
  MAP {'group': group_id, 'pod': coalesce(pod, '?'), 'from': coalesce('broker ' || broker, 'a broker'), 'times': times::VARCHAR,
    'at': human_time(since), 'lasted': human_ms(ms_between(since, until)), 'expelled': coalesce(human_time(expelled_at), '?')},
  'likely', list_concat(evidence, coalesce(said, []))
FROM alone
