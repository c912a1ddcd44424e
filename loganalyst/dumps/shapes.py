"""The shapes of values in the tools' tables: how to tell where one ends, and what it means."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

Value = str | int | list[str] | None


@dataclass(frozen=True, slots=True)
class Shape:
    """A pattern that every value of the shape matches, whether it may be missing altogether, and its
    reading."""

    pattern: str
    optional: bool
    read: Callable[[str], Value]


def _text(text: str) -> Value:
    return None if text in ("-", "") else text


def _number(text: str) -> Value:
    return int(text) if re.fullmatch(r"-?\d+", text) else None


def _host(text: str) -> Value:
    """`/10.1.2.3` and `name/10.1.2.3` are how Java prints an address."""
    return _text(text.rpartition("/")[2])


def coordinator(text: str) -> tuple[str | None, int | None]:
    """Cut `host:9092 (1)` into the address and the broker id (here the real one, unlike in clients' logs)."""
    match = re.fullmatch(r"(\S*)\s*\((-?\d+)\)", text.strip())
    return (match[1] or None, int(match[2])) if match else (None, None)


def partitions(text: str) -> list[str] | None:
    """Read `orders(0,1), payments(3)` (to 3.9) or `orders:0,1;payments:3` (4.0+) into `topic-partition`
    names."""
    if text.strip() in ("-", ""):
        return None
    found = re.findall(r"([\w.\-]+)[(:](\d+(?:,\d+)*)\)?", text)
    return [f"{topic}-{number}" for topic, numbers in found for number in numbers.split(",")]


SHAPES: dict[str, Shape] = {
    "text": Shape(r"\S.*?", False, _text),
    "word": Shape(r"[\w-]+", True, _text),
    "topic": Shape(r"[\w.\-]+", False, _text),
    "number": Shape(r"-?\d+|-|unknown|N/A", False, _number),
    "host": Shape(r"\S*/\S+|-", False, _host),
    "coordinator": Shape(r"\S*\s+\(-?\d+\)|-", False, _text),
    "assignment": Shape(r"-|[\w.\-]+[(:]\d.*?", True, partitions),
    "rest": Shape(r".*", True, _text),
}
