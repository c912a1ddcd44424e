-- name: audit_role_known
-- row: an event written by nobody known
-- grain: subject, source, line
-- about: `role` is broker, controller, client or tool.
-- column: subject VARCHAR - what breaks the rule
-- column: detail VARCHAR - how
-- column: source VARCHAR - where it stands; NULL if it is no line
-- column: line BIGINT - its number
-- uses: checked_events
SELECT event AS subject, 'role ' || role AS detail, source, line
FROM checked_events
WHERE role NOT IN ('broker', 'controller', 'client', 'tool')
