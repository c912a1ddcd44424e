"""The words of the verdicts: `*.toml` files beside the queries, one for each kind of finding.

A file is named after its kind (`poll_timeout.toml`) and holds one table for each variant of the wording
(`default`, and others where the evidence says less or more), each with `title`, `detail` and `fix`. They are
templates: `{name}` stands for the value of that name in the verdict's `facts`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from loganalyst.errors import CatalogueError

if TYPE_CHECKING:
    import duckdb

WORDING = "wording"
"""Name of the table that `create_wording` makes: `kind, variant, title, detail, fix`."""

_PARTS = ("title", "detail", "fix")


def create_wording(connection: duckdb.DuckDBPyConnection, folders: Iterable[Path]) -> None:
    """Create the TEMP table `wording` from the `*.toml` files of `folders`; a later folder replaces words."""
    rows = {(kind, variant): words for folder in folders for kind, variant, words in read_wording(folder)}
    connection.execute(
        f"CREATE OR REPLACE TEMP TABLE {WORDING} "
        "(kind VARCHAR, variant VARCHAR, title VARCHAR, detail VARCHAR, fix VARCHAR)"
    )
    if rows:
        values = [value for key, words in rows.items() for value in (*key, *words)]
        holes = ", ".join(["(?, ?, ?, ?, ?)"] * len(rows))
        connection.execute(f"INSERT INTO {WORDING} VALUES {holes}", values)


def read_wording(folder: Path) -> Iterator[tuple[str, str, tuple[str, str, str]]]:
    """Yield `kind, variant, (title, detail, fix)`. Raises `CatalogueError` naming the file and the entry."""
    for path in sorted(folder.glob("*.toml")):
        try:
            variants = tomllib.loads(path.read_text(encoding="utf-8"))
        except tomllib.TOMLDecodeError as error:
            raise CatalogueError(f"{path}: {error}") from error
        for variant, words in variants.items():
            if not isinstance(words, dict) or set(words) != set(_PARTS):
                raise CatalogueError(f"{path}: [{variant}] must hold exactly {', '.join(_PARTS)}")
            title, detail, fix = (" ".join(str(words[part]).split()) for part in _PARTS)
            yield path.stem, variant, (title, detail, fix)
