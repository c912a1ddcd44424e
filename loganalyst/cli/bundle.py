"""`loganalyst bundle`: the evidence behind one finding as a small redacted archive."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from loganalyst.cli.talk import say

if TYPE_CHECKING:
    from loganalyst.api import Dataset


@click.command("bundle")
@click.argument("finding")
@click.argument("dataset")
@click.option(
    "-o",
    "--output",
    "file",
    required=True,
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="The archive to write, FILE.tar.gz.",
)
@click.option("--context/--no-context", default=True, help="Add the lines around each from its source.")
@click.option(
    "--redact-rules",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="TOML file with more rules of what to hide.",
)
def command(finding: str, dataset: str, file: Path, context: bool, redact_rules: Path | None) -> None:
    """Write the log lines behind FINDING, an id of the report, into an archive to hand on.

    Secrets and personal data are replaced by hashes, equal ones by equal ones; a dataset made with --redact
    keeps its own. The archive holds a README, the finding, its events, and its lines with those around them.

    \b
    Examples:
      loganalyst query incident findings --format markdown
      loganalyst bundle 14f55d3c6b77 incident -o evidence.tar.gz
    """
    import loganalyst
    from loganalyst.dataset.dataset import Dataset as Stored
    from loganalyst.redact.bundle import members_of, write_bundle
    from loganalyst.redact.redactor import Redactor
    from loganalyst.redact.rules import load_redactions
    from loganalyst.redact.settings import read_key, redactor_of
    from loganalyst.report.sink import sink

    redactor = redactor_of(Stored.open(dataset).place.folder, read_key())
    if redact_rules is not None:
        redactor = Redactor(load_redactions(redact_rules), redactor.key)
    with loganalyst.open(dataset) as opened:
        row = _finding(opened, finding)
        events = _events(opened, finding)
    with sink(file) as out:
        write_bundle(members_of(row, events, redactor, context=context), out)
    say(f"wrote {file}: {len(row['evidence'])} lines of evidence; look it through before you hand it on")


def _finding(opened: Dataset, finding: str) -> dict[str, Any]:
    from loganalyst.errors import UsageError
    from loganalyst.suggest import did_you_mean

    found = _rows(opened, "SELECT * FROM findings WHERE finding = $1", finding)
    if not found:
        others = _rows(opened, "SELECT finding FROM findings WHERE finding <> $1", finding)
        known = [row["finding"] for row in others]
        hint = did_you_mean(finding, known) or "`loganalyst query DATASET findings` lists them."
        raise UsageError(f"no finding '{finding}'. {hint}")
    return found[0]


def _events(opened: Dataset, finding: str) -> list[dict[str, Any]]:
    return _rows(
        opened,
        "SELECT e.* FROM events e JOIN (SELECT DISTINCT unnest(evidence, max_depth := 2) FROM findings WHERE"
        " finding = $1) l ON e.source = l.source AND e.line = l.line ORDER BY e.ts, e.source, e.line",
        finding,
    )


def _rows(opened: Dataset, sql: str, finding: str) -> list[dict[str, Any]]:
    """Run SQL with a parameter; values as JSON has them."""
    from loganalyst.report.cells import json_values

    opened.query("findings")
    table = opened.connection.sql(sql, params=[finding]).to_arrow_table()
    columns = [json_values(column.combine_chunks()) for column in table.columns]
    return [dict(zip(table.column_names, values, strict=True)) for values in zip(*columns, strict=True)]
