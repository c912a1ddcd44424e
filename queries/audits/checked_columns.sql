-- name: checked_columns
-- row: a column of `events` or `sources`, as documented and as it is
-- grain: table_name, column_name
-- about: The tables that every dataset has, beside what the contract says of their columns.
-- column: table_name VARCHAR - events or sources
-- column: column_name VARCHAR - column
-- column: expected VARCHAR - type that it must have; NULL if no such column is documented
-- column: actual VARCHAR - type that it has; NULL if it is missing
-- uses: events, sources
WITH expected AS (
  SELECT unnest(map_entries(MAP {
    'cluster': 'VARCHAR', 'ts': 'TIMESTAMP WITH TIME ZONE', 'event': 'VARCHAR', 'level': 'VARCHAR', 'logger': 'VARCHAR',
    'role': 'VARCHAR', 'client': 'VARCHAR', 'group_id': 'VARCHAR', 'group_type': 'VARCHAR', 'generation': 'BIGINT',
    'epoch': 'BIGINT', 'member_id': 'VARCHAR', 'instance_id': 'VARCHAR', 'client_id': 'VARCHAR', 'pod': 'VARCHAR',
    'host': 'VARCHAR', 'broker_id': 'BIGINT', 'offsets_partition': 'BIGINT', 'members': 'BIGINT',
    'static_members': 'BIGINT', 'state': 'VARCHAR', 'reason': 'VARCHAR', 'error': 'VARCHAR',
    'topic_partitions': 'VARCHAR[]', 'assignor': 'VARCHAR', 'duration_ms': 'DOUBLE',
    'fields': 'MAP(VARCHAR, VARCHAR)', 'template': 'VARCHAR', 'source': 'VARCHAR', 'line': 'BIGINT', 'message': 'VARCHAR'
  })) AS entry, 'events' AS table_name
  UNION ALL
  SELECT unnest(map_entries(MAP {
    'source': 'VARCHAR', 'fingerprint': 'VARCHAR', 'bytes': 'BIGINT', 'lines': 'BIGINT', 'records': 'BIGINT',
    'events': 'BIGINT', 'continuation_lines': 'BIGINT', 'foreign_lines': 'BIGINT', 'undated_lines': 'BIGINT',
    'first_ts': 'TIMESTAMP WITH TIME ZONE', 'last_ts': 'TIMESTAMP WITH TIME ZONE', 'envelope': 'VARCHAR',
    'layout': 'VARCHAR', 'timezone': 'VARCHAR', 'ingested_at': 'TIMESTAMP WITH TIME ZONE', 'unknown_records': 'BIGINT'
  })), 'sources'
),
actual AS (
  SELECT 'events' AS table_name, column_name, column_type FROM (DESCRIBE SELECT * FROM events)
  UNION ALL
  SELECT 'sources', column_name, column_type FROM (DESCRIBE SELECT * FROM sources)
)
SELECT coalesce(a.table_name, e.table_name) AS table_name, coalesce(a.column_name, e.entry.key) AS column_name,
       e.entry.value AS expected, a.column_type AS actual
FROM expected e FULL JOIN actual a ON a.table_name = e.table_name AND a.column_name = e.entry.key
