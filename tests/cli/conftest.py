"""What the tests of the command line share: running it, and one dataset made from the sample incident."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

import loganalyst.cli

ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "sample_logs" / "one-step-4.1.0" / "logs"


@dataclass(frozen=True)
class Ran:
    """How a run of the command line ended."""

    code: int
    out: str
    err: str


def run(*arguments: str, stdin: str | bytes = "") -> Ran:
    """Run `loganalyst` in this process, with pipes for stdin, stdout and stderr."""
    data = stdin.encode() if isinstance(stdin, str) else stdin
    pipes = [io.TextIOWrapper(io.BytesIO(start), encoding="utf-8") for start in (data, b"", b"")]
    kept = sys.stdin, sys.stdout, sys.stderr
    sys.stdin, sys.stdout, sys.stderr = pipes
    try:
        code = loganalyst.cli.run(arguments)
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        sys.stdin, sys.stdout, sys.stderr = kept
    out, err = (pipe.buffer.getvalue().decode() for pipe in pipes[1:])  # type: ignore[attr-defined]
    return Ran(code, out, err)


def run_apart(*arguments: str, **env: str) -> Ran:
    """Run `loganalyst` in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "loganalyst", *arguments],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, **env},
        timeout=120,
        check=False,
    )
    return Ran(done.returncode, done.stdout, done.stderr)


@pytest.fixture(scope="session")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return a dataset of the sample incident."""
    path = str(tmp_path_factory.mktemp("cli") / "incident")
    done = run("ingest", str(SAMPLE), "--into", path)
    assert done.code == 0, done.err
    return path
