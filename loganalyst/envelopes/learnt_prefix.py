"""Learns what stands before the lines of a source when no declared wrapper does.

Tools print `[orders-0 kafka] `, `web.1   | `, `shop/orders-0: `, `   17\t` or a time of their own before each
line. None of them has to be known: where most lines have a header with a time and a level, librdkafka's one
or an object behind a beginning that is built alike, that beginning is a wrapper. Something has to prove that
it is no part of the program's own header, such as a thread before the time.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from loganalyst.envelopes.choose import has_key
from loganalyst.envelopes.classify import is_exception
from loganalyst.envelopes.induce import says_when_and_how_bad
from loganalyst.envelopes.layouts import shape_of
from loganalyst.envelopes.times import SHAPES

_MOST = 0.6
_HARDLY = 0.05
_FEWEST = 2
_LONGEST = 240
_MOST_STAMPS = 6
_TOKEN = re.compile(r"\x01|[ \t]+|\w(?:[\w.@$-]*[\w$])?|[^\w\s]")
_POD = re.compile(r"[a-z0-9](?:[-a-z0-9.]*[a-z0-9])?-(?:[a-z0-9]{4,10}|\d+)")
_HEADLESS = re.compile(r"%\d\||\{[\"'}]|[TDIWEF], \[")
_OBJECT = re.compile(r"\{[\"']")
_NAME = re.compile(r"[A-Za-z][\w.@$-]+|[0-9a-f]{12,64}")
_RUBY = re.compile(r"[TDIWEF], \[\d{4}-")
_LEVEL_BEFORE = re.compile(r"\b(?:TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL)[ \t]+\[?$")
_NO_NAME = frozenset(
    ("stdout", "stderr", "out", "err", "log", "logs", "info", "warn", "error", "debug", "trace", "app", "utc")
)
_WORD = r"[\w.@$-]+"


@dataclass(frozen=True, slots=True)
class LearntPrefix:
    """A prefix as a regular expression (groups `time`, `pod`, `container`), and what it looks like."""

    pattern: str
    looks: str


@dataclass(frozen=True, slots=True)
class _Begin:
    """The beginning of a line, cut into tokens: their kinds (`t` a time, `s` blanks, `w` a word, else itself)
    and texts."""

    kinds: tuple[str, ...]
    texts: tuple[str, ...]
    inner: str
    indented: bool


def learn_prefix_of(lines: Sequence[str]) -> LearntPrefix | None:
    """Learn the wrapper of a sample of lines; `None` if there is none, or none that is proved."""
    begins = [begin for line in lines if (begin := _begin(line)) is not None]
    if len(begins) < _FEWEST:
        return None
    kinds, count = Counter(begin.kinds for begin in begins).most_common(1)[0]
    alike = [begin for begin in begins if begin.kinds == kinds]
    if count < _MOST * len(begins) or not any(kind != "s" for kind in kinds):
        return None
    found = _pattern(kinds, alike)
    regex = re.compile(found.pattern)
    rests = [line[match.end() :] for line in lines if (match := regex.match(line))]
    if len(rests) < _MOST * len(lines) or not (_headless(lines) or _proved(alike, rests)):
        return None
    return found


def _begin(line: str) -> _Begin | None:
    """What stands before the innermost header of a line."""
    head = line[:_LONGEST]
    stamps = [(found.start(), found.end()) for found in _stamps().finditer(head)][:_MOST_STAMPS]
    starts = {at for start, _ in stamps for at in _header_starts(head, start)}
    starts |= {found.start() for found in _HEADLESS.finditer(head)}
    inside = {at for start, end in stamps for at in range(start + 1, end)}
    whole = _OBJECT.search(head)
    if whole is not None and line.rstrip()[-1:] == "}":
        starts = {whole.start()}
    for at in sorted(starts, reverse=True):
        if not at or at in inside or head[at - 1].isalnum():
            continue
        inner = line[at:]
        if inner[:1] in "{%" or _RUBY.match(inner) or says_when_and_how_bad(inner):
            if not _closed(line[:at]):
                continue
            cut = [(start, end) for start, end in stamps if end <= at]
            return _tokens(line[:at], cut, inner)
    return None


def _closed(begin: str) -> bool:
    """Whether a beginning closes all quotes and brackets that it opens."""
    return begin.count('"') % 2 == 0 and all(begin.count(a) == begin.count(z) for a, z in ("[]", "()", "{}"))


def _header_starts(head: str, stamp: int) -> list[int]:
    """Where a header may begin whose time begins at `stamp`: there, at a bracket before it, or at a level."""
    starts = [stamp]
    before = head[:stamp]
    if before.endswith("["):
        starts.append(stamp - 1)
    level = _LEVEL_BEFORE.search(before)
    if level is not None:
        starts.append(level.start())
    return starts


def _tokens(begin: str, stamps: Sequence[tuple[int, int]], inner: str) -> _Begin:
    times = [begin[start:end] for start, end in stamps]
    for start, end in reversed(stamps):
        begin = begin[:start] + "\x01" + begin[end:]
    kinds, texts = [], []
    for number, found in enumerate(_TOKEN.finditer(begin)):
        text = found[0]
        if text == "\x01":
            kinds.append("t")
            texts.append(times.pop(0))
        elif text[0] in " \t":
            if not number:
                continue
            kinds.append("s")
            texts.append(text)
        else:
            kinds.append("w" if text[0].isalnum() or text[0] == "_" else text)
            texts.append(text)
    return _Begin(tuple(kinds), tuple(texts), inner, begin[:1] in (" ", "\t"))


def _pattern(kinds: tuple[str, ...], alike: Sequence[_Begin]) -> LearntPrefix:
    columns = [[begin.texts[position] for begin in alike] for position in range(len(kinds))]
    pod, container = _names(kinds, columns)
    out, looks, timed = "[ \t]*" if any(begin.indented for begin in alike) else "", "", False
    for position, (kind, texts) in enumerate(zip(kinds, columns, strict=True)):
        last = position == len(kinds) - 1
        if kind == "s":
            exact = min(texts, key=len) if last else ""
            piece = re.escape(exact) if exact and len(set(texts)) == 1 else "[ \t]+"
            out += f"(?:{piece}|[ \t]*$)" if last else piece
            looks += " "
        elif kind == "t":
            out += _stamp_pattern(texts[0], named=not timed)
            looks += "{time}"
            timed = True
        elif kind == "w":
            name = "pod" if position == pod else "container" if position == container else ""
            word = r"\d+" if all(text.isdigit() for text in texts) else _WORD
            out += f"(?P<{name}>{word})" if name else word
            looks += "{" + (name or ("number" if word == r"\d+" else "word")) + "}"
        else:
            out += re.escape(kind)
            looks += kind
    return LearntPrefix(out, looks.strip())


def _names(kinds: tuple[str, ...], columns: Sequence[list[str]]) -> tuple[int | None, int | None]:
    """Which words name a pod and a container: what looks like a pod, else the one that tells lines apart."""
    words = [
        position
        for position, kind in enumerate(kinds)
        if kind == "w"
        and all(_NAME.fullmatch(text) for text in columns[position])
        and len(set(columns[position])) <= max(2, len(columns[position]) // 3)
        and not {text.lower() for text in columns[position]} & _NO_NAME
    ]
    for position in words:
        texts = columns[position]
        if sum(_POD.fullmatch(text) is not None for text in texts) >= 0.8 * len(texts):
            return position, next((other for other in words if other > position), None)
    several = [position for position in words if len(set(columns[position])) > 1]
    if several:
        return None, several[0]
    return None, words[0] if len(words) == 1 else None


def _headless(lines: Sequence[str]) -> bool:
    """Whether hardly any line would have a header if the beginning were not taken off."""
    return sum(has_key(line) for line in lines) < _HARDLY * len(lines)


def _proved(alike: Sequence[_Begin], rests: Sequence[str]) -> bool:
    """Whether the beginning is surely no part of the program's own header."""
    begin = alike[0]
    if any(rest[:1] in (" ", "\t") or is_exception(rest) for rest in rests if rest.strip()):
        return True  # lines that go on with a record have it too
    if begin.inner[:1] in ("{", "%"):
        return True
    if "t" in begin.kinds or "w" not in begin.kinds:
        return True
    columns = [[each.texts[p] for each in alike] for p, kind in enumerate(begin.kinds) if kind == "w"]
    if any(_counts_up(texts) for texts in columns):
        return True
    return any(
        all(_POD.fullmatch(text) and any(c.isdigit() for c in text) for text in texts)
        and all(len(text) > 12 for text in texts)
        for texts in columns
    )


def _counts_up(texts: Sequence[str]) -> bool:
    """Whether these are the numbers of lines."""
    if len(texts) < _FEWEST or not all(text.isdigit() and len(text) < 10 for text in texts):
        return False
    numbers = [int(text) for text in texts]
    return all(later > earlier for earlier, later in pairwise(numbers))


@cache
def _stamps() -> re.Pattern[str]:
    dated = [shape.bare for shape in SHAPES.values() if shape.dated and shape.name != "epoch"]
    others = [SHAPES[name].bare for name in ("syslog", "no-year", "clock")]
    epoch = r"(?<!\d)\d{10}\.\d{3,9}(?!\d)"
    return re.compile("(?<![\\w.])(?:" + "|".join([*dated, *others, epoch]) + ")")


def _stamp_pattern(text: str, *, named: bool) -> str:
    """The pattern of all stamps written like `text`."""
    shape = shape_of(text)
    bare = shape.bare if shape is not None else r"\S+"
    return f"(?P<time>{bare})" if named else f"(?:{bare})"
