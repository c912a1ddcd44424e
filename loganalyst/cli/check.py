"""`loganalyst check`: the questions that narrow a coordinator problem fastest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from loganalyst.cli import options
from loganalyst.cli.complete import group_names
from loganalyst.cli.options import Output
from loganalyst.cli.talk import say

if TYPE_CHECKING:
    from loganalyst.analysis.checks import Check

_DUMPED = "SELECT * FROM events WHERE role = 'tool' ORDER BY source, line"
COLUMNS = ("check", "group_id", "verdict", "answer", "evidence")
QUESTIONS = {
    "coordinator": "Which broker coordinates it",
    "offsets_topic": "Does the offsets topic survive the loss of a broker",
    "leader": "Which client leads",
    "protocol": "Which assignor is in force",
    "shrinking": "Is a deploy shrinking it",
}


@click.command("check")
@click.argument("dataset", required=False)
@click.option(
    "--dumps",
    multiple=True,
    metavar="PATH",
    help="Output of kafka-consumer-groups and kafka-topics: a file or folder; may be repeated.",
)
@click.option(
    "--group",
    "groups",
    multiple=True,
    shell_complete=group_names,
    metavar="G",
    help="Only this group; may be repeated.",
)
@options.queries_option()
@options.fail_on_option()
@options.output(text=True)
def command(
    dataset: str | None,
    dumps: tuple[str, ...],
    groups: tuple[str, ...],
    queries: tuple[str, ...],
    fail_on: str,
    output: Output,
) -> None:
    """Run the checks over the logs of DATASET, over tool dumps, or over both compared.

    Which broker coordinates each group and whether that agrees with the hash; whether the offsets topic
    can lose a broker; which client leads; which assignor is in force and whether it is what was rolled
    out; and whether a deploy is quietly shrinking the group. Each answer has a verdict (ok, look, act,
    unknown) and the line or dump row behind it.

    \b
    Examples:
      loganalyst check incident
      loganalyst check --dumps dumps/ --group orders-service
      loganalyst check incident --dumps dumps/ --format json
    """
    from loganalyst.analysis.checks import run
    from loganalyst.analysis.dumped import dumped
    from loganalyst.analysis.logged import Logged, logged
    from loganalyst.dumps.files import read_dumps
    from loganalyst.errors import UsageError
    from loganalyst.report.formats import write_rows, write_text

    if dataset is None and not dumps:
        raise UsageError("nothing to check: name a dataset, or tool dumps with --dumps PATH")
    problems: list[str] = []
    events = list(read_dumps(dumps, problems))
    logs = Logged()
    if dataset is not None:
        import loganalyst
        from loganalyst.report.rows import dicts

        with loganalyst.open(dataset, queries=queries) as opened:
            logs = logged(lambda sql: dicts(opened.sql(sql)))
            events = [*dicts(opened.sql(_DUMPED)), *events]
    checks = run(dumped(events), logs, groups)
    if output.format is None:
        write_text(_text(checks), output.file)
    else:
        rows = [asdict(check) | {"evidence": list(check.evidence)} for check in checks]
        guarded = output.spreadsheet is not False
        write_rows(rows, format=output.format, file=output.file, columns=COLUMNS, spreadsheet=guarded)
    for problem in problems:
        say(problem, always=True)
    ctx = click.get_current_context()
    if problems:
        ctx.exit(3)
    if options.failing([check.verdict for check in checks if check.verdict in ("act", "look")], fail_on):
        ctx.exit(1)


def _text(checks: Sequence[Check]) -> Iterator[str]:
    from loganalyst.report.visible import visible

    heading: str | None = ""
    for check in checks:
        if check.group_id != heading:
            heading = check.group_id
            yield "" if heading is not None and check is not checks[0] else "Cluster"
            if heading is not None:
                yield visible(f"Group {heading}")
        yield visible(f"  {check.verdict:<8}{QUESTIONS[check.check]}: {check.answer}")
        if check.evidence:
            line = check.evidence[0]
            text = next(iter(str(line["message"]).strip().splitlines()), "")
            yield visible(f"          {line['source']}:{line['line']}: {text}")
