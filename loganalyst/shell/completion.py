"""Completion of the shell: dot commands, views, columns with their meaning, SQL words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from prompt_toolkit.completion import Completer, Completion

from loganalyst.dataset.schema import EVENTS, SOURCES

if TYPE_CHECKING:
    from prompt_toolkit.completion import CompleteEvent
    from prompt_toolkit.document import Document

    from loganalyst.dataset.views import Query

COMMANDS = ("views", "doc", "columns", "run", "report", "format", "timing", "help", "quit")
KEYWORDS = """
SELECT FROM WHERE GROUP BY ORDER LIMIT HAVING QUALIFY JOIN LEFT ASOF USING ON AS AND OR NOT NULL IS
IN LIKE ILIKE BETWEEN CASE WHEN THEN ELSE END DISTINCT UNION ALL WITH DESC ASC count sum avg min max
median quantile_cont date_trunc strftime unnest arg_max arg_min list EXCLUDE DESCRIBE SUMMARIZE
EXPLAIN
"""
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*$")


class ViewCompleter(Completer):
    """Completes over the queries of a dataset."""

    def __init__(self, queries: Mapping[str, Query]) -> None:
        """Keep the names; columns are those of the views that the text names, or of all if it names none."""
        self._columns: dict[str, dict[str, str]] = {
            name: {column.name: column.meaning for column in query.columns} for name, query in queries.items()
        }
        self._columns["events"] = dict.fromkeys(EVENTS.names, "")
        self._columns["sources"] = dict.fromkeys(SOURCES.names, "")
        self._rows = {name: query.row for name, query in queries.items()}

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterator[Completion]:
        """Yield what the word before the cursor may become."""
        del complete_event
        before = document.text_before_cursor
        word = (_WORD.search(before) or [""])[0]
        for name, meaning in self._candidates(document.text, before, word):
            if name.lower().startswith(word.lower()) and name != word:
                yield Completion(name, start_position=-len(word), display_meta=meaning)

    def _candidates(self, text: str, before: str, word: str) -> Iterator[tuple[str, str]]:
        start = before.lstrip()
        if start[:1] in (".", "\\"):
            parts = start[1:].split(" ")
            names: Any = ((name, "") for name in COMMANDS) if len(parts) == 1 else self._views()
            yield from names
            return
        named = [name for name in self._columns if re.search(rf"\b{re.escape(name)}\b", text)]
        after_from = re.search(r"\b(from|join|describe|summarize)\s+\w*$", before, re.IGNORECASE)
        yield from self._views()
        if after_from or not word:
            return
        seen: set[str] = set()
        for name in named or self._columns:
            for column, meaning in self._columns[name].items():
                if column not in seen:
                    seen.add(column)
                    yield column, meaning
        yield from ((keyword, "") for keyword in KEYWORDS.split())

    def _views(self) -> Iterator[tuple[str, str]]:
        yield from ((name, self._rows.get(name, "")) for name in sorted(self._columns))
