-- name: finding_slow_convergence
-- row: a KIP-848 group that took long to reach its target assignment
-- grain: cluster, group_id, pod, started_at
-- about: Epochs that needed thirty seconds or more, and members thrown out because they did not give partitions up in time; the pod is the member that took longest.
-- column: cluster VARCHAR - cluster
-- column: group_id VARCHAR - group; NULL for what concerns a broker or the cluster
-- column: kind VARCHAR - slow_convergence
-- column: variant VARCHAR - wording
-- column: severity VARCHAR - act, look, normal
-- column: pod VARCHAR - pod to go and look at
-- column: broker BIGINT - broker concerned
-- column: started_at TIMESTAMPTZ - beginning
-- column: ended_at TIMESTAMPTZ - end
-- column: facts MAP(VARCHAR, VARCHAR) - what the templates fill in
-- column: confidence VARCHAR - certain, likely, possible
-- column: evidence STRUCT(source VARCHAR, line BIGINT, ts TIMESTAMPTZ, message VARCHAR)[] - the lines
-- needs: group_epochs, reconciliations
-- uses: group_epochs, reconciliations

WITH slow AS (
  SELECT * FROM group_epochs WHERE duration_ms >= 30000 OR trigger = 'slow_revocation'
), longest AS (
  SELECT cluster, group_id, epoch, arg_max(pod, coalesce(stable_at, started_at)) AS pod, max(duration_ms) AS pod_ms,
    arg_max(len(revoked) > 0, coalesce(stable_at, started_at)) AS revoked, arg_max(evidence, coalesce(stable_at, started_at)) AS evidence
  FROM reconciliations GROUP BY cluster, group_id, epoch
)
SELECT s.cluster, s.group_id, 'slow_convergence' AS kind, CASE WHEN s.trigger = 'slow_revocation' THEN 'fenced' ELSE 'default' END AS variant,
  CASE WHEN s.trigger = 'slow_revocation' THEN 'act' ELSE 'look' END AS severity,
  CASE WHEN s.trigger = 'slow_revocation' THEN s.trigger_pod ELSE l.pod END AS pod, NULL::BIGINT AS broker,
  coalesce(s.bumped_at, s.target_at) AS started_at, s.converged_at AS ended_at,
  MAP {'group': s.group_id, 'epoch': s.epoch::VARCHAR, 'lasted': human_ms(s.duration_ms), 'at': human_time(coalesce(s.bumped_at, s.target_at)),
    'pod': coalesce(CASE WHEN s.trigger = 'slow_revocation' THEN s.trigger_pod ELSE l.pod END, s.trigger_member_id, '?'), 'pod_ms': human_ms(l.pod_ms)} AS facts,
  CASE WHEN l.pod IS NULL AND s.trigger_pod IS NULL THEN 'likely' ELSE 'certain' END AS confidence, list_concat(s.evidence, coalesce(l.evidence, [])) AS evidence
FROM slow s LEFT JOIN longest l ON l.cluster IS NOT DISTINCT FROM s.cluster AND l.group_id = s.group_id AND l.epoch = s.epoch
