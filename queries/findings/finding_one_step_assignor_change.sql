-- name: finding_one_step_assignor_change
-- row: a deploy that changed the assignor of a group in one step
-- grain: cluster, group_id, started_at
-- like: verdicts
-- needs: shrinking_episodes
-- uses: shrinking_episodes, rebalances, assignments

WITH episodes AS (
  SELECT *, member_counts[len(member_counts)] AS last_count,
    generations[list_position(member_counts, members_floor)] AS floor_generation,
    generations[1] AS from_generation, generations[len(generations)] AS to_generation
  FROM shrinking_episodes WHERE kind = 'one_step_assignor_change'
),
floors AS (
  SELECT a.cluster, a.group_id, a.incarnation, a.generation, arg_max(a.pod, len(a.topic_partitions)) AS pod,
    max(len(a.topic_partitions)) AS partitions
  FROM assignments AS a JOIN episodes AS e
    ON e.cluster IS NOT DISTINCT FROM a.cluster AND e.group_id = a.group_id AND e.incarnation = a.incarnation AND e.floor_generation = a.generation
  GROUP BY ALL
),
assignors AS (
  SELECT e.cluster, e.group_id, e.started_at, max(r.assignor) FILTER (r.generation = from_generation) AS old_assignor,
    max(r.assignor) FILTER (r.generation = to_generation) AS new_assignor,
    max(r.leader_pod) FILTER (r.generation = floor_generation) AS floor_leader
  FROM episodes AS e JOIN rebalances AS r
    ON r.cluster IS NOT DISTINCT FROM e.cluster AND r.group_id = e.group_id AND r.incarnation = e.incarnation
      AND r.generation IN (e.from_generation, e.floor_generation, e.to_generation)
  GROUP BY ALL
)
SELECT e.cluster, e.group_id, 'one_step_assignor_change' AS kind, CASE WHEN inferred THEN 'inferred' ELSE 'default' END AS variant,
  'act' AS severity, NULL::VARCHAR AS pod, NULL::BIGINT AS broker, e.started_at, e.recovered_at AS ended_at,
  MAP {
    'group': e.group_id, 'fall': array_to_string(list_filter(member_counts, lambda c, place: place <= list_position(member_counts, members_floor)), ', '),
    'back': CASE WHEN recovered_at IS NULL THEN 'and has not come back' ELSE 'and came back' END,
    'counts': array_to_string(member_counts, ', '), 'from': members_from::VARCHAR, 'to': members_to::VARCHAR,
    'floor': members_floor::VARCHAR,
    'at': human_time(e.started_at),
    'lasted': human_ms(ms_between(e.started_at, coalesce(e.recovered_at, e.floor_at))),
    'recovery': CASE WHEN recovered_at IS NULL THEN 'had not come back at the end of the logs (' || last_count || ' members)'
      ELSE 'came back to ' || members_to || ' at ' || human_time(e.recovered_at) END,
    'refused': human_list(refused_pods), 'refused_count': len(refused_pods)::VARCHAR,
    'old': coalesce(old_assignor, 'the old assignor'), 'new': coalesce(nullif(new_assignor, old_assignor), 'the new assignor'),
    'floor_pod': CASE WHEN members_floor = 1 AND coalesce(f.pod, floor_leader) IS NOT NULL
        THEN coalesce(f.pod, floor_leader) || ' alone consumed ' || coalesce('all ' || f.partitions || ' partitions', 'the whole topic')
      ELSE 'at the floor ' || members_floor || ' of ' || members_from || ' members consumed everything' END
  } AS facts,
  CASE WHEN inferred THEN 'possible' ELSE 'certain' END AS confidence, e.evidence
FROM episodes AS e
LEFT JOIN assignors AS a ON a.cluster IS NOT DISTINCT FROM e.cluster AND a.group_id = e.group_id AND a.started_at = e.started_at
LEFT JOIN floors AS f ON f.cluster IS NOT DISTINCT FROM e.cluster AND f.group_id = e.group_id AND f.incarnation = e.incarnation
  AND f.generation = e.floor_generation
