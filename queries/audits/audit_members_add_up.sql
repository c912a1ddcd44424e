-- name: audit_members_add_up
-- row: a generation whose members are not those before, plus joins, minus leaves
-- grain: subject, source, line
-- about: A group settles with no more members than it had and gained, and no fewer than it had and lost, where both are known.
-- column: subject VARCHAR - what breaks the rule
-- column: detail VARCHAR - how
-- column: source VARCHAR - where it stands; NULL if it is no line
-- column: line BIGINT - its number
-- uses: checked_generations
SELECT group_id AS subject, members || ' members, ' || concat_ws(' and ', 'at least ' || fewest, 'at most ' || most) || ' possible' AS detail, source, line
FROM checked_generations
WHERE members > most OR members < fewest
