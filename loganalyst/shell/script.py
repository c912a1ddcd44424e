"""Statements one after the other: where one ends, and a script of them run without a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from loganalyst.cli.talk import say
from loganalyst.errors import LoganalystError
from loganalyst.report.visible import visible
from loganalyst.shell.session import Leave, Session


def run_script(session: Session, lines: Iterable[str]) -> int:
    """Run the statements of a script; the first error ends it. Returns the exit code."""
    for statement in statements(lines):
        try:
            session.run(statement)
        except Leave:
            break
        except LoganalystError as error:
            say(f"loganalyst: {visible(str(error), keep=chr(10))}", always=True)
            return error.exit_code
    return 0


def statements(lines: Iterable[str]) -> Iterator[str]:
    """Cut lines into statements and dot commands."""
    pending = ""
    for line in lines:
        if not pending.strip() and line.lstrip()[:1] in (".", "\\"):
            yield line
            continue
        pending += line
        if is_complete(pending):
            yield pending
            pending = ""
    if pending.strip():
        yield pending


def is_complete(text: str) -> bool:
    """Tell whether an input is a dot command, or SQL up to a semicolon outside quotes and comments."""
    stripped = text.strip()
    if not stripped or stripped[0] in ".\\" or stripped.lower() in ("exit", "quit", "help"):
        return True
    quote, at = "", 0
    last = ""
    while at < len(text):
        two, one = text[at : at + 2], text[at]
        if quote:
            if one == quote:
                quote = ""
        elif two == "--":
            end = text.find("\n", at)
            at = len(text) if end < 0 else end
            continue
        elif two == "/*":
            end = text.find("*/", at + 2)
            if end < 0:
                return False
            at = end + 2
            continue
        elif one in "'\"":
            quote = one
        if not one.isspace():
            last = one
        at += 1
    return not quote and last == ";"
