-- name: finding_lopsided_assignment
-- row: an assignment that gives one member far more than another
-- grain: cluster, group_id, pod, started_at
-- about: By the leader plan of a generation that lasted at least half a minute: the biggest share is at least twice the fair one and two more than the smallest, though there are partitions for everybody.
-- like: verdicts
-- needs: assignments
-- uses: assignments, group_states

WITH shares AS (
  SELECT cluster, group_id, incarnation, generation, count(*) AS members, sum(len(topic_partitions)) AS partitions,
    max(len(topic_partitions)) AS biggest, min(len(topic_partitions)) AS smallest, arg_max(pod, len(topic_partitions)) AS pod,
    arg_min(pod, len(topic_partitions)) AS smallest_pod, count(DISTINCT pod) AS pods, any_value(evidence) AS evidence
  FROM assignments WHERE told_by = 'leader' GROUP BY ALL
),
lopsided AS (
  SELECT s.*, g.started_at, g.ended_at, g.duration_ms
  FROM shares AS s JOIN group_states AS g
    ON g.cluster IS NOT DISTINCT FROM s.cluster AND g.group_id = s.group_id AND g.incarnation = s.incarnation AND g.generation = s.generation
      AND g.state = 'Stable'
  WHERE s.members >= 2 AND s.members = g.members AND s.partitions >= s.members AND s.biggest >= 2 * ceil(s.partitions / s.members) AND s.biggest - s.smallest >= 2
    AND coalesce(g.duration_ms, 30000) >= 30000
)
SELECT cluster, group_id, 'lopsided_assignment' AS kind, 'default' AS variant, 'look' AS severity, pod, NULL::BIGINT AS broker, min(started_at) AS started_at,
  max(ended_at) AS ended_at,
  MAP {
    'pod': coalesce(pod, '?'), 'group': group_id, 'biggest': arg_max(biggest, generation)::VARCHAR, 'partitions': arg_max(partitions, generation)::VARCHAR,
    'members': arg_max(members, generation)::VARCHAR, 'smallest': arg_max(smallest, generation)::VARCHAR,
    'smallest_pod': coalesce(arg_max(smallest_pod, generation), '?'), 'at': human_time(min(started_at)), 'generations': count(*)::VARCHAR
  } AS facts,
  'likely' AS confidence, any_value(evidence) AS evidence
FROM lopsided GROUP BY cluster, group_id, pod
