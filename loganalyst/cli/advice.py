"""Errors of SQL with what to do about them: the view or column that may have been meant."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Iterator

from loganalyst.errors import QueryError
from loganalyst.suggest import did_you_mean

_NO_TABLE = re.compile(r'Table with name "?(?P<name>[^"!]+?)"? does not exist', re.IGNORECASE)
_NO_COLUMN = re.compile(r'(?:Referenced column|column named) "(?P<name>[^"]+)"', re.IGNORECASE)


@contextlib.contextmanager
def advised(views: Iterable[str]) -> Iterator[None]:
    """Add to a `QueryError` of the block which of the `views` was meant, or where columns are listed."""
    try:
        yield
    except QueryError as error:
        raise QueryError(_with_advice(str(error), views)) from error


def _with_advice(text: str, views: Iterable[str]) -> str:
    if missing := _NO_TABLE.search(text):
        lines = [line for line in text.splitlines() if not line.startswith("Did you mean")]
        hint = did_you_mean(missing["name"], [*views, "events", "sources"])
        return "\n".join([*lines, "", hint or "`loganalyst queries` lists the views."]).strip()
    if _NO_COLUMN.search(text):
        return f"{text}\n\n`loganalyst queries VIEW` lists the columns of a view."
    return text
