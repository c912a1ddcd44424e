-- Member ids: `<client id or instance id>-<uuid>` in classic groups; nothing of the client in KIP-848 ids.

CREATE OR REPLACE TEMP MACRO client_part(id) AS
  nullif(regexp_extract(id, '^(.+)-[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$', 1), '');

-- All member ids of a text like `List(a-<uuid>, b-<uuid>)`, `Set(..)`, `[..]`; ids may hold blanks, commas separate
CREATE OR REPLACE TEMP MACRO member_ids_in(listing) AS
  list_filter(list_transform(string_split(regexp_replace(listing, '^\w*[\[({](.*)[\])}]$', '\1', 's'), ', '),
    lambda id: trim(id)), lambda id: id <> '');

-- The leader's plan: {member=Assignment(partitions=[t-0, t-1]), ...} cut into its members
CREATE OR REPLACE TEMP MACRO plan_of(listing) AS
  list_transform(regexp_extract_all(listing, '(?:^\{|\), |\[\]?, )?([^{}]+?)=Assignment\(partitions=\[([^\]]*)\]', 0),
    lambda piece: struct_pack(
      member_id := regexp_extract(piece, '^(?:\{|\), )?(.+?)=Assignment\(', 1),
      topic_partitions := list_filter(string_split(regexp_extract(piece, 'partitions=\[([^\]]*)\]', 1), ', '),
        lambda name: name <> '')));

-- MAP fields[..] gives NULL for '' as well
CREATE OR REPLACE TEMP MACRO field(fields, name) AS nullif(fields[name], '');

CREATE OR REPLACE TEMP MACRO line_of(source, line, ts, message) AS
  struct_pack(source := source, line := line, ts := ts, message := message);
