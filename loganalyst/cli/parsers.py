"""`loganalyst parsers`: which log statements are recognised."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from loganalyst.cli import options
from loganalyst.cli.options import Output

if TYPE_CHECKING:
    from collections.abc import Iterable

    from loganalyst.catalogue import Statement

COMPONENTS = ("component", "role", "client", "statements", "events")
COVERAGE = ("component", "version", "statements", "events")
STATEMENTS = ("statement", "event", "level", "versions", "template", "example")


@click.command("parsers")
@click.argument("name", required=False)
@click.option("--coverage", is_flag=True, help="Count the statements of each component and release.")
@options.parsers_option()
@options.output(text=False)
def command(name: str | None, coverage: bool, parsers: tuple[Path, ...], output: Output) -> None:
    """List the catalogue of log statements: its components, or the statements of NAME.

    NAME is a component, a client, an event or the id of a statement.

    \b
    Examples:
      loganalyst parsers
      loganalyst parsers librdkafka
      loganalyst parsers group_stabilized --format json
      loganalyst parsers broker-new-coordinator --coverage
    """
    from loganalyst.catalogue import load
    from loganalyst.report.formats import write_rows

    statements: Iterable[Statement] = load(parsers).statements
    if name is not None:
        statements = _chosen(statements, name)
    if coverage:
        from loganalyst.catalogue.versions import coverage as count

        write_rows(count(statements), format=output.format, file=output.file, columns=COVERAGE)
        return
    if name is None:
        write_rows(_components(statements), format=output.format, file=output.file, columns=COMPONENTS)
        return
    rows = [
        {
            "statement": statement.id,
            "event": statement.event,
            "level": statement.level,
            "versions": statement.versions,
            "template": statement.template,
            "example": statement.example,
        }
        for statement in statements
    ]
    write_rows(rows, format=output.format, file=output.file, columns=STATEMENTS)


def _chosen(statements: Iterable[Statement], name: str) -> list[Statement]:
    """The statements that `name` names, or a refusal that knows what was meant."""
    from loganalyst.errors import UsageError
    from loganalyst.suggest import did_you_mean

    statements = list(statements)
    chosen = [each for each in statements if name in _names(each)]
    if not chosen:
        known = {each for statement in statements for each in _names(statement)}
        hint = did_you_mean(name, sorted(known)) or "`loganalyst parsers` lists the components."
        raise UsageError(f"no component, client, event or statement '{name}'. {hint}")
    return chosen


def _names(statement: Statement) -> list[str]:
    names = (statement.id, statement.component, statement.client, statement.event)
    return [name for name in names if name is not None]


def _components(statements: Iterable[Statement]) -> list[dict[str, object]]:
    found: dict[str, list[Statement]] = {}
    for statement in statements:
        found.setdefault(statement.component, []).append(statement)
    return [
        {
            "component": component,
            "role": own[0].role,
            "client": own[0].client,
            "statements": len(own),
            "events": len({statement.event for statement in own}),
        }
        for component, own in sorted(found.items())
    ]
