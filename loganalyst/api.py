"""The Python interface: `loganalyst.ingest(...)`, `loganalyst.open(...)`.

    import loganalyst

    loganalyst.ingest(["logs/"], into="incident")
    dataset = loganalyst.open("incident")
    dataset.query("rebalances").pl()
    dataset.sql("SELECT cause, count(*) FROM rebalances GROUP BY ALL").df()

Relations are DuckDB's: `.pl()`, `.arrow()`, `.df()`, `.fetchall()`. All times are UTC.
"""

from __future__ import annotations

import datetime as dt
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from loganalyst.dataset import dataset as stored
from loganalyst.dataset.connection import run_sql
from loganalyst.dataset.views import Query, load_queries, mentioned, provide
from loganalyst.errors import QueryError, UsageError

if TYPE_CHECKING:
    import duckdb

    from loganalyst.ingest.run import Progress, Summary
    from loganalyst.report.model import Report

__all__ = ["Dataset", "ingest", "open"]

PathLike = str | os.PathLike[str]


def ingest(
    sources: PathLike | Sequence[PathLike],
    into: PathLike,
    *,
    cluster: str | None = None,
    tz: str | None = None,
    source_tz: Mapping[str, str] | Iterable[tuple[str, str]] = (),
    date: dt.date | str | None = None,
    jobs: int | None = None,
    engine: str = "local",
    scheduler: str | None = None,
    parsers: PathLike | Sequence[PathLike] = (),
    progress: Callable[[Progress], None] | None = None,
    publish: bool = True,
    redact: bool = False,
    redact_rules: PathLike | None = None,
    redact_key: PathLike | None = None,
) -> Summary:
    """Read logs into the dataset at `into`, made if it is not there, and return what was read.

    `sources` are files, folders, archives, `-` or URLs. What the dataset has already, under whatever name,
    adds nothing; a file that grew adds its tail. `tz` is the zone of logs that print none, `source_tz` that
    of sources by glob, `date` the date of the first line of sources that print only a time. Sources that
    cannot be read are listed in the summary's `problems`; the rest is processed. `redact` replaces secrets
    and personal data by keyed hashes: `redact_rules` is a file with more rules, `redact_key` one with the
    key (default: a random key, kept with the dataset); once begun so, a dataset stays redacted. `publish`
    False leaves out the file `loganalyst.duckdb`. Raises `DatasetError` for a dataset that cannot be
    written, `CatalogueError` for parser files that are not right, `UsageError` for wrong options.
    """
    from loganalyst.envelopes.reading import TimeHints
    from loganalyst.ingest.engine import engine_of
    from loganalyst.ingest.pipeline import Options
    from loganalyst.ingest.run import run_ingest
    from loganalyst.redact.settings import Redaction

    zones = source_tz.items() if isinstance(source_tz, Mapping) else source_tz
    options = Options(
        cluster=cluster,
        hints=TimeHints(tz=tz, source_tz=tuple(zones), date=_date(date)),
        parsers=tuple(Path(path) for path in _several(parsers)),
    )
    redaction = None
    if redact or redact_rules is not None or redact_key is not None:
        redaction = Redaction(*(None if file is None else Path(file) for file in (redact_rules, redact_key)))
    with engine_of(engine, jobs=jobs, scheduler=scheduler) as executor:
        return run_ingest(
            [os.fspath(path) for path in _several(sources)],
            into,
            options,
            jobs=jobs,
            executor=executor,
            progress=progress,
            publish=publish,
            redaction=redaction,
        )


def open(
    dataset: PathLike,
    *,
    queries: PathLike | Sequence[PathLike] = (),
    unsafe: bool = False,
    memory: str | None = None,
    since: dt.datetime | None = None,
    until: dt.datetime | None = None,
    group: str | None = None,
) -> Dataset:
    """Open a dataset for questions.

    `queries` are folders with the user's own query files. `since` ≤ ts < `until` and `group` narrow what
    the views see. SQL can read the dataset and nothing else, and write nothing, unless `unsafe`; `memory`
    limits DuckDB (`"2GB"`). Raises `DatasetError` for a path that is no dataset and `CatalogueError` for
    query files.
    """
    found = stored.Dataset.open(dataset)
    connection = found.connect(unsafe=unsafe, memory=memory, since=since, until=until, group=group)
    folders = [Path(path) for path in _several(queries)]
    return Dataset(os.fspath(dataset), connection, load_queries(folders), unsafe=unsafe)


class Dataset:
    """An opened dataset: one snapshot, one DuckDB session. `queries` are the analyses by name."""

    def __init__(
        self,
        name: str,
        connection: duckdb.DuckDBPyConnection,
        queries: Mapping[str, Query],
        *,
        unsafe: bool = False,
    ) -> None:
        """Users call `loganalyst.open`."""
        self.name = name
        self.queries = dict(queries)
        self.connection = connection
        self._unsafe = unsafe

    def sql(self, text: str) -> duckdb.DuckDBPyRelation:
        """Run SQL over `events`, `sources` and the views; those it names are computed first, once a session.

        Several statements may be given; the rows are the last one's. Raises `QueryError`.
        """
        provide(self.connection, mentioned(text, self.queries), self.queries)
        rows = run_sql(self.connection, text, unsafe=self._unsafe)
        if rows is None:
            rows = run_sql(self.connection, "SELECT 0 AS rows WHERE false")
        if rows is None:
            raise QueryError("the statement gives no rows")
        return rows

    def query(self, name: str, **params: Any) -> duckdb.DuckDBPyRelation:
        """Run a query by name, with its parameters; also `events` and `sources`.

        Raises `UsageError` and `QueryError`.
        """
        provide(self.connection, [name], self.queries, {key: str(value) for key, value in params.items()})
        return self.connection.sql(f'SELECT * FROM "{name}"')

    def report(
        self,
        *,
        groups: Sequence[str] = (),
        since: dt.datetime | None = None,
        until: dt.datetime | None = None,
        severity: str = "normal",
    ) -> Report:
        """Build the forensic report: findings first, then the story of each group."""
        from loganalyst.report.collect import collect
        from loganalyst.report.rows import dicts

        return collect(
            lambda sql: dicts(self.sql(sql)),
            dataset=self.name,
            groups=groups,
            since=since,
            until=until,
            severity=severity,
        )

    def findings(self) -> duckdb.DuckDBPyRelation:
        """Return the verdicts, one row each (the view `findings`)."""
        return self.query("findings")

    def close(self) -> None:
        """End the session."""
        self.connection.close()

    def __enter__(self) -> Dataset:
        """Return the dataset itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """End the session."""
        self.close()


def _several(paths: PathLike | Sequence[PathLike]) -> list[PathLike]:
    return [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)


def _date(value: dt.date | str | None) -> dt.date | None:
    if not isinstance(value, str):
        return value
    try:
        return dt.date.fromisoformat(value)
    except ValueError as error:
        raise UsageError(f"date {value!r} is not a date such as 2026-12-01") from error
