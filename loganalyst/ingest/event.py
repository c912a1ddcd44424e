"""One matched record becomes one row of the events table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from loganalyst.catalogue import Match, Statement
from loganalyst.catalogue.errors import protocol_name as _uncached_protocol_name
from loganalyst.dataset.schema import EVENTS
from loganalyst.envelopes.record import Record
from loganalyst.ingest.grouptype import group_type
from loganalyst.ingest.partitions import partition_list
from loganalyst.ingest.values import broker_of_node, duration_ms, host_name, number, unwrap

__all__ = ["SourceFacts", "sort_out_epochs", "text_of", "to_event"]

MESSAGE_LIMIT = 16_384
"""Characters of a message that are kept; what is cut off is counted in its last line."""

_FRAMES = ("\n\tat ", "\n    at ", "\n        at ", "\n\t... ", "\nTraceback (most recent", "\ngoroutine ")
"""How the frames of a stack trace begin: Java, .NET and node, Java's "... 12 more", Python, Go."""


@dataclass(frozen=True, slots=True)
class SourceFacts:
    """What is known about a source as a whole: its name, its cluster, the process if it is of one."""

    source: str
    cluster: str | None = None
    pod: str | None = None


Converter = Callable[[str], Any]

protocol_name = lru_cache(maxsize=4096)(_uncached_protocol_name)
"""Clients say the same words a thousand times a second."""

_COLUMNS: dict[str, tuple[Converter, tuple[str, ...]]] = {
    "group_id": (unwrap, ("group_id",)),
    "generation": (number, ("generation", "generation_id")),
    "epoch": (number, ("epoch", "member_epoch", "group_epoch", "leader_epoch")),
    "member_id": (unwrap, ("member_id", "new_member_id")),
    "instance_id": (unwrap, ("instance_id",)),
    "client_id": (unwrap, ("client_id",)),
    "offsets_partition": (number, ("offsets_partition",)),
    "members": (number, ("members",)),
    "static_members": (number, ("static_members",)),
    "state": (unwrap, ("state", "to_state")),
    "reason": (unwrap, ("reason", "why", "cause")),
    "assignor": (unwrap, ("assignor", "protocol_name")),
    "duration_ms": (duration_ms, ("duration_ms", "time_ms", "elapsed_ms")),
}
"""Column → how a value is read, and the holes that may hold it, best first."""

_BROKER = ("broker_id", "coordinator_node_id", "coordinator_node", "coordinator_id", "broker")
_HOST = ("client_host", "host")
_ERROR = (
    "error",
    "error_name",
    "error_message",
    "cause",
    "reason",
    "detail",
    "exception",
    "message",
    "code",
    "last_error",
)
_PARTITIONS = ("topic_partitions", "topic_partition")
_PARTITIONS_BY_EVENT = {
    "partitions_assigned": (
        "added_partitions",
        "added",
        "assigned_partitions",
        "assigned",
        "assignment",
        "partitions",
    ),
    "partitions_revoked": ("revoked_partitions", "revoked", "partitions"),
    "partitions_lost": ("lost_partitions", "lost", "partitions"),
    "assignment_diff": ("assigned_partitions", "assigned"),
    "target_assignment_received": ("assigned_partitions", "assigned", "updated_assignment", "assignment"),
    "member_assignment_changed": ("assigned_partitions",),
    "sync_succeeded": ("assigned_partitions", "assigned", "assignment", "partitions"),
    "join_succeeded": ("member_assignment", "assignment"),
}
_ERRORS_IN_MESSAGE = frozenset(
    {
        "coordinator_unavailable",
        "fenced",
        "heartbeat_failed",
        "instance_fenced",
        "join_failed",
        "leave_failed",
        "offset_commit_failed",
        "sync_failed",
    }
)
"""Events of clients whose wording may itself be the error, without a hole for it."""

_BLANK: dict[str, Any] = dict.fromkeys(EVENTS.names)


def text_of(message: str) -> str:
    """Return a message without the frames of a stack trace below it, and not longer than `MESSAGE_LIMIT`.

    The exception's own line stays: it says what was refused.
    """
    if "\n" in message:
        found = [at for frame in _FRAMES if (at := message.find(frame)) >= 0]
        if found:
            message = message[: min(found)]
    if len(message) > MESSAGE_LIMIT:
        return f"{message[:MESSAGE_LIMIT]}\n… {len(message) - MESSAGE_LIMIT} characters more"
    return message


def to_event(record: Record, match: Match, source: SourceFacts) -> dict[str, Any]:
    """Make the row (all columns of `EVENTS`) of a record and the statement it matched.

    Unknown is None throughout: -1, `null`, `None`, `Optional.empty` and empty ids are unknown. `broker_id` is
    the real id, `host` a plain name or address; the raw words of all of them stay in `fields`, the words of
    an error in `fields['error_text']`. Lines that lack group, member or client get them later, see
    `carry.py`.
    """
    statement, values = match.statement, match.values
    row = _BLANK.copy()
    wrapper = record.wrapper
    row["cluster"] = source.cluster
    row["ts"] = record.ts
    row["event"] = statement.event
    row["level"] = record.level
    row["logger"] = record.logger
    row["role"] = statement.role
    row["client"] = statement.client
    row["pod"] = wrapper.pod if wrapper is not None and wrapper.pod else source.pod
    row["template"] = statement.id
    row["source"] = source.source
    row["line"] = record.line
    row["message"] = text_of(record.message)
    for column, read, hole in _plan(tuple(values)):
        if row[column] is None:
            row[column] = read(values[hole])
    row["broker_id"] = _first(values, _BROKER, broker_of_node)
    row["host"] = _host(statement, values, record)
    row["group_type"] = _group_type(statement, values, row["group_id"])
    row["topic_partitions"] = _partitions(statement, values)
    sort_out_epochs(row)
    fields = dict(values)
    row["error"] = _error(statement, values, row["message"], fields)
    if statement.detail_event:
        fields["detail_event"] = statement.detail_event
    row["fields"] = list(fields.items())
    return row


@lru_cache(maxsize=4096)
def _plan(holes: tuple[str, ...]) -> tuple[tuple[str, Converter, str], ...]:
    """Return column, reader and hole of all columns that these holes may fill, the best hole first."""
    return tuple(
        (column, read, hole) for column, (read, names) in _COLUMNS.items() for hole in names if hole in holes
    )


def _first(values: Mapping[str, str], holes: tuple[str, ...], read: Converter) -> Any:
    for hole in holes:
        if hole in values and (value := read(values[hole])) is not None:
            return value
    return None


def _group_type(statement: Statement, values: Mapping[str, str], group_id: str | None) -> str | None:
    """The type of the group; a broker's line about no group has none, a client's may get its group later."""
    return None if group_id is None and statement.role != "client" else group_type(statement, values)


def _host(statement: Statement, values: Mapping[str, str], record: Record) -> str | None:
    """The member's host as the broker saw it; on lines of clients the machine that the wrapper names."""
    if statement.role == "broker" and (host := _first(values, _HOST, host_name)):
        return str(host)
    return record.wrapper.host if record.wrapper is not None and statement.role != "broker" else None


def _partitions(statement: Statement, values: Mapping[str, str]) -> list[str] | None:
    for hole in (*_PARTITIONS, *_PARTITIONS_BY_EVENT.get(statement.event, ())):
        if hole in values and (found := partition_list(values[hole])) is not None:
            return found
    topic, partition = values.get("topic"), values.get("partition")
    if topic and partition and partition.isdigit():
        return [f"{topic}-{partition}"]
    return None


def sort_out_epochs(row: dict[str, Any]) -> None:
    """Put the number of a row into the right column, once its group type is known.

    A classic group counts generations, every other kind epochs, whatever the client calls it. Rows without a
    group keep their epoch: it is the leader epoch of an offsets partition.
    """
    kind = row["group_type"]
    if kind in ("consumer", "share", "streams"):
        if row["epoch"] is None:
            row["epoch"] = row["generation"]
        row["generation"] = None
    elif kind == "classic" and row["group_id"] is not None:
        row["epoch"] = None


def _error(
    statement: Statement, values: Mapping[str, str], message: str, fields: dict[str, str]
) -> str | None:
    said = None
    for hole in _ERROR:
        text = unwrap(values[hole]) if hole in values else None
        if text is None:
            continue
        if name := protocol_name(text):
            if text != name:
                fields["error_text"] = text
            return name
        if hole == "error":
            said = text
    if said is not None:
        fields["error_text"] = said
    if statement.role == "client" and statement.event in _ERRORS_IN_MESSAGE:
        return protocol_name(message)
    return None
