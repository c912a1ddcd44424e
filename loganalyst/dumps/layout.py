"""The tables of `tables.toml`, ready to read rows with."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from loganalyst.dumps.shapes import SHAPES, Shape

_LONGEST = 4096
"""Characters of a row that is cut by pattern; longer ones only where they stand under their titles."""


@dataclass(frozen=True, slots=True)
class Column:
    """A title's values: their shape, and the column of the events table that takes them (None: `fields`
    alone)."""

    title: str
    shape: Shape
    to: str | None
    kind: str


@dataclass(frozen=True)
class Table:
    """A table in one source: the columns of its header line, in order, with the places where they begin."""

    kind: str
    tool: str
    group_type: str | None
    columns: tuple[Column, ...]
    starts: tuple[int, ...]

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        """A row whose values do not stand under their titles: the shapes say where each ends."""
        pieces = []
        for index, column in enumerate(self.columns):
            gap = r"\s+" if index else r"\s*"
            value = f"{gap}({column.shape.pattern})"
            pieces.append(f"(?:{value})?" if column.shape.optional else value)
        return re.compile("".join(pieces) + r"\s*")

    def cut(self, line: str) -> dict[str, str] | None:
        """Return the row's values by title, None when the line is no row of this table."""
        line = line.rstrip()
        values = self._by_place(line)
        if values is None and len(line) <= _LONGEST:
            match = self._pattern.fullmatch(line)
            values = [value or "" for value in match.groups()] if match else None
        if values is None or not any(values):
            return None
        return {column.title: value for column, value in zip(self.columns, values, strict=True)}

    def _by_place(self, line: str) -> list[str] | None:
        values = []
        for column, start, end in zip(self.columns, self.starts, (*self.starts[1:], None), strict=True):
            if start and line[start - 1 : start].strip():
                return None
            value = line[start:end].strip()
            if not (re.fullmatch(column.shape.pattern, value) or (not value and column.shape.optional)):
                return None
            values.append(value)
        return values


@dataclass(frozen=True, slots=True)
class Sentence:
    """Something that a tool says in words, with what it means."""

    kind: str
    tool: str
    pattern: re.Pattern[str]
    meaning: dict[str, str]


class Layouts:
    """Everything that `tables.toml` declares."""

    def __init__(self, declared: dict[str, Any]) -> None:
        """Compile the declarations."""
        self._columns = {
            title: Column(title, SHAPES[entry["shape"]], entry.get("to"), entry["shape"])
            for title, entry in declared["columns"].items()
        }
        titles = sorted(self._columns, key=len, reverse=True)
        self._title = re.compile("|".join(map(re.escape, titles)))
        self._tables = declared["table"]
        keyed = declared["keyed"]
        self.keyed_tool: str = keyed["tool"]
        self.only: str = keyed["only"]
        self._rows: list[dict[str, Any]] = keyed["row"]
        keys = "|".join(re.escape(key) for key in sorted(keyed["keys"], key=len, reverse=True))
        self._key = re.compile(rf"(?:^|(?<=\s))({keys}):")
        self.sentences = [
            Sentence(
                entry["kind"],
                entry["tool"],
                _template(entry["template"]),
                {key: entry[key] for key in ("error", "state") if key in entry},
            )
            for entry in declared["sentence"]
        ]

    def header(self, line: str) -> Table | None:
        """Return the table that `line` is the header of."""
        found = list(self._title.finditer(line))
        if not found or self._title.sub("", line).strip():
            return None
        titles = {match[0] for match in found}
        for entry in self._tables:
            if titles.issuperset(entry["titles"]):
                return Table(
                    entry["kind"],
                    entry["tool"],
                    entry.get("group_type"),
                    tuple(self._columns[match[0]] for match in found),
                    tuple(match.start() for match in found),
                )
        return None

    def keyed(self, line: str) -> tuple[str, dict[str, str]] | None:
        """Return kind and values of a `Key: value` row."""
        if not line.lstrip().startswith("Topic"):
            return None
        cut = self._key.split(line)
        values = {key: value.strip() for key, value in zip(cut[1::2], cut[2::2], strict=True)}
        for entry in self._rows:
            if values.keys() >= set(entry["has"]):
                return entry["kind"], values
        return None


def _template(template: str) -> re.Pattern[str]:
    pieces = re.split(r"\{(\w+)\}", template)
    text = "".join(f"(?P<{p}>.*?)" if i % 2 else re.escape(p) for i, p in enumerate(pieces))
    return re.compile(text)


@cache
def layouts() -> Layouts:
    """Return the shipped layouts."""
    path = Path(__file__).with_name("tables.toml")
    return Layouts(tomllib.loads(path.read_text(encoding="utf-8")))
