"""The reference pages are what they describe, and the README names only what exists."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import click

from loganalyst.cli import cli
from loganalyst.dataset.views import load_queries

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_generated_pages_are_up_to_date() -> None:
    command = [sys.executable, "docs/generate.py", "--check"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_every_link_of_the_readme_leads_somewhere() -> None:
    pages = [ROOT / "README.md", ROOT / "sample_logs" / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    broken = [
        f"{page.relative_to(ROOT)}: {target}"
        for page in pages
        for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
        if "://" not in target and not (page.parent / target).exists()
    ]
    assert broken == []


def test_every_query_of_the_readme_is_shipped() -> None:
    asked = set(re.findall(r"query incident (\w+)", README)) | set(re.findall(r"`… (\w+)`", README))
    assert len(asked) > 10
    assert asked - set(load_queries()) == {"busiest_groups"}  # the reader's own


def test_every_command_of_the_readme_is_understood() -> None:
    """Commands and options exist; nothing is run."""
    lines = re.findall(r"`(loganalyst [^`]+)`", README)
    lines += [
        line.strip().split(" | ")[-1]
        for line in README.splitlines()
        if re.match(r"    .*\bloganalyst ", line)
    ]
    checked = 0
    for line in lines:
        words = shlex.split(line.split("  #")[0].split("   ")[0])
        if words[0] != "loganalyst" or not words[1:]:
            continue
        context = click.Context(cli)
        command = cli.get_command(context, words[1])
        assert command is not None, line
        rest = words[2:]
        if isinstance(command, click.Group):
            command, rest = command.get_command(context, rest[0]), rest[1:]
            assert command is not None, line
        known = {option for parameter in command.params for option in parameter.opts} | {"--help"}
        assert {word for word in rest if word.startswith("--")} <= known, line
        checked += 1
    assert checked > 20
