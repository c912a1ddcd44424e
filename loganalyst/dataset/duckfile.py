"""`loganalyst.duckdb`: the views of a dataset for any DuckDB client, over the current list of files.

DuckDB resolves relative paths against the client's working directory, so the views hold absolute paths; the
file is made anew when the dataset has moved.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import uuid
from pathlib import Path

import duckdb

from loganalyst.catalogue.cache import cache_folder
from loganalyst.dataset.analyses import analyses_key, create_analyses
from loganalyst.dataset.columns import COMMENTS
from loganalyst.dataset.relations import events_sql, sources_sql, wanted_files
from loganalyst.dataset.store import Store
from loganalyst.errors import CatalogueError, DatasetError

__all__ = ["CATALOGUE", "exists", "is_current", "remove_leftovers", "write_catalogue"]

CATALOGUE = "loganalyst.duckdb"
_MADE_FOR = f".{CATALOGUE}.json"
"""What the file was made for stands beside it: to open it takes a tenth of a second."""

_READABLE: dict[str, str | bool | int | float | list[str]] = {"storage_compatibility_version": "v1.0.0"}
"""Clients lag behind the library: the command line client from PyPI is older than the `duckdb` beside it."""

_KEEP = 2


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
        has_analyses = _from_template(fresh)
        with contextlib.closing(duckdb.connect(str(fresh), config=_READABLE)) as connection:
            _fill(connection, store, analyses=not has_analyses)
        if not has_analyses:
            _keep_template(fresh)
        fresh.replace(folder / CATALOGUE)
        beside = fresh.with_name(f"{fresh.name}.json")
        beside.write_text(json.dumps(_state(store)), encoding="utf-8")
        beside.replace(folder / _MADE_FOR)
    except (duckdb.Error, OSError) as error:
        if os.access(folder, os.W_OK):
            raise DatasetError(f"{folder / CATALOGUE}: cannot be written: {error}") from error
        return False
    finally:
        for leftover in (fresh, fresh.with_name(f"{fresh.name}.wal"), fresh.with_name(f"{fresh.name}.json")):
            leftover.unlink(missing_ok=True)
    return True


def exists(store: Store) -> bool:
    """Tell whether the dataset has the file."""
    return store.place.folder is not None and (store.place.folder / CATALOGUE).exists()


def is_current(store: Store) -> bool:
    """Tell whether the file is there and was made for this folder and this state."""
    folder = store.place.folder
    if folder is None:
        return True
    try:
        made_for = json.loads((folder / _MADE_FOR).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return bool(made_for == _state(store)) and (folder / CATALOGUE).exists()


def remove_leftovers(folder: Path) -> None:
    """Delete what a process that died while writing the file has left."""
    for leftover in folder.glob(f".{CATALOGUE}.*"):
        if leftover.name != _MADE_FOR:
            leftover.unlink(missing_ok=True)


def _fill(connection: duckdb.DuckDBPyConnection, store: Store, *, analyses: bool) -> None:
    connection.execute("SET TimeZone = 'UTC'")
    connection.execute(f"CREATE OR REPLACE VIEW events AS {events_sql(store, wanted_files(store))}")
    connection.execute(f"CREATE OR REPLACE VIEW sources AS {sources_sql(store)}")
    for view, (what, columns) in COMMENTS.items():
        connection.execute(f"COMMENT ON VIEW {view} IS {_quoted(what)}")
        for column, text in columns.items():
            connection.execute(f"COMMENT ON COLUMN {view}.{column} IS {_quoted(text)}")
    if analyses:
        # Without analyses the file still serves: a query file that is not right is told where it is used.
        with contextlib.suppress(CatalogueError):
            create_analyses(connection)


def _state(store: Store) -> dict[str, object]:
    return {
        "folder": store.place.uri,
        "batch": store.batch,
        "version": store.version,
        "views": analyses_key(),
    }


def _template() -> Path | None:
    """Where a file with the analyses is kept: to bind them all takes a second, to copy them nothing."""
    folder = cache_folder()
    return None if folder is None else folder / f"views-{analyses_key()}.duckdb"


def _from_template(fresh: Path) -> bool:
    template = _template()
    if template is None or not template.is_file():
        return False
    with contextlib.suppress(OSError):
        shutil.copyfile(template, fresh)
        return True
    return False


def _keep_template(made: Path) -> None:
    template = _template()
    if template is None:
        return
    with contextlib.suppress(OSError):
        template.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        beside = template.with_suffix(f".{os.getpid()}.tmp")
        shutil.copyfile(made, beside)
        beside.replace(template)
        older = sorted(template.parent.glob("views-*.duckdb"), key=lambda path: path.stat().st_mtime)
        for path in older[:-_KEEP]:
            path.unlink(missing_ok=True)


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
