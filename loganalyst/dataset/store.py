"""The two Delta tables of a dataset and the one way to change them.

A commit first adds the accounts to `sources/`, then the rows to `events/`; the second is the moment at which
both become visible. The events commit carries a Delta *application transaction* whose version is the number
of the batch; readers open `events/`, take that number, and count only accounts of batches up to it. A process
that dies in between leaves accounts of a batch that never came to be: invisible, and removed by the next
commit. There is one application id, so the list of transactions never grows.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from deltalake import CommitProperties, DeltaTable, Transaction
from deltalake.exceptions import CommitFailedError, DeltaError, TableNotFoundError
from deltalake.transaction import AddAction, RemoveAction

from loganalyst.dataset.account import RangeAccount, accounts_of, accounts_table
from loganalyst.dataset.files import DataFile, read_files, write_events
from loganalyst.dataset.folder import make_folder, not_a_dataset
from loganalyst.dataset.ledger import Ledger
from loganalyst.dataset.location import Location
from loganalyst.dataset.lock import writing
from loganalyst.dataset.schema import ACCOUNTS, PARTITION, SCHEMA_VERSION, STORED_EVENTS
from loganalyst.dataset.unit import Unit, overtaken
from loganalyst.errors import DatasetError

__all__ = ["Store"]

APPLICATION = "loganalyst"
_VERSION_KEY = "loganalyst.schema"
_SOURCES_FILES = 32
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_CONFIGURATION = {
    _VERSION_KEY: str(SCHEMA_VERSION),
    "delta.logRetentionDuration": "interval 7 days",
    "delta.checkpointInterval": "20",
}


class Store:
    """The tables `events/` and `sources/` at one place."""

    def __init__(self, place: Location) -> None:
        """Open the tables; raises `DatasetError`, with advice, where there are none."""
        self.place = place
        self._options = dict(place.storage_options) or None
        self._events = self._table("events")
        self._sources = self._table("sources")
        self._check_version()

    @classmethod
    def create(cls, place: Location) -> Store:
        """Make the tables where they are missing, then open them."""
        if place.folder is not None:
            make_folder(place)
            with writing(place.folder):
                cls._create_tables(place)
        else:
            cls._create_tables(place)
        return cls(place)

    @classmethod
    def _create_tables(cls, place: Location) -> None:
        options = dict(place.storage_options) or None
        for name, schema, partitions in (
            ("sources", ACCOUNTS, None),
            ("events", STORED_EVENTS, [PARTITION.name]),
        ):
            uri = place.below(name).uri
            if DeltaTable.is_deltatable(uri, options):
                continue
            DeltaTable.create(
                uri,
                schema=schema,
                mode="ignore",
                partition_by=partitions,
                name=name,
                configuration=_CONFIGURATION,
                storage_options=options,
                raise_if_key_not_exists=False,
            )

    @property
    def batch(self) -> int:
        """Number of the last batch that is visible."""
        return self._events.transaction_version(APPLICATION) or 0

    @property
    def version(self) -> int:
        """Number of the last change of `events/`, compactions included."""
        return int(self._events.version())

    @property
    def event_columns(self) -> list[str]:
        """Columns of the stored events; a dataset of an older version may lack some."""
        return [column.name for column in self._events.schema().fields]

    def refresh(self) -> None:
        """Move on to the newest state. `events` first: every account of its batches is then there too."""
        try:
            self._events.update_incremental()
            self._sources.update_incremental()
        except DeltaError as error:
            raise DatasetError(f"{self.place.uri}: {error}") from error

    def event_files(self) -> list[dict[str, Any]]:
        """Return the visible files: `path` below `events/`, `date`, `rows`, `size`, `first_ts`, `last_ts`."""
        adds = pa.RecordBatchReader.from_stream(self._events.get_add_actions(flatten=True)).read_all()
        names = {
            "path": "path",
            "size": "size_bytes",
            "rows": "num_records",
            "date": "partition.date",
            "first_ts": "min.ts",
            "last_ts": "max.ts",
        }
        columns = {
            name: _values(adds[column]) if column in adds.column_names else [None] * adds.num_rows
            for name, column in names.items()
        }
        return sorted(
            (dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)),
            key=lambda file: (str(file["date"]), file["path"]),
        )

    def account_files(self) -> list[str]:
        """Return the paths, below `sources/`, of the files that hold the accounts."""
        return sorted(_below(uri) for uri in self._sources.file_uris())

    def accounts(self) -> list[RangeAccount]:
        """Return the accounts of all visible batches."""
        batch = self.batch
        return [account for account in self._stored_accounts() if account.batch <= batch]

    def ledger(self) -> Ledger:
        """Return what has been read already."""
        return Ledger(self.accounts(), self.batch)

    def commit(self, units: Sequence[Unit]) -> list[Unit]:
        """Make `units` visible in one step and return those that were refused.

        A unit is refused, and its files are left to the caller, when another process has committed one of
        its sources since the unit was planned. Raises `DatasetError` when the tables cannot be written.
        """
        with self.writing():
            batch = self.batch
            stored = self._stored_accounts()
            self._drop_unborn(stored, batch)
            since = min((unit.planned for unit in units), default=0)
            news = Ledger([one for one in stored if since < one.batch <= batch], batch)
            taken = [unit for unit in units if not overtaken(unit, news)]
            if taken:
                self._write(taken, batch + 1)
            return [unit for unit in units if unit not in taken]

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Hold the write lock (on a local dataset) with the newest state loaded."""
        if self.place.folder is None:
            self.refresh()
            yield
            return
        with writing(self.place.folder):
            self.refresh()
            yield

    def change(
        self,
        adds: Sequence[DataFile],
        removes: Sequence[Mapping[str, Any]],
        *,
        data_change: bool,
        batch: int | None = None,
    ) -> None:
        """Commit to `events/`: add `adds`, take away `removes` (of `event_files`), name `batch` if any."""
        now = int(time.time() * 1000)
        actions: list[AddAction | RemoveAction] = [
            AddAction(file.path, file.size, file.partition_values, now, data_change, file.stats)
            for file in adds
        ]
        actions += [
            RemoveAction(file["path"], data_change, now, file["size"], {PARTITION.name: _text(file["date"])})
            for file in removes
        ]
        transactions = [Transaction(APPLICATION, batch, now)] if batch is not None else None
        self._log(
            self._events,
            actions,
            STORED_EVENTS,
            [PARTITION.name],
            CommitProperties(app_transactions=transactions),
        )

    def fold_accounts(self) -> None:
        """Rewrite the accounts as one file; call it with the lock held."""
        self._replace_accounts(self.accounts())

    def _write(self, units: Sequence[Unit], batch: int) -> None:
        accounts = [account.in_batch(batch) for unit in units for account in unit.accounts]
        if len(self.account_files()) >= _SOURCES_FILES:
            self._replace_accounts([*self.accounts(), *accounts])
        else:
            self._add_accounts(accounts, removes=[])
        files = [file for unit in units for file in unit.files]
        replaced = {row for unit in units for row in unit.replaced}
        fresh, outdated = self._without(replaced) if replaced else ([], [])
        self.change([*files, *fresh], outdated, data_change=True, batch=batch)
        self.refresh()

    def _without(self, rows: set[tuple[str, int]]) -> tuple[list[DataFile], list[dict[str, Any]]]:
        """Rewrite the files that hold `rows` (stream, line) without them: the new files, the old ones."""
        place = self.place.below("events")
        filesystem, root = place.filesystem()
        fresh: list[DataFile] = []
        outdated = []
        for file in self.event_files():
            keys = pq.ParquetFile(f"{root}/{file['path']}", filesystem=filesystem).read(
                columns=["stream", "line"]
            )
            keep = [
                key not in rows
                for key in zip(keys["stream"].to_pylist(), keys["line"].to_pylist(), strict=True)
            ]
            if all(keep):
                continue
            outdated.append(file)
            rest = read_files(place, [file["path"]]).filter(pa.array(keep))
            if rest.num_rows:
                fresh += write_events(place, rest)
        return fresh, outdated

    def _stored_accounts(self) -> list[RangeAccount]:
        filesystem, root = self.place.below("sources").filesystem()
        accounts: list[RangeAccount] = []
        for path in self.account_files():
            accounts += accounts_of(pq.ParquetFile(f"{root}/{path}", filesystem=filesystem).read())
        return accounts

    def _drop_unborn(self, stored: Sequence[RangeAccount], batch: int) -> None:
        """Remove accounts of a batch whose writer died before its rows became visible."""
        if any(account.batch > batch for account in stored):
            self._replace_accounts([account for account in stored if account.batch <= batch])

    def _replace_accounts(self, accounts: Sequence[RangeAccount]) -> None:
        now = int(time.time() * 1000)
        removes = [RemoveAction(path, True, now) for path in self.account_files()]
        self._add_accounts(accounts, removes)

    def _add_accounts(self, accounts: Sequence[RangeAccount], removes: list[RemoveAction]) -> None:
        actions: list[AddAction | RemoveAction] = list(removes)
        if accounts:
            filesystem, root = self.place.below("sources").filesystem()
            table = accounts_table(accounts)
            path = f"part-{os.urandom(16).hex()}.zstd.parquet"
            pq.write_table(table, f"{root}/{path}", filesystem=filesystem, compression="zstd")
            size = filesystem.get_file_info(f"{root}/{path}").size
            stats = f'{{"numRecords":{table.num_rows}}}'
            actions.append(AddAction(path, size, {}, int(time.time() * 1000), True, stats))
        self._log(self._sources, actions, ACCOUNTS, [], CommitProperties())
        self.refresh()

    def _log(
        self,
        table: DeltaTable,
        actions: list[AddAction | RemoveAction],
        schema: pa.Schema,
        partitions: list[str],
        properties: CommitProperties,
    ) -> None:
        try:
            table.create_write_transaction(
                actions, "append", schema, partitions, commit_properties=properties
            )
        except (CommitFailedError, DeltaError, OSError) as error:
            raise DatasetError(f"{self.place.uri}: the commit failed: {error}") from error

    def _table(self, name: str) -> DeltaTable:
        uri = self.place.below(name).uri
        try:
            return DeltaTable(uri, storage_options=self._options)
        except TableNotFoundError as error:
            raise DatasetError(not_a_dataset(self.place)) from error
        except (DeltaError, OSError) as error:
            raise DatasetError(f"{self.place.uri}: cannot be opened: {error}") from error

    def _check_version(self) -> None:
        text = self._events.metadata().configuration.get(_VERSION_KEY)
        version = int(text) if text and text.isdigit() else 0
        if version > SCHEMA_VERSION:
            raise DatasetError(
                f"{self.place.uri}: made by a newer loganalyst (schema {version}, this one knows"
                f" {SCHEMA_VERSION}); upgrade loganalyst, or ingest the logs into a new dataset"
            )


def _text(value: Any) -> str | None:
    return None if value is None else str(value)


def _values(column: pa.ChunkedArray) -> list[Any]:
    """Return a column as Python values; times by hand: to convert one, pyarrow imports pandas."""
    if not pa.types.is_timestamp(column.type):
        return list(column.to_pylist())
    numbers = column.cast(pa.timestamp("us", "UTC")).cast(pa.int64()).to_pylist()
    return [None if number is None else _EPOCH + timedelta(microseconds=number) for number in numbers]


def _below(uri: str) -> str:
    """Return the path of a file of `sources/` below its table: that table has no folders."""
    return uri.rpartition("/")[2]
