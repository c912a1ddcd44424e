"""`loganalyst analyze`: from logs to the report in one step."""

from __future__ import annotations

import tempfile
from pathlib import Path

import click

from loganalyst.cli import options
from loganalyst.cli.options import Filters, Ingesting, Output
from loganalyst.cli.pictures import Pictures, draw, pictures


@click.command("analyze")
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE...")
@click.option(
    "--into", type=click.Path(), metavar="DATASET", help="Keep the events in DATASET; default: nowhere."
)
@options.filters()
@click.option("--detail", is_flag=True, help="Show every finding, line of evidence, group and moment.")
@pictures()
@options.ingesting()
@options.queries_option()
@options.fail_on_option()
@options.output(text=True)
def command(
    sources: tuple[str, ...],
    into: str | None,
    filters: Filters,
    detail: bool,
    pictures: Pictures,
    ingesting: Ingesting,
    queries: tuple[Path, ...],
    fail_on: str,
    output: Output,
) -> None:
    """Read logs and print what happened: findings first, then the story of each group.

    A SOURCE is a file, a folder, an archive or - for stdin. The report is the one of `loganalyst report`,
    over all that DATASET holds if --into names one that is there already.

    \b
    Examples:
      loganalyst analyze /var/log/kafka pods/*.log.gz
      kubectl logs -l app=orders --prefix --tail=-1 | loganalyst analyze -
      loganalyst analyze logs/ --into incident --since 2026-12-01T00:40 --format markdown -o ticket.md
    """
    if into is not None:
        _run(sources, into, into, filters, detail, pictures, ingesting, queries, fail_on, output)
        return
    with tempfile.TemporaryDirectory(prefix="loganalyst-", ignore_cleanup_errors=True) as folder:
        name = " ".join(sources)
        _run(
            sources,
            str(Path(folder) / "dataset"),
            name,
            filters,
            detail,
            pictures,
            ingesting,
            queries,
            fail_on,
            output,
        )


def _run(
    sources: tuple[str, ...],
    into: str,
    name: str,
    filters: Filters,
    detail: bool,
    pictures: Pictures,
    ingesting: Ingesting,
    queries: tuple[Path, ...],
    fail_on: str,
    output: Output,
) -> None:
    import loganalyst
    from loganalyst.cli.ingest import read, tell
    from loganalyst.cli.report import build, finish, write
    from loganalyst.report.model import Unread

    summary = read(sources, into, ingesting, publish=name == into)
    tell(summary)
    unread = tuple(Unread(source, reason) for source, reason in summary.problems)
    with loganalyst.open(into, queries=queries) as opened:
        report = build(opened, name, filters, unread)
        write(report, output, detail=detail)
        draw(report, opened, pictures)
    finish(report, fail_on)
