-- name: member_pods
-- row: one member id of a group and the pod that it lives in
-- grain: cluster, group_id, member_id
-- about: The pod comes from a client line that names the member id; else from the one pod whose client lines carry
--   the member's group and client id (or instance id); else it is the client-id part of the member id. Lines
--   of a leader that name other members do not count.
-- column: cluster VARCHAR - cluster
-- column: group_id VARCHAR - group
-- column: member_id VARCHAR - member id
-- column: pod VARCHAR - pod; NULL if nothing tells
-- column: client_id VARCHAR - client.id of the member
-- column: client VARCHAR - client library, if a client line names the member
-- column: instance_id VARCHAR - group.instance.id of a static member
-- column: process VARCHAR - the consumer in group_lines whose lines name the member id or carry its client id
-- column: how VARCHAR - what told the pod: member, client, instance or name
-- uses: group_lines

WITH named AS (
  SELECT cluster, group_id, member_id, client_id, instance_id FROM group_lines
  WHERE group_id IS NOT NULL AND member_id IS NOT NULL
  UNION ALL
  SELECT cluster, group_id, other_member_id, NULL, NULL FROM group_lines
  WHERE group_id IS NOT NULL AND other_member_id IS NOT NULL
  UNION ALL
  SELECT cluster, group_id, unnest(member_ids_in(member_ids)), NULL, NULL FROM group_lines
  WHERE group_id IS NOT NULL AND member_ids IS NOT NULL
),
members AS (
  SELECT cluster, group_id, member_id, max(client_id) AS client_id, max(instance_id) AS instance_id,
    client_part(member_id) AS prefix
  FROM named GROUP BY cluster, group_id, member_id
),
spoken AS (
  SELECT cluster, group_id, member_id, mode(pod) AS pod, mode(process) AS process, any_value(client) AS client,
    mode(client_id) AS client_id
  FROM group_lines
  WHERE role = 'client' AND member_id IS NOT NULL AND pod IS NOT NULL
    AND event NOT IN ('assignment_computed', 'assignment_started', 'join_failed', 'sync_failed')
  GROUP BY cluster, group_id, member_id
),
clients AS (
  SELECT cluster, group_id, client_id, any_value(pod) AS pod, any_value(process) AS process, any_value(client) AS client
  FROM group_lines
  WHERE role = 'client' AND client_id IS NOT NULL AND pod IS NOT NULL
  GROUP BY cluster, group_id, client_id HAVING count(DISTINCT pod) = 1
),
instances AS (
  SELECT cluster, group_id, instance_id, any_value(pod) AS pod, any_value(process) AS process, any_value(client) AS client,
    any_value(client_id) AS client_id
  FROM group_lines
  WHERE role = 'client' AND instance_id IS NOT NULL AND pod IS NOT NULL
  GROUP BY cluster, group_id, instance_id HAVING count(DISTINCT pod) = 1
)
SELECT members.cluster, members.group_id, members.member_id,
  coalesce(spoken.pod, clients.pod, instances.pod, prefix) AS pod,
  coalesce(spoken.client_id, members.client_id, clients.client_id, instances.client_id, prefix) AS client_id,
  coalesce(spoken.client, clients.client, instances.client) AS client,
  members.instance_id,
  coalesce(spoken.process, clients.process, instances.process) AS process,
  CASE WHEN spoken.pod IS NOT NULL THEN 'member' WHEN clients.pod IS NOT NULL THEN 'client'
       WHEN instances.pod IS NOT NULL THEN 'instance' WHEN prefix IS NOT NULL THEN 'name' END AS how
FROM members
LEFT JOIN spoken ON spoken.cluster IS NOT DISTINCT FROM members.cluster AND spoken.group_id IS NOT DISTINCT FROM members.group_id
  AND spoken.member_id = members.member_id
LEFT JOIN clients ON clients.cluster IS NOT DISTINCT FROM members.cluster AND clients.group_id = members.group_id
  AND clients.client_id = coalesce(members.client_id, prefix)
LEFT JOIN instances ON instances.cluster IS NOT DISTINCT FROM members.cluster AND instances.group_id = members.group_id
  AND instances.instance_id = coalesce(members.instance_id, prefix)
