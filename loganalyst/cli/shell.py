"""`loganalyst shell`: interactive SQL over the views of a dataset."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import click

from loganalyst.cli import options


@click.command("shell")
@click.argument("dataset")
@click.option("--tui", is_flag=True, help="Open Harlequin, a full-screen SQL editor, if it is installed.")
@options.queries_option()
@options.unsafe_option()
def command(dataset: str, tui: bool, queries: tuple[Path, ...], unsafe: bool) -> None:
    """Open interactive SQL over the views of DATASET.

    Statements end with a semicolon, Tab completes views and columns, .help lists the dot commands. SQL on
    stdin is run as a script.

    \b
    Examples:
      loganalyst shell incident
      echo "SELECT kind, title FROM findings;" | loganalyst shell incident
    """
    import loganalyst
    from loganalyst.shell.script import run_script
    from loganalyst.shell.session import Session

    if tui:
        _harlequin(dataset)
        return
    with loganalyst.open(dataset, queries=queries, unsafe=unsafe) as opened:
        if not (sys.stdin.isatty() and sys.stdout.isatty()):
            session = Session(opened, lambda lines: click.echo("\n".join(lines)), lambda: 80)
            click.get_current_context().exit(run_script(session, sys.stdin))
        from loganalyst.shell.prompt import interact, page

        interact(Session(opened, page, lambda: shutil.get_terminal_size((80, 24)).columns))


def _harlequin(dataset: str) -> None:
    """Hand over to Harlequin on the catalogue file of the dataset, read only."""
    import subprocess

    import loganalyst
    from loganalyst.errors import UsageError

    loganalyst.open(dataset).close()
    program = shutil.which("harlequin", path=str(Path(sys.executable).parent)) or shutil.which("harlequin")
    if program is None:
        raise UsageError("--tui needs Harlequin: pip install harlequin")
    catalogue = Path(dataset) / "loganalyst.duckdb"
    code = subprocess.call([program, "--adapter", "duckdb", "--read-only", str(catalogue)])
    click.get_current_context().exit(code)
