"""The catalogue as the rest of the product sees it: load it, ask it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from loganalyst.catalogue.files import Files, catalogue_paths, read_files
from loganalyst.catalogue.matcher import Matcher
from loganalyst.catalogue.prefixes import PrefixPeeler
from loganalyst.catalogue.statement import Match, Statement
from loganalyst.catalogue.wording import Wording
from loganalyst.shipped import shipped


class Catalogue:
    """All known statements, compiled for matching."""

    def __init__(self, files: Files) -> None:
        self.files = files
        self.statements: tuple[Statement, ...] = tuple(files.statements)
        self._matcher = build_matcher(files)

    def match(
        self,
        message: str,
        *,
        logger: str | None = None,
        level: str | None = None,
        keys: Mapping[str, str] | None = None,
    ) -> Match | None:
        """Return the statement that a message (header taken off) came from, with its values; `None` if unknown.

        `logger` only decides between statements of one text; `level` is accepted for symmetry with a record.
        `keys` are the values that a structured logger printed beside the message.
        """
        del level
        return self._matcher.match(message, logger=logger, keys=keys)


def build_matcher(files: Files) -> Matcher:
    """Compile what was read."""
    return Matcher(_wordings(files), PrefixPeeler(_prefixes(files)))


def _wordings(files: Files) -> Iterable[Wording]:
    for statement in files.statements:
        types = files.types_of(statement.component)
        for template in statement.templates:
            yield Wording(statement, template, types)


def _prefixes(files: Files) -> Iterable[tuple]:
    for component in files.components:
        types = files.types_of(component.name)
        for context in component.contexts:
            yield context, types, None
    for statement in files.statements:
        types = files.types_of(statement.component)
        for prefix in statement.prefixes:
            yield prefix.template, types, prefix


def load(extra: Sequence[Path] = ()) -> Catalogue:
    """Load the shipped catalogue and the user's own files or folders. Raises `CatalogueError`."""
    return Catalogue(read_files(catalogue_paths([shipped("parsers"), *extra])))
