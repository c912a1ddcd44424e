-- Where a group lives: Java's String.hashCode over UTF-16 units, abs with MIN_VALUE as 0, modulo partitions
-- (Kafka: GroupCoordinatorService.partitionFor and Utils.abs). The same as loganalyst/analysis/placement.py.

CREATE OR REPLACE TEMP MACRO java_hash(name) AS
  list_reduce(list_prepend(0::BIGINT, flatten(list_transform(string_split(name, ''), lambda letter:
      CASE WHEN letter = '' THEN []::BIGINT[]
           WHEN unicode(letter) < 65536 THEN [unicode(letter)::BIGINT]
           ELSE [55296 + (unicode(letter) - 65536) // 1024, 56320 + (unicode(letter) - 65536) % 1024]::BIGINT[] END))),
    lambda hash, unit: (hash * 31 + unit) % 4294967296);

-- the signed number that Java prints
CREATE OR REPLACE TEMP MACRO java_hash_code(name) AS
  CASE WHEN java_hash(name) >= 2147483648 THEN java_hash(name) - 4294967296 ELSE java_hash(name) END;

CREATE OR REPLACE TEMP MACRO offsets_partition_of(name, partitions) AS
  CASE WHEN java_hash(name) = 2147483648 THEN 0 ELSE abs(java_hash_code(name)) % partitions END;
