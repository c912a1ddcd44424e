"""Nothing reaches the network: the demo, the queries and the quality gate run with sockets forbidden."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

GUARD = """
import socket, sys

EVENTS = {"socket.connect", "socket.getaddrinfo", "socket.sendto", "socket.gethostbyname"}

def audit(event, arguments):
    # a socket with a path is one of this machine
    if event in EVENTS and not (event == "socket.connect" and isinstance(arguments[1], (str, bytes))):
        print(f"NETWORK {event} {arguments!r}", file=sys.stderr, flush=True)
        raise OSError("the network is forbidden")

sys.addaudithook(audit)
"""


def run_offline(tmp_path: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run loganalyst, and every process that it starts, with the network forbidden."""
    (tmp_path / "sitecustomize.py").write_text(GUARD)
    environment = {**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}"}
    done = subprocess.run(
        [sys.executable, "-m", "loganalyst", *arguments],
        env=environment,
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert "NETWORK" not in done.stderr, done.stderr
    return done


def test_the_guard_works(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(GUARD)
    done = subprocess.run(
        [sys.executable, "-c", "import socket; socket.create_connection(('192.0.2.1', 9), 1)"],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "NETWORK socket." in done.stderr


@pytest.fixture(scope="module")
def sample() -> Path:
    """The incident of `make demo`."""
    found = sorted(path for path in (ROOT / "sample_logs").iterdir() if path.is_dir())
    assert found
    return next((path for path in found if path.name == "one-step-4.1.0"), found[0])


def test_the_demo_needs_no_network(sample: Path, tmp_path: Path) -> None:
    dataset = tmp_path / "d"
    page = tmp_path / "report.html"
    done = run_offline(
        tmp_path, "analyze", str(sample), "--into", str(dataset), "--html", str(page), "--jobs", "2"
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout
    for arguments in (
        ["query", str(dataset), "findings", "--format", "json"],
        ["check", str(dataset)],
        ["parsers"],
    ):
        assert run_offline(tmp_path, *arguments).returncode == 0
    for option in ([], ["--fast"]):
        gate = run_offline(tmp_path, "validate", str(dataset), "--format", "json", *option)
        assert gate.returncode == 0, gate.stderr
        assert json.loads(gate.stdout)


def test_the_report_loads_nothing(sample: Path, tmp_path: Path) -> None:
    import re

    page = tmp_path / "report.html"
    assert run_offline(tmp_path, "analyze", str(sample), "--html", str(page)).returncode == 0
    html = page.read_text(encoding="utf-8")
    assert not re.search(
        r"""(?:src|href|action|srcset)\s*=\s*["']?(?:https?:)?//|@import|url\(["']?(?:https?:)?//""", html
    )
