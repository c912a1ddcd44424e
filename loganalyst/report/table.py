"""Rows for eyes: a table that fits the terminal, or one block a row where the columns are too many.

Widths are terminal cells, not characters; a cell is wrapped between graphemes, never inside one, and
nothing is cut off. All text is made visible first.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any

import pyarrow as pa
from rich.cells import cell_len, split_graphemes

from loganalyst.report.cells import is_number, json_values, text_values
from loganalyst.report.rows import Rows
from loganalyst.report.visible import visible

NULL = "NULL"
GAP = "  "
SAMPLE = 1000
"""Rows that decide the widths; the rows after them are wrapped into the same columns."""

_NARROWEST, _TIME = 10, 12
"""Widths below which no column is squeezed: of words, and of words that fit into it like `00:40:00.123`."""
_ISO = re.compile(r"^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)\.(\d{6})Z?$")


def table_lines(rows: Rows, width: int) -> Iterator[str]:
    """Yield the lines of a table of `width` cells, or of blocks if the columns cannot stand side by side."""
    batches = rows.batches()
    sample: list[Any] = []
    seen = 0
    for batch in batches:
        sample.append(batch)
        seen += batch.num_rows
        if seen >= SAMPLE:
            break
    texts = [row for batch in sample for row in _texts(batch)]
    widths = _widths(rows.names, texts, width)
    if widths is None:
        yield from _blocks(rows.names, chain(sample, batches), width)
        return
    right = [is_number(field.type) for field in rows.schema]
    later = (row for batch in batches for row in _texts(batch))
    yield _line(rows.names, widths, right)
    yield GAP.join("─" * size for size in widths)
    for row in chain(texts, later):
        yield from _row(row, widths, right)


def _texts(batch: Any) -> Iterator[tuple[str, ...]]:
    columns = [
        [NULL if text is None else visible(text) for text in _readable(column)] for column in batch.columns
    ]
    return zip(*columns, strict=True)


def _readable(column: Any) -> list[str | None]:
    """Return a column as text; times as `2026-12-01 00:40:00.123` (UTC), which break between day and hour."""
    texts = text_values(column)
    if not pa.types.is_timestamp(column.type):
        return texts
    return [None if text is None else _ISO.sub(_short, text) for text in texts]


def _short(time: re.Match[str]) -> str:
    day, hour, fraction = time.groups()
    return f"{day} {hour}.{fraction[:3] if fraction.endswith('000') else fraction}"


def _widths(names: Sequence[str], rows: Sequence[tuple[str, ...]], width: int) -> list[int] | None:
    """Return the width of each column, the widest ones shrunk until all fit; None if they cannot."""
    heads = [cell_len(visible(name)) for name in names]
    widths = [max([head, *(cell_len(row[at]) for row in rows)]) for at, head in enumerate(heads)]
    longest = [
        max((cell_len(word) for row in rows for word in row[at].split()), default=0)
        for at in range(len(names))
    ]
    least = [
        max(head, min(size, word if word <= _TIME else _NARROWEST))
        for head, size, word in zip(heads, widths, longest, strict=True)
    ]
    room = width - len(GAP) * (len(names) - 1)
    if sum(least) > room:
        return None
    while sum(widths) > room:
        widest = max(range(len(widths)), key=lambda at: widths[at] - least[at])
        widths[widest] -= 1
    needed = max((_height(row, widths) for row in rows), default=1)
    return None if needed > 12 else widths


def _height(row: tuple[str, ...], widths: Sequence[int]) -> int:
    return max(
        (-(-cell_len(cell) // size) for cell, size in zip(row, widths, strict=True) if size), default=1
    )


def _row(row: tuple[str, ...], widths: Sequence[int], right: Sequence[bool]) -> Iterator[str]:
    cells = [wrap(cell, size) for cell, size in zip(row, widths, strict=True)]
    for at in range(max(len(lines) for lines in cells)):
        yield _line([lines[at] if at < len(lines) else "" for lines in cells], widths, right)


def _line(cells: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> str:
    parts = []
    for cell, size, to_right in zip(cells, widths, right, strict=True):
        shown = visible(cell)
        padding = " " * (size - cell_len(shown))
        parts.append(padding + shown if to_right else shown + padding)
    return GAP.join(parts).rstrip()


def wrap(text: str, width: int) -> list[str]:
    """Break `text` into lines of at most `width` cells, at blanks or else between graphemes."""
    if cell_len(text) <= width:
        return [text]
    if text.isascii():
        return textwrap.wrap(text, width, break_on_hyphens=False, drop_whitespace=True) or [""]
    lines: list[str] = []
    line, used = "", 0
    spans, _ = split_graphemes(text)
    for start, end, size in spans:
        if used + size > width and line:
            head, blank, tail = line.rpartition(" ")
            keep = bool(blank and head.strip())
            lines.append(head if keep else line)
            line = tail if keep else ""
            used = cell_len(line)
        line += text[start:end]
        used += size
    return [*lines, line]


def _blocks(names: Sequence[str], batches: Iterable[Any], width: int) -> Iterator[str]:
    """Yield one block a row, `name  value` a line; the elements of a list stand one below the other."""
    margin = min(max((cell_len(visible(name)) for name in names), default=0), width // 3)
    number = 0
    for batch in batches:
        columns = [list(_values(column)) for column in batch.columns]
        for row in zip(*columns, strict=True):
            number += 1
            yield f"── {number} ".ljust(min(width, 60), "─")
            for name, values in zip(names, row, strict=True):
                label = visible(name)
                for value in values:
                    for line in wrap(value, max(width - margin - len(GAP), 20)):
                        yield f"{label}{' ' * (margin - cell_len(label))}{GAP}{line}".rstrip()
                        label = ""


def _values(column: Any) -> Iterator[list[str]]:
    """Yield the lines of each cell of a column."""
    for text, value in zip(_readable(column), json_values(column), strict=True):
        if isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
            yield [visible(_struct(item)) for item in value]
        else:
            yield [NULL if text is None else visible(text)]


def _struct(value: dict[str, Any]) -> str:
    """Write one STRUCT of a list; evidence as `source:line message`, which terminals and editors link."""
    if {"source", "line", "message"} <= value.keys():
        return f"{value['source']}:{value['line']} {value['message']}"
    return ", ".join(f"{name}={NULL if item is None else item}" for name, item in value.items())
