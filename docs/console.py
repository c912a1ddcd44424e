"""Runs the `console` blocks of the pages of `docs/`, so that what they show is what the commands print.

In a block a line that begins with `$ ` is a command, lines that begin with `> ` continue it, all others are
its output. The commands run in one folder in which `sample_logs` is at hand, page by page.

python docs/console.py [PAGE...]            write the outputs anew
python docs/console.py --check [PAGE...]    exit with 1, naming the pages, if one shows something else
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
VARIES = (
    (re.compile(r"^(read .* events.*) in \d+(?:\.\d+)? s\b", re.MULTILINE), r"\1 in 1.0 s"),
    (re.compile(r"loganalyst-[0-9a-z_]{6,}"), "loganalyst-temporary"),
)
"""What differs from run to run, and what stands for it."""

SECONDS = 120


def pages() -> list[Path]:
    """Return the pages that show commands."""
    found = sorted(DOCS.rglob("*.md"))
    return [page for page in found if BLOCK.search(page.read_text(encoding="utf-8"))]


def rendered(text: str, folder: Path) -> str:
    """Return the page with the outputs that its commands give in `folder`."""
    return BLOCK.sub(lambda block: f"```console\n{_block(block[1], folder)}```", text)


def commands(block: str) -> Iterator[str]:
    """Yield the commands of a block, continuation lines joined to them."""
    lines: list[str] = []
    for line in block.splitlines():
        if line.startswith("$ "):
            if lines:
                yield "\n".join(lines)
            lines = [line[2:]]
        elif line[:2] in ("> ", ">") and lines:
            lines.append(line[2:])
    if lines:
        yield "\n".join(lines)


def _block(block: str, folder: Path) -> str:
    shown = []
    for command in commands(block):
        first, *rest = command.split("\n")
        shown += [f"$ {first}", *(f"> {line}" for line in rest)]
        shown += _output(command, folder).splitlines()
    return "".join(f"{line.rstrip()}\n" for line in shown)


def _output(command: str, folder: Path) -> str:
    """Run one command as a reader would, with this Python's loganalyst; stderr is shown too."""
    programs = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env={**os.environ, "PATH": programs, "COLUMNS": "80", "NO_COLOR": "1", "LC_ALL": "C.UTF-8"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        timeout=SECONDS,
    )
    text = done.stdout.replace(f"{folder}/", "")
    for pattern, constant in VARIES:
        text = pattern.sub(constant, text)
    return text


def prepare(folder: Path) -> None:
    """Lay the sample logs into the folder that commands run in."""
    (folder / "sample_logs").symlink_to(ROOT / "sample_logs")


def main(arguments: Sequence[str]) -> int:
    """Write or check the pages; return the exit code."""
    named = [Path(name).resolve() for name in arguments if not name.startswith("--")]
    stale = []
    for page in named or pages():
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            prepare(folder)
            text = page.read_text(encoding="utf-8")
            fresh = rendered(text, folder)
        if fresh == text:
            continue
        if "--check" in arguments:
            stale.append(page.relative_to(ROOT).as_posix())
        else:
            page.write_text(fresh, encoding="utf-8")
    if stale:
        sys.stderr.write(f"{', '.join(stale)}: shows other output than its commands; run `make docs`\n")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
