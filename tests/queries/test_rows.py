"""Rows in, rows out: every `*.toml` below this folder is a case for a view, or for a CTE inside it.

A case gives `events` (and tables of views, under `given`), names a `view` (and a `cte` of it), and the `rows`
that must come out; columns that a row does not name are not compared. README.md beside shows one.
"""

from __future__ import annotations

import re
import tomllib
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pytest

from loganalyst.dataset.schema import EVENTS, SOURCES
from loganalyst.dataset.views import Query, load_queries, provide

HERE = Path(__file__).parent
CASES = sorted(HERE.rglob("*.toml"))
DAY = "2026-12-01"


@cache
def queries() -> dict[str, Query]:
    return load_queries()


def moment(value: Any) -> Any:
    """Turn `10:00:01.250` into that time of the test's day, UTC; leave anything else as it is."""
    if isinstance(value, str) and re.fullmatch(r"\d\d:\d\d:\d\d(\.\d+)?", value):
        return datetime.fromisoformat(f"{DAY}T{value}").replace(tzinfo=UTC)
    return value


def event(row: dict[str, Any], number: int) -> dict[str, Any]:
    """Fill an event in: its source is its pod's or its broker's file, lines count up."""
    who = row.get("pod") or (f"broker-{row['broker_id']}" if "broker_id" in row else "broker-1")
    filled = {"source": f"{who}.log", "line": number, "role": "client" if row.get("pod") else "broker"}
    filled |= {"message": row["event"]} | {key: moment(value) for key, value in row.items()}
    if filled["role"] == "client":
        filled = {"client": "java", "client_id": row["pod"]} | filled
    filled["fields"] = list(filled.get("fields", {}).items())
    return {name: filled.get(name) for name in EVENTS.names}


def cte_sql(query: Query, cte: str) -> str:
    """Cut the query behind its WITH clause and select from one of its CTEs instead."""
    depth, end = 0, 0
    text = re.sub(r"--[^\n]*", lambda it: " " * len(it[0]), query.sql)
    for match in re.finditer(r"'(?:[^']|'')*'|[()]|\bSELECT\b|\bFROM\b", text):
        if match[0] == "(":
            depth += 1
        elif match[0] == ")":
            depth -= 1
        elif depth == 0 and match[0] in {"SELECT", "FROM"}:
            end = match.start()
            break
    return f"{query.sql[:end]} SELECT * FROM {cte}"


def shown(value: Any) -> Any:
    return value.astimezone(UTC).replace(tzinfo=None).isoformat() if isinstance(value, datetime) else value


def ordered(rows: list[dict[str, Any]], names: list[str]) -> list[dict[str, Any]]:
    return sorted(rows, key=lambda row: [str(row[name]) for name in names])


@pytest.mark.parametrize("path", CASES, ids=lambda path: str(path.relative_to(HERE)))
def test_rows(path: Path) -> None:
    case = tomllib.loads(path.read_text(encoding="utf-8"))
    query = queries()[case["view"]]
    connection = duckdb.connect()
    connection.execute("SET TimeZone = 'UTC'")
    rows = [event(row, number) for number, row in enumerate(case.get("events", []), 1)]
    connection.register("given_events", pa.Table.from_pylist(rows, schema=EVENTS))
    connection.execute("CREATE TABLE events AS FROM given_events")
    connection.register("no_sources", SOURCES.empty_table())
    connection.execute("CREATE TABLE sources AS FROM no_sources")
    for name, given in case.get("given", {}).items():
        columns = {column.name: column.type for column in queries()[name].columns}
        values = ", ".join(f"NULL::{kind} AS {column}" for column, kind in columns.items())
        connection.execute(f"CREATE TEMP TABLE {name} AS SELECT {values} WHERE false")
        for row in given:
            connection.execute(
                f"INSERT INTO {name} ({', '.join(row)}) VALUES ({', '.join('?' * len(row))})",
                [moment(value) for value in row.values()],
            )
    if "cte" in case:
        provide(connection, query.uses, queries())
        relation = connection.sql(cte_sql(query, case["cte"]))
    else:
        provide(connection, [query.name], queries())
        relation = connection.sql(f"FROM {query.name}")
    expected = [{key: shown(moment(value)) for key, value in row.items()} for row in case["rows"]]
    names = list(dict.fromkeys(name for row in expected for name in row))
    got = [
        {name: shown(value) for name, value in zip(relation.columns, row, strict=True) if name in names}
        for row in relation.fetchall()
    ]
    # TOML has no null: a column that a row leaves out is NULL there if another row names it
    expected = [{name: row.get(name) for name in names} for row in expected]
    assert ordered(got, names) == ordered(expected, names)


def test_there_are_cases() -> None:
    assert len(CASES) >= 20
