"""Any client's words for a Kafka error → its protocol name. The words are data: `parsers/errors.toml`."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from loganalyst.errors import CatalogueError
from loganalyst.shipped import shipped

_CODE = re.compile(r"\[(?:Error )?(-?\d{1,3})\]|\A\s*(-?\d{1,3})\s*\Z")
_CLASS = re.compile(r"\b[A-Z][a-z]+(?:[A-Z][a-zA-Z]*)+\b")
_SUFFIX = re.compile(r"(?:Exception|Error)\Z")


@dataclass(frozen=True)
class _Words:
    """What errors.toml says, arranged for looking up."""

    names: re.Pattern[str]
    by_name: dict[str, str]
    by_class: dict[str, str]
    by_code: dict[int, str]
    sentences: list[tuple[str, str]]


def protocol_name(text: str | None) -> str | None:
    """Return the protocol's spelling of the error that `text` talks about, or `None` if it names none.

    `text` may be the error itself or a sentence around it: the enum name, its number in brackets, a class
    name of any client, or the words of a message. The first name found wins, then class names, numbers, and
    the longest words.
    """
    if not text:
        return None
    words = _words()
    named = words.names.search(text)
    if named:
        return words.by_name[named[0].upper()]
    for word in _CLASS.findall(text):
        known = words.by_class.get(word) or words.by_class.get(_SUFFIX.sub("", word))
        if known:
            return known
    for bracketed, alone in _CODE.findall(text):
        known = words.by_code.get(int(bracketed or alone))
        if known:
            return known
    lowered = text.lower()
    return next((name for sentence, name in words.sentences if sentence in lowered), None)


@lru_cache(maxsize=1)
def _words() -> _Words:
    path = shipped("parsers") / "errors.toml"
    try:
        entries: list[dict[str, Any]] = tomllib.loads(path.read_text(encoding="utf-8"))["error"]
    except (OSError, ValueError, KeyError) as error:
        raise CatalogueError(f"{path}: cannot be read: {error}") from error
    by_name: dict[str, str] = {}
    by_class: dict[str, str] = {}
    sentences: list[tuple[str, str]] = []
    for entry in entries:
        name = entry["name"]
        by_name[name] = name
        by_class["".join(part.capitalize() for part in name.split("_"))] = name
        for spelling in entry.get("classes", ()):
            by_class[spelling] = name
            by_class[_SUFFIX.sub("", spelling)] = name
        for word in entry.get("words", ()):
            if word.isupper() and " " not in word:
                by_name[word] = name
            else:
                sentences.append((word.lower(), name))
    sentences.sort(key=lambda pair: -len(pair[0]))
    longest_first = sorted(by_name, key=len, reverse=True)
    return _Words(
        names=re.compile(rf"(?<![A-Za-z0-9_])(?:{'|'.join(longest_first)})(?![A-Za-z0-9_])", re.IGNORECASE),
        by_name=by_name,
        by_class=by_class,
        by_code={entry["code"]: entry["name"] for entry in entries},
        sentences=sentences,
    )
