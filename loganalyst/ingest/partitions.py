"""Lists of partitions in every client's shape, as `topic-partition` names."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from loganalyst.ingest.values import unwrap

__all__ = ["partition_list"]

_EMPTY = frozenset(
    {"", "[]", "{}", "()", "set()", "frozenset()", "map[]", "List()", "Set()", "HashSet()", "[[]]"}
)
_TOPIC = r"[A-Za-z0-9._-]+"
_UUID = r"(?:[A-Za-z0-9_-]{22}:)?"
_LIMIT = 1_000_000

_PYTHON = re.compile(r"TopicPartition\(topic='?([^',]*)'?, partition=(\d+)\)")
_PYTHON_LIST = re.compile(r"(?:frozenset\()?[\[{(]?\s*TopicPartition\(")
_PLAIN = re.compile(rf"{_UUID}({_TOPIC})-(\d+)")
_PLAIN_LIST = re.compile(rf"\s*{_UUID}{_TOPIC}-\d+(?:\s*,\s*{_UUID}{_TOPIC}-\d+)*\s*,?\s*(?:\.\.\.)?\s*")
_RDKAFKA = re.compile(rf"({_TOPIC})\s?(?:\(\(?[^()]*\)?\))?\s?\[(\d+)\]")
_RDKAFKA_ITEM = rf"{_TOPIC}\s?(?:\(\(?[^()]*\)?\))?\s?\[\d+\](?:@[^,\s(]+)?(?:\s?\([^)]*\)+)?"
_RDKAFKA_LIST = re.compile(rf"\s*{_RDKAFKA_ITEM}(?:\s*,\s*{_RDKAFKA_ITEM})*\s*,?\s*(?:\.\.\.)?\s*")
_GROUPED = re.compile(rf"[\"']?({_TOPIC})[\"']?\s*[:=]?\s*[\[({{]\s*([\d\s,]*)[\])}}]")
_GROUPED_LIST = re.compile(rf"\s*(?:[\"']?{_TOPIC}[\"']?\s*[:=]?\s*[\[({{]\s*[\d\s,]*[\])}}][\s,;]*)+")
_COLON = re.compile(rf"({_TOPIC}):(\d+(?:,\d+)*)")
_COLON_LIST = re.compile(rf"\s*{_TOPIC}:\d+(?:,\d+)*(?:[;,\s]\s*{_TOPIC}:\d+(?:,\d+)*)*\s*")
_BRACKETS = {"[": "]", "{": "}", "(": ")"}
_NAMED = re.compile(
    r"(?:map|Map|List|Set|HashSet|TreeSet|ArrayBuffer|Vector|ListBuffer|Assignment)(?=[\[({])"
)


def partition_list(text: str) -> list[str] | None:
    """Read a list of partitions; [] for an empty one, None where the text is no such list.

    Known shapes: `a-0, a-1` with or without brackets (Java, by version), `Assignment(partitions=[a-0])`,
    `{TopicPartition(topic='a', partition=0)}` (Python), `map[a:[0 1]]` (Go), `a[0 1], b[2]` (franz-go),
    `{"a":[0,1]}` (kafkajs), `a [0], a((null))[1]@42(error)` (librdkafka), `a(0,1)` and `a:0,1;b:3` (tools).
    A list that the client cut off with `...` gives what is there.
    """
    value = unwrap(text)
    if value is None:
        return None if text.strip() else []
    if value in _EMPTY:
        return []
    if _PYTHON_LIST.match(value):
        return [f"{topic}-{partition}" for topic, partition in _PYTHON.findall(value)]
    if value.startswith("{") and '"' in value:
        return _json(value)
    inner = _inner(value)
    if inner in _EMPTY:
        return []
    for shape, read in _SHAPES:
        if shape.fullmatch(inner):
            return read(inner)
    return None


def _inner(value: str) -> str:
    """Take off type names and the brackets around the whole list, as often as they are nested."""
    while True:
        value = value.strip()
        if named := _NAMED.match(value):
            value = value[named.end() :]
        if value.startswith("(partitions=") and value.endswith(")"):
            value = value[len("(partitions=") : -1].partition(", userData")[0]
            continue
        close = _BRACKETS.get(value[:1])
        if close is None or not value.endswith(close) or not _spans(value, close):
            return value
        value = value[1:-1]


def _spans(value: str, close: str) -> bool:
    """Tell whether the first bracket is closed by the last character."""
    depth = 0
    opening = value[0]
    for index, character in enumerate(value):
        depth += (character == opening) - (character == close)
        if depth == 0:
            return index == len(value) - 1
    return False


def _json(value: str) -> list[str] | None:
    try:
        read = json.loads(value)
    except ValueError:
        return _grouped(_inner(value)) if _GROUPED_LIST.fullmatch(_inner(value)) else None
    if not isinstance(read, dict):
        return None
    found = []
    for topic, partitions in read.items():
        if not isinstance(partitions, list) or not all(isinstance(one, int) for one in partitions):
            return None
        found += [f"{topic}-{partition}" for partition in partitions]
    return found


def _plain(inner: str) -> list[str]:
    return [f"{topic}-{partition}" for topic, partition in _PLAIN.findall(inner)]


def _rdkafka(inner: str) -> list[str]:
    return [f"{topic}-{partition}" for topic, partition in _RDKAFKA.findall(inner)]


def _grouped(inner: str) -> list[str]:
    return [
        f"{topic}-{partition}"
        for topic, partitions in _GROUPED.findall(inner)
        for partition in re.findall(r"\d+", partitions)
    ]


def _colon(inner: str) -> list[str]:
    return [
        f"{topic}-{partition}"
        for topic, partitions in _COLON.findall(inner)
        for partition in partitions.split(",")
    ]


_SHAPES: tuple[tuple[re.Pattern[str], Callable[[str], list[str]]], ...] = (
    (_PLAIN_LIST, _plain),
    (_GROUPED_LIST, _grouped),
    (_RDKAFKA_LIST, _rdkafka),
    (_COLON_LIST, _colon),
)
