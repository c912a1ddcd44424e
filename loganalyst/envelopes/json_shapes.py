"""JSON objects as wrappers: which declared shape an object has, and what stands where in it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Any

Json = Mapping[str, Any]


@dataclass(frozen=True)
class JsonShape:
    """One declared way to put a log line into an object; see `wrappers.toml` for the meaning of the paths."""

    name: str
    app: bool = False
    needs: tuple[str, ...] = ()
    needs_any: tuple[str, ...] = ()
    message: tuple[str, ...] = ()
    time: tuple[str, ...] = ()
    level: tuple[str, ...] = ()
    logger: tuple[str, ...] = ()
    thread: tuple[str, ...] = ()
    trace: tuple[str, ...] = ()
    pod: tuple[str, ...] = ()
    container: tuple[str, ...] = ()
    namespace: tuple[str, ...] = ()
    host: tuple[str, ...] = ()
    path: tuple[str, ...] = ()
    stream: tuple[str, ...] = ()
    lists: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    part: str | None = None
    newline_ends: bool = False
    keys: bool = False

    @classmethod
    def declared(cls, entry: Mapping[str, Any]) -> JsonShape:
        """Make a shape of its entry in the table."""
        known = {each.name for each in fields(cls)}
        values: dict[str, Any] = {
            k: tuple(v) if isinstance(v, list) else v for k, v in entry.items() if k in known
        }
        return cls(**values)

    def fits(self, item: Json) -> bool:
        """Whether `item` has everything this shape needs, and nothing else where the shape says so."""
        if not all(at(item, path) is not None for path in self.needs):
            return False
        if self.needs_any and not any(at(item, path) is not None for path in self.needs_any):
            return False
        if self.only and not all(key in self.only for key in item):
            return False
        return self.text(item) is not None

    def text(self, item: Json) -> str | None:
        """The message or the wrapped line, `None` if there is none."""
        for path in self.message:
            value = at(item, path)
            # Beats keep facts about the file under "log"; elsewhere an object is a JSON log line taken apart.
            if value is not None and value != "-" and not (path == "log" and isinstance(value, Mapping)):
                return as_text(value)
        return None

    def first(self, item: Json, paths: tuple[str, ...]) -> str | None:
        """The first value found at `paths`, as text."""
        for path in paths:
            value = at(item, path)
            if value is not None and value not in ("", "-"):
                return value if type(value) is str else as_text(value)
        return None

    def is_part(self, item: Json) -> bool:
        """Whether the object says that its line goes on in the next one."""
        if self.part is None:
            return False
        value = at(item, self.part)
        return value is True or value in ("P", "true")

    def listed(self, item: Json) -> dict[str, str]:
        """The `key:value` texts of the lists that the shape names."""
        found: dict[str, str] = {}
        for path in self.lists:
            texts = at(item, path)
            if isinstance(texts, str):
                texts = texts.split(",")
            for text in texts if isinstance(texts, list) else ():
                key, _, value = str(text).replace("=", ":", 1).partition(":")
                found.setdefault(key.strip(), value.strip())
        return found

    def beside(self, item: Json) -> dict[str, str] | None:
        """All values that stand beside message, time, level, logger and thread."""
        used = next((path for path in self.message if at(item, path) is not None), "")
        taken = {used.partition(".")[0]}
        for paths in (self.time, self.level, self.logger, self.thread, self.trace):
            taken.update(path for path in paths[:1] if path in item)
            first = next((path for path in paths if at(item, path) is not None), None)
            if first is not None:
                taken.add(first)
        rest = {key: as_text(value) for key, value in item.items() if key not in taken and value is not None}
        return rest or None


def at(item: Any, path: str) -> Any:
    """Look up `a.b.c`: the key "a.b.c", or "a.b" holding "c", or "a" holding "b.c", in that order."""
    if type(item) is not dict:
        return None
    if path in item:
        return item[path]
    for head, rest in _cuts(path):
        if head in item:
            found = at(item[head], rest)
            if found is not None:
                return found
    return None


@lru_cache(maxsize=1024)
def _cuts(path: str) -> tuple[tuple[str, str], ...]:
    parts = path.split(".")
    return tuple((".".join(parts[:cut]), ".".join(parts[cut:])) for cut in range(len(parts) - 1, 0, -1))


def as_text(value: Any) -> str:
    """A JSON value as the text that a log line would have shown.

    journald gives a message that is no UTF-8 as a list of bytes, Kibana's copies give every value in a list,
    log4j2 an instant as seconds and nanoseconds.
    """
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        if len(value) == 1 and isinstance(value[0], str):
            return value[0]
        if len(value) > 3 and all(type(byte) is int and -128 <= byte < 256 for byte in value):
            return bytes(byte & 255 for byte in value).decode("utf-8", "replace")
    if isinstance(value, Mapping) and "epochSecond" in value:
        return f"{value['epochSecond']}.{int(value.get('nanoOfSecond') or 0):09d}"
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


_DECODER = json.JSONDecoder(strict=False)
_RUBY_ARROW = re.compile(r'("(?:[^"\\]|\\.)*")\s*=>')
_NIL = re.compile(r'("(?:[^"\\]|\\.)*")|\bnil\b')


def parse(text: str) -> Any:
    """Read the object or list that `text` begins with; `None` for anything else, however deep or broken.

    What may stand behind it (a comma, the bracket of a list that began lines above) does not matter.
    """
    start = text.lstrip(" \t,")
    if start[:1] not in ("{", "["):
        return logfmt(start)
    try:
        value, _ = _DECODER.raw_decode(start)
    except (ValueError, RecursionError):
        return _ruby(start) if "=>" in start else inspected(start)
    return value


def parse_all(text: str) -> list[Any]:
    """Read all objects that follow each other without anything in between, as Firehose writes them."""
    values: list[Any] = []
    at_ = 0
    while True:
        while at_ < len(text) and text[at_] in " \t,\r\n":
            at_ += 1
        if at_ >= len(text) or text[at_] not in "{[":
            return values
        try:
            value, at_ = _DECODER.raw_decode(text, at_)
        except (ValueError, RecursionError):
            return values
        values.append(value)


_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_LOGFMT_PAIR = re.compile(r'([A-Za-z_@][\w.@/-]*)=("(?:[^"\\]|\\.)*"|[^\s"]*)(?:\s+|$)')
_LOGFMT_START = re.compile(r"(?:time|ts|t|timestamp|level|lvl|severity|msg|logger|caller|source)=")


def logfmt(text: str) -> dict[str, str] | None:
    """Read `time=… level=… msg="…" group=…`, as logrus and slog print records; `None` for anything else."""
    if _LOGFMT_START.match(text) is None:
        return None
    item: dict[str, str] = {}
    position = 0
    while pair := _LOGFMT_PAIR.match(text, position):
        value = pair[2]
        item[pair[1]] = _ESCAPE.sub(_unescaped, value[1:-1]) if value[:1] == '"' else value
        position = pair.end()
    levelled = "level" in item or "lvl" in item or "severity" in item
    return item if levelled and ("msg" in item or "message" in item) else None


def looks_like_object(text: str) -> bool:
    """Whether a line may be an object: braces, or pairs as `logfmt` reads them."""
    start = text.lstrip(" \t,")
    return start[:1] in ("{", "[") or _LOGFMT_START.match(start) is not None


def inspected_text(text: str) -> str:
    """A text in double quotes, its escapes resolved; the text itself if it is none."""
    try:
        value, _ = _DECODER.raw_decode(text)
    except (ValueError, RecursionError):
        return text.strip('"')
    return value if isinstance(value, str) else text


def _unescaped(escape: re.Match[str]) -> str:
    return {"n": "\n", "t": "\t"}.get(escape[1], escape[1])


def _ruby(text: str) -> Any:
    """Read `{"log"=>"…", "x"=>nil}`, as fluent-bit's and fluentd's stdout print records."""
    changed = _NIL.sub(lambda found: found[1] or "null", _RUBY_ARROW.sub(r"\1:", text))
    try:
        value, _ = _DECODER.raw_decode(changed)
    except (ValueError, RecursionError):
        return None
    return value


_PAIR = re.compile(
    r"""\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|([A-Za-z_$][\w$]*))\s*:\s*"""
    r"""(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`|(-?\d[\d.e+-]*|true|false|null|undefined))\s*(?:,|(?=\}))"""
)


def inspected(text: str) -> Any:
    """Read a flat object as node's `util.inspect` prints it: bare keys, single quotes."""
    if text[:1] != "{":
        return None
    position, item = 1, {}
    while pair := _PAIR.match(text, position):
        key = pair[1] or pair[2] or pair[3]
        value = next((group for group in (pair[4], pair[5], pair[6]) if group is not None), None)
        item[key] = pair[7] if value is None else _ESCAPE.sub(_unescaped, value)
        position = pair.end()
    return item if item and text[position:].lstrip()[:1] == "}" else None
