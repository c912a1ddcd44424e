-- Member ids: `<client id or instance id>-<uuid>` in classic groups; nothing of the client in KIP-848 ids.

CREATE OR REPLACE TEMP MACRO client_part(id) AS
  nullif(regexp_extract(id, '^(.+)-[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$', 1), '');

-- All member ids of a text like `List(a-<uuid>, b-<uuid>)`, `Set(..)`, `[..]`
CREATE OR REPLACE TEMP MACRO member_ids_in(listing) AS
  list_filter(list_transform(string_split(regexp_replace(listing, '^\w*[\[({](.*)[\])}]$', '\1', 's'), ', '),
    lambda id: trim(id)), lambda id: id <> '');

-- The leader's plan `{member=Assignment(partitions=[t-0, t-1]), ..}`: ids may hold any character, so the text is
-- cut at `=Assignment(partitions=[`; what stands before a cut ends with an id, what stands behind begins with partitions
CREATE OR REPLACE TEMP MACRO plan_cuts(listing) AS
  string_split(substr(listing, position('{' IN listing) + 1), '=Assignment(partitions=[');

CREATE OR REPLACE TEMP MACRO plan_of(listing) AS
  list_transform(range(1, len(plan_cuts(listing))), lambda place: struct_pack(
    member_id := regexp_replace(plan_cuts(listing)[place], '^.*\), ', '', 's'),
    topic_partitions := list_filter(
      string_split(split_part(plan_cuts(listing)[place + 1], ']', 1), ', '), lambda name: name <> '')));

CREATE OR REPLACE TEMP MACRO field(fields, name) AS nullif(fields[name], '');

CREATE OR REPLACE TEMP MACRO line_of(source, line, ts, message) AS
  struct_pack(source := source, line := line, ts := ts, message := message);
