"""JSON objects as records: which wrapper an object is, and what stands where in it."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

Json = Mapping[str, Any]


@dataclass(frozen=True)
class JsonShape:
    """One declared way to put a log line into an object; see `wrappers.toml` for the meaning of the paths.

    `app`: the program itself logs JSON, its text is a message; otherwise the text is a line with a header of its own.
    """

    name: str
    app: bool = False
    needs: tuple[str, ...] = ()
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
    part: tuple[str, ...] = ()
    keys: bool = False

    def fits(self, item: Json) -> bool:
        """Whether `item` has everything this shape needs."""
        return all(at(item, path) is not None for path in self.needs) and self.text(item) is not None

    def text(self, item: Json) -> str | None:
        """The message or the wrapped line, `None` if there is none."""
        for path in self.message:
            value = at(item, path)
            if value is not None:
                return as_text(value)
        return None

    def first(self, item: Json, paths: tuple[str, ...]) -> str | None:
        """The first value found at `paths`, as text."""
        for path in paths:
            value = at(item, path)
            if value is not None and value != "":
                return as_text(value)
        return None

    def beside(self, item: Json) -> dict[str, str] | None:
        """All values that stand beside message, time, level, logger and thread."""
        taken = {
            path.split(".")[0]
            for path in (*self.message[:1], *self.time, *self.level, *self.logger, *self.thread)
        }
        taken.update(path for path in self.message if at(item, path) is not None and path == self._used(item))
        rest = {k: as_text(v) for k, v in item.items() if k not in taken and v is not None}
        return rest or None

    def _used(self, item: Json) -> str | None:
        return next((path for path in self.message if at(item, path) is not None), None)


def at(item: Any, path: str) -> Any:
    """Look up `a.b.c`: the key "a.b.c", or "a.b" holding "c", or "a" holding "b.c", in that order."""
    if not isinstance(item, Mapping):
        return None
    if path in item:
        return item[path]
    head, dot, rest = path.partition(".")
    while dot:
        if head in item:
            found = at(item[head], rest)
            if found is not None:
                return found
        more, dot, rest = rest.partition(".")
        head = f"{head}.{more}"
    return None


def as_text(value: Any) -> str:
    """A JSON value as the text that a log line would have shown."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if (
        isinstance(value, list)
        and value
        and all(isinstance(b, int) and -128 <= b < 256 for b in value)
        and len(value) > 8
    ):
        return bytes(b & 255 for b in value).decode("utf-8", "replace")
    if isinstance(value, list) and len(value) == 1 and isinstance(value[0], str):
        return value[0]
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def parse(text: str) -> Json | None:
    """Read one object; `None` for anything else, however deep or broken."""
    try:
        item = json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return None
    return item if isinstance(item, dict) else None


@cache
def shapes() -> tuple[JsonShape, ...]:
    """All declared shapes in the order in which they are tried."""
    table = tomllib.loads((Path(__file__).parent / "wrappers.toml").read_text("utf-8"))
    return tuple(
        JsonShape(**{k: tuple(v) if isinstance(v, list) else v for k, v in entry.items() if k != "seen"})
        for entry in table["json"]
    )


def shape_for(item: Json) -> JsonShape | None:
    """The first declared shape that fits."""
    return next((shape for shape in shapes() if shape.fits(item)), None)
