-- name: audit_members_in_range
-- row: an event with an impossible number of members
-- grain: subject, source, line
-- about: A group has no less than 0 members, and no more than max_members.
-- column: subject VARCHAR - what breaks the rule
-- column: detail VARCHAR - how
-- column: source VARCHAR - where it stands; NULL if it is no line
-- column: line BIGINT - its number
-- param: max_members BIGINT = 10000 - the most members a group may have
-- uses: checked_events
SELECT event AS subject, members || ' members' AS detail, source, line
FROM checked_events
WHERE members NOT BETWEEN 0 AND getvariable('max_members')
