"""What is said to people: messages and progress on stderr, never on stdout."""

from __future__ import annotations

import contextlib
import os
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@dataclass
class Talk:
    """How much is said: `--quiet` keeps errors only, `--debug` adds tracebacks."""

    quiet: bool = False
    debug: bool = False


_TALK = Talk()


def talk() -> Talk:
    """Return the settings of this process."""
    return _TALK


def _set(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    # The group and its command both take the options: the group resets them, either sets them.
    name = str(param.name)
    setattr(_TALK, name, value or (getattr(_TALK, name) and ctx.parent is not None))


QUIET = click.Option(
    ["--quiet", "-q"],
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_set,
    help="Say nothing on stderr but errors.",
)
DEBUG = click.Option(
    ["--debug"],
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_set,
    help="Show the traceback of an error.",
)


def say(text: str, *, always: bool = False) -> None:
    """Print `text` on stderr, unless `--quiet`; `always` is for errors. Make log content visible first."""
    if always or not _TALK.quiet:
        with contextlib.suppress(OSError):
            print(text, file=sys.stderr, flush=True)  # noqa: T201 - this is the place where it is printed


def colours(stream: Any = None) -> bool:
    """Tell whether `stream` (stdout by default) takes colours: a terminal, no NO_COLOR, no TERM=dumb."""
    stream = sys.stdout if stream is None else stream
    return bool(stream.isatty()) and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


@contextlib.contextmanager
def progress(what: str) -> Iterator[Callable[[str], None]]:
    """Show one line of progress while a block runs; yields the function that replaces its text.

    Shown only on a terminal and without `--quiet`; the line is gone when the block ends.
    """
    if _TALK.quiet or not sys.stderr.isatty():
        yield lambda _text: None
        return

    from rich.console import Console

    console = Console(stderr=True)
    with console.status(what, spinner="dots") as status:
        yield lambda text: status.update(text)
