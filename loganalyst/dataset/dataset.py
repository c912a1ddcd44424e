"""A dataset as the rest of the product holds it: create or open, commit, connect."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from datetime import datetime

import duckdb
import pyarrow as pa

from loganalyst.dataset.account import RangeAccount
from loganalyst.dataset.connection import connect
from loganalyst.dataset.duckfile import exists, is_current, write_catalogue
from loganalyst.dataset.files import write_events
from loganalyst.dataset.ledger import Ledger
from loganalyst.dataset.location import Location
from loganalyst.dataset.relations import Window
from loganalyst.dataset.store import Store
from loganalyst.dataset.unit import Unit

__all__ = ["Dataset"]


class Dataset:
    """A folder (or object-store prefix) with the Delta tables `events/` and `sources/`."""

    def __init__(self, store: Store) -> None:
        """Take an opened store; users call `create_or_open` or `open`."""
        self.store = store

    @classmethod
    def create_or_open(
        cls, path: str | os.PathLike[str], storage_options: Mapping[str, str] | None = None
    ) -> Dataset:
        """Open the dataset at `path`, making an empty one where there is none.

        Raises `DatasetError` for a path that is a file, or a folder that holds something else.
        """
        return cls(Store.create(Location.of(path, storage_options)))

    @classmethod
    def open(cls, path: str | os.PathLike[str], storage_options: Mapping[str, str] | None = None) -> Dataset:
        """Open the dataset at `path`. Raises `DatasetError`, with advice, if there is none.

        The file `loganalyst.duckdb` is made anew when it is of another state or folder (the dataset has
        moved), where the folder can be written.
        """
        dataset = cls(Store(Location.of(path, storage_options)))
        folder = dataset.place.folder
        if exists(dataset.store) and os.access(str(folder), os.W_OK) and not is_current(dataset.store):
            write_catalogue(dataset.store)
        return dataset

    @property
    def place(self) -> Location:
        """Where the dataset lies."""
        return self.store.place

    def ledger(self) -> Ledger:
        """Return what has been read already, at the newest state."""
        self.store.refresh()
        return self.store.ledger()

    def commit(self, events: pa.Table, accounts: Sequence[RangeAccount], planned: int | None = None) -> bool:
        """Make rows (`EVENTS` plus `stream`) and accounts visible together; False if another was first.

        `planned` is the batch of the ledger by which the ranges were found to be new (default: the present).
        """
        files = write_events(self.place.below("events"), events) if events.num_rows else []
        base = self.store.batch if planned is None else planned
        return not self.commit_units([Unit(files, list(accounts), base)])

    def commit_units(self, units: Sequence[Unit]) -> list[Unit]:
        """Commit finished files with their accounts; return the units that another process was first with."""
        return self.store.commit(units)

    def publish(self) -> None:
        """Write `loganalyst.duckdb` for the present state."""
        write_catalogue(self.store)

    def publish_if_outdated(self) -> None:
        """Write `loganalyst.duckdb` if it is not there or of another state or folder."""
        if not is_current(self.store):
            write_catalogue(self.store)

    def connect(
        self,
        *,
        unsafe: bool = False,
        memory: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        group: str | None = None,
    ) -> duckdb.DuckDBPyConnection:
        """Open a DuckDB session with the views `events` and `sources` of the newest state.

        `since` ≤ `ts` < `until` and `group` narrow `events` (rows without a group stay); files outside the
        time range are not opened. The session is closed to everything but the dataset unless `unsafe`.
        """
        self.store.refresh()
        return connect(self.store, Window(since, until, group), unsafe=unsafe, memory=memory)
