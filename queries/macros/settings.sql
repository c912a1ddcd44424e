-- A value of the text "ConsumerConfig values:" that Java clients print
CREATE OR REPLACE TEMP MACRO setting(config, name) AS
  nullif(nullif(trim(regexp_extract(config, '(?:^|\n)\s*' || replace(name, '.', '\.') || ' = ([^\n]*)', 1)), ''), 'null');

-- Assignor classes by the names that groups know them by; other classes by their simple name
CREATE OR REPLACE TEMP MACRO assignor_name(class) AS
  CASE regexp_extract(class, '([^.$ ]+)\s*$', 1)
    WHEN 'RangeAssignor' THEN 'range' WHEN 'RoundRobinAssignor' THEN 'roundrobin' WHEN 'StickyAssignor' THEN 'sticky'
    WHEN 'CooperativeStickyAssignor' THEN 'cooperative-sticky' WHEN 'StreamsPartitionAssignor' THEN 'stream'
    ELSE regexp_extract(class, '([^.$ ]+)\s*$', 1) END;

CREATE OR REPLACE TEMP MACRO assignors_of(config) AS
  list_transform(string_split(nullif(regexp_replace(setting(config, 'partition.assignment.strategy'), '^\[(.*)\]$', '\1'), ''), ', '),
    lambda class: assignor_name(class));
