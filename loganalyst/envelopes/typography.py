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
_STRANGE = re.compile("[\u00a0\u2007\u202f\u200b\u2018\u2019\u201c\u201d\u201e]")
_RAW = re.compile(r"[<>]")


def is_typeset(lines: Sequence[str]) -> bool:
    """Whether lines were pasted through something that changed quotes or blanks, or wrote them as HTML."""
    if any(_STRANGE.search(line) for line in lines):
        return True
    return any(_ENTITY.search(line) for line in lines) and not any(_RAW.search(line) for line in lines)


def plain(text: str) -> str:
    """The text with straight quotes and ordinary blanks, and without HTML's entities."""
    if not text.isascii():
        text = text.translate(_CHARACTERS)
    return html.unescape(text).replace("\u00a0", " ") if _ENTITY.search(text) else text
