"""The shell on a terminal: history, completion, several lines, paged results."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path
from typing import Any

import click
from prompt_toolkit import PromptSession
from prompt_toolkit.auto_suggest import AutoSuggestFromHistory
from prompt_toolkit.filters import Condition
from prompt_toolkit.history import FileHistory, History, InMemoryHistory
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

from loganalyst.cli.talk import say
from loganalyst.errors import LoganalystError
from loganalyst.report.visible import visible
from loganalyst.shell.completion import ViewCompleter
from loganalyst.shell.script import is_complete
from loganalyst.shell.session import Leave, Session

PROMPT = "loganalyst> "
MORE = "        ...> "


def interact(session: Session, **terminal: Any) -> None:
    """Read and answer until the user leaves. `terminal`: input and output of prompt_toolkit, for tests."""
    prompt: PromptSession[str] = PromptSession(
        PROMPT,
        history=history(),
        completer=ViewCompleter(session.dataset.queries),
        complete_while_typing=False,
        auto_suggest=AutoSuggestFromHistory(),
        multiline=Condition(lambda: not is_complete(prompt.default_buffer.text)),
        prompt_continuation=lambda width, _number, _wrapped: MORE.rjust(width),
        key_bindings=_keys(),
        **terminal,
    )
    say(f"{visible(session.dataset.name)}: SQL over its views; .help for help, Ctrl-D to leave")
    while True:
        try:
            session.run(prompt.prompt())
        except KeyboardInterrupt:
            continue
        except (EOFError, Leave):
            return
        except LoganalystError as error:
            say(visible(str(error), keep="\n"), always=True)


def _keys() -> KeyBindings:
    keys = KeyBindings()

    @keys.add("c-c")
    def _(event: KeyPressEvent) -> None:
        """Drop the input, and ask anew."""
        event.app.exit(exception=KeyboardInterrupt, style="class:aborting")

    return keys


def history() -> History:
    """Return the history file of this user, or one in memory where none can be written."""
    state = os.environ.get("XDG_STATE_HOME") or str(Path.home() / ".local" / "state")
    path = Path(state) / "loganalyst" / "history"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o600)
    except OSError:
        return InMemoryHistory()
    return FileHistory(str(path))


def page(lines: Iterator[str]) -> None:
    """Print lines, through the user's pager if they are more than the terminal is high."""
    height = shutil.get_terminal_size((80, 24)).lines - 2
    first = list(islice(lines, height))
    rest = next(lines, None)
    if rest is None:
        click.echo("\n".join(first))
        return
    click.echo_via_pager(f"{line}\n" for line in chain(first, [rest], lines))
