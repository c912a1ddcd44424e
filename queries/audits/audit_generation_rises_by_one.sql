-- name: audit_generation_rises_by_one
-- row: a generation that does not follow the one before
-- grain: subject, source, line
-- about: Within an incarnation and a coordinator's tenure, generations rise by one.
-- column: subject VARCHAR - what breaks the rule
-- column: detail VARCHAR - how
-- column: source VARCHAR - where it stands; NULL if it is no line
-- column: line BIGINT - its number
-- uses: checked_generations
SELECT group_id AS subject, 'generation ' || generation || ' after ' || previous AS detail, source, line
FROM checked_generations
WHERE step <> 1
