"""Header layouts: compiled from the patterns of `layouts.toml`, they cut a line into header and message."""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from pathlib import Path

from loganalyst.envelopes.times import SHAPES, Shape

_HOLE = re.compile(r"\{([\w-]+)\}")
_GROUPS = ("time", "level", "logger", "thread")
_END = r"[ \t]*$"
# What stands behind a message is looked for in so many last characters of a line.
ENDING_LIMIT = 400

_SPELLINGS = {
    "TRACE": "TRACE TRC TRCE VERBOSE VRB FINEST FINER T V",
    "DEBUG": "DEBUG DBG DBUG FINE CONFIG D 7",
    "INFO": "INFO INF INFORMATION NOTICE I 5 6",
    "WARN": "WARN WARNING WRN W 4",
    "ERROR": "ERROR ERR SEVERE FAIL E 3",
    "FATAL": "FATAL FTL CRITICAL CRIT CRT CRI EMERG ALERT PANIC PNC DPANIC F C 0 1 2",
}
_LEVELS = {word: level for level, words in _SPELLINGS.items() for word in words.split()}


def level_name(text: str | None) -> str | None:
    """Return the level in upper case as records carry it, from a word, a letter or a syslog digit."""
    if not text:
        return None
    return _LEVELS.get(text) or _LEVELS.get(text.upper(), text.upper())


@dataclass(frozen=True)
class Layout:
    """One way to print a record. `shape` fixes how its time is written; without one any shape is taken.

    `tail`: whether what the pattern says after `{message}` is to be looked for at the record's end. `fickle`:
    it says so
    little that it proves nothing about a single line.
    """

    name: str
    pattern: str
    multiline: bool = True
    shape: str | None = None
    tail: bool = True
    fickle: bool = False

    @property
    def timed(self) -> bool:
        """Whether the layout prints a time at all."""
        return "{time}" in self.pattern

    @cached_property
    def names_logger(self) -> bool:
        """Whether a logger stands somewhere in the layout."""
        return any(piece in self.pattern for piece in ("{logger}", "{dotted}", "{class}", "{facility}"))

    @cached_property
    def starts(self) -> re.Pattern[str] | AnyShape:
        """Matches a line that begins a record: groups `time`, `level`, `logger`, `thread`; its end is the
        message's start.

        Of a header on two lines it matches the first.
        """
        first, newline, _ = self._head.partition("\n")
        end = _END if newline else ""
        if self.shape is None and "{time}" in first:
            return AnyShape(first, end)
        return _compiled(first, self.shape, end)

    @cached_property
    def second(self) -> re.Pattern[str]:
        """Matches what the second line of a two-line header puts before the message."""
        return re.compile(r"[ \t]*" + _translate(self._head.partition("\n")[2], None))

    @cached_property
    def two_lines(self) -> bool:
        """Whether the header takes two lines (java.util.logging, Microsoft's console)."""
        return "\n" in self._head

    @cached_property
    def ending(self) -> re.Pattern[str] | None:
        """Matches the end of the message's line where the layout prints something behind the message."""
        behind = self.pattern.partition("{message}")[2]
        if not behind or not self.tail:
            return None
        # Kafka prints an empty list as nothing, so the blanks before the one that the layout prints are the
        # message's.
        bare = behind.lstrip(" ")
        blanks = f"(?:{' ' * (len(behind) - len(bare))})?"
        return re.compile(blanks + _with_all_groups(_translate(bare, None)) + _END)

    @cached_property
    def ending_begins(self) -> str:
        """The character with which the ending begins behind its blanks: `(` or `[`."""
        return self.pattern.partition("{message}")[2].lstrip(" ")[:1]

    def find_ending(self, text: str) -> re.Match[str] | None:
        """Find what the layout prints behind the message, at the end of one of its lines."""
        ending = self.ending
        if ending is None or text.rstrip()[-1:] not in (")", "]"):
            return None
        begin = text.rfind(self.ending_begins)
        found = (
            ending.match(text, begin - 1 if begin and text[begin - 1] == " " else begin)
            if begin >= 0
            else None
        )
        # The blanks before it, a thread in brackets: only then has every place to be tried.
        return found or ending.search(text, max(0, len(text) - ENDING_LIMIT))

    @cached_property
    def _head(self) -> str:
        return self.pattern.partition("{message}")[0]


class AnyShape:
    """The beginning of a layout whose time may have any shape: each is compiled when a line first has it.

    One expression for all shapes would take milliseconds for each layout, most of which fit no line at all.
    """

    def __init__(self, head: str, end: str) -> None:
        """`head` is the pattern up to the message, `end` an expression to stand behind it."""
        self._head, self._end = head, end
        self._words = [word for literal in _HOLE.split(head)[::2] for word in literal.split()]
        before = head.partition("{time}")[0]
        self._time_at = None if " " in before or "{" in before else len(before)

    def match(self, text: str, begin: int = 0, end: int = sys.maxsize) -> re.Match[str] | None:
        """Match like a compiled pattern; of two shapes that fit, the one that stands first in `SHAPES`."""
        at = begin
        for word in self._words:
            at = text.find(word, at, end)
            if at < 0:
                return None
            at += len(word)
        for shape in _shapes_in(text[begin:end], self._time_at):
            found = _compiled(self._head, shape, self._end).match(text, begin, end)
            if found is not None:
                return found
        return None


@cache
def _compiled(head: str, shape: str | None, end: str) -> re.Pattern[str]:
    return re.compile(_with_all_groups(_translate(head, shape)) + end)


@lru_cache(maxsize=512)
def _shapes_in(text: str, at: int | None) -> tuple[str, ...]:
    """Name the shapes that the part of a text at a place has, or any part of it."""
    if at is None:
        return tuple(name for name, shape in SHAPES.items() if shape.regex.search(text))
    return tuple(name for name, shape in SHAPES.items() if shape.regex.match(text, at))


def _with_all_groups(regex: str) -> str:
    missing = "".join(f"(?P<{g}>(?!))?" for g in _GROUPS if f"(?P<{g}>" not in regex)
    return regex + missing


def _translate(pattern: str, shape: str | None) -> str:
    """Turn a pattern of `layouts.toml` into a regular expression."""
    out, position = "", 0
    named: set[str] = set()

    def once(regex: str) -> str:
        # A group's name may stand only once in a pattern; the first to bear it is the one that counts.
        for group in _GROUPS:
            if f"(?P<{group}>" in regex:
                if group in named:
                    regex = regex.replace(f"(?P<{group}>", "(?:")
                named.add(group)
        return regex

    for hole in _HOLE.finditer(pattern):
        out += _literal(pattern[position : hole.start()])
        out += once(f"(?P<time>{_time(shape)})" if hole[1] == "time" else pieces()[hole[1]])
        position = hole.end()
    return out + _literal(pattern[position:])


@lru_cache(maxsize=32)
def _time(shape: str | None) -> str:
    if shape is not None:
        return SHAPES[shape].bare
    return "|".join(each.bare for each in SHAPES.values())


def _literal(text: str) -> str:
    return re.escape(text).replace(r"\ ", "[ \t]+")


@cache
def _declared() -> Mapping[str, object]:
    return tomllib.loads((Path(__file__).parent / "layouts.toml").read_text("utf-8"))


@cache
def pieces() -> dict[str, str]:
    """The named pieces that patterns are made of."""
    table = _declared()["pieces"]
    assert isinstance(table, dict)
    return {str(name): str(regex) for name, regex in table.items()}


@cache
def known() -> tuple[Layout, ...]:
    """All declared layouts, most telling first."""
    entries = _declared()["layout"]
    assert isinstance(entries, list)
    return tuple(
        Layout(
            str(e["name"]), str(e["pattern"]), bool(e.get("multiline", True)), fickle=bool(e.get("fickle"))
        )
        for e in entries
    )


@lru_cache(maxsize=512)
def shape_of(text: str) -> Shape | None:
    """Return the shape in which a time stamp is written."""
    return next((shape for shape in SHAPES.values() if shape.regex.fullmatch(text)), None)
