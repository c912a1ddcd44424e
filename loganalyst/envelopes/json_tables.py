"""Tables in JSON: the columns' names once, then rows of cells, or columns of cells."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from loganalyst.envelopes.declared import column_keys, row_keys
from loganalyst.envelopes.json_shapes import Json


def rows_of(value: Json) -> Iterator[dict[str, Any]]:
    """Yield the rows of a table as objects; nothing if `value` is no table.

    Azure gives `columns` and `rows`, Elasticsearch's ES|QL `columns` and `values`, OpenSearch `schema` and
    `datarows`, ClickHouse `meta` and `data`, Splunk `fields` and `rows`; Grafana's frames hold columns of
    cells.
    """
    names = _names(value)
    if not names:
        return
    for key in row_keys():
        cells = value.get(key)
        if isinstance(cells, Mapping):
            columns = cells.get("values")
            if isinstance(columns, list) and len(columns) == len(names) and _lists(columns):
                yield from (dict(zip(names, row, strict=True)) for row in zip(*columns, strict=False))
                return
        elif isinstance(cells, list) and cells and _lists(cells):
            yield from (dict(zip(names, row, strict=True)) for row in cells if len(row) == len(names))
            return


def _names(value: Json) -> list[str]:
    for key in column_keys():
        columns = value.get(key)
        if isinstance(columns, Mapping):
            columns = columns.get("fields")
        if not isinstance(columns, list) or not columns:
            continue
        names = [
            each if isinstance(each, str) else each.get("name") if isinstance(each, Mapping) else None
            for each in columns
        ]
        if all(isinstance(name, str) for name in names):
            return [str(name) for name in names]
    return []


def _lists(values: list[Any]) -> bool:
    return all(isinstance(each, list) for each in values)
