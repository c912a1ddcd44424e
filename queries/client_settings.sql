-- name: client_settings
-- row: one printing of a Java consumer's settings
-- grain: cluster, source, line
-- about: From the record "ConsumerConfig values:", which every Java consumer prints when it is made. The client id may
--   be missing there if the library makes one up.
-- column: cluster VARCHAR - cluster
-- column: group_id VARCHAR - group.id
-- column: pod VARCHAR - pod
-- column: client_id VARCHAR - client.id
-- column: instance_id VARCHAR - group.instance.id
-- column: ts TIMESTAMPTZ - when it was printed
-- column: offered VARCHAR[] - assignors in order of preference, as groups name them
-- column: session_timeout_ms DOUBLE in ms - session.timeout.ms
-- column: max_poll_interval_ms DOUBLE in ms - max.poll.interval.ms
-- column: protocol VARCHAR - group.protocol: classic or consumer
-- column: source VARCHAR - source
-- column: line BIGINT - line
-- uses: events

SELECT cluster, setting(config, 'group.id') AS group_id, pod, setting(config, 'client.id') AS client_id,
  setting(config, 'group.instance.id') AS instance_id, ts, assignors_of(config) AS offered,
  try_cast(setting(config, 'session.timeout.ms') AS DOUBLE) AS session_timeout_ms,
  try_cast(setting(config, 'max.poll.interval.ms') AS DOUBLE) AS max_poll_interval_ms,
  lower(setting(config, 'group.protocol')) AS protocol, source, line
FROM (SELECT *, coalesce(field(fields, 'config'), message) AS config FROM events WHERE event = 'client_config' AND role = 'client')
WHERE setting(config, 'group.id') IS NOT NULL
