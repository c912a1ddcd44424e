-- name: findings
-- row: one verdict, in words
-- grain: finding
-- about: Worst first: act, look, normal; within a severity the surer ones first, then in order of time. `finding` is stable: the same
--   logs give the same id. Words come from the toml file of the kind, see queries/README.md.
-- column: cluster VARCHAR - cluster
-- column: group_id VARCHAR - group; NULL for what concerns a broker or the cluster
-- column: finding VARCHAR - id of the finding
-- column: severity VARCHAR - act, look, or normal (it looks bad and is not)
-- column: kind VARCHAR - kind of finding
-- column: pod VARCHAR - pod to go and look at
-- column: broker BIGINT - broker concerned
-- column: started_at TIMESTAMPTZ - beginning
-- column: ended_at TIMESTAMPTZ - end
-- column: title VARCHAR - who, what, when, how long
-- column: detail VARCHAR - how it came about
-- column: fix VARCHAR - what to do
-- column: confidence VARCHAR - certain, likely, possible
-- column: evidence STRUCT(source VARCHAR, line BIGINT, ts TIMESTAMPTZ, message VARCHAR)[] - the lines that show it
-- uses: verdicts, wording

SELECT cluster, group_id,
  left(md5(concat_ws('|', v.kind, cluster, group_id, pod, broker, epoch_us(started_at))), 12) AS finding,
  severity, v.kind, pod, broker, started_at, ended_at,
  fill_in(title, facts) AS title, fill_in(detail, facts) AS detail, fill_in(fix, facts) AS fix, confidence, evidence
FROM verdicts AS v LEFT JOIN wording AS w ON w.kind = v.kind AND w.variant = v.variant
ORDER BY list_position(['act', 'look', 'normal'], severity), list_position(['certain', 'likely', 'possible'], confidence), started_at,
  cluster, group_id, pod
