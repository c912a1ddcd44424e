"""The frame of the command line: help, version, exit codes, mistakes."""

from __future__ import annotations

import importlib
import re
import resource
import subprocess
import sys
from pathlib import Path

import click
import pytest

from loganalyst.cli import SECTIONS, cli
from loganalyst.cli import run as run_here
from tests.cli.conftest import ROOT, run, run_apart

COMMANDS = cli.list_commands(click.Context(cli))


def loaded_by(*arguments: str) -> set[str]:
    """Return the top-level modules that a run has loaded."""
    code = (
        f"import sys; from loganalyst.cli import run; run({list(arguments)!r}); "
        "print('\\n'.join(sys.modules), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return {name.partition(".")[0] for name in done.stderr.split()}


def test_help_imports_nothing_heavy() -> None:
    heavy = {"duckdb", "polars", "pyarrow", "deltalake", "rich", "altair", "prompt_toolkit", "zoneinfo"}
    for arguments in (["--help"], ["--version"], ["nosuch"]):
        assert loaded_by(*arguments) & heavy == set()


def test_the_help_of_a_command_imports_nothing_heavy() -> None:
    for name in COMMANDS:
        assert loaded_by(name, "--help") & {"duckdb", "polars", "pyarrow", "deltalake"} == set(), name


def test_help_answers_at_once() -> None:
    def spent() -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(
            [sys.executable, "-m", "loganalyst", "--help"], capture_output=True, check=True, cwd=ROOT
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    assert min(spent() for _ in range(3)) <= 0.15


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_there_with_its_help_and_an_example(name: str) -> None:
    command: click.Command = importlib.import_module(f"loganalyst.cli.{name}").command
    assert command.name == name
    assert command.help and len(command.help.splitlines()[0]) < 100
    text = run("simulate", "rollout", "--help").out if name == "simulate" else run(name, "--help").out
    assert f"loganalyst {name}" in text.split("Usage:")[1].partition("\n")[2] or "Example" in text
    assert "--debug" in text and "--quiet" in text


def test_every_module_of_a_command_is_listed() -> None:
    modules = {
        path.stem
        for path in (ROOT / "loganalyst" / "cli").glob("*.py")
        if re.search(r"^@click\.(command|group)", path.read_text(), re.MULTILINE)
    }
    listed = {name for section in SECTIONS.values() for name in section}
    assert modules - {"__init__"} == set(COMMANDS) == modules & listed


def test_every_option_is_explained() -> None:
    with click.Context(cli) as ctx:
        for name in COMMANDS:
            command = cli.get_command(ctx, name)
            assert command is not None
            for parameter in command.params:
                if isinstance(parameter, click.Option):
                    assert parameter.help, f"{name} {parameter.opts}"


def test_version_names_the_environment() -> None:
    done = run_apart("--version")
    assert done.code == 0
    for word in ("loganalyst ", "python ", "duckdb ", "polars ", "system "):
        assert word in done.out


def test_a_mistyped_command_is_answered_with_the_right_one() -> None:
    done = run("reprot")
    assert (done.code, done.out) == (2, "")
    assert "no command 'reprot'. Did you mean 'report'?" in done.err


def test_a_mistyped_option_is_answered_with_the_right_one() -> None:
    done = run("report", "x", "--groups", "y")
    assert done.code == 2 and "--group" in done.err


def test_an_interrupt_ends_with_130(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import loganalyst.cli.queries as module

    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(module.command, "callback", interrupted)
    assert run_here(["queries"]) == 130
    assert capsys.readouterr().err.strip() == "interrupted"


def test_a_defect_is_one_sentence_without_a_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import loganalyst.cli.queries as module

    def broken(*_: object, **__: object) -> None:
        raise ValueError("bad\x1b[2J")

    monkeypatch.setattr(module.command, "callback", broken)
    assert run_here(["queries"]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and "internal error (ValueError): bad\\x1b[2J; --debug shows where" in said
    assert run_here(["queries", "--debug"]) == 2
    assert "Traceback" in capsys.readouterr().err
    assert run_here(["queries"]) == 2
    assert "Traceback" not in capsys.readouterr().err


def test_a_reader_that_stops_early_is_no_error(tmp_path: Path) -> None:
    command = f"{sys.executable} -m loganalyst parsers --format jsonl java | head -1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, cwd=ROOT, check=False)
    assert (done.returncode, done.stderr, done.stdout.count("\n")) == (0, "", 1)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_shells_complete_commands_and_queries(shell: str) -> None:
    assert "_LOGANALYST_COMPLETE" in run_apart(_LOGANALYST_COMPLETE=f"{shell}_source").out
    done = run_apart(
        _LOGANALYST_COMPLETE="bash_complete", COMP_WORDS="loganalyst query x reb", COMP_CWORD="3"
    )
    assert "plain,rebalances" in done.out
