"""Learns what stands where in objects that no declared wrapper knows, from what their values look like.

Stores, pipelines and exports call the line `payload.text`, `Log_s`, `entry` or `what`. The value that begins
with a header of its own (or with an object) is the line; without one it is the text that differs from
object to object and has many words, and the object is what the program logged itself.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from loganalyst.envelopes.choose import has_key
from loganalyst.envelopes.induce import says_when_and_how_bad
from loganalyst.envelopes.json_shapes import Json, JsonShape
from loganalyst.envelopes.layouts import level_name, shape_of

_DEEPEST = 5
_MOST = 0.5
_HEADED = 0.05
_WORDS = 3.0
_LEVELS = frozenset(("TRACE", "DEBUG", "INFO", "WARN", "ERROR", "FATAL"))
_LOGGER = re.compile(r"(?:[\w$-]+[./])+[\w$-]+")
_EPOCH = re.compile(r"1\d{9}(?:\.\d{1,9}|\d{3}|\d{6}|\d{9})?")
_CLOCKS = ("clock", "epoch")
_LABELS = {
    "pod": re.compile(r"pod(?:[._]?name)?(?:_s)?$|containergroup", re.IGNORECASE),
    "container": re.compile(
        r"container(?:app)?(?:[._]?name)?(?:_s)?$|^service(?:[._]?name)?$", re.IGNORECASE
    ),
    "namespace": re.compile(r"namespace(?:[._]?name)?(?:_s)?$", re.IGNORECASE),
    "host": re.compile(
        r"(?:^|[._])(?:host|node|hostname|nodename|computer)(?:[._]?name)?(?:_s)?$", re.IGNORECASE
    ),
}


_LISTED = {
    "pod": ("pod_name", "kube_pod_name"),
    "container": ("container_name", "kube_container_name"),
    "namespace": ("kube_namespace",),
    "host": (),
}


def learn_shape(objects: Sequence[Json], *, headed: bool = False) -> JsonShape | None:
    """Learn the shape of objects (or rows); `None` if nothing in them looks like a log line.

    With `headed` only values with a header of their own count: rows of any table have some text.
    """
    flat = [dict(_leaves(each)) for each in objects]
    if not flat:
        return None
    paths = Counter(path for each in flat for path in each)
    usual = [path for path, count in paths.items() if count >= _MOST * len(flat)]

    def share(path: str, says: Callable[[str], bool]) -> float:
        values = [each[path] for each in flat if path in each]
        return sum(map(says, values)) / len(values)

    texts = {path: share(path, _is_line) for path in usual}
    message = max(usual, key=lambda path: texts[path], default=None)
    app = False
    if message is None or texts[message] < _HEADED:
        message = None if headed else _wordiest(usual, flat)
        app = True
    if message is None:
        return None
    rest = [path for path in usual if path != message]
    times = [path for path in rest if share(path, _is_stamp) > 0.9]
    times.sort(
        key=lambda path: (not re.search(r"time|date|ts|@", path, re.IGNORECASE), "ingest" in path.lower())
    )
    levels = [path for path in rest if share(path, lambda text: level_name(text) in _LEVELS) > 0.9]
    loggers = [path for path in rest if "logger" in path.lower() or "category" in path.lower()]
    loggers = [path for path in loggers if share(path, lambda text: bool(_LOGGER.fullmatch(text))) > 0.5]
    named = {label: _named(label, rest) + _LISTED[label] for label in _LABELS}
    return JsonShape(
        name="learnt JSON",
        app=app,
        needs=(message,),
        message=(message,),
        time=tuple(times),
        level=tuple(levels) if app else (),
        logger=tuple(loggers) if app else (),
        keys=app,
        lists=tuple(dict.fromkeys(path for each in objects for path in _lists(each))),
        pod=named["pod"],
        container=named["container"],
        namespace=named["namespace"],
        host=named["host"],
    )


def _leaves(value: Any, path: str = "", depth: int = 0) -> Iterator[tuple[str, str]]:
    """The texts and numbers of an object, each with the path to it."""
    if isinstance(value, Mapping) and depth < _DEEPEST:
        for key, each in value.items():
            yield from _leaves(each, f"{path}.{key}" if path else str(key), depth + 1)
    elif isinstance(value, str) and value:
        yield path, value
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield path, str(value)


def _lists(value: Any, path: str = "", depth: int = 0) -> Iterator[str]:
    """The paths to lists of `key:value` texts."""
    if isinstance(value, Mapping) and depth < _DEEPEST:
        for key, each in value.items():
            yield from _lists(each, f"{path}.{key}" if path else str(key), depth + 1)
    elif isinstance(value, list) and value and all(isinstance(each, str) and ":" in each for each in value):
        yield path


def _is_line(text: str) -> bool:
    """Whether a text is a log line with a header of its own, or an object that may hold one."""
    begin = text.lstrip()[:400]
    if begin[:2] in ('{"', "{'"):
        return text.rstrip().endswith("}") and len(text) > 20
    return says_when_and_how_bad(begin) or (begin[:1] == "%" and has_key(begin, timed=True))


def _is_stamp(text: str) -> bool:
    shape = shape_of(text)
    return bool(_EPOCH.fullmatch(text)) or (shape is not None and shape.name not in _CLOCKS)


def _wordiest(paths: Sequence[str], flat: Sequence[Mapping[str, str]]) -> str | None:
    """The path whose values are sentences: many words, hardly two alike."""

    def words(path: str) -> float:
        values = [each[path] for each in flat if path in each]
        if len(set(values)) * 3 < len(values):
            return 0.0
        return sum(min(len(value.split()), 30) for value in values) / len(values)

    best = max(paths, key=words, default=None)
    return best if best is not None and words(best) >= _WORDS else None


def _named(label: str, paths: Sequence[str]) -> tuple[str, ...]:
    return tuple(path for path in paths if _LABELS[label].search(path))
