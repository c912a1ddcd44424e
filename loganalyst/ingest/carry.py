"""Group, member and client id for lines that lack them, from neighbouring lines of the same client.

librdkafka names its group in every tenth line only, Java's assignors and `ConsumerUtils` print no prefix,
Go and Python leaders say "elected" without saying where. What such a line lacks is taken from the lines
around it that are surely of the same client: the same client name, else the same thread, else the only client
that the source has. Where two answers are possible, none is given.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from loganalyst.envelopes.record import Record
from loganalyst.ingest.event import sort_out_epochs

__all__ = ["Carry"]

Row = dict[str, Any]

_LIMIT = 2_000
"""Clients and threads that are remembered for a source."""

_FORGETS_MEMBER = frozenset(
    {"generation_reset", "fenced", "instance_fenced", "leave_succeeded", "client_started"}
)
"""After these a client has no member id, or not this one any more."""

_KNOWS_MEMBER = frozenset({"join_succeeded", "sync_succeeded", "member_id_assigned", "member_state_changed"})
_CARRIED = ("group_id", "client_id", "instance_id", "member_id", "group_type")


@dataclass(slots=True)
class _Client:
    """What the lines of one client have said so far. `groups` are all groups it was ever seen with."""

    client_id: str | None = None
    instance_id: str | None = None
    member_id: str | None = None
    group_type: str | None = None
    groups: list[str] = field(default_factory=list)

    @property
    def group_id(self) -> str | None:
        return self.groups[0] if len(self.groups) == 1 else None


class Carry:
    """Walks over the rows of one source in line order and fills what they lack.

    `take` is called with each row and its record; rows that nothing before them explains wait until a later
    line does, or until `settle`. `state()` is what the reading of a tail of the source goes on from (JSON).
    """

    def __init__(self, state: Mapping[str, Any] | None = None) -> None:
        """`state` is that of the range before, if there is one."""
        self._clients: dict[str, _Client] = {}
        self._threads: dict[str, str] = {}
        self._brokers: dict[str, int] = {}
        self._types: dict[str, str] = {}
        self._waiting: list[tuple[Row, str | None]] = []
        for name, values in (state or {}).get("clients", {}).items():
            self._clients[name] = _Client(**values)
        self._threads.update((state or {}).get("threads", {}))
        self._brokers.update((state or {}).get("brokers", {}))
        self._types.update((state or {}).get("types", {}))

    def take(self, row: Row, record: Record) -> None:
        """Learn from a row, and fill it."""
        if row["role"] == "client":
            self._client_row(row, record)
        elif row["role"] in ("broker", "controller"):
            self._broker_row(row)
        sort_out_epochs(row)

    def settle(self) -> None:
        """Fill the rows that wait from what came after them; call it when the rows are about to be written."""
        for row, key in self._waiting:
            client = self._clients.get(key) if key else self._only(row["pod"])
            if client is not None:
                self._fill(row, client, member=False)
                sort_out_epochs(row)
        self._waiting.clear()

    def state(self) -> dict[str, Any]:
        """Return what has been learnt, for the next range of the source."""
        return {
            "clients": {
                name: {
                    "client_id": client.client_id,
                    "instance_id": client.instance_id,
                    "member_id": client.member_id,
                    "group_type": client.group_type,
                    "groups": client.groups,
                }
                for name, client in self._clients.items()
            },
            "threads": dict(self._threads),
            "brokers": dict(self._brokers),
            "types": dict(self._types),
        }

    def _client_row(self, row: Row, record: Record) -> None:
        name, thread = _names(row, record)
        pod = row["pod"] or ""
        if name is not None:
            key = f"{pod}\n{name}"
            client = self._clients.get(key)
            if client is None:
                client = self._clients[key] = _Client()
                _bound(self._clients)
            if thread is not None:
                self._threads[f"{pod}\n{thread}"] = key
                _bound(self._threads)
        elif thread is not None and (known := self._threads.get(f"{pod}\n{thread}")):
            key = known
            client = self._clients.get(key)
        else:
            key = None
            client = self._only(pod)
        if client is None:
            if name is None and thread is None and row["group_id"]:
                # A client that prints neither its id nor its thread (kafka-go, sarama): the process is the key.
                client = self._clients[f"{pod}\n"] = _Client()
            else:
                self._waiting.append((row, key))
                return
        member = row["member_id"]
        if key is not None or name is None:
            self._learn(client, row, sure=name is not None or key is not None or len(self._clients) == 1)
        self._fill(row, client, member=True)
        if row["event"] in _FORGETS_MEMBER and row["event"] not in _KNOWS_MEMBER:
            client.member_id = None
        elif member:
            client.member_id = member
        if row["group_id"] is None or row["client_id"] is None:
            self._waiting.append((row, key))

    def _broker_row(self, row: Row) -> None:
        pod = row["pod"] or ""
        if row["broker_id"] is None:
            row["broker_id"] = self._brokers.get(pod)
        elif row["fields"] and any(name == "broker_id" for name, _ in row["fields"]):
            self._brokers[pod] = row["broker_id"]
        group = row["group_id"]
        if group is None:
            return
        if row["group_type"] is None:
            row["group_type"] = self._types.get(group)
        else:
            kind = row["group_type"]
            known = self._types.get(group)
            if kind == "consumer" and known in ("share", "streams") and row["event"] != "group_converted":
                # The lines that all groups with epochs share say "consumer" for want of a better word.
                row["group_type"] = known
            else:
                self._types[group] = kind
                _bound(self._types)

    def _only(self, pod: str | None) -> _Client | None:
        """Return the client of a process that has but one."""
        own = [client for key, client in self._clients.items() if key.partition("\n")[0] == (pod or "")]
        return own[0] if len(own) == 1 else None

    def _learn(self, client: _Client, row: Row, *, sure: bool) -> None:
        if not sure:
            return
        if row["group_id"] and row["group_id"] not in client.groups:
            client.groups.append(row["group_id"])
            del client.groups[2:]
        for column in ("client_id", "instance_id", "group_type"):
            if row[column]:
                setattr(client, column, row[column])

    def _fill(self, row: Row, client: _Client, *, member: bool) -> None:
        for column in _CARRIED:
            if row[column] is None and (member or column != "member_id"):
                row[column] = getattr(client, column)


def _names(row: Row, record: Record) -> tuple[str | None, str | None]:
    """Return the client's name (id, or librdkafka's `id#consumer-1`) and the thread of a line."""
    thread = record.thread
    if thread is not None and "#" in thread:
        client_id, _, instance = thread.rpartition("#")
        if instance.startswith(("consumer-", "producer-")):
            if row["client_id"] is None:
                row["client_id"] = client_id
            return thread, None
    return row["client_id"], thread


def _bound(known: dict[str, Any]) -> None:
    while len(known) > _LIMIT:
        del known[next(iter(known))]
