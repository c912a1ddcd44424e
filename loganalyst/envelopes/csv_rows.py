"""Reads CSV and TSV exports row by row, and tells from a sample whether one is there."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Sequence
from typing import Any

from loganalyst.envelopes.documents import records_in
from loganalyst.envelopes.json_shapes import JsonShape, parse
from loganalyst.envelopes.streamed import Found

_DELIMITERS = (",", ";", "\t")
_ROW_LIMIT = 4 << 20
_COLUMN = re.compile(r"[A-Za-z_@][\w @./\[\]()-]{0,60}")
_RECTANGULAR = 0.9
_UNTABBED = re.compile(r"\\([tnr\\])")
_TABBED = {"t": "\t", "n": "\n", "r": "\r", "\\": "\\"}

csv.field_size_limit(1 << 24)


class CsvReader:
    """Reads a CSV export row by row, with line feeds inside quoted cells."""

    def __init__(
        self, header: list[str] | None = None, delimiter: str = ",", learnt: JsonShape | None = None
    ) -> None:
        """Begin before the header row, or with its names known; `learnt` is the shape of rows unknown to all
        declared ones."""
        self._learnt = learnt
        self._header = header
        self._delimiter = delimiter
        self._held: list[str] = []
        self._first = 0
        self._size = 0
        self._open = False
        self._begun = ""

    def feed(self, line: str, number: int, ended: bool = True) -> list[Found]:
        """Take the next line and return the row that it completes; without `ended` the line goes on in the
        next call."""
        if not ended:
            self._begun += line if len(self._begun) < _ROW_LIMIT else ""
            return []
        line, self._begun = self._begun + line, ""
        if not self._held:
            self._first = number
        self._held.append(line)
        self._size += len(line)
        if line.count('"') % 2:
            self._open = not self._open
        if self._open and self._size < _ROW_LIMIT:
            return []
        return self._row(number)

    def finish(self, number: int) -> list[Found]:
        """Return a row whose last quote is missing."""
        return self._row(number) if self._held else []

    def _row(self, number: int) -> list[Found]:
        text, first = "\n".join(self._held), self._first
        self._held, self._size, self._open = [], 0, False
        try:
            cells = next(
                csv.reader(
                    [text + "\n"] if "\n" not in text else text.splitlines(True), delimiter=self._delimiter
                ),
                [],
            )
        except csv.Error:
            return []
        if self._header is None:
            if not text.startswith("sep=") and cells:
                self._header = [cell.strip().lstrip("\ufeff") for cell in cells]
            return []
        if self._delimiter == "\t" and "\\" in text:
            cells = [_UNTABBED.sub(lambda escape: _TABBED[escape[1]], cell) for cell in cells]
        item = {key: cell for key, cell in zip(self._header, cells, strict=False) if cell not in ("", "-")}
        if isinstance(labels := item.get("labels"), str) and labels.startswith("{"):
            item = {**item, **_labels(labels)}
        return [
            Found(found, shape, first, first, number)
            for found, shape in records_in(item, learnt=self._learnt)
        ]


def _labels(text: str) -> dict[str, Any]:
    value = parse(text)
    return {"labels": value} if isinstance(value, dict) else {}


def header_of_csv(lines: Iterable[str]) -> tuple[list[str], str] | None:
    """The column names and the delimiter, if the first line names columns that hold log lines."""
    for line in lines:
        text = line.lstrip("\ufeff").strip()
        if not text:
            continue
        if text.startswith("sep="):
            continue
        for delimiter in _DELIMITERS:
            try:
                cells = next(csv.reader([text], delimiter=delimiter), [])
            except csv.Error:  # a stray carriage return, as in binary data
                return None
            names = [cell.strip() for cell in cells]
            if len(names) > 1 and all(names) and len(set(names)) == len(names) and _looks_like_columns(names):
                return names, delimiter
        return None
    return None


def rows_of_csv(lines: Sequence[str]) -> tuple[list[dict[str, str]], str] | None:
    """The rows of what may be a CSV file, and its delimiter: words as names, as many cells in (nearly) all
    rows."""
    text = "\n".join(line for line in lines if not line.startswith("sep="))
    for delimiter in _DELIMITERS:
        try:
            rows = [row for row in csv.reader(text.splitlines(True), delimiter=delimiter) if row]
        except csv.Error:
            return None
        names, cells = [name.strip() for name in rows[0]] if rows else [], rows[1:]
        if len(names) < 2 or len(set(names)) != len(names) or not all(map(_COLUMN.fullmatch, names)):
            continue
        whole = [dict(zip(names, row, strict=True)) for row in cells if len(row) == len(names)]
        if whole and len(whole) >= _RECTANGULAR * (len(cells) - 1):
            return whole, delimiter
    return None


def _looks_like_columns(names: list[str]) -> bool:
    row = dict.fromkeys(names, "x")
    return all(len(name) < 80 for name in names) and any(True for _ in records_in(row))
