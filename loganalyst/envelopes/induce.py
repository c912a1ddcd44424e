"""Learns a header layout that nobody declared, from the lines that share it.

Applications choose their own logback, log4j or logging patterns, so most layouts are unknown beforehand. What
they have in
common: a header is a row of telling tokens (time, level, thread in brackets, logger, process id, separators),
the same in every line, and the message is what differs. So the row of tokens that all lines begin with is the
header, less what may as well be the message's own beginning (`[Consumer clientId=…]`, `[GroupCoordinator
2]:`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from loganalyst.envelopes.layouts import Layout, pieces
from loganalyst.envelopes.times import SHAPES

LEARNT = "learnt"
_LIMIT = 400
_MOST_TOKENS = 14
# So many lines of a hundred must agree; a few always differ (a print in between, a cut line).
_AGREED = 0.97

_TIME = "|".join(shape.bare for shape in SHAPES.values() if shape.name != "no-year")
_LEVEL = (
    "TRACE|DEBUG|INFO|INFORMATION|NOTICE|WARNING|WARN|ERROR|FATAL|CRITICAL|SEVERE|FINEST|FINER|FINE|VERBOSE"
)
_LEVELS = (
    _LEVEL
    + "|"
    + _LEVEL.lower()
    + "|"
    + "|".join(level.capitalize() for level in _LEVEL.split("|"))
    + "|DBG|INF|WRN|ERR|FTL|VRB"
)

_TOKEN = re.compile(
    "|".join(
        (
            rf"(?P<bt>\[[ \t]*(?:{_TIME})[ \t]*\])",
            rf"(?P<t>(?:{_TIME})(?![\w]))",
            rf"(?P<bl>\[[ \t]*(?:{_LEVELS})[ \t]*\]:?)",
            rf"(?P<l>(?:{_LEVELS})(?![\w.$-]):?)",
            r"(?P<b>\[[^\[\]]{0,200}\](?![:,\w]))",
            r"(?P<p>\([^()]{0,120}\)(?![:,\w]))",
            r"(?P<f>[\w./@-]+\.(?:go|py|cc|cpp|c|rs|java|scala|kt|js|ts|rb|cs):\d+\]?:?)",
            r"(?P<g>\.?(?:[A-Za-z_$][\w$-]*\.)+[A-Za-z_$][\w$-]*(?:\([\w.:]{0,80}\)|:\d+)?:?(?![\w/(=.]))",
            r"(?P<k>[A-Za-z_][\w.]*=(?:\"[^\"]*\"|[^\s,\]]*))",
            r"(?P<n>\d+(?![\w.:/-]))",
            r"(?P<s>-{1,3}(?=\s)|:(?=\s)|\||>(?=\s)|,(?=\S)|=>(?=\s))",
            r"(?P<w>[A-Za-z_$][\w$.#@/-]*(?::\d+)?:?(?=\s|\||,))",
        )
    )
)
_SEPARATORS = frozenset(("-", "--", "---", ":", "|", ">", "=>", ","))
_SPACE = re.compile(r"[ \t]*")
# How Kafka's own messages open: `[Consumer clientId=…, groupId=…]`, `[GroupCoordinator 2]`, `[Broker id=1]`.
_MESSAGE_BRACKET = re.compile(r"\[[A-Z]\w+ [^\]]*=|\[(?:[A-Z]\w* ?)+ \d+\]|\[(?:[A-Z]\w+ )+(?:on|at|of|for) ")


@dataclass(frozen=True, slots=True)
class Token:
    """A telling token of a header: its kind, where it stands, and whether a blank stands before it."""

    kind: str
    start: int
    end: int
    spaced: bool


def tokens(line: str) -> list[Token]:
    """Return the tokens that a line begins with, up to the first thing that is none."""
    found: list[Token] = []
    at = 0
    while len(found) < _MOST_TOKENS and at < min(len(line), _LIMIT):
        space = _SPACE.match(line, at)
        assert space is not None
        begin = space.end()
        token = _TOKEN.match(line, begin)
        if token is None or token.end() == begin:
            break
        kind = str(token.lastgroup)
        text = token[0]
        if kind == "s":
            kind = text
        elif kind in ("bt", "b", "p") or not text.endswith(":") or kind in ("t", "n"):
            pass
        else:
            kind += ":"
        found.append(Token(kind, begin, token.end(), begin > at))
        at = token.end()
    return found


def cohort(line: str) -> str | None:
    """The row of tokens up to the level (or the time, where no level follows): lines of one layout share it.

    `None` for a line that has neither a time nor a level at its beginning.
    """
    row: list[str] = []
    timed = None
    for token in tokens(line):
        kind = token.kind
        row.append("x" if kind in ("w", "w:", "g", "g:") else kind)
        if kind in ("l", "l:", "bl", "bl:"):
            # Sentences speak of errors too: without a time only `INFO …`, `[INFO] …` and `[thread] INFO …`
            # are headers.
            shouted = line[token.start : token.end].strip("[]: \t").isupper()
            if timed is None and not (shouted and row[:-1] in ([], ["b"])):
                return None
            return " ".join(row)
        if kind in ("t", "bt"):
            timed = len(row)
    return " ".join(row[:timed]) if timed else None


def says_when_and_how_bad(line: str) -> bool:
    """Whether a line begins with a time that a level follows, or with a level that a time follows."""
    row = cohort(line)
    if row is None:
        return False
    kinds = row.split()
    if kinds[0] in ("t", "bt"):
        return kinds[-1] in ("l", "l:", "bl", "bl:")
    return kinds[0] in ("l", "l:", "bl", "bl:") and any(
        token.kind in ("t", "bt") for token in tokens(line)[:3]
    )


def induce(lines: Sequence[str]) -> Layout | None:
    """Learn the layout of `lines`, which begin with the same tokens up to the level; `None` if they have none
    in common."""
    rows = [tokens(line) for line in lines]
    length = _agreed(rows)
    alike = [(line, row) for line, row in zip(lines, rows, strict=True) if len(row) >= length]
    example = _common(alike, length)
    if example is None:
        return None
    same = [(line, row) for line, row in alike if _kinds(row, length) == example]
    length = _trimmed(same, _before_message(same, length))
    if not length or not any(kind in ("t", "bt", "l", "l:", "bl", "bl:") for kind in example[:length]):
        return None
    pattern = _pattern(same, length)
    return Layout(LEARNT, pattern, "level}" in pattern)


def _kinds(row: list[Token], length: int) -> tuple[str, ...]:
    return tuple(token.kind for token in row[:length])


def _agreed(rows: list[list[Token]]) -> int:
    """How many leading tokens at least 97 % of the lines share."""
    length = 0
    alive = rows
    while True:
        counts: dict[str, int] = {}
        for row in alive:
            if len(row) > length:
                counts[row[length].kind] = counts.get(row[length].kind, 0) + 1
        if not counts:
            return length
        kind, count = max(counts.items(), key=lambda item: item[1])
        if count < _AGREED * len(rows):
            return length
        alive = [row for row in alive if len(row) > length and row[length].kind == kind]
        length += 1


def _common(alike: list[tuple[str, list[Token]]], length: int) -> tuple[str, ...] | None:
    if not length or not alike:
        return None
    counts: dict[tuple[str, ...], int] = {}
    for _, row in alike:
        kinds = _kinds(row, length)
        counts[kinds] = counts.get(kinds, 0) + 1
    return max(counts.items(), key=lambda item: item[1])[0]


def _trimmed(same: list[tuple[str, list[Token]]], length: int) -> int:
    """Take back tokens at the end that may as well be the beginning of the message."""
    while length:
        texts = [line[row[length - 1].start : row[length - 1].end] for line, row in same]
        kind = same[0][1][length - 1].kind
        if kind in ("t", "bt", "l", "l:", "bl", "bl:", "f", "f:"):
            return length
        if kind == "b" and _may_be_thread(texts):
            return length
        if kind in ("g", "g:") and not any(
            text.rstrip(":").endswith(("Exception", "Error")) for text in texts
        ):
            return length
        if kind == "p" and all(re.fullmatch(r"\([\w#.: -]+\)", text) for text in texts):
            return length
        if kind == "w:" and len(same) > 1 and len(set(texts)) * 2 <= len(texts) + 1:
            return length
        if kind in _SEPARATORS and length > 1:
            return length
        length -= 1
    return 0


def _before_message(same: list[tuple[str, list[Token]]], length: int) -> int:
    """Where the message begins at the latest: at a bracket of Kafka's messages in any line, or at a word of a
    sentence.

    A word that belongs to a header (a thread's or a logger's short name) has a separator, a level or a time
    behind it.
    """
    kinds = [token.kind for token in same[0][1][:length]]
    for position in range(length):
        if kinds[position] == "w":
            # Few lines may agree by chance; where many do, a header may hold some words in a row.
            words = 3 if len(same) > 3 else 1
            rest = [kind for kind in kinds[position : position + words + 1] if kind != "w"]
            if not rest or (
                rest[0] not in _SEPARATORS and rest[0].rstrip(":") not in ("l", "bl", "t", "bt", "g")
            ):
                return position
        if kinds[position] == "b" and any(
            _MESSAGE_BRACKET.match(line, row[position].start) for line, row in same
        ):
            return position
    return length


def _may_be_thread(texts: list[str]) -> bool:
    """Whether brackets hold what a header holds: one name, not a sentence."""
    return all(len(text) <= 2 or len(text.split()) <= 3 or " | " in text for text in texts)


def _pattern(same: list[tuple[str, list[Token]]], length: int) -> str:
    line, row = same[0]
    out, at = "", 0
    named: set[str] = set()
    for position in range(length):
        token = row[position]
        spaced = [each[position].spaced for _, each in same]
        if position:
            out += " " if all(spaced) else "{gap}" if any(spaced) else ""
        out += _piece(
            token.kind, [text[each[position].start : each[position].end] for text, each in same], named
        )
        at = token.end
    del at, line
    after = [text[each[length - 1].end : each[length - 1].end + 1] in (" ", "\t", "") for text, each in same]
    return out + (" " if all(after) else "{gap}" if any(after) else "") + "{message}"


def _piece(kind: str, texts: list[str], named: set[str]) -> str:
    """The piece of a pattern for a token; `texts` are all that stood there."""

    def name(piece: str, group: str, otherwise: str) -> str:
        if group in named:
            return otherwise
        named.add(group)
        return piece

    colon = ":" if kind.endswith(":") and kind != ":" else ""
    match kind.rstrip(":") if kind != ":" else kind:
        case "t":
            return name("{time}", "time", "{any-time}")
        case "bt":
            return "[{gap}" + name("{time}", "time", "{any-time}") + "{gap}]"
        case "l":
            return name("{any-level}", "level", "{any-level}") + colon
        case "bl":
            return "[{gap}" + name("{any-level}", "level", "{any-level}") + "{gap}]" + colon
        case "b":
            inside = [text[1:-1].strip() for text in texts]
            dotted = all(re.fullmatch(pieces()["dotted"], text) for text in inside)
            if dotted and "logger" not in named:
                named.add("logger")
                return "[{gap}{dotted}{gap}]"
            if any(inside):
                return "[" + name("{thread}", "thread", "{inside}") + "]"
            return "[{inside}]"
        case "p":
            return "(" + name("{round-thread}", "thread", "{round-inside}") + ")"
        case "g":
            return name("{dotted}", "logger", "{word}") + colon
        case "f":
            return "{file}" + ("]" if texts[0].rstrip(":").endswith("]") else "") + colon
        case "w":
            looks = all(re.match(r"[A-Z]\w*[a-z]|\w+[./]\w", text) for text in texts)
            return (name("{logger}", "logger", "{token}") if looks else "{token}") + colon
        case "k":
            return "{pair}"
        case "n":
            return "{pid}"
        case other:
            return other
