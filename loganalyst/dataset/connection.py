"""DuckDB over one snapshot of a dataset: nothing else of the machine can be read, nothing be written."""

from __future__ import annotations

import math
import os
import re
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import duckdb

from loganalyst.dataset.relations import EVERYTHING, Window, events_sql, sources_sql, wanted_files
from loganalyst.dataset.store import Store
from loganalyst.errors import QueryError, UsageError

__all__ = ["connect", "guard", "run_sql", "time_limit"]

_ALLOWED = frozenset(
    {
        "SELECT",
        "EXPLAIN",
        "CREATE",
        "INSERT",
        "UPDATE",
        "DELETE",
        "DROP",
        "ALTER",
        "SET",
        "VARIABLE_SET",
        "TRANSACTION",
    }
)
"""Statements that stay in the memory of the session. The sandbox refuses files outside the dataset; COPY,
ATTACH and EXPORT could still write inside it."""

_FORBIDDEN_IN_EXPLAIN = re.compile(
    r"\b(copy|attach|export|import|install|load|prepare|execute|vacuum)\b", re.IGNORECASE
)
_LITERALS = re.compile(r"--[^\n]*|/\*.*?\*/|'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"", re.DOTALL)
_MEMORY_SHARE = 0.5
_ROWS_A_THREAD = 122_880
"""DuckDB gives a thread whole row groups of this size: more threads than that only cost their start."""


def connect(
    store: Store, window: Window = EVERYTHING, *, unsafe: bool = False, memory: str | None = None
) -> duckdb.DuckDBPyConnection:
    """Open a DuckDB session (in memory, TimeZone UTC) with the views `events` and `sources`.

    `memory` is DuckDB's limit (`2GB`, `512MiB`), by default half of the machine's; beyond it DuckDB spills
    to a private folder of the temporary directory. With `unsafe` the session may read and write what the
    user may. Raises `UsageError` for a memory limit that DuckDB does not understand and `QueryError` for
    files that cannot be read.
    """
    connection = duckdb.connect(
        ":memory:", config={"autoinstall_known_extensions": "false", "autoload_known_extensions": "false"}
    )
    connection.execute("SET TimeZone = 'UTC'")
    connection.execute("SET preserve_insertion_order = true")
    with suppress(duckdb.InvalidInputException):  # in a notebook without ipywidgets, which draws none anyway
        connection.execute("SET enable_progress_bar = false")
    try:
        connection.execute(f"SET memory_limit = {_quoted(memory or _default_memory())}")
    except duckdb.Error as error:
        raise UsageError(f"memory limit {memory!r}: {error}") from error
    connection.execute(f"SET temp_directory = {_quoted(_spill_folder())}")
    files = wanted_files(store, window)
    if sum(math.inf if file["rows"] is None else file["rows"] for file in files) <= _ROWS_A_THREAD:
        connection.execute("SET threads = 1")
    if not unsafe:
        _close(connection, store)
    try:
        connection.execute(f"CREATE VIEW events AS {events_sql(store, files, window)}")
        connection.execute(f"CREATE VIEW sources AS {sources_sql(store)}")
    except duckdb.Error as error:
        raise QueryError(f"{store.place.uri}: cannot be read: {error}") from error
    return connection


def run_sql(
    connection: duckdb.DuckDBPyConnection,
    text: str,
    params: Sequence[Any] | None = None,
    *,
    unsafe: bool = False,
) -> duckdb.DuckDBPyRelation | None:
    """Run a user's SQL: all its statements, the last one's rows are returned (None if it has none).

    Raises `QueryError` for what DuckDB refuses and, unless `unsafe`, for statements that could write files.
    """
    try:
        statements = connection.extract_statements(text)
    except duckdb.Error as error:
        raise QueryError(str(error)) from error
    if not statements:
        raise QueryError("no SQL given")
    if not unsafe:
        guard(statements)
    try:
        for statement in statements[:-1]:
            connection.execute(statement).fetchall()  # a result left open blocks the next statement
        return connection.sql(statements[-1].query, params=params)
    except duckdb.Error as error:
        raise QueryError(str(error)) from error


@contextmanager
def time_limit(connection: duckdb.DuckDBPyConnection, seconds: float) -> Iterator[None]:
    """Interrupt what the session does after `seconds` (0: never), raising `QueryError`."""
    over = threading.Event()

    def stop() -> None:
        over.set()
        connection.interrupt()

    timer = threading.Timer(seconds, stop)
    timer.daemon = True
    if seconds > 0:
        timer.start()
    try:
        yield
    except Exception as error:
        if over.is_set():
            raise QueryError(f"stopped after {seconds:g} s; --timeout SECONDS gives it more time") from error
        raise
    finally:
        timer.cancel()
        # A thread that wakes while the interpreter ends is ended in the middle, and aborts the process.
        if timer.is_alive():
            timer.join()


def guard(statements: Sequence[duckdb.Statement]) -> None:
    """Refuse (`QueryError`) statements that could write a file or open another database."""
    for statement in statements:
        kind = statement.type.name
        hidden = kind == "EXPLAIN" and _FORBIDDEN_IN_EXPLAIN.search(_LITERALS.sub(" ", statement.query))
        if kind not in _ALLOWED or hidden:
            word = hidden.group(1).upper() if hidden else kind.replace("_", " ")
            raise QueryError(
                f"{word} is not allowed here: queries read the dataset and nothing else;"
                " --unsafe opens the session"
            )


def _close(connection: duckdb.DuckDBPyConnection, store: Store) -> None:
    folders = ", ".join(_quoted(f"{store.place.below(name).uri}/") for name in ("events", "sources"))
    connection.execute(f"SET allowed_directories = [{folders}]")
    connection.execute("SET allow_community_extensions = false")
    connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")


def _default_memory() -> str:
    try:
        total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return "2GiB"
    return f"{max(256, int(total * _MEMORY_SHARE) >> 20)}MiB"


def _spill_folder() -> str:
    return str(Path(tempfile.gettempdir()) / f"loganalyst-{os.getpid()}")


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
