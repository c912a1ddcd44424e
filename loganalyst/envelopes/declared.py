"""The declared wrappers, read from `wrappers.toml`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from loganalyst.envelopes.json_shapes import JsonShape

_PIECE = re.compile(r"\{([a-z][a-z0-9-]+)\}")


@dataclass(frozen=True)
class Prefix:
    """A wrapper that stands before the line; see `wrappers.toml` for the meanings."""

    name: str
    regex: re.Pattern[str]
    inner: str = ""
    octal: bool = False
    closes: re.Pattern[str] | None = None
    quotes: bool = False


@cache
def _table() -> Mapping[str, Any]:
    return tomllib.loads((Path(__file__).parent / "wrappers.toml").read_text("utf-8"))


@cache
def prefixes() -> tuple[Prefix, ...]:
    """The wrappers of single lines, in the order in which they are tried."""
    pieces: dict[str, str] = _table()["pieces"]
    return tuple(
        Prefix(
            entry["name"],
            re.compile(_PIECE.sub(lambda hole: pieces[hole[1]], entry["pattern"])),
            {True: "headed", "timed": "timed"}.get(entry.get("inner"), ""),
            entry.get("escapes") == "octal",
            re.compile(entry["closes"] + "$") if "closes" in entry else None,
            entry.get("escapes") == "quotes",
        )
        for entry in _table()["line"]
    )


@cache
def shapes() -> tuple[JsonShape, ...]:
    """The wrappers that are objects, in the order in which they are tried."""
    return tuple(JsonShape.declared(entry) for entry in _table()["json"])


def block_entries() -> list[dict[str, Any]]:
    """The entries of the forms that take some lines a record (see `blocks.py`)."""
    entries: list[dict[str, Any]] = _table()["block"]
    return entries


@cache
def record_keys() -> tuple[str, ...]:
    """The keys below which documents hold their records."""
    return tuple(_table()["containers"]["records"])


@cache
def inside_keys() -> tuple[str, ...]:
    """The keys under which an object holds the one that matters."""
    return tuple(_table()["containers"]["inside"])


@cache
def column_keys() -> tuple[str, ...]:
    """The keys below which tables hold the names of their columns."""
    return tuple(_table()["containers"]["columns"])


@cache
def row_keys() -> tuple[str, ...]:
    """The keys below which tables hold their rows."""
    return tuple(_table()["containers"]["rows"])


@cache
def _paths() -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(entry["pattern"]) for entry in _table()["path"])


def facts_of_path(path: str) -> dict[str, str]:
    """What the name of a log file tells: `pod`, `container`, `namespace`, as far as it does."""
    for pattern in _paths():
        found = pattern.search(path)
        if found is not None:
            facts = {key: value for key, value in found.groupdict().items() if value}
            if "broker" in facts:
                facts["pod"] = f"broker-{facts.pop('broker')}"
            return facts
    return {}
