"""Arrow columns as plain values: what a cell is in JSON, and what it is as text. The same in every format.

Integers stay integers (HUGEINT too), times are ISO 8601 in UTC with microseconds and `Z`, LIST, STRUCT and
MAP are lists and dicts, NULL is None. NaN and the infinities have no JSON form and become None there; as
text they are `nan`, `inf`, `-inf`.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_FIRST = -62_135_596_800_000_000  # 0001-01-01 in microseconds since 1970
_LAST = 253_402_300_799_999_999  # 9999-12-31
_NEVER = 2**63 - 1  # how DuckDB hands over 'infinity'

_RAW_IN_JSON = re.compile(
    "[\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]"
)


def json_values(array: pa.Array) -> list[Any]:
    """Return a column as values that `json` can write."""
    return _values(array, text_values)


def python_values(array: pa.Array) -> list[Any]:
    """Return a column as Python values, times as aware datetimes in UTC.

    Not pyarrow's `to_pylist`, which imports pandas, where it is installed, to make a datetime: a second.
    """
    return _values(array, _moments)


def _values(array: pa.Array, others: Callable[[pa.Array], list[Any]]) -> list[Any]:
    """Return a column as plain values; what is neither number, text, flag nor nested is up to `others`."""
    kind = array.type
    if pa.types.is_dictionary(kind):
        return _values(array.dictionary_decode(), others)
    if isinstance(array, pa.ExtensionArray):
        return _values(array.storage, others)
    if pa.types.is_floating(kind):
        return [value if value is not None and math.isfinite(value) else None for value in array.to_pylist()]
    if pa.types.is_decimal(kind):
        number: Any = int if kind.scale == 0 else float
        return [None if value is None else number(value) for value in array.to_pylist()]
    if pa.types.is_nested(kind) and not pa.types.is_union(kind):
        return _nested(array, others)
    if _is_plain(kind):
        values: list[Any] = array.to_pylist()
        return values
    return others(array)


def text_values(array: pa.Array) -> list[str | None]:
    """Return a column as text, NULL as None; nested values as JSON."""
    kind = array.type
    if pa.types.is_dictionary(kind):
        return text_values(array.dictionary_decode())
    if isinstance(array, pa.ExtensionArray):
        return text_values(array.storage)
    if pa.types.is_timestamp(kind):
        return _times(array)
    if pa.types.is_boolean(kind):
        return [None if value is None else str(value).lower() for value in array.to_pylist()]
    if pa.types.is_binary(kind) or pa.types.is_large_binary(kind):
        return [None if value is None else value.hex() for value in array.to_pylist()]
    if pa.types.is_nested(kind) and not pa.types.is_union(kind):
        return [None if value is None else json_text(value) for value in json_values(array)]
    return [None if value is None else str(value) for value in array.to_pylist()]


def json_text(value: Any) -> str:
    r"""Write a value as one line of JSON; characters that terminals obey or hide are written as `\u....`."""
    return escape_invisible(json.dumps(value, ensure_ascii=False, allow_nan=False))


def escape_invisible(text: str) -> str:
    r"""Write what terminals obey or hide in a JSON text as `\u....`; its meaning stays the same."""
    if text.isascii() and "\x7f" not in text:
        return text
    return _RAW_IN_JSON.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def time_text(moment: datetime) -> str:
    """Write a time as `2026-12-01T00:40:00.123456Z`."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def is_number(kind: pa.DataType) -> bool:
    """Tell whether a column holds numbers, which tables align to the right."""
    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind))


def _is_plain(kind: pa.DataType) -> bool:
    types = pa.types
    return bool(
        types.is_null(kind)
        or types.is_boolean(kind)
        or types.is_integer(kind)
        or types.is_string(kind)
        or types.is_large_string(kind)
        or types.is_string_view(kind)
    )


def _nested(array: pa.Array, others: Callable[[pa.Array], list[Any]]) -> list[Any]:
    kind = array.type
    if pa.types.is_struct(kind):
        names = [kind.field(index).name for index in range(kind.num_fields)]
        children = [_values(child, others) for child in array.flatten()]
        rows = [dict(zip(names, values, strict=True)) for values in zip(*children, strict=True)]
        return [row if valid else None for row, valid in zip(rows, array.is_valid().to_pylist(), strict=True)]
    if pa.types.is_map(kind):
        pair = pa.struct([("key", kind.key_type), ("value", kind.item_type)])
        pairs = _values(array.cast(pa.list_(pair)), others)
        return [row if row is None else {_key(p["key"]): p["value"] for p in row} for row in pairs]
    values = _values(array.flatten(), others)
    rows_of_lists: list[Any] = []
    start = 0
    for length in pc.list_value_length(array).to_pylist():
        rows_of_lists.append(None if length is None else values[start : start + length])
        start += length or 0
    return rows_of_lists


def _key(key: Any) -> str:
    return key if isinstance(key, str) else json_text(key)


def _times(array: pa.Array) -> list[str | None]:
    """Write timestamps from their numbers, so that no zone database and no platform calendar matters."""
    suffix = "Z" if array.type.tz else ""
    return [None if number is None else _time(number) + suffix for number in _microseconds(array)]


def _moments(array: pa.Array) -> list[Any]:
    if not pa.types.is_timestamp(array.type):
        return text_values(array)
    return [
        None if number is None or not _FIRST <= number <= _LAST else _EPOCH + timedelta(microseconds=number)
        for number in _microseconds(array)
    ]


def _microseconds(array: pa.Array) -> list[int | None]:
    naive = array.cast(pa.timestamp(array.type.unit)).cast(pa.timestamp("us"), safe=False)
    numbers: list[int | None] = naive.cast(pa.int64()).to_pylist()
    return numbers


def _time(microseconds: int) -> str:
    if not _FIRST <= microseconds <= _LAST:
        if abs(microseconds) >= _NEVER:
            return "infinity" if microseconds > 0 else "-infinity"
        return f"{microseconds} microseconds from 1970"
    moment = _EPOCH + timedelta(microseconds=microseconds)
    return moment.replace(tzinfo=None).isoformat(timespec="microseconds")
