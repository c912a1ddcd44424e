"""Reads JSON printed over many lines, whole or torn, line by line."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from loganalyst.envelopes.declared import row_keys
from loganalyst.envelopes.documents import context_of, is_texts, records_in
from loganalyst.envelopes.json_shapes import Json, JsonShape
from loganalyst.envelopes.json_tables import rows_of

_TOKEN = re.compile(
    r"""\s*(?:(?P<text>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(?P<open>[{\[])|(?P<close>[}\]])|(?P<colon>:|=>)|(?P<comma>,)"""
    r"""|(?P<bare>\d{4}-\d\d-\d\dT[\d:.]+Z?|[^\s,:{}\[\]"']+)|(?P<torn>["'].*))""",
    re.DOTALL,
)
_TORN_LINES = 500
_TORN_LIMIT = 4 << 20
_STRANGE = 60


@dataclass(slots=True)
class Found:
    """A record of a document: its object, its shape, and the lines of the document that it took."""

    item: Json
    shape: JsonShape
    line: int
    first: int
    last: int


@dataclass(slots=True)
class _Open:
    """A list or an object that is not closed yet."""

    value: dict[str, Any] | list[Any]
    line: int
    key: str | None = None
    pending: str | None = None
    bare: str | None = field(default=None)


class DocumentReader:
    """Follows the braces of a document and gives each record as soon as it is closed.

    A fragment that begins or ends in the middle is read as far as it goes. Only what is open is held.
    `strange` are some objects in which no record was found.
    """

    def __init__(self, learnt: JsonShape | None = None) -> None:
        """Begin outside of all braces; `learnt` is the shape of objects that no declared one fits."""
        self.strange: list[Json] = []
        self._learnt = learnt
        self._stack: list[_Open] = []
        self._places: dict[int, int] = {}
        self._held = ""
        self._held_lines = 0

    def feed(self, line: str, number: int, ended: bool = True) -> list[Found]:
        """Take the next line and return the records that it closes; without `ended` the line goes on in the
        next call."""
        line = self._held + line
        self._held = ""
        found: list[Found] = []
        position = 0
        while position < len(line):
            token = _TOKEN.match(line, position)
            if token is None:
                break
            kind = token.lastgroup or ""
            if kind == "torn" or (kind == "bare" and not ended and token.end() == len(line)):
                self._hold(line[token.start(kind) :], ended)
                break
            position = token.end()
            found.extend(self._token(kind, token[kind], number))
        return found

    def _hold(self, text: str, ended: bool) -> None:
        """Keep a text whose end has not come: the line goes on, or the text was printed with its line
        feeds."""
        self._held_lines = self._held_lines + 1 if self._held_lines < _TORN_LINES else 0
        if self._held_lines and len(text) < _TORN_LIMIT:
            self._held = text + "\\n" if ended else text

    def _token(self, kind: str, text: str, number: int) -> list[Found]:
        self._held_lines = 0
        match kind:
            case "open":
                self._stack.append(_Open({} if text == "{" else [], number))
            case "close":
                return self._close(number)
            case "colon":
                self._colon()
            case "comma":
                self._comma()
            case "text":
                self._scalar(_unquoted(text), number)
            case _:
                self._scalar(_bare(text), number)
        return []

    def finish(self, number: int) -> list[Found]:
        """Return what was still open at the end."""
        found: list[Found] = []
        while self._stack:
            found.extend(self._close(number))
        return found

    def _colon(self) -> None:
        if not self._stack or isinstance(self._stack[-1].value, list):
            # A fragment that begins inside an object: its first key opens it.
            last = self._stack[-1] if self._stack else None
            key = last.value.pop() if last and isinstance(last.value, list) and last.value else None
            if last is None:
                return
            self._stack.append(_Open({}, last.line))
            self._stack[-1].key = str(key)
            return
        top = self._stack[-1]
        top.key, top.pending = top.pending, None

    def _comma(self) -> None:
        if self._stack:
            self._stack[-1].pending = None

    def _scalar(self, value: Any, number: int) -> None:
        if isinstance(value, str):
            self._places[id(value)] = number
        if not self._stack:
            # What stands outside of all braces belongs to an object whose beginning is missing.
            self._stack.append(_Open({}, number))
        top = self._stack[-1]
        if isinstance(top.value, list):
            top.value.append(value)
        elif top.key is None:
            top.pending = str(value)
        else:
            top.value[top.key] = value
            top.key = None

    def _close(self, number: int) -> list[Found]:
        if not self._stack:
            return []
        closed = self._stack.pop()
        parent = self._stack[-1] if self._stack else None
        whole = self._loki_line(closed) or self._table_row(closed)
        if whole is not None:
            return [
                self._found(item, shape, closed.line, number)
                for item, shape in records_in(whole, learnt=self._learnt)
            ]
        inside_object = parent is not None and isinstance(parent.value, dict) and parent.key is not None
        if not inside_object and (parent is None or not is_texts(closed.value)):
            records = list(records_in(closed.value, self._context(), learnt=self._learnt))
            if records:
                found = [self._found(item, shape, closed.line, number) for item, shape in records]
                self._places.clear()
                return found
            if isinstance(closed.value, dict) and len(self.strange) < _STRANGE:
                self.strange.append(closed.value)
        if parent is None:
            self._places.clear()
        elif isinstance(parent.value, list):
            parent.value.append(closed.value)
        elif parent.key is not None:
            parent.value[parent.key] = closed.value
            parent.key = None
        return []

    def _loki_line(self, closed: _Open) -> dict[str, Any] | None:
        """A pair of nanoseconds and line below the labels that hold for it, as Loki's API gives them."""
        if len(self._stack) < 2 or not isinstance(closed.value, list) or len(closed.value) < 2:
            return None
        above, labelled = self._stack[-1].value, self._stack[-2]
        if not isinstance(above, list) or not isinstance(labelled.value, dict) or labelled.key != "values":
            return None
        return (
            {"stream": labelled.value["stream"], "values": [closed.value]}
            if "stream" in labelled.value
            else None
        )

    def _table_row(self, closed: _Open) -> dict[str, Any] | None:
        """A row of cells below an object that has named the columns before."""
        if len(self._stack) < 2 or not isinstance(closed.value, list) or not closed.value:
            return None
        above, table = self._stack[-1].value, self._stack[-2]
        if not isinstance(above, list) or not isinstance(table.value, dict) or table.key not in row_keys():
            return None
        row = next(rows_of({**table.value, table.key: [closed.value]}), None)
        if row is not None and len(self.strange) < _STRANGE:
            self.strange.append(row)
        return row

    def _context(self) -> dict[str, Any]:
        context: dict[str, Any] = {}
        for each in self._stack:
            if isinstance(each.value, dict):
                context.update(context_of(each.value))
        return context

    def _found(self, item: Json, shape: JsonShape, first: int, last: int) -> Found:
        text = shape.text(item)
        return Found(item, shape, self._places.get(id(text), first), first, last)


_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))", re.DOTALL)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}


def _unquoted(text: str) -> str:
    inside = text[1:-1]
    if "\\" not in inside:
        return str(inside)
    return _ESCAPE.sub(lambda e: chr(int(e[1], 16)) if e[1] else _ESCAPES.get(e[2], e[2]), inside)


def _bare(text: str) -> Any:
    match text:
        case "true" | "false":
            return text == "true"
        case "null" | "undefined" | "None":
            return None
        case _:
            return text
