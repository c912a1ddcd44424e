"""Reads `parsers/*.toml` into statements and hole types, and says precisely what is wrong with a file."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path
from typing import Any

from loganalyst.catalogue.statement import Prefix, Statement
from loganalyst.catalogue.template import Hole, HoleType, adjacent_free_holes, parse
from loganalyst.errors import CatalogueError
from loganalyst.shipped import shipped

TYPES_FILE = "types.toml"
COARSE_FILE = "coarse.toml"
ERRORS_FILE = "errors.toml"
SCHEMA_FILE = "parser.schema.json"
_NOT_COMPONENTS = frozenset({TYPES_FILE, COARSE_FILE, ERRORS_FILE})
FREE = HoleType()


@dataclass(frozen=True, slots=True)
class Component:
    """The header of one file of the catalogue. `near_misses` are texts that nothing in the file may match."""

    name: str
    title: str
    file: str
    contexts: tuple[str, ...]
    near_misses: tuple[str, ...]


@dataclass(slots=True)
class Files:
    """Everything read from the catalogue's folders.

    `types` are the hole types by component; those of `types.toml` stand under the empty name and in every
    other.
    """

    components: list[Component] = field(default_factory=list)
    statements: list[Statement] = field(default_factory=list)
    types: dict[str, dict[str, HoleType]] = field(default_factory=lambda: {"": {"": FREE}})
    coarse: list[str] = field(default_factory=list)

    def types_of(self, component: str) -> dict[str, HoleType]:
        """The hole types that the templates of a component may use."""
        return self.types.get(component) or self.types[""]


def read_files(paths: Sequence[Path]) -> Files:
    """Read catalogue files. Raises `CatalogueError` naming the file and the entry."""
    files = Files()
    tables = [(path, _table(path)) for path in paths]
    for path, table in tables:
        if path.name == TYPES_FILE:
            files.types[""].update(_types(path, table))
        elif path.name == COARSE_FILE:
            files.coarse += table.get("literals", [])
    seen: dict[str, Path] = {}
    for path, table in tables:
        if path.name not in _NOT_COMPONENTS:
            for statement in _read_component(files, path, table):
                if statement.id in seen:
                    raise CatalogueError(
                        f"{path}: {statement.id} is already a statement of {seen[statement.id]}"
                    )
                seen[statement.id] = path
                files.statements.append(statement)
    for statement in files.statements:
        for earlier in statement.after:
            if earlier not in seen:
                raise CatalogueError(
                    f"{seen[statement.id]}: {statement.id}: after names no statement: {earlier!r}"
                )
    return files


@lru_cache(maxsize=1)
def _schema() -> dict[str, Any]:
    """The published schema of the files: the one list of keys and events."""
    schema: dict[str, Any] = json.loads((shipped("parsers") / SCHEMA_FILE).read_text(encoding="utf-8"))
    return schema


def _table(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise CatalogueError(f"{path}: not valid TOML: {error}") from error
    except OSError as error:
        raise CatalogueError(f"{path}: cannot be read: {error.strerror}") from error


def _types(path: Path, table: Mapping[str, Any]) -> dict[str, HoleType]:
    found = {}
    for name, entry in table.get("types", {}).items():
        for key in ("pattern", "prefer"):
            try:
                re.compile(entry.get(key) or "")
            except re.error as error:
                raise CatalogueError(
                    f"{path}: types.{name}: {key} is not a regular expression: {error}"
                ) from error
        found[name] = HoleType(entry.get("pattern"), entry.get("prefer"))
    return found


def _read_component(files: Files, path: Path, table: dict[str, Any]) -> list[Statement]:
    for required in ("component", "role"):
        if not isinstance(table.get(required), str):
            raise CatalogueError(f"{path}: the header lacks {required!r}")
    component = table["component"]
    own = _types(path, table)
    if own:
        files.types[component] = {**files.types[""], **own}
    reader = _Reader(path, table, files.types_of(component))
    files.components.append(
        Component(
            name=component,
            title=table.get("title", component),
            file=path.name,
            contexts=tuple(reader.template("contexts", context) for context in table.get("contexts", ())),
            near_misses=tuple(table.get("near_misses", ())),
        )
    )
    return [reader.statement(entry) for entry in table.get("statement", ())]


class _Reader:
    """Turns the entries of one file into statements."""

    def __init__(self, path: Path, header: dict[str, Any], types: Mapping[str, HoleType]) -> None:
        self.path = path
        self.header = header
        self.types = types
        self.check_keys("the header", header, "component")
        self.prefixes = {name: self.prefix(name, value) for name, value in header.get("prefixes", {}).items()}

    def check_keys(self, label: str, entry: Mapping[str, Any], kind: str) -> None:
        """Refuse keys that mean nothing: a misspelt one would silently do nothing."""
        known = _schema()["$defs"][kind]["properties"]
        for key in entry:
            if key not in known:
                close = get_close_matches(key, known, 1)
                hint = f"did you mean {close[0]!r}?" if close else f"known are {', '.join(sorted(known))}"
                raise self.fail(label, f"unknown key {key!r}; {hint}")

    def fail(self, label: str, what: str) -> CatalogueError:
        return CatalogueError(f"{self.path}: {label}: {what}")

    def prefix(self, name: str, value: str | dict[str, Any]) -> Prefix:
        """Read one of [prefixes]: a template, or a table with who prints it."""
        entry: dict[str, Any] = {"template": value} if isinstance(value, str) else value
        template = self.template(f"prefixes.{name}", entry["template"])
        return Prefix(template, entry.get("client"), entry.get("role"), entry.get("keep", True))

    def template(self, label: str, template: str) -> str:
        """Return the template if its holes can be read; raise `CatalogueError` if not."""
        for piece in parse(template):
            if isinstance(piece, Hole) and piece.type not in self.types:
                known = ", ".join(sorted(filter(None, self.types)))
                raise self.fail(label, f"unknown hole type {piece.type!r}; known are {known}")
        if adjacent_free_holes(template, self.types):
            raise self.fail(label, "two free holes touch: nothing says where the first one ends")
        return template

    def statement(self, entry: dict[str, Any]) -> Statement:
        label = str(entry.get("id") or entry.get("template", "?"))
        for required in ("id", "event", "template"):
            if not isinstance(entry.get(required), str):
                raise self.fail(label, f"lacks {required!r}")
        self.check_keys(label, entry, "statement")
        header = self.header
        component = header["component"]
        event = entry["event"]
        events = _schema()["$defs"]["event"]["enum"]
        if event not in events:
            close = get_close_matches(event, events, 3)
            hint = f"close ones are {', '.join(close)}" if close else "use other for what no event fits"
            raise self.fail(label, f"unknown event {event!r}; {hint}")
        names = entry.get("prefix", header.get("prefix", list(self.prefixes)))
        for name in names:
            if name not in self.prefixes:
                raise self.fail(label, f"prefix {name!r} is not in [prefixes]")
        level = entry.get("level")
        templates = [self.template(label, text) for text in (entry["template"], *entry.get("variants", ()))]
        return Statement(
            id=f"{component}.{entry['id']}",
            event=event,
            detail_event=entry.get("detail_event"),
            component=component,
            role=entry.get("role", header["role"]),
            client=entry.get("client", header.get("client")),
            level="/".join(level) if isinstance(level, list) else level,
            versions=entry.get("versions"),
            template=templates[0],
            variants=tuple(templates[1:]),
            prefixes=tuple(self.prefixes[name] for name in names),
            prefix_printed=entry.get("prefix_printed", header.get("prefix_printed", True)),
            bare=entry.get("bare", header.get("bare", True)),
            loggers=tuple(entry.get("loggers", header.get("loggers", ()))),
            keep=entry.get("keep", event != "other"),
            only=entry.get("only", {}),
            constants={**header.get("constants", {}), **entry.get("constants", {})},
            keys={**header.get("keys", {}), **entry.get("keys", {})},
            after=tuple(entry.get("after", ())),
            pairs=entry.get("pairs", header.get("pairs", False)),
            example=entry.get("example"),
            expect={key: str(value) for key, value in entry.get("expect", {}).items()},
            note=entry.get("note"),
        )
