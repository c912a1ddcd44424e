"""`loganalyst.duckdb`: the views of a dataset for any DuckDB client, over the current list of files.

DuckDB resolves relative paths against the client's working directory, so the views hold absolute paths; the
file remembers the folder it was made for, and is made anew when the dataset has moved.
"""

from __future__ import annotations

import contextlib
import os
import uuid
from pathlib import Path

import duckdb

from loganalyst.dataset.columns import COMMENTS
from loganalyst.dataset.relations import events_sql, sources_sql
from loganalyst.dataset.store import Store
from loganalyst.errors import DatasetError

__all__ = ["CATALOGUE", "is_current", "write_catalogue"]

CATALOGUE = "loganalyst.duckdb"


def write_catalogue(store: Store) -> bool:
    """Write the file for the present state of `store` and put it in place by an atomic rename.

    Returns False, leaving what is there, where the folder cannot be written; readers that hold the old file
    open keep a consistent view. Object stores have none.
    """
    folder = store.place.folder
    if folder is None:
        return False
    fresh = folder / f".{CATALOGUE}.{uuid.uuid4().hex}"
    try:
        with contextlib.closing(duckdb.connect(str(fresh))) as connection:
            _fill(connection, store)
        os.replace(fresh, folder / CATALOGUE)
    except (duckdb.Error, OSError) as error:
        if os.access(folder, os.W_OK):
            raise DatasetError(f"{folder / CATALOGUE}: cannot be written: {error}") from error
        return False
    finally:
        for leftover in (fresh, fresh.with_name(fresh.name + ".wal")):
            leftover.unlink(missing_ok=True)
    return True


def is_current(store: Store) -> bool:
    """Tell whether the file is there and was made for this folder and this batch."""
    folder = store.place.folder
    if folder is None:
        return True
    try:
        with contextlib.closing(duckdb.connect(str(folder / CATALOGUE), read_only=True)) as connection:
            row = connection.execute("SELECT folder, batch, version FROM internal.made_for").fetchone()
    except (duckdb.Error, OSError):
        return False
    return row == (store.place.uri, store.batch, store.version)


def remove_leftovers(folder: Path) -> None:
    """Delete what a process that died while writing the file has left."""
    for leftover in folder.glob(f".{CATALOGUE}.*"):
        leftover.unlink(missing_ok=True)


def _fill(connection: duckdb.DuckDBPyConnection, store: Store) -> None:
    connection.execute("SET TimeZone = 'UTC'")
    connection.execute(f"CREATE VIEW events AS {events_sql(store)}")
    connection.execute(f"CREATE VIEW sources AS {sources_sql(store)}")
    for view, (what, columns) in COMMENTS.items():
        connection.execute(f"COMMENT ON VIEW {view} IS {_quoted(what)}")
        for column, text in columns.items():
            connection.execute(f"COMMENT ON COLUMN {view}.{column} IS {_quoted(text)}")
    connection.execute("CREATE SCHEMA internal")
    connection.execute("CREATE TABLE internal.made_for (folder VARCHAR, batch BIGINT, version BIGINT)")
    connection.execute(
        "INSERT INTO internal.made_for VALUES (?, ?, ?)", [store.place.uri, store.batch, store.version]
    )


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
