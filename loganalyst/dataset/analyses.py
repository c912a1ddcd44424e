"""The shipped analyses as plain views, for DuckDB clients that know nothing of loganalyst.

A session of loganalyst computes each analysis once, as a temporary table. A view in a file has no such
session, and views that nest twenty deep take DuckDB minutes to bind: so every view here carries all it
builds on as materialised CTEs, each of them once.
"""

from __future__ import annotations

import contextlib
import hashlib
import re
from collections.abc import Mapping
from pathlib import Path

import duckdb

from loganalyst.dataset.schema import SCHEMA_VERSION
from loganalyst.dataset.views import MACROS, Query, load_queries
from loganalyst.dataset.wording import WORDING, create_wording
from loganalyst.shipped import shipped

__all__ = ["analyses_key", "create_analyses", "standalone_sql"]

FORMAT = 3
"""Counted up when the views are written in another way."""


def analyses_key() -> str:
    """Return a hash of all that the views are made of: views with the same key need not be made again."""
    digest = hashlib.blake2b(f"{FORMAT} {SCHEMA_VERSION} {duckdb.__version__}".encode(), digest_size=16)
    folder = shipped("queries")
    for path in sorted(path for suffix in ("*.sql", "*.toml") for path in folder.rglob(suffix)):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def create_analyses(connection: duckdb.DuckDBPyConnection) -> None:
    """Create the views in a database that has the views `events` and `sources`, with comments on them.

    Columns have comments too, but for queries that are `like` another one. A view that cannot be made is left
    out: it is no reason to have none of the others.
    """
    queries = load_queries()
    folder = shipped("queries")
    for path in sorted((folder / MACROS).glob("*.sql")):
        text = path.read_text(encoding="utf-8")
        connection.execute(re.sub(r"\bTEMP(?:ORARY)?\s+(?=MACRO\b)", "", text))
    create_wording(connection, _folders(queries))
    connection.execute(f"CREATE TABLE main.kept AS FROM temp.{WORDING}")
    connection.execute(f"DROP TABLE temp.{WORDING}")
    connection.execute(f"ALTER TABLE main.kept RENAME TO {WORDING}")
    for query in queries.values():
        with contextlib.suppress(duckdb.Error):
            connection.execute(f'CREATE VIEW "{query.name}" AS {standalone_sql(query, queries)}')
            connection.execute(f'COMMENT ON VIEW "{query.name}" IS {_quoted(query.row)}')
            for column in query.columns if query.like is None else ():
                meaning = f"{column.meaning}, in {column.unit}" if column.unit else column.meaning
                name = f'"{query.name}"."{column.name}"'
                connection.execute(f"COMMENT ON COLUMN {name} IS {_quoted(meaning)}")


def standalone_sql(query: Query, queries: Mapping[str, Query]) -> str:
    """Return a SELECT for `query` that needs only `events`, `sources`, the macros and `wording`.

    Parameters have their defaults.
    """
    below: dict[str, None] = {}
    _gather(query, queries, below)
    parts = [f'"{name}" AS MATERIALIZED (\n{_body(queries[name])}\n)' for name in below if name != query.name]
    head = "WITH " + ",\n".join(parts) + "\n" if parts else ""
    return f"{head}SELECT * FROM (\n{_body(query)}\n)"


def _gather(query: Query, queries: Mapping[str, Query], found: dict[str, None]) -> None:
    for name in query.uses:
        if name in queries and name not in found:
            _gather(queries[name], queries, found)
    found[query.name] = None


def _body(query: Query) -> str:
    sql = query.sql
    for param in query.params:
        value = "NULL" if param.default is None else _quoted(param.default)
        sql = sql.replace(f"getvariable('{param.name}')", f"CAST({value} AS {param.type})")
    return sql


def _folders(queries: Mapping[str, Query]) -> list[Path]:
    return list(dict.fromkeys([shipped("queries"), *(query.path.parent for query in queries.values())]))


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
