-- name: log_gaps
-- row: a silence of a source where lines were due
-- grain: cluster, source, started_at
-- about: Quiet logs are no gaps. A silence is one only where something else tells that the source should have spoken: another source shows
--   the same process at work in it (a broker's line names a member or the pod's consumer answers; consumers or other brokers were
--   served by the broker), or the source printed regularly (at least twenty lines, at no more than a tenth of the silence apart)
--   and goes on afterwards, or it is a broker that stopped in the middle without shutting down while others went on. From the
--   events alone: lines that are no events fill a silence unseen.
-- column: cluster VARCHAR - cluster
-- column: source VARCHAR - path of the source
-- column: started_at TIMESTAMPTZ - last line before
-- column: ended_at TIMESTAMPTZ - first line after; NULL if the source ends there
-- column: evidence STRUCT(source VARCHAR, line BIGINT, ts TIMESTAMPTZ, message VARCHAR)[] - last line before, what proves it, first line after
-- uses: events, corrected_offsets, sources, broker_downs

SELECT NULL::VARCHAR AS cluster, NULL::VARCHAR AS source, NULL::TIMESTAMPTZ AS started_at, NULL::TIMESTAMPTZ AS ended_at,
  []::STRUCT(source VARCHAR, line BIGINT, ts TIMESTAMPTZ, message VARCHAR)[] AS evidence
FROM events WHERE false
