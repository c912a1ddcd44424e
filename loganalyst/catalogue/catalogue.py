"""The catalogue as the rest of the product sees it: load it, ask it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from loganalyst.catalogue.cache import load_compiled
from loganalyst.catalogue.coarse import Coarse
from loganalyst.catalogue.matcher import Matcher
from loganalyst.catalogue.nearest import Nearest, NearestFinder
from loganalyst.catalogue.statement import Match, Statement
from loganalyst.errors import CatalogueError
from loganalyst.shipped import shipped


class Catalogue:
    """All known statements, compiled for matching.

    Statements and patterns are made when they are first needed.
    """

    def __init__(self, compiled: dict[str, Any]) -> None:
        """Take a compiled catalogue (see `compiled.py`)."""
        self._compiled = compiled
        self._made: list[Statement | None] = [None] * len(compiled["statements"])
        self.coarse = Coarse(tuple(literal.encode("ascii") for literal in compiled["coarse"]))
        self.matcher = Matcher(compiled, self._statement, self.coarse)

    def _statement(self, number: int) -> Statement:
        statement = self._made[number]
        if statement is None:
            statement = self._made[number] = Statement.from_json(self._compiled["statements"][number])
        return statement

    @cached_property
    def statements(self) -> tuple[Statement, ...]:
        """Every statement, in the order of the files."""
        return tuple(self._statement(number) for number in range(len(self._made)))

    def match(
        self,
        message: str,
        *,
        logger: str | None = None,
        level: str | None = None,
        keys: Mapping[str, str] | None = None,
    ) -> Match | None:
        """Return the statement that a message (header taken off) came from, with its values; `None` if
        unknown.

        `logger` only decides between statements of one text; `level` is accepted for symmetry with a record.
        `keys` are the values that a structured logger printed beside the message.
        """
        del level
        return self.matcher.match(message, logger=logger, keys=keys)

    def nearest(self, message: str) -> Nearest | None:
        """Return the statement that comes closest to a message, and where the text departs from it."""
        text = message.partition("\n")[0].rstrip()
        return self._finder.find(text, self.matcher.peel(text)[0].end)

    @cached_property
    def _finder(self) -> NearestFinder:
        return NearestFinder(self.statements, self.matcher.types)


def load(extra: Sequence[Path] = ()) -> Catalogue:
    """Load the shipped catalogue and the user's own files or folders. Raises `CatalogueError`."""
    return Catalogue(load_compiled(catalogue_paths([shipped("parsers"), *extra])))


def catalogue_paths(folders: Sequence[Path]) -> list[Path]:
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
