-- name: audit_static_members_within_members
-- row: an event with more static members than members
-- grain: subject, source, line
-- about: Static members are members.
-- column: subject VARCHAR - what breaks the rule
-- column: detail VARCHAR - how
-- column: source VARCHAR - where it stands; NULL if it is no line
-- column: line BIGINT - its number
-- uses: checked_events
SELECT event AS subject, static_members || ' static members of ' || coalesce(members::VARCHAR, '?') AS detail, source, line
FROM checked_events
WHERE static_members NOT BETWEEN 0 AND coalesce(members, static_members)
