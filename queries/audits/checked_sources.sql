-- name: checked_sources
-- row: one source, with what the audits measure on it
-- grain: source, fingerprint
-- about: The account of each source beside what the events say of it.
-- column: source VARCHAR - name of the source
-- column: fingerprint VARCHAR - its content's identity
-- column: lines BIGINT - lines of it
-- column: unaccounted BIGINT - lines that stand in no class, or (negative) in two
-- column: least BIGINT - the smallest of its counts; negative is impossible
-- column: events BIGINT - events, by its account
-- column: stored_events BIGINT - events, counted
-- column: first_ts TIMESTAMPTZ - first time in it
-- column: last_ts TIMESTAMPTZ - last time in it
-- column: span_ms DOUBLE in ms - last minus first time
-- column: undated_percent DOUBLE in percent - share of its records whose date is unknown; NULL where no event needs one (tables of tools, no events)
-- column: foreign_percent DOUBLE in percent - share of its lines that belong to no record
-- column: unknown_percent DOUBLE in percent - share, over all sources, of the records with words of a known statement that match none
-- column: quiet_ms DOUBLE in ms - time from its last line to now
-- uses: events, sources
WITH counted AS (
  SELECT source, count(*)::BIGINT AS events, bool_and(role = 'tool') AS is_table FROM events GROUP BY source
),
shared AS (SELECT source, sum(events)::BIGINT AS events FROM sources GROUP BY source)
SELECT
  s.source, s.fingerprint, s.lines,
  (s.lines - s.records - s.continuation_lines - s.foreign_lines - s.undated_lines)::BIGINT AS unaccounted,
  least(s.bytes, s.lines, s.records, s.events, s.continuation_lines, s.foreign_lines, s.undated_lines) AS least,
  shared.events, coalesce(c.events, 0)::BIGINT AS stored_events, s.first_ts, s.last_ts,
  (epoch_us(s.last_ts) - epoch_us(s.first_ts)) / 1000.0 AS span_ms,
  CASE WHEN NOT c.is_table THEN 100.0 * s.undated_lines / nullif(s.undated_lines + s.records, 0) END AS undated_percent,
  100.0 * s.foreign_lines / nullif(s.lines, 0) AS foreign_percent,
  100.0 * sum(s.unknown_records) OVER () / nullif(sum(s.unknown_records + s.events) OVER (), 0) AS unknown_percent,
  (epoch_us(now()) - epoch_us(s.last_ts)) / 1000.0 AS quiet_ms
FROM sources s JOIN shared USING (source) LEFT JOIN counted c ON c.source = s.source
