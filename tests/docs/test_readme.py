"""Every command of the README runs as it stands there, in a folder that has what it names."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
SAMPLE = ROOT / "sample_logs" / "one-step-4.1.0" / "logs"
KUBECTL = """#!/bin/sh
sed 's,^,[pod/orders-7c9d8-abcde/app] ,' "$SAMPLE/orders-7c9d8-abcde.log"
"""
QUERY = """-- name: busiest_groups
-- row: one group
-- grain: group_id
-- column: group_id VARCHAR - group
-- uses: rebalances

SELECT DISTINCT group_id FROM rebalances
"""


def commands() -> list[str]:
    """Return the commands of code blocks and of the table of questions, comments taken off."""
    found = [line.strip() for line in README.splitlines() if re.match(r"    .*\bloganalyst ", line)]
    found += re.findall(r"`(loganalyst [^`]+)`", README)
    base = [re.split(r"\s{2,}#", command)[0] for command in found]
    views = re.findall(r"`… (\w+)`", README)
    own = [
        command
        for command in dict.fromkeys(base)
        if not command.startswith(("loganalyst shell", "pip ")) and len(command.split()) > 2
    ]
    return [*own, *(f"loganalyst query incident {view}" for view in views)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the logs, the dataset, the parsers and the queries that the README speaks of."""
    here = tmp_path_factory.mktemp("readme")
    shutil.copytree(SAMPLE, here / "logs")
    (here / "pods").symlink_to(here / "logs")
    (here / "my-queries").mkdir()
    (here / "my-queries" / "busiest_groups.sql").write_text(QUERY)
    (here / "my-parsers").mkdir()
    statement = re.search(r"    \[\[statement\]\]\n(?:    .+\n)+", README)
    assert statement
    head = 'component = "order-worker"\nrole = "client"\nclient = "order-worker"\n'
    block = "".join(line[4:] + "\n" for line in statement[0].splitlines())
    (here / "my-parsers" / "order_worker.toml").write_text(head + block)
    programs = here / "bin"
    programs.mkdir()
    (programs / "kubectl").write_text(KUBECTL)
    (programs / "kubectl").chmod(0o755)
    assert run("loganalyst ingest logs/ --into incident", here).returncode == 0
    return here


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(folder / "bin"), str(Path(sys.executable).parent), os.environ["PATH"]])
    return subprocess.run(
        ["bash", "-o", "pipefail", "-c", command.replace("/var/log/kafka", "logs")],
        cwd=folder,
        env={**os.environ, "PATH": path, "SAMPLE": str(SAMPLE)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def test_the_readme_is_short_and_has_its_commands() -> None:
    assert len(README.splitlines()) < 200
    assert len(commands()) > 25


@pytest.mark.parametrize("command", commands())
def test_a_command_of_the_readme_runs(command: str, folder: Path) -> None:
    done = run(command, folder)
    expected = 1 if "--fail-on act" in command else 0
    assert done.returncode == expected, done.stderr
    assert done.stdout.strip() or done.stderr.strip()
