"""Tells what a line is: the beginning of a record, the continuation of one, or neither."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

from loganalyst.envelopes.layouts import Layout, known

BODY: Final = "body"
FOREIGN: Final = "foreign"
BREAK: Final = "break"
_HEADER_LIMIT = 2000
# What every header has: a clock time, an epoch number, a level word, or librdkafka's percent sign.
_HINT = re.compile(
    r".{0,160}?(?:\d\d:\d\d|\d{10}|"
    r"\b(?i:trace|debug|info|warn|warning|error|fatal|severe|critical|dbug|trce|fail|crit)\b)"
)
# Not written by the program: what kubectl, tail, grep, stern, journalctl and start-up scripts say.
_TOOLS = re.compile(
    r"==> .* <==$|--$|-- (?:No entries|Boot |Reboot|Logs begin|Journal begins)|"
    r"Defaulted container |Common labels: |"
    r"error: |unable to retrieve container logs for |failed to try resolving symlinks |rpc error: code = |"
    r"[+-] \S+ › \S+|===> |Found \d+ pods?, using |failed to create fsnotify watcher|"
    # The line that Kibana's table puts before each record: its time in the reader's zone.
    r"[A-Z][a-z]{2} \d{1,2}, \d{4} @ \d\d:\d\d:\d\d\.\d{3}[ \t]*$"
)
# Where a paste or a recorded terminal session goes over to something else: fences, prompts, `script`'s lines.
_BREAKS = re.compile(
    r"(?:```|~~~)\w*$|\{(?:noformat|code)[^}]*\}$|Script (?:started|done)\b.* on \w|"
    r"(?:\([\w.-]+\) )?\[?[\w.-]+@[\w.-]+[: ][^\s$#%>]*\]?[$#%>] |PS [A-Z]:\\[^>]*> "
)
# What `tail` and `head` print before the lines of each of several files.
FILE_MARK = re.compile(r"==> (.+) <==")
# Put around a line by whoever pasted it: quotes of mails and issues, bold and code marks.
_DECORATION = re.compile(r"[ \t]*(?:(?:>+|\||│)[ \t]?)*(?P<mark>\*\*|`{1,3}|__)?(?=\S)")
# The lines of a stack trace that are not indented.
_EXCEPTION = re.compile(r"(?:Caused by: |Suppressed: )?(?:[a-z][\w$]*\.)+[A-Z][\w$]*(?:: |$)")
_DECORATED = frozenset(">|│*`_")


@dataclass(slots=True, frozen=True)
class Start:
    """The beginning of a record: its layout (`None`: a bare line), what the header says, and the first line's
    text."""

    layout: Layout | None
    text: str
    time: str | None = None
    level: str | None = None
    logger: str | None = None
    thread: str | None = None


class Classifier:
    """Knows the layouts of one source. What it says of a line depends on the line and on what stands above,
    never on the past."""

    def __init__(self, layouts: tuple[Layout, ...]) -> None:
        """Take the layouts of a source, the usual one first."""
        self._layouts = layouts
        self._main = layouts[0] if layouts else None
        self._starts = [(layout, layout.starts.match) for layout in layouts]
        self._others = _others(layouts)

    def classify(self, text: str, above: Layout | None, follows: bool) -> Start | str:
        """Return a `Start`, `BODY`, `FOREIGN` or, where what follows belongs to no record above, `BREAK`.

        `follows`: a record stands above in the same stream; `above` is its layout.
        """
        head = text[:1]
        indented = head in (" ", "\t")
        if not indented:
            for layout, match in self._starts:
                found = match(text, 0, _HEADER_LIMIT)
                if found is not None:
                    return Start(
                        layout, text[found.end() :], *found.group("time", "level", "logger", "thread")
                    )
        if indented:
            return BODY if text.strip() else FOREIGN
        if not head or _TOOLS.match(text):
            return FOREIGN
        if _BREAKS.match(text):
            return BREAK
        if follows and above is not None and above.multiline and _EXCEPTION.match(text):
            return BODY
        if head in _DECORATED:
            pasted = self._pasted(text)
            if pasted is not None:
                return pasted
        if _HINT.match(text):
            for layout, match in self._others:
                found = match(text, 0, _HEADER_LIMIT)
                if found is not None:
                    return Start(
                        layout, text[found.end() :], *found.group("time", "level", "logger", "thread")
                    )
        if above is not None and above.multiline and follows:
            return BODY
        banner = not follows and self._main is not None and self._main.multiline
        return FOREIGN if banner else Start(None, text)

    def _pasted(self, text: str) -> Start | None:
        """The record behind `> ` or between `**` and `**`, if a layout of this source stands there."""
        marks = _DECORATION.match(text)
        if marks is None or not marks.end():
            return None
        bare = text[marks.end() :]
        mark = marks["mark"]
        if mark and bare.rstrip().endswith(mark):
            bare = bare.rstrip()[: -len(mark)]
        for layout, match in self._starts:
            found = match(bare, 0, _HEADER_LIMIT)
            if found is not None:
                return Start(layout, bare[found.end() :], *found.group("time", "level", "logger", "thread"))
        return None

    def has_header(self, text: str) -> bool:
        """Whether a text begins with a header of its own, time and level, so that it is a line and not a bare
        message."""
        start = self.classify(text.partition("\n")[0], None, follows=False)
        return (
            isinstance(start, Start) and start.layout is not None and bool(start.time) and bool(start.level)
        )


def is_exception(text: str) -> bool:
    """Whether a line begins a stack trace: the name of an exception and what it said."""
    return _EXCEPTION.match(text) is not None


def is_tool_line(text: str) -> bool:
    """Whether a line was written by what showed the log: kubectl, tail, grep, stern, journalctl."""
    return _TOOLS.match(text) is not None or _BREAKS.match(text) is not None


@lru_cache(maxsize=64)
def _others(layouts: tuple[Layout, ...]) -> tuple[tuple[Layout, Callable[..., re.Match[str] | None]], ...]:
    """The declared layouts besides those of a source; the telling ones first: a fickle one fits many a line
    that has more to it."""
    return tuple(
        (layout, layout.starts.match)
        for layout in sorted(known(), key=lambda layout: layout.fickle)
        if not any(same_head(layout, each) and each.shape is None for each in layouts)
    )


@cache
def same_head(one: Layout, other: Layout) -> bool:
    """Whether two layouts begin alike, so that whatever starts with one starts with the other."""
    return one.pattern.partition("{message}")[0] == other.pattern.partition("{message}")[0]
