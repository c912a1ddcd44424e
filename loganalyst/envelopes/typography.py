"""Undoes what word processors, chats and web pages do to the characters of a pasted log."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence

_CHARACTERS = str.maketrans(
    {
        "\u00a0": " ", "\u2007": " ", "\u202f": " ", "\u3000": " ", "\u200b": "", "\u2060": "", "\u00ad": "",
        "\u2018": "'", "\u2019": "'", "\u201a": "'", "\u201c": '"', "\u201d": '"', "\u201e": '"',
        "\u2011": "-",
    }
)  # fmt: skip
_ENTITY = re.compile(r"&(?:gt|lt|amp|quot|apos|nbsp|#39|#x27|#34|#x2F);", re.IGNORECASE)
# A strange blank where the writer's own must have stood: beside another one, or as the first in the line.
_BLANK = re.compile("(?:^[ \t]*[^ \t]*|[ \u00a0])[\u00a0\u2007\u202f]|[\u00a0\u2007\u202f] ")
_CURLED = re.compile("[\u2018\u201c\u201e][^\u2018\u2019\u201c\u201d\u201e]*[\u2019\u201d]")
_STRAIGHT = re.compile("[\"']")
_RAW = re.compile(r"[<>]")
_MOST = 0.3


def is_typeset(lines: Sequence[str]) -> bool:
    """Whether lines were pasted through something that changed quotes or blanks, or wrote them as HTML.

    It changes all of them: a strange character in a name, however often the name is printed, proves nothing.
    """
    text = "\n".join(lines)
    if not text.isascii():
        if sum(_BLANK.search(line) is not None for line in lines) >= _MOST * len(lines) > 0:
            return True
        curled = sum(_CURLED.search(line) is not None for line in lines)
        if curled > 1 and not _STRAIGHT.search(text):
            return True
    entities = sum(_ENTITY.search(line) is not None for line in lines) if "&" in text else 0
    return entities > 1 and not _RAW.search(text)


def plain(text: str) -> str:
    """The text with straight quotes and ordinary blanks, and without HTML's entities."""
    if not text.isascii():
        text = text.translate(_CHARACTERS)
    return html.unescape(text).replace("\u00a0", " ") if _ENTITY.search(text) else text
