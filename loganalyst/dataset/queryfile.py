"""One file of `queries/`: its comment header and its SQL; `queries/README.md` documents the format."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from loganalyst.errors import CatalogueError

_KEY = re.compile(r"^--\s*(name|row|grain|about|column|like|param|uses|needs|union):\s*(.*)$")
_COLUMN = re.compile(
    r'^(\w+)\s+([A-Z][\w(), "]*?(?:\[\])?)(?:\s+in\s+(\w+))?\s+-\s+(.+)$',
    re.DOTALL,
)
_PARAM = re.compile(r"^(\w+)\s+([A-Z]\w*)(?:\s*=\s*(\S+))?\s+-\s+(.+)$", re.DOTALL)
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_FROM = re.compile(r"FROM\s", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a query: DuckDB type, unit (`ms`, `bytes`, ...; None where there is none) and meaning."""

    name: str
    type: str
    unit: str | None
    meaning: str


@dataclass(frozen=True, slots=True)
class Param:
    """One parameter: `getvariable('name')` in the SQL; `default` is its text, None stands for NULL."""

    name: str
    type: str
    default: str | None
    meaning: str


@dataclass(frozen=True, slots=True)
class Query:
    """One file of `queries/`: what a row is (`row`), its key (`grain`), columns, parameters, what it uses.

    `union` is the prefix of the queries that it is the UNION ALL of; `like` names the query whose columns
    it has. `needs` names events and views: if none of the events occurs and none of the views has a row, it
    has none either.
    """

    name: str
    row: str
    grain: str
    doc: str
    columns: tuple[Column, ...]
    params: tuple[Param, ...]
    uses: tuple[str, ...]
    sql: str
    union: str | None
    like: str | None
    needs: tuple[str, ...]
    needs_rows: tuple[str, ...]
    path: Path = field(compare=False)
    text: str = field(compare=False, repr=False)


def parse_query(path: Path) -> Query:
    """Read one query file. Raises `CatalogueError` naming the file and what its header lacks."""
    text = path.read_text(encoding="utf-8")
    entries, body = _header(text)
    single = {key: value for key, value in entries if key in {"name", "row", "grain", "about"}}
    for key in ("name", "row", "grain"):
        if not single.get(key):
            raise CatalogueError(f"{path}: the header has no '-- {key}:' line")
    if single["name"] != path.stem:
        raise CatalogueError(f"{path}: is named {single['name']}; name and file name must be the same")
    columns = [_column(path, value) for key, value in entries if key == "column"]
    params = [_param(path, value) for key, value in entries if key == "param"]
    uses = [word for key, value in entries if key == "uses" for word in _WORD.findall(value)]
    union = next((value.removesuffix("*") for key, value in entries if key == "union"), None)
    sql = body.strip().rstrip(";")
    if bool(sql) == (union is not None):
        raise CatalogueError(f"{path}: needs one SELECT, or '-- union: prefix_*' and no SELECT")
    needs = [value for key, value in entries if key == "needs"]
    like = next((value for key, value in entries if key == "like"), None)
    if bool(columns) == bool(like):
        raise CatalogueError(f"{path}: the header documents its columns, or says '-- like: QUERY'")
    return Query(
        single["name"],
        single["row"],
        single["grain"],
        single.get("about", ""),
        tuple(columns),
        tuple(params),
        tuple(dict.fromkeys(uses)),
        sql,
        union,
        like,
        tuple(word for value in needs if not _FROM.match(value) for word in _WORD.findall(value)),
        tuple(value for value in needs if _FROM.match(value)),
        path,
        text,
    )


def _header(text: str) -> tuple[list[tuple[str, str]], str]:
    """Split a file into its header entries (continuation lines joined) and the SQL below."""
    entries: list[list[str]] = []
    lines = text.splitlines()
    at = 0
    while at < len(lines) and lines[at].startswith("--"):
        match = _KEY.match(lines[at])
        if match:
            entries.append([match[1], match[2].strip()])
        elif entries:
            entries[-1][1] += " " + lines[at].removeprefix("--").strip()
        at += 1
    return [(key, value.strip()) for key, value in entries], "\n".join(lines[at:])


def _column(path: Path, value: str) -> Column:
    match = _COLUMN.match(value)
    if not match:
        raise CatalogueError(f"{path}: '-- column: {value}' is not 'name TYPE [in unit] - meaning'")
    return Column(match[1], match[2], match[3], match[4])


def _param(path: Path, value: str) -> Param:
    match = _PARAM.match(value)
    if not match:
        raise CatalogueError(f"{path}: '-- param: {value}' is not 'name TYPE [= default] - meaning'")
    return Param(match[1], match[2], match[3], match[4])
