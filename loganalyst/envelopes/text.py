"""Bytes of a line as text."""

from __future__ import annotations

# A line longer than this is cut: what follows belongs to the same line but is not looked at.
LINE_LIMIT = 1 << 20
# A line of JSON is worth nothing without its end, and OTLP puts many records into one.
JSON_LINE_LIMIT = 32 << 20


def decode(line: bytes) -> str:
    """Decode a line as UTF-8; one that is not UTF-8 at all as Latin-1, one that is damaged with replacement
    marks."""
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError:
        text = line.decode("utf-8", "replace")
        return text if any(c > "\x7f" and c != "\ufffd" for c in text) else line.decode("latin-1")
