"""The shipped analyses: `queries/*.sql` ordered by what they use, created on demand.

`load_queries` reads the files of `queries/` (and of a user's own folders) into `Query` objects and checks
them: views that are used but missing, cycles, headers without a meaning. `provide` creates the asked-for
views and everything below them as TEMP tables of one DuckDB session, each of them once, so that a view which
ten others build on is computed a single time and the whole costs no more than the sum of its parts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from loganalyst.dataset.queryfile import Column, Param, Query, parse_query
from loganalyst.dataset.wording import WORDING, create_wording
from loganalyst.errors import CatalogueError, QueryError, UsageError
from loganalyst.shipped import shipped

if TYPE_CHECKING:
    import duckdb

__all__ = ["BASE", "Column", "Param", "Query", "load_queries", "mentioned", "parse_query", "provide"]

BASE = frozenset({"events", "sources", WORDING})
"""Tables that are no queries: two come with the connection, `wording` holds the words of the verdicts."""

MACROS = "macros"
"""The folder below `queries/` whose files hold SQL macros, which every session with views gets."""

_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_SKIPPED = re.compile(r"--[^\n]*|/\*.*?\*/|'(?:[^']|'')*'", re.DOTALL)


def load_queries(extra: Sequence[Path] = ()) -> dict[str, Query]:
    """Read every query of `queries/` and of the folders `extra`; a later folder may replace a query.

    The order of the result is an order in which they can be created. Raises `CatalogueError`, naming the
    file, for a header that is not right, a view that is used but not there, and a cycle.
    """
    queries: dict[str, Query] = {}
    for folder in (shipped("queries"), *extra):
        if not folder.is_dir():
            raise CatalogueError(f"{folder}: no such folder of queries")
        found: dict[str, Query] = {}
        for path in sorted(folder.rglob("*.sql")):
            if path.parent.name == MACROS:
                continue
            query = parse_query(path)
            if query.name in found:
                raise CatalogueError(f"{path}: the name {query.name} is taken by {found[query.name].path}")
            if query.name in BASE:
                raise CatalogueError(
                    f"{path}: {query.name} is a table of every dataset, not a name for a query"
                )
            found[query.name] = query
        queries.update(found)
    queries = {name: _with_columns(query, queries) for name, query in queries.items()}
    queries = {name: _with_parts(query, queries) for name, query in queries.items()}
    for query in queries.values():
        for used in query.uses:
            if used not in queries and used not in BASE:
                raise CatalogueError(f"{query.path}: uses {used}, which is no query and no table")
    return {name: queries[name] for name in _ordered(queries, queries)}


def provide(
    connection: duckdb.DuckDBPyConnection,
    names: Iterable[str],
    queries: Mapping[str, Query],
    params: Mapping[str, str] | None = None,
) -> None:
    """Create `names`, and all they use, as TEMP tables of this session; what is there already is kept.

    `params` sets parameters by name (text, cast to the declared type); queries with parameters, and what
    builds on them, are created anew on every call. Raises `UsageError` for an unknown query or
    parameter and `QueryError` for SQL that DuckDB refuses.
    """
    wanted = list(names)
    for name in wanted:
        if name not in queries and name not in BASE:
            raise UsageError(f"no query is named {name}; `loganalyst queries` lists them")
    order = list(_ordered(queries, wanted))
    chain = [queries[name] for name in order]
    _set_params(connection, chain, params or {})
    created = _temporary_tables(connection)
    if chain and WORDING not in created:
        _create_base(connection, queries)
    fresh: set[str] = set()
    presence = _Presence(connection)
    for query in chain:
        renewed = bool(query.params) or not fresh.isdisjoint(query.uses)
        if renewed:
            fresh.add(query.name)
        elif query.name in created:
            continue
        columns = ", ".join(f'"{column.name}" {column.type}' for column in query.columns)
        try:
            definition = f"AS {query.sql}" if presence.grounds(query, queries) else f"({columns})"
            text = f'CREATE OR REPLACE TEMP TABLE "{query.name}" {definition}'
            _check_stranger(connection, text, query.path)
            connection.execute(text)
        except Exception as error:
            if not type(error).__module__.lstrip("_").startswith("duckdb"):
                raise
            raise QueryError(f"{query.path.name}: {error}") from error


class _Presence:
    """Whether an event occurs in the session, or a view has rows (to plan an empty view costs as much)."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._connection = connection
        self._events: set[str] | None = None

    def grounds(self, query: Query, queries: Mapping[str, Query]) -> bool:
        """Return whether something that `query` needs is there, or it states no needs."""
        if not query.needs and not query.needs_rows:
            return True
        for clause in query.needs_rows:
            _check_stranger(self._connection, f"SELECT 1 {clause}", query.path, kind="SELECT")
        return any(self._of(need, queries) for need in query.needs) or any(
            self._yields(clause) for clause in query.needs_rows
        )

    def _yields(self, clause: str) -> bool:
        return self._connection.execute(f"SELECT 1 {clause} LIMIT 1").fetchone() is not None

    def _of(self, name: str, queries: Mapping[str, Query]) -> bool:
        if name in queries:
            return self._yields(f'FROM "{name}"')
        if self._events is None:
            rows = self._connection.execute("SELECT DISTINCT event FROM events").fetchall()
            self._events = {event for (event,) in rows}
        return name in self._events


def mentioned(sql: str, queries: Mapping[str, Query]) -> list[str]:
    """Name the queries that the text of `sql` mentions (comments and strings left aside)."""
    words = set(_WORD.findall(_SKIPPED.sub(" ", sql)))
    return [name for name in queries if name in words]


def _temporary_tables(connection: duckdb.DuckDBPyConnection) -> set[str]:
    rows = connection.execute("SELECT table_name FROM duckdb_tables() WHERE temporary").fetchall()
    return {name for (name,) in rows}


def _create_base(connection: duckdb.DuckDBPyConnection, queries: Mapping[str, Query]) -> None:
    """Create the macros and the table `wording` of the folders that the queries come from."""
    folders = list(dict.fromkeys([shipped("queries"), *(query.path.parent for query in queries.values())]))
    for folder in folders:
        for path in sorted((folder / MACROS).glob("*.sql")):
            text = path.read_text(encoding="utf-8")
            _check_stranger(connection, text, path, alone=False)
            connection.execute(text)
    create_wording(connection, folders)


def _check_stranger(
    connection: duckdb.DuckDBPyConnection, text: str, path: Path, *, kind: str = "CREATE", alone: bool = True
) -> None:
    """Refuse a file of a user's folder that holds more than what it is for: one SELECT (`alone`), or macros.

    The sandbox lets a session write into the folder of the dataset, so a second statement could.
    """
    if path.is_relative_to(shipped("queries")):
        return
    kinds = [statement.type.name for statement in connection.extract_statements(text)]
    if any(found != kind for found in kinds) or (alone and len(kinds) != 1):
        what = "one SELECT" if alone else "CREATE MACRO statements"
        raise QueryError(f"{path.name}: holds more than {what}, which is all that such a file may hold")


def _with_columns(query: Query, queries: Mapping[str, Query]) -> Query:
    """Give a query that is `like` another one the columns of that."""
    if query.like is None:
        return query
    if query.like not in queries or queries[query.like].like is not None:
        raise CatalogueError(
            f"{query.path}: '-- like: {query.like}' names no query that documents its columns"
        )
    return replace(query, columns=queries[query.like].columns)


def _with_parts(query: Query, queries: Mapping[str, Query]) -> Query:
    """Turn a query that is `union: prefix_*` into the UNION ALL of the queries whose names begin so."""
    if query.union is None:
        return query
    parts = sorted(name for name in queries if name.startswith(query.union) and name != query.name)
    if not parts:
        raise CatalogueError(f"{query.path}: no query has a name that begins with {query.union}")
    columns = ", ".join(column.name for column in query.columns)
    sql = "\nUNION ALL\n".join(f"SELECT {columns} FROM {part}" for part in parts)
    return replace(query, sql=sql, uses=tuple(dict.fromkeys((*query.uses, *parts))))


def _ordered(queries: Mapping[str, Query], names: Iterable[str]) -> Iterator[str]:
    """Yield `names` and all they use, used before user. Raises `CatalogueError` for a cycle."""
    done: set[str] = set()
    for name in names:
        yield from _visit(queries, name, done, ())


def _visit(queries: Mapping[str, Query], name: str, done: set[str], above: tuple[str, ...]) -> Iterator[str]:
    if name in above:
        raise CatalogueError(f"queries use each other in a circle: {' -> '.join((*above, name))}")
    if name in done or name in BASE:
        return
    query = queries[name]
    for used in (*query.uses, *(need for need in query.needs if need in queries)):
        yield from _visit(queries, used, done, (*above, name))
    done.add(name)
    yield name


def _set_params(
    connection: duckdb.DuckDBPyConnection, chain: Sequence[Query], given: Mapping[str, str]
) -> None:
    known = {param.name: param for query in chain for param in query.params}
    for name in given:
        if name not in known:
            takes = ", ".join(sorted(known)) or "none"
            raise UsageError(f"no parameter is named {name}; this query takes: {takes}")
    for name, param in known.items():
        value = given.get(name, param.default)
        try:
            connection.execute(f"SET VARIABLE {name} = CAST($1 AS {param.type})", [value])
        except Exception as error:
            raise UsageError(f"parameter {name}: {value!r} is not of type {param.type}") from error
