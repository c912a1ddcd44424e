"""Where output goes: stdout, or a file that appears complete or not at all."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from loganalyst.errors import UsageError

STDOUT = Path("-")


def is_terminal(file: Path | None) -> bool:
    """Tell whether output to `file` (None and `-`: stdout) is read from a screen."""
    return file in (None, STDOUT) and sys.stdout.isatty()


@contextlib.contextmanager
def sink(file: Path | None) -> Iterator[IO[bytes]]:
    """Open stdout or `file` for bytes; a file is replaced in one step when the block ends without an error.

    Raises `UsageError`, naming the file and the reason, if it cannot be written.
    """
    if file in (None, STDOUT):
        sys.stdout.flush()
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    assert file is not None
    if file.exists() and not file.is_file():  # a pipe or a device is written in place
        with _explained(file), file.open("wb") as out:
            yield out
        return
    part = file.with_name(f".{file.name}.{os.getpid()}.part")
    with _explained(file):
        out = part.open("wb")
    try:
        with out:
            yield out
        with _explained(file):
            part.replace(file)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


@contextlib.contextmanager
def _explained(file: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise UsageError(f"cannot write {file}: {error.strerror or error}") from error
