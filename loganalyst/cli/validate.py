"""`loganalyst validate`: the data quality gate over a dataset."""

from __future__ import annotations

from pathlib import Path

import click

from loganalyst.cli import options
from loganalyst.cli.options import Output


@click.command("validate")
@click.argument("dataset")
@click.option("--fast", is_flag=True, help="Check with SQL alone, without Great Expectations.")
@click.option(
    "--thresholds",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="TOML file with what is tolerated, rule by rule.",
)
@click.option(
    "--html",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Also write the report as one HTML file.",
)
@click.option(
    "--site",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Also write the site of Great Expectations (Data Docs; it loads scripts from the network).",
)
@click.option("--memory", metavar="SIZE", help="Memory that the check may use, such as 2GB.")
@options.output(text=True)
def command(
    dataset: str,
    fast: bool,
    thresholds: Path | None,
    html: Path | None,
    site: Path | None,
    memory: str | None,
    output: Output,
) -> None:
    """Run the data quality gate over DATASET: are its events whole, possible and consistent?

    Every rule is an expectation of Great Expectations (`pip install 'loganalyst[quality]'`) and a SQL audit
    that must return no row; --fast runs the audits alone. Prints a report; `--format json` prints the results
    of Great Expectations (with --fast the outcome of each rule). Exits with 4 if the gate fails.

    \b
    Examples:
      loganalyst validate incident
      loganalyst validate incident --html quality.html
      loganalyst validate incident --fast --format jsonl
      loganalyst validate incident --thresholds tolerated.toml
    """
    from loganalyst.dataset.dataset import Dataset
    from loganalyst.errors import QualityError, UsageError
    from loganalyst.quality.audits import audit
    from loganalyst.quality.outcome import COLUMNS, gate_passes, rows_of_outcomes
    from loganalyst.quality.page import page
    from loganalyst.quality.rules import load_rules
    from loganalyst.quality.text import text_lines
    from loganalyst.quality.thresholds import load_thresholds
    from loganalyst.report.formats import write_rows, write_text

    if fast and site is not None:
        raise UsageError("--site is made by Great Expectations, which --fast leaves out: give one of the two")
    tolerated = load_thresholds(thresholds)
    connection = Dataset.open(dataset).connect(memory=memory)
    outcomes = audit(connection, tolerated)
    by, results = "SQL audits", None
    if not fast:
        from loganalyst.quality.expectations import agree, validate

        checked = {outcome.rule for outcome in outcomes}
        rules = [rule for rule in load_rules() if rule.name in checked]
        validation = validate(connection, rules, tolerated, site)
        outcomes = agree(outcomes, validation)
        by, results = f"Great Expectations {validation.version} and SQL audits", validation.results
    if html is not None:
        write_text(page(dataset, outcomes, by=by).splitlines(), html)
    if output.format is None:
        write_text(text_lines(dataset, outcomes, by=by), output.file)
    elif output.format in ("json", "jsonl") and results is not None:
        _write_results(results, output)
    else:
        write_rows(rows_of_outcomes(outcomes), format=output.format, file=output.file, columns=COLUMNS)
    if not gate_passes(outcomes):
        failing = [one.rule for one in outcomes if one.fails]
        raise QualityError(f"{dataset} fails the quality gate: {', '.join(failing)}")


def _write_results(results: tuple[dict[str, object], ...], output: Output) -> None:
    """Write the validation results as they are: nested objects of no one shape, which no table has."""
    from loganalyst.report.cells import json_text
    from loganalyst.report.formats import write_text

    lines = [json_text(result) for result in results]
    if output.format == "json":
        lines = [f"[{', '.join(lines)}]"]
    write_text(lines, output.file)
