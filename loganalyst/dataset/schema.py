"""The columns of the two tables of a dataset. Names, types and meanings are the contract with users."""

from __future__ import annotations

import pyarrow as pa

TIMESTAMP = pa.timestamp("us", tz="UTC")

EVENTS = pa.schema(
    [
        ("cluster", pa.string()),
        ("ts", TIMESTAMP),
        ("event", pa.string()),
        ("level", pa.string()),
        ("logger", pa.string()),
        ("role", pa.string()),
        ("client", pa.string()),
        ("group_id", pa.string()),
        ("group_type", pa.string()),
        ("generation", pa.int64()),
        ("epoch", pa.int64()),
        ("member_id", pa.string()),
        ("instance_id", pa.string()),
        ("client_id", pa.string()),
        ("pod", pa.string()),
        ("host", pa.string()),
        ("broker_id", pa.int64()),
        ("offsets_partition", pa.int64()),
        ("members", pa.int64()),
        ("static_members", pa.int64()),
        ("state", pa.string()),
        ("reason", pa.string()),
        ("error", pa.string()),
        ("topic_partitions", pa.list_(pa.string())),
        ("assignor", pa.string()),
        ("duration_ms", pa.float64()),
        ("fields", pa.map_(pa.string(), pa.string())),
        ("template", pa.string()),
        ("source", pa.string()),
        ("line", pa.int64()),
        ("message", pa.string()),
    ]
)
"""One row per log record that matters; see docs for the meaning of each column."""

SOURCES = pa.schema(
    [
        ("source", pa.string()),
        ("fingerprint", pa.string()),
        ("bytes", pa.int64()),
        ("lines", pa.int64()),
        ("records", pa.int64()),
        ("events", pa.int64()),
        ("continuation_lines", pa.int64()),
        ("foreign_lines", pa.int64()),
        ("undated_lines", pa.int64()),
        ("first_ts", TIMESTAMP),
        ("last_ts", TIMESTAMP),
        ("envelope", pa.string()),
        ("layout", pa.string()),
        ("timezone", pa.string()),
        ("ingested_at", TIMESTAMP),
        ("unknown_records", pa.int64()),
    ]
)
"""One row per source, as the view `sources` shows it (stored is one per committed byte range)."""

SCHEMA_VERSION = 1
"""Version of the stored tables; a dataset carries the version it was made with."""

STREAM = pa.field("stream", pa.string())
"""Identity of a source's content, the same after a rename, a rotation, a growth; internal."""

PARTITION = pa.field("date", pa.date32())
"""UTC date of `ts`, the partition of the stored events; NULL where `ts` is NULL; internal."""

STORED_EVENTS = EVENTS.append(STREAM).append(PARTITION)
"""The Delta table `events/`: the public columns and two that the view `events` hides."""

ACCOUNTS = pa.schema(
    [
        ("batch", pa.int64()),
        ("stream", pa.string()),
        ("start", pa.int64()),
        ("end", pa.int64()),
        *SOURCES,
        ("identity", pa.string()),
        ("state", pa.string()),
    ]
)
"""The Delta table `sources/`: one row per committed byte range (`start` to `end`, in decompressed bytes).

The counts of a row are what its range added: the counts of a source are the sums over its rows. `batch` is
the commit that made the range visible, `identity` (JSON) recognises the content again, `state` (JSON) is
what the reading of a tail goes on from.
"""
