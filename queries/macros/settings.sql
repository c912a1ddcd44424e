-- Assignor classes by the names that groups know them by; other classes by their simple name
CREATE OR REPLACE TEMP MACRO assignor_name(class) AS
  CASE regexp_extract(class, '([^.$ ]+)\s*$', 1)
    WHEN 'RangeAssignor' THEN 'range' WHEN 'RoundRobinAssignor' THEN 'roundrobin' WHEN 'StickyAssignor' THEN 'sticky'
    WHEN 'CooperativeStickyAssignor' THEN 'cooperative-sticky' WHEN 'StreamsPartitionAssignor' THEN 'stream'
    ELSE regexp_extract(class, '([^.$ ]+)\s*$', 1) END;

-- The list in partition.assignment.strategy, in order of preference
CREATE OR REPLACE TEMP MACRO assignors_of(setting) AS
  list_transform(string_split(nullif(setting, ''), ', '), lambda class: assignor_name(class));
