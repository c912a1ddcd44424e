"""Whether one unwrapped file holds several processes, and then what to call them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from itertools import pairwise
from typing import Any

from loganalyst.envelopes.record import Record

__all__ = ["Processes"]

Row = dict[str, Any]

_LIMIT = 500
_TOGETHER = 10_000_000
"""Consumers of one process start together: within these microseconds."""

_BACK = 2_000_000
"""Time that goes back by more than this is another process's log that begins, not a race of threads."""

_STARTS = frozenset({"subscription_changed", "client_started", "client_version", "client_config"})
_MEMBERS = frozenset(
    {
        "join_started",
        "join_succeeded",
        "join_failed",
        "sync_succeeded",
        "leader_elected",
        "leave_sent",
        "member_state_changed",
        "partitions_assigned",
        "rebalance_noticed",
    }
)
"""Events of clients that are members of their group; others may only carry its name."""

_STREAM_THREAD = re.compile(r"(.+?)-(?:StreamThread|StateUpdater|GlobalStreamThread)(?:-.*)?")
_NUMBERED = re.compile(r"(.+)-(\d+)")
_RDKAFKA = re.compile(r"(.+)#(?:consumer|producer)-(\d+)")


@dataclass(slots=True)
class _Life:
    """What is known of one client id: when it was seen and started (epoch µs), where, and as what."""

    first: int
    last: int
    starts: list[int] = field(default_factory=list)
    groups: set[str] = field(default_factory=set)
    threads: set[str] = field(default_factory=set)
    serial: str | None = None
    worker: bool = False


@dataclass(slots=True)
class _Thread:
    """The clients that wrote under one thread name; `returns` counts an id coming back after another."""

    last: str
    ids: set[str]
    returns: int = 0


class Processes:
    """Gathers, line by line, what tells one process from several in a source without a wrapper.

    Several it is when two clients write in turns under one thread name, or share a group without showing
    their threads; when ids that differ in their number only (`orders-0`, `orders-1`) start again at different
    times; when ids stand on either side of a jump back in time (`kubectl logs -l` prints pod after pod); when
    two librdkafka clients are both the first of their process. Ids that start and restart together, each in
    a thread of its own, are one process: Spring's concurrency, Streams, a Connect worker with its tasks.
    """

    def __init__(self, state: Mapping[str, Any] | None = None) -> None:
        """`state` is what the lines before have taught, if there were any."""
        state = state or {}
        self._lives: dict[str, _Life] = {
            name: _Life(**{**life, "groups": set(life["groups"]), "threads": set(life["threads"])})
            for name, life in state.get("lives", {}).items()
        }
        self._threads: dict[str, _Thread] = {
            name: _Thread(thread["last"], set(thread["ids"]), thread["returns"])
            for name, thread in state.get("threads", {}).items()
        }
        self._since_jump: set[str] = set(state.get("since_jump", ()))
        self._before_jump: set[str] = set(state.get("before_jump", ()))
        self._now: int | None = state.get("now")

    def take(self, row: Row, record: Record) -> None:
        """Learn from a client's row (with its client id filled in)."""
        client_id, ts = row["client_id"], row["ts"]
        if row["role"] != "client" or client_id is None or ts is None:
            return
        life = self._lives.get(client_id)
        if life is None:
            if len(self._lives) >= _LIMIT:
                return
            life = self._lives[client_id] = _Life(ts, ts)
        life.first, life.last = min(life.first, ts), max(life.last, ts)
        life.worker = life.worker or row["client"] == "connect"
        if row["group_id"] and row["event"] in _MEMBERS:
            life.groups.add(row["group_id"])
        if row["event"] in _STARTS and (not life.starts or abs(ts - life.starts[-1]) > _TOGETHER):
            life.starts.append(ts)
            del life.starts[:-20]
        self._time(client_id, ts)
        if record.thread is not None:
            self._thread(client_id, life, record.thread, row["group_id"])

    def decide(self) -> bool:
        """Tell whether the source holds several processes, by all that was seen."""
        lives = self._lives
        if any(life.worker for life in lives.values()):
            # The consumers, producers and admin clients of a Connect worker are its own.
            lives = {name: life for name, life in lives.items() if life.worker}
        if len(lives) < 2:
            return False
        if self._before_jump and self._since_jump and self._before_jump.isdisjoint(self._since_jump):
            return True
        serials = [life.serial for life in lives.values() if life.serial]
        if len(serials) != len(set(serials)):
            return True
        if any(thread.returns > 1 for thread in self._threads.values()):
            return True
        bases: dict[str, list[_Life]] = {}
        groups: dict[str, dict[str, list[_Life]]] = {}
        for name, life in lives.items():
            if not _STREAM_THREAD.fullmatch(
                name
            ):  # threads by name; their restore consumers subscribe when they restore
                bases.setdefault(_base(name), []).append(life)
            for group in life.groups:
                groups.setdefault(group, {}).setdefault(_base(name), []).append(life)
        return any(map(_apart, bases.values())) or any(map(_side_by_side, groups.values()))

    def state(self) -> dict[str, Any]:
        """Return what has been learnt (JSON)."""
        return {
            "lives": {
                name: {**asdict(life), "groups": sorted(life.groups), "threads": sorted(life.threads)}
                for name, life in self._lives.items()
            },
            "threads": {
                name: {**asdict(thread), "ids": sorted(thread.ids)} for name, thread in self._threads.items()
            },
            "since_jump": sorted(self._since_jump),
            "before_jump": sorted(self._before_jump),
            "now": self._now,
        }

    def _time(self, client_id: str, ts: int) -> None:
        if self._now is not None and ts < self._now - _BACK:
            self._before_jump |= self._since_jump
            self._since_jump = set()
        self._now = ts
        self._since_jump.add(client_id)

    def _thread(self, client_id: str, life: _Life, thread: str, group: str | None) -> None:
        if named := _RDKAFKA.fullmatch(thread):
            life.serial = named[2]
            return
        if group is not None and group in thread:
            return  # a heartbeat thread is named after the group: all consumers of a process have that name
        life.threads.add(thread)
        if stream := _STREAM_THREAD.fullmatch(client_id):
            client_id = stream[1]  # a Streams thread writes for the consumers of its own and for the client
        known = self._threads.get(thread)
        if known is None:
            if len(self._threads) < _LIMIT:
                self._threads[thread] = _Thread(client_id, {client_id})
        elif known.last != client_id:
            known.returns += client_id in known.ids
            known.ids.add(client_id)
            known.last = client_id


def _base(client_id: str) -> str:
    """Return a client id without the number of its thread."""
    if thread := _STREAM_THREAD.fullmatch(client_id):
        return thread[1]
    if numbered := _NUMBERED.fullmatch(client_id):
        return numbered[1]
    return client_id


def _apart(lives: list[_Life]) -> bool:
    """Tell whether one of the ids started anew while another one went on without."""
    for one in lives:
        for start in one.starts:
            for other in lives:
                if other is one:
                    continue
                running = other.first < start - _TOGETHER and other.last > start + _TOGETHER
                with_it = any(abs(start - again) <= _TOGETHER for again in other.starts)
                if running and not with_it and start != one.starts[0]:
                    return True
    return False


def _side_by_side(bases: dict[str, list[_Life]]) -> bool:
    """Tell whether ids with different names lived at the same time in a group, without threads of their own.

    A process may take a new id at every start (Streams does): ids that follow each other are one process.
    """
    spans = []
    for lives in bases.values():
        threads = set().union(*(life.threads for life in lives))
        spans.append((min(life.first for life in lives), max(life.last for life in lives), threads))
    spans.sort(key=lambda span: span[:2])
    for one, other in pairwise(spans):
        apart = bool(one[2] and other[2]) and one[2].isdisjoint(other[2])
        if other[0] < one[1] and not apart:
            return True
    return False
