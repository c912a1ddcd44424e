"""Reads `parsers/*.toml` into statements and hole types, and says precisely what is wrong with a file."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from loganalyst.catalogue.statement import Statement
from loganalyst.catalogue.template import HoleType, parse
from loganalyst.errors import CatalogueError

TYPES_FILE = "types.toml"
NOT_COMPONENTS = frozenset({TYPES_FILE, "errors.toml", "coarse.toml"})


@dataclass(frozen=True, slots=True)
class Component:
    """One file of the catalogue: its header and its statements."""

    name: str
    title: str
    path: Path
    contexts: tuple[str, ...]
    near_misses: tuple[str, ...]
    statements: tuple[Statement, ...]


@dataclass(slots=True)
class Files:
    """Everything read from the catalogue's folders."""

    components: list[Component] = field(default_factory=list)
    types: dict[str, HoleType] = field(default_factory=lambda: {"": HoleType()})
    preferred_literals: list[str] = field(default_factory=list)

    @property
    def statements(self) -> list[Statement]:
        """All statements, in the order of the files."""
        return [statement for component in self.components for statement in component.statements]

    @property
    def contexts(self) -> list[str]:
        """Templates that may stand before any message."""
        return [context for component in self.components for context in component.contexts]


def catalogue_paths(folders: Iterable[Path]) -> list[Path]:
    """Return the TOML files of the folders, sorted within each; a path to a file stands for itself."""
    paths: list[Path] = []
    for folder in folders:
        if folder.is_dir():
            paths += sorted(folder.glob("*.toml"))
        elif folder.is_file():
            paths.append(folder)
        else:
            raise CatalogueError(f"{folder}: no such folder or file; --parsers takes a folder of .toml files")
    return paths


def read_files(paths: Sequence[Path]) -> Files:
    """Read catalogue files. Raises `CatalogueError` naming the file and the entry."""
    files = Files()
    tables = [(path, _table(path)) for path in paths]
    for path, table in tables:
        if path.name == TYPES_FILE:
            for name, entry in table.get("types", {}).items():
                files.types[name] = HoleType(entry.get("pattern"), entry.get("prefer"))
        elif path.name == "coarse.toml":
            files.preferred_literals += table.get("literals", [])
    seen: dict[str, Path] = {}
    for path, table in tables:
        if path.name in NOT_COMPONENTS:
            continue
        component = _component(path, table, files.types)
        for statement in component.statements:
            if statement.id in seen:
                raise CatalogueError(f"{path}: statement {statement.id!r} is already in {seen[statement.id]}")
            seen[statement.id] = path
        files.components.append(component)
    return files


def _table(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise CatalogueError(f"{path}: not valid TOML: {error}") from error
    except OSError as error:
        raise CatalogueError(f"{path}: cannot be read: {error.strerror}") from error


def _component(path: Path, table: dict[str, Any], types: dict[str, HoleType]) -> Component:
    for required in ("component", "role"):
        if required not in table:
            raise CatalogueError(f"{path}: the header lacks {required!r}")
    name = table["component"]
    contexts = tuple(table.get("contexts", ()))
    for context in contexts:
        _check_types(path, "contexts", context, types)
    return Component(
        name=name,
        title=table.get("title", name),
        path=path,
        contexts=contexts,
        near_misses=tuple(table.get("near_misses", ())),
        statements=tuple(_statement(path, table, entry, types) for entry in table.get("statement", ())),
    )


def _statement(path: Path, header: dict[str, Any], entry: dict[str, Any], types: dict[str, HoleType]) -> Statement:
    label = entry.get("id") or entry.get("template", "?")
    for required in ("id", "event", "template"):
        if required not in entry:
            raise CatalogueError(f"{path}: statement {label!r} lacks {required!r}")
    prefix = entry.get("prefix", header.get("prefixes", ()))
    prefixes = (prefix,) if isinstance(prefix, str) else tuple(prefix)
    component = header["component"]
    event = entry["event"]
    statement = Statement(
        id=f"{component}.{entry['id']}",
        event=event,
        detail_event=entry.get("detail_event"),
        component=component,
        role=entry.get("role", header["role"]),
        client=entry.get("client", header.get("client")),
        level=_level(entry.get("level")),
        versions=entry.get("versions"),
        template=entry["template"],
        variants=tuple(entry.get("variants", ())),
        prefixes=prefixes,
        loggers=tuple(entry.get("loggers", header.get("loggers", ()))),
        keep=entry.get("keep", event != "other"),
        only=entry.get("only", {}),
        keys={**header.get("keys", {}), **entry.get("keys", {})},
        after=tuple(ref if "." in ref and not ref.rpartition(".")[2].isdigit() else ref for ref in entry.get("after", ())),
        pairs=entry.get("pairs", header.get("pairs", False)),
        example=entry.get("example"),
        expect={key: str(value) for key, value in entry.get("expect", {}).items()},
        note=entry.get("note"),
    )
    for template in (*statement.templates, *prefixes):
        _check_types(path, statement.id, template, types)
    return statement


def _check_types(path: Path, label: str, template: str, types: dict[str, HoleType]) -> None:
    for piece in parse(template):
        if not isinstance(piece, str) and piece.type not in types:
            known = ", ".join(sorted(filter(None, types)))
            raise CatalogueError(f"{path}: {label}: unknown hole type {piece.type!r}; known are {known}")


def _level(level: str | list[str] | None) -> str | None:
    """One level, or those of several versions joined with a slash."""
    return "/".join(level) if isinstance(level, list) else level
