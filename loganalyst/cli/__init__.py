"""The command line: one file a command, loaded when it is called.

`loganalyst --help` must answer at once, so this module imports nothing heavier than click: the list below
carries the one-line help of every command, and `loganalyst/cli/<command>.py` is imported only to run it or to
show its own help. Each such module holds one click command (or group) under the name `command`.

stdout is data, stderr is talk (see `talk.py`). Exit codes: 0 fine, 1 findings at or above `--fail-on`,
2 wrong options, SQL errors and refusals, 3 a source or dataset that could not be read, 4 the quality gate
failed, 130 interrupted.
"""

from __future__ import annotations

import importlib
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from loganalyst.cli.talk import DEBUG, QUIET, say, talk
from loganalyst.errors import LoganalystError
from loganalyst.suggest import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Sequence

EXIT_USAGE = 2
EXIT_UNREADABLE = 3
EXIT_INTERRUPTED = 130

COMPLETE = "_LOGANALYST_COMPLETE"
"""The variable by which a shell asks for completions, and for the script that asks."""

SECTIONS: dict[str, dict[str, str]] = {
    "Find out what happened": {
        "analyze": "Read logs and print what happened: the main job in one step.",
        "report": "Print the forensic report of a dataset.",
        "check": "Check the group settings that break first, from logs or tool dumps.",
    },
    "Keep the answers": {
        "ingest": "Read logs and keep what they say about groups in a dataset.",
        "compact": "Rewrite a dataset into fewer, larger files.",
        "validate": "Run the data quality gate over a dataset.",
        "bundle": "Write the evidence behind a finding into a redacted archive.",
        "batch": "Run the nightly job: ingest, compare with last time, report.",
    },
    "Ask your own questions": {
        "query": "Run a shipped query by name, or any SQL, over the views.",
        "queries": "List the shipped queries, or print one with its documentation.",
        "shell": "Open interactive SQL over the same views.",
    },
    "Look things up": {
        "explain": "Say which log statement a line matches, and what it means.",
        "parsers": "List the log statements that are recognised.",
        "coordinator": "Compute hash, offsets partition and broker of groups.",
        "simulate": "Play a deploy or a lost broker, step by step.",
    },
}
"""Every command with its one line of help, in the order and under the headings of `--help`."""

EXAMPLES = """\
\b
Examples:
  loganalyst analyze /var/log/kafka pods/*.log.gz
  kubectl logs -l app=orders --prefix | loganalyst analyze -
  loganalyst ingest logs/ --into incident
  loganalyst query incident rebalances --format csv
  loganalyst query incident --sql "SELECT cause, count(*) FROM rebalances GROUP BY ALL"
"""


class LazyGroup(click.Group):
    """A click group that knows its commands by name and imports a command's module when it is needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Name the commands in the order of the help."""
        del ctx
        return [name for section in SECTIONS.values() for name in section if _exists(name)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the module of a command; every command also takes `--quiet` and `--debug`."""
        if cmd_name not in self.list_commands(ctx):
            return None
        command: click.Command = importlib.import_module(f"loganalyst.cli.{cmd_name}").command
        return _with_talk(command)

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """Find the command, or say which one may have been meant."""
        name = args[0] if args else ""
        if name and not name.startswith("-") and name not in self.list_commands(ctx):
            hint = did_you_mean(name, self.list_commands(ctx)) or "`loganalyst --help` lists the commands."
            raise click.UsageError(f"no command '{name}'. {hint}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands without importing them."""
        known = self.list_commands(ctx)
        for heading, commands in SECTIONS.items():
            rows = [(name, text) for name, text in commands.items() if name in known]
            if rows:
                with formatter.section(heading):
                    formatter.write_dl(rows)


def _with_talk(command: click.Command) -> click.Command:
    """Add `--quiet` and `--debug` to a command, and to those below it."""
    named = {parameter.name for parameter in command.params}
    command.params += [option for option in (QUIET, DEBUG) if option.name not in named]
    for below in command.commands.values() if isinstance(command, click.Group) else ():
        _with_talk(below)
    return command


def _exists(name: str) -> bool:
    return Path(__file__).with_name(f"{name}.py").exists()


def _print_version(ctx: click.Context, _param: click.Parameter, value: bool) -> None:
    if not value or ctx.resilient_parsing:
        return
    from loganalyst.cli.environment import environment

    click.echo(environment())
    ctx.exit()


@click.command(
    cls=LazyGroup,
    epilog=EXAMPLES,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    no_args_is_help=True,
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_version,
    help="Print the version and the environment, and exit.",
)
def cli() -> None:
    """Read Kafka broker and client logs and tell what happened to your consumer groups.

    Which rebalance, why, who, how long, who led, who was refused, where the coordinator went: as a report
    with the log lines that prove it, or as tables for your own SQL.
    """


cli.params += [QUIET, DEBUG]


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line with `arguments` (`sys.argv` by default) and return its exit code."""
    try:
        if wanted := os.environ.get(COMPLETE):
            from click.shell_completion import shell_complete

            return shell_complete(cli, {}, "loganalyst", COMPLETE, wanted)
        with cli.make_context("loganalyst", list(sys.argv[1:] if arguments is None else arguments)) as ctx:
            cli.invoke(ctx)
            return 0
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        say("interrupted", always=True)
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        # Whoever read our output has seen enough; keep the interpreter from complaining about it at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except LoganalystError as error:
        return _failed(error, error.exit_code)
    except OSError as error:
        return _failed(error, EXIT_UNREADABLE)
    except Exception as error:  # the last resort: one sentence instead of a traceback
        return _failed(error, EXIT_USAGE, internal=True)


def _failed(error: Exception, code: int, *, internal: bool = False) -> int:
    from loganalyst.report.visible import visible

    if talk().debug:
        import traceback

        traceback.print_exception(error)
    text = visible(str(error), keep="\n")
    if internal:
        text = f"internal error ({type(error).__name__}): {text}; --debug shows where: please report it"
    say(f"loganalyst: {text}", always=True)
    return code


def main() -> None:
    """Run the command line and exit; the console script `loganalyst`."""
    sys.exit(run())
