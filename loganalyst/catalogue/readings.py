"""The texts of a record that may be the message of a statement."""

from __future__ import annotations

import re
from collections.abc import Set

_STACK_TRACE = re.compile(
    r"\n\s{0,8}(?:at |\.\.\. \d{1,4} (?:more|common)|Caused by: |Traceback \(most recent"
    r"|[\w.$]{1,200}(?:Exception|Error|Throwable)\b)"
)
_LOGGER = re.compile(r"\(([a-z]\w{1,60}(?:\.[\w$]{1,100}){1,12})(?::\d{1,6})?\)")


def readings(message: str, loggers: Set[str]) -> list[str]:
    """Return the texts to try, best first.

    A record is tried whole but without its stack trace, then its first line alone. A logger that was left
    behind the message is taken off: first, if its last part is one of `loggers`, else only if nothing matches
    with it.
    """
    texts = [message]
    if "\n" in message:
        trace = _STACK_TRACE.search(message)
        whole = message[: trace.start()] if trace else message
        texts = list(dict.fromkeys((whole, message.partition("\n")[0])))
    for text in tuple(texts):
        if text.endswith(")"):
            start = text.rfind("(")
            found = _LOGGER.fullmatch(text, start)
            if found and text[start - 1 : start].isspace():
                known = found[1].rpartition(".")[2] in loggers
                texts.insert(0 if known else len(texts), text[:start])
    return texts
