"""One implementation of every output format, for all commands: table, json, jsonl, csv, markdown, parquet.

Rows are streamed: a result larger than memory can be written. Bytes are the contract: `-o FILE` writes what
`> FILE` would. csv is RFC 4180 with the data exactly as it is (NULL is an empty field, an empty string is
`""`); only for a terminal, or with `spreadsheet`, is anything in it rewritten.
"""

from __future__ import annotations

import contextlib
import re
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO, Any

from loganalyst.errors import UsageError
from loganalyst.report.cells import is_number, json_text, json_values, text_values
from loganalyst.report.rows import Rows, rows_of
from loganalyst.report.sink import is_terminal, sink
from loganalyst.report.visible import visible

_QUOTED = re.compile('[",\r\n]')
_FORMULA = re.compile("(?:^|[\r\n])[\\s\u00a0]*[=+\\-@\t\r]")
_MARKDOWN = re.compile(r"[\\`*\[\]<>&|~]|(?<![^\W_])_|_(?![^\W_])")
_ENTITIES = {"<": "&lt;", ">": "&gt;", "&": "&amp;"}


def write_rows(
    data: Any,
    *,
    format: str | None = None,
    file: Path | None = None,
    columns: Sequence[str] | None = None,
    spreadsheet: bool = False,
) -> None:
    """Write rows to `file`, or to stdout.

    `data`: a DuckDB relation, an Arrow table or reader, or a list of dicts (its columns named by
    `columns`). `format` None is a table on a terminal and csv elsewhere. `spreadsheet` puts `'` before csv
    cells that a spreadsheet program would take for a formula. Raises `QueryError` if a relation cannot be
    computed, `UsageError` if `file` cannot be written.
    """
    terminal = is_terminal(file)
    chosen = format or ("table" if terminal else "csv")
    if chosen == "parquet" and terminal:
        raise UsageError("parquet is not for terminals: name a file with -o FILE")
    with contextlib.closing(rows_of(data, columns)) as rows, sink(file) as out:
        if chosen == "parquet":
            _write_parquet(rows, out)
        else:
            _write_text(_lines(rows, chosen, terminal, spreadsheet), out)


def write_text(lines: Iterable[str], file: Path | None = None) -> None:
    """Write lines of text to `file`, or to stdout; the caller has made log content visible."""
    with sink(file) as out:
        _write_text(lines, out)


def _lines(rows: Rows, format: str, terminal: bool, spreadsheet: bool) -> Iterator[str]:
    if format == "csv":
        shown: Callable[[str], str] = visible if terminal else str
        return _csv(rows, (lambda text: _harmless(shown(text))) if spreadsheet else shown)
    if format == "table":
        from loganalyst.report.table import table_lines

        return table_lines(rows, shutil.get_terminal_size((80, 24)).columns)
    return {"json": _json, "jsonl": _jsonl, "markdown": _markdown}[format](rows)


def _write_text(lines: Iterable[str], out: IO[bytes]) -> None:
    pending: list[str] = []
    for line in lines:
        pending.append(line)
        if len(pending) >= 1000:
            out.write(("\n".join(pending) + "\n").encode("utf-8", "backslashreplace"))
            pending.clear()
    if pending:
        out.write(("\n".join(pending) + "\n").encode("utf-8", "backslashreplace"))


def _records(rows: Rows) -> Iterator[str]:
    for batch in rows.batches():
        columns = [json_values(column) for column in batch.columns]
        for row in zip(*columns, strict=True):
            yield json_text(dict(zip(rows.names, row, strict=True)))


def _jsonl(rows: Rows) -> Iterator[str]:
    return _records(rows)


def _json(rows: Rows) -> Iterator[str]:
    pending: str | None = None
    for record in _records(rows):
        if pending is not None:
            yield f"{pending},"
        pending = f"[{record}" if pending is None else f" {record}"
    yield "[]" if pending is None else f"{pending}]"


def _csv(rows: Rows, shown: Callable[[str], str]) -> Iterator[str]:
    def field(text: str | None) -> str:
        if text is None:
            return ""
        text = shown(text)
        return '"' + text.replace('"', '""') + '"' if not text or _QUOTED.search(text) else text

    yield ",".join(field(name) for name in rows.names)
    for batch in rows.batches():
        columns = [[field(text) for text in text_values(column)] for column in batch.columns]
        for row in zip(*columns, strict=True):
            yield ",".join(row) or '""'  # a lone NULL: readers skip empty lines


def _harmless(text: str) -> str:
    return f"'{text}" if _FORMULA.search(text) and not _is_number(text) else text


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _markdown(rows: Rows) -> Iterator[str]:
    yield "| " + " | ".join(markdown_text(name) for name in rows.names) + " |"
    yield "|" + "|".join(" ---: " if is_number(field.type) else " --- " for field in rows.schema) + "|"
    for batch in rows.batches():
        columns = [["NULL" if t is None else markdown_text(t) for t in text_values(c)] for c in batch.columns]
        for row in zip(*columns, strict=True):
            yield "| " + " | ".join(row) + " |"


def markdown_text(text: str) -> str:
    """Return `text` for a line or cell of Markdown: shown as it is, no markup, link or HTML in it obeyed."""
    return _MARKDOWN.sub(lambda match: _ENTITIES.get(match[0], "\\" + match[0]), visible(text))


def _write_parquet(rows: Rows, out: IO[bytes]) -> None:
    import pyarrow.parquet as pq

    with pq.ParquetWriter(out, rows.schema, compression="zstd") as writer:
        for batch in rows.batches():
            writer.write_batch(batch)
