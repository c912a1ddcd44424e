"""Group, member and client id for lines that lack them, from neighbouring lines of the same client.

librdkafka names its group in every tenth line only, Java's assignors and `ConsumerUtils` print no prefix,
Go and Python leaders say "elected" without saying where. What such a line lacks is taken from the lines
around it that are surely of the same client: the same client name, else the same thread, else the only client
that the source has. Where two answers are possible, none is given.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
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


@dataclass(slots=True)
class _Process:
    """The clients of one process by name (`""` for one that prints no name), and which threads are whose."""

    clients: dict[str, _Client] = field(default_factory=dict)
    threads: dict[str, str] = field(default_factory=dict)
    brokers: set[int] = field(default_factory=set)
    role: str | None = None

    @property
    def broker_id(self) -> int | None:
        """The broker's id, if it is the log of one."""
        return next(iter(self.brokers)) if len(self.brokers) == 1 else None

    def only(self) -> _Client | None:
        """Return the client, if there is but one."""
        return next(iter(self.clients.values())) if len(self.clients) == 1 else None

    def only_group(self) -> str | None:
        """Return the group, if all clients that have one are in the same."""
        groups = {group for client in self.clients.values() for group in client.groups}
        return groups.pop() if len(groups) == 1 else None

    def named(self, name: str) -> _Client:
        """Return the client of a name, made if it is new; the nameless one gets the first name that comes."""
        client = self.clients.get(name)
        if client is None:
            nameless = self.clients.pop("", None) if len(self.clients) == 1 else None
            client = self.clients[name] = nameless or _Client()
            _bound(self.clients)
        return client


class Carry:
    """Walks over the rows of one source in line order and fills what they lack.

    `take` is called with each row and its record; rows that nothing before them explains wait until `settle`,
    when what came after them counts too.
    """

    def __init__(self, state: Mapping[str, Any] | None = None) -> None:
        """`state` is what the lines before have taught, if there were any."""
        state = state or {}
        self._processes: dict[str, _Process] = {
            pod: _Process(
                clients={name: _Client(**client) for name, client in process["clients"].items()},
                threads=dict(process["threads"]),
                brokers=set(process["brokers"]),
                role=process["role"],
            )
            for pod, process in state.get("processes", {}).items()
        }
        self._types: dict[str, str] = dict(state.get("types", {}))
        self._waiting: list[tuple[Row, str | None]] = []

    def take(self, row: Row, record: Record) -> None:
        """Learn from a row, and fill it."""
        process = self._processes.setdefault(row["pod"] or "", _Process())
        if row["role"] == "client":
            self._client_row(row, record, process)
        elif row["role"] in ("broker", "controller"):
            self._broker_row(row, process)
        sort_out_epochs(row)

    def settle(self) -> None:
        """Fill the rows that wait from what came after them; call it before the rows are given out."""
        for row, name in self._waiting:
            process = self._processes[row["pod"] or ""]
            if row["role"] != "client":
                row["broker_id"] = process.broker_id
                continue
            client = process.clients.get(name) if name is not None else process.only()
            if client is not None:
                _fill(row, client, member=False)
            if client is not None or process.clients:
                if row["client"] == "streams" and row["group_id"] is None:
                    # The application's id is the group of all its threads.
                    row["group_id"] = process.only_group()
                sort_out_epochs(row)
            elif process.role is not None:
                # A broker's own clients and its network code log like those of an application.
                row["role"], row["client"] = process.role, None
                if row["broker_id"] is None:
                    row["broker_id"] = process.broker_id
        self._waiting.clear()

    def state(self) -> dict[str, Any]:
        """Return what has been learnt (JSON)."""
        return {
            "processes": {
                pod: {
                    "clients": {name: asdict(client) for name, client in process.clients.items()},
                    "threads": process.threads,
                    "brokers": sorted(process.brokers),
                    "role": process.role,
                }
                for pod, process in self._processes.items()
            },
            "types": self._types,
        }

    def _client_row(self, row: Row, record: Record, process: _Process) -> None:
        name, thread = _names(row, record)
        client: _Client | None
        if name is not None:
            client = process.named(name)
            if thread is not None:
                process.threads[thread] = name
                _bound(process.threads)
        elif thread is not None and thread in process.threads:
            name = process.threads[thread]
            client = process.clients.get(name)
        else:
            client = process.only()
            if client is None and not process.clients and row["group_id"]:
                # A client that prints no id (kafka-go, kafka-python): the process is all there is.
                client = process.named("")
        if client is None:
            self._waiting.append((row, name))
            return
        member = row["member_id"]
        _learn(client, row)
        _fill(row, client, member=True)
        if row["event"] in _FORGETS_MEMBER:
            client.member_id = None
        elif member:
            client.member_id = member
        if row["group_id"] is None or row["client_id"] is None or row["group_type"] is None:
            self._waiting.append((row, name))

    def _broker_row(self, row: Row, process: _Process) -> None:
        process.role = process.role or row["role"]
        if row["broker_id"] is None:
            self._waiting.append((row, None))
        elif any(name == "broker_id" for name, _ in row["fields"]):
            process.brokers.add(row["broker_id"])
        group, kind = row["group_id"], row["group_type"]
        if group is None:
            return
        known = self._types.get(group)
        if kind is None:
            row["group_type"] = known
        elif kind == "consumer" and known in ("share", "streams") and row["event"] != "group_converted":
            # The lines that all groups with epochs share say "consumer" for want of a better word.
            row["group_type"] = known
        else:
            self._types[group] = kind
            _bound(self._types)


def _learn(client: _Client, row: Row) -> None:
    group = row["group_id"]
    if group and group not in client.groups:
        client.groups.append(group)
        del client.groups[2:]
    for column in ("client_id", "instance_id", "group_type"):
        if row[column]:
            setattr(client, column, row[column])


def _fill(row: Row, client: _Client, *, member: bool) -> None:
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
