-- name: shrinking_episodes
-- row: one fall of a group's member count
-- grain: cluster, group_id, started_at
-- about: Settled generations only. A fall begins at the last full count and ends with the first count that is at least as
--   high, or with the last one seen. A fall by one that is made good within five minutes is a restart, not an episode, unless clients were
--   refused or the group ran empty; a group that is stopped whole at the end of the logs does not shrink. When a group
--   stayed below for half an hour without a change, the lower count is the new full one.
-- column: cluster VARCHAR - cluster
-- column: group_id VARCHAR - group
-- column: started_at TIMESTAMPTZ - beginning of the first rebalance of the fall
-- column: floor_at TIMESTAMPTZ - when the lowest count was settled
-- column: recovered_at TIMESTAMPTZ - when a count at least as high as before was settled; NULL if never
-- column: members_from BIGINT - members before
-- column: members_floor BIGINT - lowest settled count, at least 1
-- column: members_to BIGINT - members at the recovery, or at the last settled generation seen
-- column: member_counts BIGINT[] - count of each settled generation from the last full one on
-- column: generations BIGINT[] - their generations
-- column: emptied BOOLEAN - the group had no member at all in between
-- column: kind VARCHAR - one_step_assignor_change, scale_down, crashes, rolling_restart, poll_timeouts, evictions, coordinator_change, unknown
-- column: refused_pods VARCHAR[] - pods that asked to join meanwhile and were turned away
-- column: explanation VARCHAR - what happened, in a sentence
-- column: incarnation BIGINT - life of the group
-- column: gone_pods VARCHAR[] - pods of the members that went, in order
-- column: inferred BOOLEAN - the kind follows from the shape of the fall only: no client log shows a refusal
-- column: evidence STRUCT(source VARCHAR, line BIGINT, ts TIMESTAMPTZ, message VARCHAR)[] - the lines
-- needs: rebalance_rows
-- uses: rebalances, rebalance_rows, group_teardowns, member_exits, refused_joins

WITH rows AS (
  SELECT r.cluster, r.group_id, r.incarnation, r.generation, r.place, r.outcome, r.members, r.coordinator, r.seen_by,
    coalesce(r.started_at, r.stabilized_at, r.completed_at) AS began_at, r.completed_at,
    list_filter(r.evidence, lambda it: it.source = r.evidence[1].source)[:3] AS evidence
  FROM rebalance_rows AS r LEFT JOIN group_teardowns AS t
    ON t.cluster IS NOT DISTINCT FROM r.cluster AND t.group_id = r.group_id AND r.place BETWEEN t.first_place AND t.last_place
  WHERE t.first_place IS NULL
),
settled AS (
  SELECT *, lag(members) OVER steps AS members_before,
    coalesce(ms_between(lag(completed_at) OVER steps, began_at) > 1800000, false) AS long_after
  FROM rows WHERE outcome = 'completed' AND members IS NOT NULL
  WINDOW steps AS (PARTITION BY cluster, group_id, incarnation ORDER BY place)
),
stretches AS (
  SELECT *, count_if(long_after) OVER (PARTITION BY cluster, group_id, incarnation ORDER BY place) AS stretch FROM settled
),
highs AS (
  SELECT *, greatest(max(members) OVER steps, first_value(CASE WHEN long_after THEN members_before END) OVER steps) AS high
  FROM stretches WINDOW steps AS (PARTITION BY cluster, group_id, incarnation, stretch ORDER BY place)
),
numbered AS (
  SELECT *, members >= high AS is_full,
    -- the row before a stretch is its first full one
    count_if(members >= high OR (long_after AND members < high)) OVER (PARTITION BY cluster, group_id, incarnation ORDER BY place)
      AS episode
  FROM highs
),
full_rows AS (
  SELECT cluster, group_id, incarnation, episode, place, members, generation, completed_at FROM numbered WHERE is_full
),
lows AS (
  SELECT cluster, group_id, incarnation, episode, arg_min(began_at, place) AS started_at, min(place) AS first_place, max(place) AS last_place,
    max(high) AS members_from, min(members) AS members_floor, arg_min(completed_at, (members, place)) AS floor_at,
    arg_max(members, place) AS last_members, max(completed_at) AS last_at, list(members ORDER BY place) AS low_counts,
    list(generation ORDER BY place) AS low_generations, count_if(members < members_before) AS steps_down,
    max(members_before - members) AS biggest_step, count(DISTINCT coordinator) AS coordinators, any_value(coordinator) AS coordinator,
    flatten(list(evidence ORDER BY place)) AS evidence
  FROM numbered WHERE NOT is_full GROUP BY ALL
),
falls AS (
  SELECT l.*, before.place AS full_place, before.members AS full_members, before.generation AS full_generation,
    after.place AS after_place, after.members AS after_members, after.generation AS after_generation, after.completed_at AS recovered_at
  FROM lows AS l
  LEFT JOIN full_rows AS before ON before.cluster IS NOT DISTINCT FROM l.cluster AND before.group_id = l.group_id
    AND before.incarnation = l.incarnation AND before.episode = l.episode
  LEFT JOIN full_rows AS after ON after.cluster IS NOT DISTINCT FROM l.cluster AND after.group_id = l.group_id
    AND after.incarnation = l.incarnation AND after.episode = l.episode + 1 AND after.members >= l.members_from
),
empties AS (
  SELECT f.cluster, f.group_id, f.incarnation, f.episode, count(*) AS times, min(r.completed_at) AS emptied_at, max(r.completed_at) AS last_emptied_at
  FROM falls AS f JOIN rows AS r ON r.cluster IS NOT DISTINCT FROM f.cluster AND r.group_id = f.group_id AND r.incarnation = f.incarnation
  WHERE r.outcome = 'emptied' AND r.place > f.first_place AND (f.after_place IS NULL OR r.place < f.after_place)
  GROUP BY ALL
),
-- from client logs alone nobody sees the group empty: a generation is missing, and all members of the one before it had left
unseen AS (
  SELECT a.cluster, a.group_id, a.incarnation, CASE WHEN a.is_full THEN a.episode - 1 ELSE a.episode END AS episode, max(e.ts) AS emptied_at
  FROM (
    SELECT *, lag(generation) OVER steps AS former_generation, lag(members) OVER steps AS former_members FROM numbered
    WINDOW steps AS (PARTITION BY cluster, group_id, incarnation ORDER BY place)
  ) AS a JOIN member_exits AS e
    ON e.cluster IS NOT DISTINCT FROM a.cluster AND e.group_id = a.group_id AND e.generation = a.former_generation
  WHERE a.seen_by = 'client' AND a.generation = a.former_generation + 2
  GROUP BY a.cluster, a.group_id, a.incarnation, a.episode, a.former_members, a.is_full
  HAVING count(DISTINCT e.member_id) >= a.former_members
  QUALIFY row_number() OVER (PARTITION BY a.cluster, a.group_id, a.incarnation, CASE WHEN a.is_full THEN a.episode - 1 ELSE a.episode END
    ORDER BY max(e.ts)) = 1
),
-- how the group filled up again after it ran empty
refills AS (
  SELECT e.cluster, e.group_id, e.incarnation, e.episode, min(r.began_at) AS refilled_at
  FROM empties AS e JOIN rows AS r ON r.cluster IS NOT DISTINCT FROM e.cluster AND r.group_id = e.group_id AND r.incarnation = e.incarnation
  WHERE r.outcome <> 'emptied' AND r.began_at >= e.emptied_at
  GROUP BY ALL
),
turned_away AS (
  SELECT f.cluster, f.group_id, f.incarnation, f.episode, list_sort(list_distinct(list(j.pod))) AS refused_pods,
    list_sort(list_distinct(list(j.pod) FILTER (j.error = 'INCONSISTENT_GROUP_PROTOCOL'))) AS incompatible_pods,
    string_agg(DISTINCT j.offered, ' / ') AS offered, flatten(list(j.evidence)) AS evidence
  FROM falls AS f JOIN refused_joins AS j ON j.cluster IS NOT DISTINCT FROM f.cluster AND j.group_id = f.group_id
  WHERE j.pod IS NOT NULL AND j.last_ts >= f.started_at AND j.ts <= coalesce(f.recovered_at, 'infinity')
  GROUP BY ALL
),
departures AS (
  SELECT f.cluster, f.group_id, f.incarnation, f.episode, count(*) AS gone, count_if(e.kind IN ('left', 'admin')) AS lefts,
    count_if(e.kind = 'crash') AS crashes, count_if(e.kind = 'poll_timeout') AS poll_timeouts,
    count_if(e.kind IN ('session_timeout', 'failed_to_rejoin', 'failed_to_sync', 'fenced')) AS evictions,
    list(coalesce(e.pod, e.member_id) ORDER BY e.ts) AS gone_pods
  FROM falls AS f JOIN member_exits AS e ON e.cluster IS NOT DISTINCT FROM f.cluster AND e.group_id = f.group_id
  WHERE e.ts >= f.started_at - INTERVAL 1 SECOND AND e.ts <= coalesce(f.recovered_at, f.last_at)
  GROUP BY ALL
),
arrivals AS (
  SELECT f.cluster, f.group_id, f.incarnation, f.episode, count(*) AS joins,
    count_if(e.emptied_at IS NULL OR r.started_at < e.emptied_at) AS joins_on_the_way
  FROM falls AS f
  JOIN rebalances AS r ON r.cluster IS NOT DISTINCT FROM f.cluster AND r.group_id = f.group_id AND r.incarnation = f.incarnation
  LEFT JOIN empties AS e ON e.cluster IS NOT DISTINCT FROM f.cluster AND e.group_id = f.group_id AND e.incarnation = f.incarnation AND e.episode = f.episode
  WHERE r.cause = 'member_joined' AND r.started_at > f.started_at AND r.started_at <= coalesce(f.recovered_at, f.last_at)
  GROUP BY ALL
),
facts AS (
  SELECT f.*, coalesce(f.full_members, f.members_from) AS from_members,
    coalesce(e.times, 0) > 0 OR u.emptied_at IS NOT NULL AS emptied, coalesce(e.emptied_at, u.emptied_at) AS emptied_at, ms_between(e.last_emptied_at, refilled_at) AS refill_ms,
    coalesce(t.refused_pods, []) AS refused_pods, coalesce(t.incompatible_pods, []) AS incompatible_pods, t.offered,
    coalesce(t.evidence, []) AS refusals,
    coalesce(gone, 0) AS gone, coalesce(lefts, 0) AS lefts, coalesce(crashes, 0) AS crashes, coalesce(poll_timeouts, 0) AS poll_timeouts,
    coalesce(evictions, 0) AS evictions, coalesce(gone_pods, []) AS gone_pods, coalesce(joins_on_the_way, 0) AS joins_on_the_way,
    coalesce(joins, 0) AS joins
  FROM falls AS f
  LEFT JOIN empties AS e ON e.cluster IS NOT DISTINCT FROM f.cluster AND e.group_id = f.group_id
    AND e.incarnation = f.incarnation AND e.episode = f.episode
  LEFT JOIN unseen AS u ON u.cluster IS NOT DISTINCT FROM f.cluster AND u.group_id = f.group_id
    AND u.incarnation = f.incarnation AND u.episode = f.episode
  LEFT JOIN refills ON refills.cluster IS NOT DISTINCT FROM f.cluster AND refills.group_id = f.group_id
    AND refills.incarnation = f.incarnation AND refills.episode = f.episode
  LEFT JOIN turned_away AS t ON t.cluster IS NOT DISTINCT FROM f.cluster AND t.group_id = f.group_id
    AND t.incarnation = f.incarnation AND t.episode = f.episode
  LEFT JOIN departures ON departures.cluster IS NOT DISTINCT FROM f.cluster AND departures.group_id = f.group_id
    AND departures.incarnation = f.incarnation AND departures.episode = f.episode
  LEFT JOIN arrivals ON arrivals.cluster IS NOT DISTINCT FROM f.cluster AND arrivals.group_id = f.group_id
    AND arrivals.incarnation = f.incarnation AND arrivals.episode = f.episode
),
-- seen from the brokers alone: down one by one as old pods leave, nobody let in until the group is empty, then full within seconds
kinds AS (
  SELECT *,
    emptied AND recovered_at IS NOT NULL AND joins_on_the_way = 0 AND lefts = gone AND steps_down >= 2 AND biggest_step = 1
      AND members_floor = 1 AND refill_ms < 30000 AND ms_between(started_at, emptied_at) > 5000 AS one_by_one
  FROM facts
),
sorted AS (
  SELECT *,
    CASE WHEN len(incompatible_pods) > 0 THEN 'one_step_assignor_change'
         WHEN one_by_one THEN 'one_step_assignor_change'
         WHEN poll_timeouts > 0 AND poll_timeouts * 2 >= gone THEN 'poll_timeouts'
         WHEN crashes > 0 AND crashes * 2 >= gone THEN 'crashes'
         WHEN evictions > 0 AND evictions * 2 >= gone THEN CASE WHEN coordinators > 1 THEN 'coordinator_change' ELSE 'evictions' END
         WHEN lefts > 0 AND lefts * 2 > gone AND joins_on_the_way > 0 AND recovered_at IS NOT NULL THEN 'rolling_restart'
         WHEN lefts > 0 AND lefts * 2 > gone THEN 'scale_down'
         WHEN gone = 0 AND coordinators > 1 THEN 'coordinator_change'
         ELSE 'unknown' END AS kind
  FROM kinds
  WHERE NOT (from_members - members_floor <= 1 AND recovered_at IS NOT NULL AND NOT emptied AND len(incompatible_pods) = 0
    AND ms_between(started_at, recovered_at) <= 300000)
)
SELECT cluster, group_id, started_at, floor_at, recovered_at, from_members AS members_from, members_floor,
  coalesce(after_members, last_members) AS members_to,
  list_concat(list_concat([from_members], low_counts), CASE WHEN after_members IS NULL THEN [] ELSE [after_members] END) AS member_counts,
  list_concat(list_concat([full_generation], low_generations), CASE WHEN after_generation IS NULL THEN [] ELSE [after_generation] END)
    AS generations,
  emptied, kind, refused_pods,
  CASE kind
    WHEN 'one_step_assignor_change' THEN CASE WHEN len(incompatible_pods) > 0
      THEN 'Pods that restarted' || coalesce(' with ' || offered, '') || ' were refused at JoinGroup (' || human_list(incompatible_pods)
        || '): they share no assignor with the members that were still in the group, which went on alone until the last of them left'
      ELSE 'Members left one by one, nobody was let in until the group was empty, and then it filled up within ' || human_ms(refill_ms)
        || ': the shape of an assignor changed in one step; no client log at hand shows the refusals' END
    WHEN 'poll_timeouts' THEN poll_timeouts || ' of ' || gone || ' members that went had not polled in time'
    WHEN 'crashes' THEN crashes || ' of ' || gone || ' members that went vanished with their process'
    WHEN 'evictions' THEN evictions || ' of ' || gone || ' members that went were removed by the coordinator'
    WHEN 'coordinator_change' THEN 'The coordinator moved, and members were lost on the way'
    WHEN 'rolling_restart' THEN lefts || ' members left in order and others joined meanwhile'
    WHEN 'scale_down' THEN lefts || ' members left in order'
      || CASE WHEN recovered_at IS NULL THEN ' and were not replaced' ELSE '; as many came back later' END
    ELSE 'The logs at hand do not say why members went' END AS explanation,
  incarnation, gone_pods, kind = 'one_step_assignor_change' AND len(incompatible_pods) = 0 AS inferred,
  list_concat(evidence[:60], refusals[:60]) AS evidence
FROM sorted
ORDER BY 1, 2, 3
