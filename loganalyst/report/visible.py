r"""Text from logs made safe for terminals: nothing in it can move a cursor, hide, reorder or forge text.

Control characters (C0, DEL, C1), bidirectional and other invisible format characters, line and paragraph
separators, private use and lone surrogates are written out as escapes (`\x1b`, `\u202e`). Joiners inside a
script or an emoji (U+200C, U+200D after a non-ASCII letter) stay, since there they carry meaning.
"""

from __future__ import annotations

import re

_SUSPECT = re.compile(
    "[\x00-\x1f\x7f-\x9f\u00ad\u0600-\u0605\u061c\u06dd\u070f\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    "\ufe00-\ufe0f\ufeff\ufff9-\ufffb\ud800-\uf8ff\U000110bd\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U0010ffff]"
)
_NAMED = {"\t": "\\t", "\n": "\\n", "\r": "\\r"}
_JOINERS = "\u200c\u200d\ufe0e\ufe0f"


def visible(text: str, *, keep: str = "") -> str:
    r"""Return `text` with every character a terminal would obey or hide written out as an escape.

    `keep` names control characters to leave alone, for text whose line breaks are wanted (`"\n"`).
    """
    if text.isascii() and text.isprintable():
        return text

    def shown(match: re.Match[str]) -> str:
        character = match[0]
        before = text[match.start() - 1] if match.start() else ""
        joins = (
            character in _JOINERS and before > "\x7f" and (before == "\ufe0f" or not _SUSPECT.match(before))
        )
        if character in keep or joins:
            return character
        return _NAMED.get(character) or _escape(character)

    return _SUSPECT.sub(shown, text)


def _escape(character: str) -> str:
    code = ord(character)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
