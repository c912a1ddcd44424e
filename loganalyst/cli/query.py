"""`loganalyst query`: a shipped query by name, or any SQL, over the views of a dataset."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from loganalyst.cli import options
from loganalyst.cli.complete import query_names
from loganalyst.cli.options import Output


@click.command("query")
@click.argument("dataset")
@click.argument("name", required=False, shell_complete=query_names)
@click.option("--sql", metavar="TEXT", help="SQL to run instead of a named query; - reads it from stdin.")
@click.option("-p", "--param", "params", multiple=True, metavar="K=V", help="A parameter of the query.")
@click.option(
    "--timeout",
    type=click.FloatRange(min=0),
    default=900,
    show_default=True,
    metavar="SECONDS",
    help="Stop the query after so long; 0: never.",
)
@click.option(
    "--memory", metavar="SIZE", help="Memory for the query, such as 2GB; default: half of the machine's."
)
@options.queries_option()
@options.unsafe_option()
@options.output(text=False)
def command(
    dataset: str,
    name: str | None,
    sql: str | None,
    params: tuple[str, ...],
    timeout: float,
    memory: str | None,
    queries: tuple[Path, ...],
    unsafe: bool,
    output: Output,
) -> None:
    """Run the query NAME over DATASET, or any SQL with --sql.

    `loganalyst queries` lists the names; each is also a view for SQL, beside `events` and `sources`.

    \b
    Examples:
      loganalyst query incident rebalances
      loganalyst query incident --sql "SELECT cause, count(*) FROM rebalances GROUP BY ALL"
      loganalyst query incident events --format parquet -o events.parquet
    """
    import loganalyst
    from loganalyst.cli.advice import advised
    from loganalyst.dataset.connection import time_limit
    from loganalyst.errors import UsageError
    from loganalyst.report.formats import write_rows
    from loganalyst.suggest import did_you_mean

    if (name is None) == (sql is None):
        raise UsageError("give the NAME of a query or --sql TEXT; `loganalyst queries` lists the names")
    opened = loganalyst.open(dataset, queries=queries, unsafe=unsafe, memory=memory)
    with advised(opened.queries), time_limit(opened.connection, timeout):
        if name is not None:
            if name not in opened.queries and name not in ("events", "sources"):
                hint = did_you_mean(name, [*opened.queries, "events", "sources"])
                raise UsageError(f"no query '{name}'. {hint or '`loganalyst queries` lists them.'}")
            rows = opened.query(name, **_pairs(params))
        else:
            if params:
                raise UsageError("-p gives parameters to a named query; write values into the SQL instead")
            rows = opened.sql(sys.stdin.read() if sql == "-" else str(sql))
        write_rows(rows, format=output.format, file=output.file, spreadsheet=bool(output.spreadsheet))


def _pairs(params: tuple[str, ...]) -> dict[str, str]:
    from loganalyst.errors import UsageError

    pairs = {}
    for param in params:
        key, equals, value = param.partition("=")
        if not equals or not key.isidentifier():
            raise UsageError(f"'{param}' is not K=V, as in -p top=10")
        pairs[key] = value
    return pairs
