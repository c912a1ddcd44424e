"""Whether one unwrapped file holds several processes, and then what to call them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
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
_STREAM_THREAD = re.compile(r"(.+)-StreamThread-\d+(?:-.*)?")
_NUMBERED = re.compile(r"(.+)-(\d+)")
_CONNECT_TASK = re.compile(r"connector-(?:consumer|producer|adminclient|dlq-producer)-.+")
_RDKAFKA = re.compile(r"(.+)#(?:consumer|producer)-(\d+)")


@dataclass(slots=True)
class _Life:
    """When a client id was first and last seen (epoch µs), and when it started (anew)."""

    group: str | None = None
    first: int | None = None
    last: int | None = None
    starts: list[int] = field(default_factory=list)
    serial: str | None = None


class Processes:
    """Gathers, line by line, what tells one process from several in a source without a wrapper.

    Several it is when client ids with different names are in one group at the same time; when ids that
    differ in their number only (`orders-0`, `orders-1`) start again at different times, or stand on both
    sides of a jump back in time (`kubectl logs -l` prints pod after pod); when two librdkafka clients are
    both the first of their process. Numbered ids that start and restart together are threads of one process
    (Spring's concurrency, Streams).
    """

    def __init__(self, state: Mapping[str, Any] | None = None) -> None:
        """`state` is that of the range before, if there is one."""
        state = state or {}
        self.several: bool = bool(state.get("several", False))
        self._lives: dict[str, _Life] = {name: _Life(**life) for name, life in state.get("lives", {}).items()}
        self._since_jump: set[str] = set(state.get("since_jump", ()))
        self._before_jump: set[str] = set(state.get("before_jump", ()))
        self._now: int | None = state.get("now")

    def take(self, row: Row, record: Record) -> None:
        """Learn from a client's row (with its client id filled in)."""
        client_id = row["client_id"]
        if self.several or row["role"] != "client" or client_id is None or _CONNECT_TASK.fullmatch(client_id):
            return
        if len(self._lives) >= _LIMIT and client_id not in self._lives:
            return
        life = self._lives.setdefault(client_id, _Life())
        if row["group_id"]:
            life.group = row["group_id"]
        if record.thread and (named := _RDKAFKA.fullmatch(record.thread)):
            life.serial = named[2]
        ts = row["ts"]
        if ts is None:
            return
        if self._now is not None and ts < self._now - _BACK:
            self._before_jump |= self._since_jump
            self._since_jump = set()
        self._now = ts
        self._since_jump.add(client_id)
        life.first = ts if life.first is None else min(life.first, ts)
        life.last = ts if life.last is None else max(life.last, ts)
        if row["event"] in _STARTS and (not life.starts or ts - life.starts[-1] > _TOGETHER):
            life.starts.append(ts)
            del life.starts[:-20]

    def decide(self) -> bool:
        """Tell whether the source holds several processes; once it does, it does for good."""
        self.several = self.several or self._several()
        return self.several

    def state(self) -> dict[str, Any]:
        """Return what has been learnt, for the next range of the source (JSON)."""
        if self.several:
            return {"several": True}
        return {
            "several": False,
            "lives": {
                name: {
                    "group": life.group,
                    "first": life.first,
                    "last": life.last,
                    "starts": life.starts,
                    "serial": life.serial,
                }
                for name, life in self._lives.items()
            },
            "since_jump": sorted(self._since_jump),
            "before_jump": sorted(self._before_jump),
            "now": self._now,
        }

    def _several(self) -> bool:
        if len(self._lives) < 2:
            return False
        if self._before_jump and self._since_jump and not (self._before_jump & self._since_jump):
            return True
        serials = [life.serial for life in self._lives.values() if life.serial]
        if len(serials) != len(set(serials)):
            return True
        bases: dict[str, list[_Life]] = {}
        groups: dict[str, set[str]] = {}
        for name, life in self._lives.items():
            base = _base(name)
            bases.setdefault(base, []).append(life)
            if life.group:
                groups.setdefault(life.group, set()).add(base)
        if any(self._overlap(names) for names in groups.values()):
            return True
        return any(_apart(lives) for lives in bases.values())

    def _overlap(self, bases: set[str]) -> bool:
        """Tell whether ids with different names lived at the same time.

        A process may take a new id at every start (Streams does): ids that follow each other are one process.
        """
        spans: dict[str, tuple[int, int]] = {}
        for name, life in self._lives.items():
            base = _base(name)
            if base in bases and life.first is not None and life.last is not None:
                low, high = spans.get(base, (life.first, life.last))
                spans[base] = (min(low, life.first), max(high, life.last))
        ordered = sorted(spans.values())
        return any(after[0] < before[1] for before, after in pairwise(ordered))


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
                if other is one or other.first is None or other.last is None:
                    continue
                running = other.first < start - _TOGETHER and other.last > start + _TOGETHER
                with_it = any(abs(start - again) <= _TOGETHER for again in other.starts)
                if running and not with_it and start != one.starts[0]:
                    return True
    return False
