"""One session of the shell: takes a statement or a dot command, writes the answer."""

from __future__ import annotations

import io
import time
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from functools import partial
from typing import TYPE_CHECKING, Any

from loganalyst.cli.advice import advised
from loganalyst.cli.options import FORMATS
from loganalyst.errors import UsageError
from loganalyst.report.rows import rows_of
from loganalyst.report.table import table_lines
from loganalyst.report.visible import visible
from loganalyst.suggest import did_you_mean

if TYPE_CHECKING:
    from loganalyst.api import Dataset

HELP = """\
SQL ends with a semicolon and may take several lines; the views are tables.

.views              list the views, with what one row is
.doc VIEW           print a view with its columns and its SQL
.columns VIEW       list the columns of a view
.run NAME [K=V]...  run a shipped query with parameters
.report [GROUP]...  print the report
.format [NAME]      show or set how rows are printed: table, json, jsonl, csv, markdown
.timing             show how long statements take, or stop showing it
.help               print this
.quit               leave (also Ctrl-D)

A backslash does for the dot: \\timing, \\q."""

_ALIASES = {
    "q": "quit",
    "exit": "quit",
    "?": "help",
    "h": "help",
    "d": "columns",
    "dt": "views",
    "tables": "views",
}


class Leave(Exception):  # noqa: N818 - not an error
    """The user wants to leave the shell."""


class Session:
    """A dataset, how its rows are printed, and where.

    `emit` gets the lines of one answer; on a terminal it pages them.
    """

    def __init__(
        self, dataset: Dataset, emit: Callable[[Iterator[str]], None], width: Callable[[], int]
    ) -> None:
        """`width` tells the width of the terminal, which may change."""
        self.dataset = dataset
        self.format = "table"
        self.timing = False
        self._emit = emit
        self._width = width

    def run(self, text: str) -> None:
        """Answer one input: a dot command or SQL. Raises `LoganalystError`, `Leave`."""
        text = text.strip()
        if not text.rstrip(";").strip():
            return
        if text[0] in ".\\":
            words = text[1:].rstrip(";").split()
            self._command(words[0] if words else "help", words[1:])
        elif text.rstrip(";").lower() in ("exit", "quit", "help"):
            self._command(text.rstrip(";").lower(), [])
        else:
            self._sql(text)

    def _command(self, name: str, words: list[str]) -> None:
        name = _ALIASES.get(name, name)
        commands = {
            "help": self._help,
            "views": self._views,
            "doc": self._doc,
            "columns": self._columns,
            "run": self._run_query,
            "report": self._report,
            "format": self._set_format,
            "timing": self._set_timing,
            "quit": self._quit,
        }
        if name not in commands:
            hint = did_you_mean(name, commands) or ".help lists them."
            raise UsageError(f"no command '.{name}'. {hint}")
        commands[name](words)

    def _help(self, _words: list[str]) -> None:
        self._emit(iter(HELP.splitlines()))

    def _quit(self, _words: list[str]) -> None:
        raise Leave

    def _views(self, _words: list[str]) -> None:
        rows: list[dict[str, Any]] = [
            {"view": "events", "row": "one log record that matters to groups"},
            {"view": "sources", "row": "one source that was read, with the account of its lines"},
        ]
        rows += [
            {"view": name, "row": self.dataset.queries[name].row} for name in sorted(self.dataset.queries)
        ]
        self._show(rows)

    def _doc(self, words: list[str]) -> None:
        query = self.dataset.queries[self._view(words)]
        self._emit(visible(line) for line in query.text.splitlines())

    def _columns(self, words: list[str]) -> None:
        name = self._view(words, [*self.dataset.queries, "events", "sources"])
        if name in self.dataset.queries:
            columns = self.dataset.queries[name].columns
            self._show(
                [{"column": c.name, "type": c.type, "unit": c.unit, "meaning": c.meaning} for c in columns]
            )
        else:
            self._show(self.dataset.sql(f"SELECT column_name, column_type FROM (DESCRIBE {name})"))

    def _view(self, words: list[str], known: list[str] | None = None) -> str:
        known = known or list(self.dataset.queries)
        name = words[0] if words else ""
        if name not in known:
            hint = did_you_mean(name, known) or ".views lists them."
            raise UsageError(f"no view '{name}'. {hint}" if name else "which view? .views lists them.")
        return name

    def _run_query(self, words: list[str]) -> None:
        name = self._view(words)
        pairs = [word.partition("=") for word in words[1:]]
        self._timed(lambda: self._show(self.dataset.query(name, **{key: value for key, _, value in pairs})))

    def _report(self, words: list[str]) -> None:
        from loganalyst.report.page import Page
        from loganalyst.report.text import text_lines

        self._emit(text_lines(self.dataset.report(groups=words), Page(min(self._width(), 120))))

    def _set_format(self, words: list[str]) -> None:
        known = [name for name in FORMATS if name != "parquet"]
        if words and words[0] not in known:
            raise UsageError(f"no format '{words[0]}'. {did_you_mean(words[0], known) or ', '.join(known)}")
        self.format = words[0] if words else self.format
        self._emit(iter([f"format {self.format}"]))

    def _set_timing(self, words: list[str]) -> None:
        self.timing = words[0] == "on" if words else not self.timing
        self._emit(iter([f"timing {'on' if self.timing else 'off'}"]))

    def _sql(self, text: str) -> None:
        """Run each statement of `text`; those that give no rows are answered with `ok`."""
        import duckdb

        try:
            statements = [(s.query, s.type.name) for s in self.dataset.connection.extract_statements(text)]
        except duckdb.Error:
            statements = [(text, "SELECT")]  # running it says what is wrong with it
        for query, kind in statements:
            with advised(self.dataset.queries):
                self._timed(partial(self._answer, query, kind))

    def _answer(self, query: str, kind: str) -> None:
        rows = self.dataset.sql(query)
        if kind in ("SELECT", "EXPLAIN"):
            self._show(rows)
        else:
            self._emit(iter(["ok"]))

    def _timed(self, run: Callable[[], None]) -> None:
        started = time.perf_counter()
        run()
        if self.timing:
            self._emit(iter([f"{(time.perf_counter() - started) * 1000:,.0f} ms"]))

    def _show(self, data: Any) -> None:
        rows = rows_of(data)
        if self.format == "table":
            try:
                self._emit(table_lines(rows, self._width()))
            finally:
                rows.close()
            return
        from loganalyst.report.formats import write_rows

        held = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
        with redirect_stdout(held):
            write_rows(rows, format=self.format)
        written: Any = held.buffer
        self._emit(iter(written.getvalue().decode().splitlines()))
