"""Rows from anywhere as one stream: what the writers of `formats.py` read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pyarrow as pa

from loganalyst.errors import QueryError
from loganalyst.report.cells import python_values


class Rows:
    """A stream of Arrow batches with the names of their columns, made unique (`a, a` → `a, a_1`)."""

    def __init__(self, reader: pa.RecordBatchReader) -> None:
        """Read from `reader`; nothing is fetched before the first batch is asked for."""
        self._reader = reader
        self.names = _unique(reader.schema.names)
        self.schema = pa.schema(
            [field.with_name(name) for field, name in zip(reader.schema, self.names, strict=True)]
        )

    def close(self) -> None:
        """End the stream; a DuckDB session runs nothing else before its open result is read or closed."""
        self._reader.close()

    def batches(self) -> Iterator[pa.RecordBatch]:
        """Yield the batches. Raises `QueryError` if DuckDB fails while it computes them."""
        while True:
            try:
                batch = self._reader.read_next_batch()
            except StopIteration:
                return
            except Exception as error:
                raise _explained(error) from error
            if batch.num_rows:
                yield batch.rename_columns(self.names)


def rows_of(data: Any, columns: Sequence[str] | None = None) -> Rows:
    """Make a stream of rows from a DuckDB relation, an Arrow table or reader, or a list of dicts.

    `columns` names and orders the columns of a list of dicts (by default those of its first row).
    """
    if isinstance(data, Rows):
        return data
    if isinstance(data, list | tuple):
        return Rows(_table(data, columns).to_reader())
    if isinstance(data, pa.RecordBatchReader):
        return Rows(data)
    try:
        return Rows(pa.RecordBatchReader.from_stream(data))
    except Exception as error:
        raise _explained(error) from error


def _explained(error: Exception) -> Exception:
    """Return what users see of an error of DuckDB, which comes as its own, as Arrow's or as an OSError."""
    own = type(error).__module__.lstrip("_").startswith("duckdb")
    return QueryError(str(error)) if own or isinstance(error, OSError | pa.ArrowException) else error


def dicts(data: Any) -> list[dict[str, Any]]:
    """Return rows as dicts, times as aware datetimes in UTC."""
    stream = rows_of(data)
    try:
        rows: list[dict[str, Any]] = []
        for batch in stream.batches():
            columns = [python_values(column) for column in batch.columns]
            rows += (dict(zip(stream.names, row, strict=True)) for row in zip(*columns, strict=True))
        return rows
    finally:
        stream.close()


def _table(rows: Sequence[Mapping[str, Any]], columns: Sequence[str] | None) -> pa.Table:
    names = list(columns if columns is not None else rows[0] if rows else ())
    return pa.table({name: pa.array([row.get(name) for row in rows]) for name in names})


def _unique(names: Sequence[str]) -> list[str]:
    result: list[str] = []
    for name in names:
        candidate, number = name, 0
        while candidate in result:
            number += 1
            candidate = f"{name}_{number}"
        result.append(candidate)
    return result
