"""The SQL of the views `events` and `sources` over the files that one snapshot of a dataset names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from loganalyst.dataset.schema import EVENTS, SOURCES, STREAM
from loganalyst.dataset.store import Store

__all__ = ["EVERYTHING", "Window", "events_sql", "sources_sql", "wanted_files"]

_TYPES = {
    "string": "VARCHAR",
    "int64": "BIGINT",
    "double": "DOUBLE",
    "timestamp[us, tz=UTC]": "TIMESTAMPTZ",
    "list<item: string>": "VARCHAR[]",
    "map<string, string>": "MAP(VARCHAR, VARCHAR)",
}


@dataclass(frozen=True, slots=True)
class Window:
    """What part of the events is asked for: `since` ≤ ts < `until`, and a group.

    Rows that belong to no group (a coordinator's moves, a broker's start) stay with any group. Rows without
    a time are left out when a time is asked for.
    """

    since: datetime | None = None
    until: datetime | None = None
    group: str | None = None


EVERYTHING = Window()
"""All events."""


def wanted_files(store: Store, window: Window = EVERYTHING) -> list[dict[str, Any]]:
    """Return the files of events (as `Store.event_files` describes them) that may hold rows of `window`."""
    return [file for file in store.event_files() if _wanted(file, window)]


def events_sql(store: Store, files: Sequence[Mapping[str, Any]], window: Window = EVERYTHING) -> str:
    """Return the SELECT of the view `events` over `files`: the columns of `EVENTS`, in order."""
    paths = [file["path"] for file in files]
    stored = set(store.event_columns)
    if not paths:
        columns = ", ".join(f"NULL::{_TYPES[str(column.type)]} AS {column.name}" for column in EVENTS)
        return f"SELECT {columns} WHERE false"
    columns = ", ".join(
        column.name if column.name in stored else f"NULL::{_TYPES[str(column.type)]} AS {column.name}"
        for column in EVENTS
    )
    folder = store.place.below("events").uri
    sql = (
        f"SELECT {columns} FROM read_parquet([{_paths(folder, paths)}],"
        f" hive_partitioning = false, union_by_name = {_mixed(stored)})"
    )
    conditions = []
    if window.since is not None:
        conditions.append(f"ts >= TIMESTAMPTZ {_quoted(window.since.isoformat())}")
    if window.until is not None:
        conditions.append(f"ts < TIMESTAMPTZ {_quoted(window.until.isoformat())}")
    if window.group is not None:
        conditions.append(f"(group_id = {_quoted(window.group)} OR group_id IS NULL)")
    return f"{sql} WHERE {' AND '.join(conditions)}" if conditions else sql


def sources_sql(store: Store) -> str:
    """Return the SELECT of the view `sources`: one row per source, the sums of its committed ranges."""
    paths = store.account_files()
    if not paths:
        columns = ", ".join(f"NULL::{_TYPES[str(column.type)]} AS {column.name}" for column in SOURCES)
        return f"SELECT {columns} WHERE false"
    expressions = {
        "source": 'arg_max(source, ("end", batch))',
        "fingerprint": 'arg_max(fingerprint, ("end", batch))',
        "bytes": 'max("end")::BIGINT',
        "first_ts": "min(first_ts)",
        "last_ts": "max(last_ts)",
        "envelope": 'arg_max(envelope, ("end", batch))',
        "layout": 'arg_max(layout, ("end", batch))',
        "timezone": 'arg_max(timezone, ("end", batch))',
        "ingested_at": "max(ingested_at)",
    }
    columns = ", ".join(
        f"{expressions.get(name, f'sum({name})::BIGINT')} AS {name}" for name in SOURCES.names
    )
    # accounts of an older version lack the columns that came later: they are NULL there
    typed = ", ".join(f"NULL::{_TYPES[str(column.type)]} AS {column.name}" for column in SOURCES)
    folder = store.place.below("sources").uri
    return (
        f"SELECT {columns} FROM (FROM read_parquet([{_paths(folder, paths)}], hive_partitioning = false,"
        f" union_by_name = true) UNION ALL BY NAME SELECT {typed} WHERE false)"
        f" WHERE batch <= {store.batch} GROUP BY {STREAM.name} ORDER BY source, first_ts"
    )


def _wanted(file: dict[str, object], window: Window) -> bool:
    first, last = file["first_ts"], file["last_ts"]
    if window.since is None and window.until is None:
        return True
    if not isinstance(first, datetime) or not isinstance(last, datetime):
        return file["date"] is not None
    return not (
        (window.since is not None and last < window.since)
        or (window.until is not None and first >= window.until)
    )


def _mixed(stored: set[str]) -> str:
    return "false" if stored.issuperset(EVENTS.names) else "true"


def _paths(folder: str, paths: Sequence[str]) -> str:
    return ", ".join(_quoted(f"{folder}/{path}") for path in paths)


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
