"""What the columns of `events` and `sources` mean: shown as comments in DuckDB and in the docs."""

from __future__ import annotations

__all__ = ["COMMENTS"]

_EVENTS = {
    "cluster": "Name of the Kafka cluster, as given with --cluster",
    "ts": "When the record was written, by its writer's clock (UTC); NULL where no date can be told",
    "event": "What happened: a name of the event vocabulary",
    "level": "Log level of the record, upper case",
    "logger": "Logger (or librdkafka facility) as printed",
    "role": "Who wrote it: broker, controller, client or tool",
    "client": "Client library (java, streams, connect, librdkafka, ...); NULL for brokers",
    "group_id": "Consumer group",
    "group_type": "classic, consumer, share or streams, as the group was at that moment",
    "generation": "Generation of a classic group, as printed",
    "epoch": "Epoch of a KIP-848, share or streams group; leader epoch of an offsets partition",
    "member_id": "Member id as logged",
    "instance_id": "group.instance.id of a static member",
    "client_id": "client.id as logged",
    "pod": "The process that wrote the line",
    "host": "Host of the member, as the broker saw it",
    "broker_id": "Broker that wrote the line, or that the line is about",
    "offsets_partition": "Partition of __consumer_offsets",
    "members": "Number of members, where the line says it",
    "static_members": "Number of static members, where the line says it",
    "state": "State that was entered",
    "reason": "Why, in the words of the writer",
    "error": "Kafka error in its protocol spelling, however the client worded it",
    "topic_partitions": "Partitions as topic-partition names",
    "assignor": "Partition assignor (protocol name)",
    "duration_ms": "Duration that the line prints, in milliseconds",
    "fields": "Every named value of the line as text, by name; detail_event holds the finer kind",
    "template": "Id of the statement of the catalogue",
    "source": "The file, as given and below",
    "line": "First line of the record in the decompressed file, from 1",
    "message": "Text of the record without its header",
}

_SOURCES = {
    "source": "The file, as given and below",
    "fingerprint": "Identity of the content",
    "bytes": "Decompressed bytes read",
    "lines": "Physical lines; the sum of the classes below",
    "records": "Lines that begin a record with a known time",
    "events": "Records that became events",
    "continuation_lines": "Lines that belong to the record above them",
    "foreign_lines": "Lines that belong to no record: banners, blanks, other tools",
    "undated_lines": "Lines that begin a record whose date is not known",
    "first_ts": "Earliest time of a record",
    "last_ts": "Latest time of a record",
    "envelope": "Wrapper around the lines",
    "layout": "Header layout of the records",
    "timezone": "Time zone the times were read in, and why",
    "ingested_at": "When the last part was read",
    "unknown_records": "Records that hold words of a known statement and yet match none",
}

COMMENTS = {
    "events": ("One row per log record that matters", _EVENTS),
    "sources": ("One row per source: what was read and how each line counted", _SOURCES),
}
"""View → (what a row is, column → meaning)."""
