"""`loganalyst queries`: what can be asked by name."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from loganalyst.cli import options
from loganalyst.cli.complete import query_names
from loganalyst.cli.options import Output

if TYPE_CHECKING:
    from loganalyst.dataset.views import Query

COLUMNS = ("name", "row", "parameters", "file")
NAMED = ("column", "type", "unit", "meaning")


@click.command("queries")
@click.argument("name", required=False, shell_complete=query_names)
@options.queries_option()
@options.output(text=False)
def command(name: str | None, queries: tuple[Path, ...], output: Output) -> None:
    """List the shipped queries, or print NAME with its documentation.

    With `--format`, NAME gives its columns as rows.

    \b
    Examples:
      loganalyst queries
      loganalyst queries rebalances
      loganalyst queries rebalances --format markdown
    """
    from loganalyst.dataset.views import load_queries
    from loganalyst.errors import UsageError
    from loganalyst.report.formats import write_rows, write_text
    from loganalyst.suggest import did_you_mean

    known = load_queries(queries)
    if name is None:
        rows = [_summary(known[each]) for each in sorted(known)]
        write_rows(rows, format=output.format, file=output.file, columns=COLUMNS)
        return
    if name not in known:
        hint = did_you_mean(name, known) or "`loganalyst queries` lists them."
        raise UsageError(f"no query '{name}'. {hint}")
    if output.format is None:
        write_text([known[name].text.rstrip("\n")], output.file)
        return
    columns = [
        {"column": column.name, "type": column.type, "unit": column.unit, "meaning": column.meaning}
        for column in known[name].columns
    ]
    write_rows(columns, format=output.format, file=output.file, columns=NAMED)


def _summary(query: Query) -> dict[str, str | None]:
    parameters = ", ".join(
        param.name if param.default is None else f"{param.name}={param.default}" for param in query.params
    )
    return {"name": query.name, "row": query.row, "parameters": parameters or None, "file": query.path.name}
