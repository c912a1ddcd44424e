"""`loganalyst report`: the forensic report of a dataset."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from loganalyst.cli import options
from loganalyst.cli.options import Filters, Output
from loganalyst.cli.pictures import Pictures, draw, pictures

if TYPE_CHECKING:
    from loganalyst.api import Dataset
    from loganalyst.report.model import Report, Unread


@click.command("report")
@click.argument("dataset")
@options.filters()
@click.option("--detail", is_flag=True, help="Show every finding, line of evidence, group and moment.")
@pictures()
@options.queries_option()
@options.fail_on_option()
@options.output(text=True)
def command(
    dataset: str,
    filters: Filters,
    detail: bool,
    pictures: Pictures,
    queries: tuple[Path, ...],
    fail_on: str,
    output: Output,
) -> None:
    """Print the forensic report of DATASET: findings first, then the story of each group.

    `--format markdown` is for tickets, `json` is the whole report as a document (docs/report.schema.json);
    the other formats give the findings as rows.

    \b
    Examples:
      loganalyst report incident
      loganalyst report incident --group orders-service --detail
      loganalyst report nightly --fail-on act --format markdown -o report.md
      loganalyst report incident --html incident.html --png pictures
    """
    import loganalyst

    opened = loganalyst.open(dataset, queries=queries)
    report = build(opened, dataset, filters)
    write(report, output, detail=detail)
    draw(report, opened, pictures)
    finish(report, fail_on)


def build(opened: Dataset, name: str, filters: Filters, unread: tuple[Unread, ...] = ()) -> Report:
    """Build the report of an opened dataset, shown under `name`."""
    from loganalyst.report.collect import collect
    from loganalyst.report.rows import dicts

    return collect(
        lambda sql: dicts(opened.sql(sql)),
        dataset=name,
        groups=filters.groups,
        since=filters.since,
        until=filters.until,
        severity=filters.severity,
        unread=unread,
    )


def write(report: Report, output: Output, *, detail: bool) -> None:
    """Write a report in the format that was asked for; text by default."""
    import shutil

    from loganalyst.report.formats import write_rows, write_text
    from loganalyst.report.sink import is_terminal

    if output.format is None:
        from loganalyst.cli.talk import colours
        from loganalyst.report.page import Page
        from loganalyst.report.text import text_lines

        terminal = is_terminal(output.file)
        width = min(shutil.get_terminal_size((80, 24)).columns, 120) if terminal else 80
        write_text(
            text_lines(report, Page(width, colours=terminal and colours(), detail=detail)), output.file
        )
    elif output.format == "markdown":
        from loganalyst.report.markdown import markdown_lines

        write_text(markdown_lines(report), output.file)
    elif output.format == "json":
        from loganalyst.report.document import json_document

        write_text(json_document(report), output.file)
    else:
        from loganalyst.report.document import FINDING_COLUMNS, finding_rows

        guarded = output.spreadsheet is not False
        rows = finding_rows(report)
        write_rows(rows, format=output.format, file=output.file, columns=FINDING_COLUMNS, spreadsheet=guarded)


def finish(report: Report, fail_on: str) -> None:
    """Exit as the sources and findings demand: 3 if something was unread, 1 for findings at `--fail-on`."""
    ctx = click.get_current_context()
    if report.unread:
        ctx.exit(3)
    if options.failing([finding.severity for finding in report.findings] + list(report.unshown), fail_on):
        ctx.exit(1)
