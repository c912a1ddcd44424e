"""Takes the wrappers off a line: what remains is the line that the program printed, with what its wrappers knew."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from loganalyst.envelopes import json_lines
from loganalyst.envelopes.clock import Clock
from loganalyst.envelopes.json_lines import Json, JsonShape
from loganalyst.envelopes.layouts import level_name
from loganalyst.envelopes.record import Wrapper

ANSI = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])")
_DEEPEST = 5
JSON = "json"


@dataclass(frozen=True)
class Prefix:
    """A declared wrapper that stands before the line."""

    name: str
    regex: re.Pattern[str]
    display: bool = False


@dataclass(slots=True, frozen=True)
class Spoken:
    """The header of a record in JSON; `time` is the stamp as printed."""

    time: str | None
    level: str | None
    logger: str | None
    thread: str | None
    keys: dict[str, str] | None


@dataclass(slots=True)
class Piece:
    """A line without its wrappers. `part`: it goes on in the next piece of the same stream.

    `header` is what a program that logs JSON itself said about its record: time, level, logger, thread, keys.
    """

    text: str
    wrapper: Wrapper | None = None
    part: bool = False
    stream: str = ""
    header: Spoken | None = None

    @property
    def stream_key(self) -> str:
        """What tells the streams apart whose lines a wrapper mixes: pod, container, stdout or stderr."""
        of = self.wrapper
        return self.stream if of is None else f"{of.pod}/{of.container}/{self.stream}"


@cache
def prefixes() -> dict[str, Prefix]:
    """The declared line wrappers by name, in the order in which they are tried."""
    table = tomllib.loads((Path(__file__).parent / "wrappers.toml").read_text("utf-8"))
    return {
        entry["name"]: Prefix(entry["name"], re.compile(entry["pattern"]), bool(entry.get("display")))
        for entry in table.get("line", ())
    }


def clean(text: str) -> str:
    """Take off what terminals and editors put into a line: colours, a carriage return, a byte order mark."""
    if text.endswith("\r"):
        text = text[:-1]
    if "\x1b" in text:
        text = ANSI.sub("", text)
    return text.lstrip("\ufeff") if text.startswith("\ufeff") else text


class Unwrapper:
    """Takes the wrappers `names` (outermost first) off the lines of one source; a line may lack any of them."""

    def __init__(self, names: tuple[str, ...], clock: Clock) -> None:
        self._steps: list[Prefix | None] = [
            None if name.startswith(JSON) else prefixes()[name] for name in names
        ]
        self._clock = clock

    def unwrap(self, text: str) -> Piece:
        """Return what is inside `text`."""
        piece = Piece(text)
        facts: dict[str, str] = {}
        for step in self._steps:
            if step is not None:
                found = step.regex.match(piece.text, 0, 4096)
                if found is None:
                    continue
                piece.text = piece.text[found.end() :]
                self._note(piece, facts, found.groupdict(), step.display)
            elif piece.text.lstrip()[:1] == "{":
                self._open(piece, facts)
        if facts:
            piece.wrapper = self._wrapper(facts)
        return piece

    def _open(self, piece: Piece, facts: dict[str, str]) -> None:
        for _ in range(_DEEPEST):
            item = json_lines.parse(piece.text)
            shape = json_lines.shape_for(item) if item is not None else None
            if item is None or shape is None:
                return
            opened(piece, facts, item, shape)
            if piece.text[:1] != "{":
                return

    def _note(
        self, piece: Piece, facts: dict[str, str], groups: dict[str, str | None], display: bool
    ) -> None:
        if groups.pop("part", None) == "P":
            piece.part = True
        piece.stream = groups.pop("stream", None) or piece.stream
        if display:
            groups.pop("time", None)
        for key, value in groups.items():
            if value:
                facts.setdefault(key, value)

    def _wrapper(self, facts: dict[str, str]) -> Wrapper:
        stamp = facts.get("time")
        return Wrapper(
            facts.get("pod"),
            facts.get("container"),
            facts.get("namespace"),
            facts.get("host"),
            self._clock.read(stamp) if stamp else None,
        )


def opened(piece: Piece, facts: dict[str, str], item: Json, shape: JsonShape) -> None:
    """Replace an object by the text inside it, keeping what the object says about it."""
    text = shape.text(item) or ""
    for key, paths in (
        ("pod", shape.pod),
        ("container", shape.container),
        ("namespace", shape.namespace),
        ("host", shape.host),
    ):
        value = shape.first(item, paths) if paths else None
        if value:
            facts.setdefault(key, value)
    stamp = shape.first(item, shape.time)
    if shape.app:
        trace = shape.first(item, shape.trace)
        if trace and trace not in text:
            text = f"{text}\n{trace}"
        piece.header = Spoken(
            stamp,
            level_name(shape.first(item, shape.level)),
            shape.first(item, shape.logger),
            shape.first(item, shape.thread),
            shape.beside(item) if shape.keys else None,
        )
    elif stamp:
        facts.setdefault("time", stamp)
    piece.text = text
