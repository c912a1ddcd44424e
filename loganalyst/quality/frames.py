"""The narrow frames that DuckDB projects for Great Expectations: only the columns that the rules look at."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from loganalyst.quality.rules import Rule

if TYPE_CHECKING:
    import duckdb

__all__ = ["PLACE", "frame_key", "project"]

PLACE = ("source", "line")
"""Columns that lead from a row back to its log line."""


def frame_key(rule: Rule) -> str:
    """Name the frame of a rule; rules of one view and one condition share it."""
    return rule.frame if rule.where is None else f"{rule.frame} where {rule.where}"


def project(connection: duckdb.DuckDBPyConnection, rules: Sequence[Rule]) -> Any:
    """Return the pandas frame of `rules`, which share view and condition.

    Text becomes categories (a code a row), whole numbers stay so beside missing values, times are UTC.
    """
    import pandas as pd
    import pyarrow as pa

    rule = rules[0]
    columns = _columns(connection, rules)
    names = ", ".join(f'"{name}"' for name in columns)
    where = f" WHERE {rule.where}" if rule.where else ""
    table: Any = connection.sql(f'SELECT {names} FROM "{rule.frame}"{where}').to_arrow_table()
    for at, column in enumerate(table.schema):
        if pa.types.is_string(column.type) or pa.types.is_large_string(column.type):
            table = table.set_column(at, column.name, table[column.name].dictionary_encode())
    return table.to_pandas(types_mapper={pa.int64(): pd.Int64Dtype()}.get)


def _columns(connection: duckdb.DuckDBPyConnection, rules: Sequence[Rule]) -> list[str]:
    looked_at = [name for rule in rules for expectation in rule.expectations for name in expectation.columns]
    there = {row[0] for row in connection.execute(f'DESCRIBE "{rules[0].frame}"').fetchall()}
    return list(dict.fromkeys([*(name for name in PLACE if name in there), *looked_at]))
