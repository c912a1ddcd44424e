"""The exceptions that users see. Every message says what is wrong, where, and what to do next."""

from __future__ import annotations


class LoganalystError(Exception):
    """Base of all errors that loganalyst raises on purpose; `exit_code` is what the CLI exits with."""

    exit_code = 2


class UsageError(LoganalystError):
    """Wrong options, unknown names, refusals. Exit code 2."""


class QueryError(LoganalystError):
    """SQL that DuckDB refuses or that the sandbox forbids. Exit code 2."""


class SourceError(LoganalystError):
    """A source that could not be read, wholly or in part; the rest was processed. Exit code 3."""

    exit_code = 3


class DatasetError(LoganalystError):
    """A dataset that does not exist, is not one, or cannot be read or written. Exit code 3."""

    exit_code = 3


class CatalogueError(LoganalystError):
    """A parser or query file that is not right; names the file and the entry. Exit code 2."""


class QualityError(LoganalystError):
    """The quality gate did not pass. Exit code 4."""

    exit_code = 4
