"""Events in, rows out: a DuckDB session in which the shipped views read the events of a test."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any

import duckdb
import pyarrow as pa

from loganalyst.dataset.schema import EVENTS, SOURCES
from loganalyst.dataset.views import Query, load_queries, provide

START = datetime(2026, 12, 1, 10, 0, 0, tzinfo=UTC)


def at(seconds: float) -> datetime:
    """Return the moment `seconds` after the beginning of the test's logs."""
    return START + timedelta(seconds=seconds)


@cache
def _queries() -> dict[str, Query]:
    return load_queries()


class Log:
    """Collects events, with what they have in common filled in: `line` counts up within a source."""

    def __init__(self) -> None:
        self.events: list[dict[str, Any]] = []

    def broker(self, number: int, seconds: float | None, event: str, **columns: Any) -> None:
        """Add a line of a broker's log."""
        self._add(f"broker-{number}.log", "broker", seconds, event, {"broker_id": number, **columns})

    def controller(self, seconds: float, event: str, **columns: Any) -> None:
        """Add a line of the controller's log."""
        self._add("controller.log", "controller", seconds, event, columns)

    def client(self, pod: str, seconds: float | None, event: str, **columns: Any) -> None:
        """Add a line of a Java consumer of group `orders` in `pod`."""
        common = {"pod": pod, "client_id": pod, "client": "java", "group_id": "orders"}
        self._add(f"{pod}.log", "client", seconds, event, {**common, **columns})

    def tool(self, source: str, **columns: Any) -> None:
        """Add a row of a tool dump."""
        self._add(source, "tool", None, "other", columns)

    def _add(
        self, source: str, role: str, seconds: float | None, event: str, columns: dict[str, Any]
    ) -> None:
        row: dict[str, Any] = dict.fromkeys(EVENTS.names)
        row.update(
            role=role,
            source=source,
            event=event,
            ts=None if seconds is None else at(seconds),
            line=1 + sum(other["source"] == source for other in self.events),
            message=" ".join([event, *(f"{name}={value}" for name, value in columns.items())]),
        )
        row.update(columns)
        row["fields"] = list((row["fields"] or {}).items())
        self.events.append(row)

    def rows(self, view: str, order: str | None = None) -> list[dict[str, Any]]:
        """Return the rows of `view` over the events, in the order of `order`."""
        connection = duckdb.connect()
        connection.execute("SET TimeZone = 'UTC'")
        connection.register("given", pa.Table.from_pylist(self.events, schema=EVENTS))
        connection.execute("CREATE TEMP TABLE events AS FROM given")
        connection.register("no_sources", pa.Table.from_pylist([], schema=SOURCES))
        connection.execute("CREATE TEMP TABLE sources AS FROM no_sources")
        provide(connection, [view], _queries())
        tail = f" ORDER BY {order}" if order else ""
        result = connection.execute(f'SELECT * FROM "{view}"{tail}')
        names = [column[0] for column in result.description]
        return [dict(zip(names, row, strict=True)) for row in result.fetchall()]


def moments(rows: Iterable[dict[str, Any]], column: str) -> list[float | None]:
    """Return a column of times as seconds since the beginning."""
    return [None if row[column] is None else (row[column] - START).total_seconds() for row in rows]
