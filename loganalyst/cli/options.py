"""Options that several commands share, as decorators; each hands the command one small dataclass.

    @click.command("query")
    @click.argument("dataset")
    @options.output(text=False)
    def command(dataset: str, output: Output) -> None: ...

A command that shares an option with another takes it from here: it then reads and behaves the same
everywhere.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from datetime import UTC, date, datetime
from functools import wraps
from pathlib import Path
from typing import Any

import click

from loganalyst.cli.complete import group_names
from loganalyst.errors import UsageError

Command = Callable[..., Any]
Decorator = Callable[[Command], Command]

_EXISTING_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)

FORMATS = ("table", "json", "jsonl", "csv", "markdown", "parquet")
SEVERITIES = ("act", "look", "normal")


@dataclass(frozen=True)
class Output:
    """`--format`, `-o`, `--spreadsheet`. `format` None: text, or a table on a terminal and csv elsewhere."""

    format: str | None = None
    file: Path | None = None
    spreadsheet: bool | None = None


@dataclass(frozen=True)
class Ingesting:
    """The options of `ingest`, as the user gave them; None or empty where not given."""

    tz: str | None = None
    source_tz: tuple[tuple[str, str], ...] = ()
    cluster: str | None = None
    date: date | None = None
    jobs: int | None = None
    engine: str = "local"
    scheduler: str | None = None
    parsers: tuple[Path, ...] = ()
    redact: bool = False
    redact_rules: Path | None = None
    redact_key: Path | None = None


@dataclass(frozen=True)
class Filters:
    """`--group` (any of), `--since` and `--until` (UTC where no zone is given), `--severity` (at least)."""

    groups: tuple[str, ...] = ()
    since: datetime | None = None
    until: datetime | None = None
    severity: str = "normal"


def output(*, text: bool) -> Decorator:
    """Add `--format`, `-o`, `--spreadsheet` as `output: Output`; `text`: prints text by default."""
    default = "text" if text else "table on a terminal, csv elsewhere"
    return gather(
        "output",
        Output,
        click.option(
            "--format", type=click.Choice(FORMATS), help=f"How to print the rows; default: {default}."
        ),
        click.option(
            "-o", "--output", "file", type=_FILE, metavar="FILE", help="Write to FILE instead of stdout."
        ),
        click.option(
            "--spreadsheet/--no-spreadsheet",
            default=None,
            help="In csv, put ' before cells a spreadsheet would run as a formula.",
        ),
    )


def ingesting() -> Decorator:
    """Add the options of `ingest`; the command gets `ingesting: Ingesting`."""
    return gather(
        "ingesting",
        Ingesting,
        click.option(
            "--tz", callback=_zone, metavar="ZONE", help="Time zone of logs that print none; default UTC."
        ),
        click.option(
            "--source-tz",
            multiple=True,
            callback=_zones,
            metavar="GLOB=ZONE",
            help="Time zone of the sources whose name matches GLOB; may be repeated.",
        ),
        click.option("--cluster", metavar="NAME", help="Name of the Kafka cluster the logs come from."),
        click.option(
            "--date",
            callback=_date,
            metavar="D",
            help="Date (YYYY-MM-DD) of the first line of sources whose lines print only a time.",
        ),
        click.option(
            "--jobs", type=click.IntRange(min=1), metavar="N", help="Processes to use; default: all cores."
        ),
        click.option(
            "--engine",
            type=click.Choice(["local", "dask"]),
            default="local",
            help="What runs the parsing: processes here, or a Dask cluster.",
        ),
        click.option("--scheduler", metavar="ADDRESS", help="Dask scheduler to use (with --engine dask)."),
        click.option(
            "--redact",
            is_flag=True,
            help="Replace secrets and personal data by keyed hashes, equal ones by equal ones.",
        ),
        click.option(
            "--redact-rules",
            type=_EXISTING_FILE,
            metavar="FILE",
            help="TOML file with more rules for --redact.",
        ),
        click.option(
            "--redact-key",
            type=_EXISTING_FILE,
            metavar="FILE",
            help="File with the key of the hashes (or LOGANALYST_REDACT_KEY); default: a key of the dataset.",
        ),
        parsers_option(),
    )


def filters() -> Decorator:
    """Add `--group`, `--since`, `--until` and `--severity`; the command gets `filters: Filters`."""
    return gather(
        "filters",
        Filters,
        click.option(
            "--group",
            "groups",
            multiple=True,
            metavar="G",
            shell_complete=group_names,
            help="Only this group; may be repeated.",
        ),
        click.option(
            "--since", callback=_time, metavar="TIME", help="Only what happened at or after TIME (UTC)."
        ),
        click.option("--until", callback=_time, metavar="TIME", help="Only what happened before TIME (UTC)."),
        click.option(
            "--severity",
            type=click.Choice(SEVERITIES),
            default="normal",
            help="Only findings at least this severe; default normal: all of them.",
        ),
    )


def queries_option() -> Decorator:
    """Add `--queries DIR`; the command gets `queries: tuple[Path, ...]`."""
    return click.option(
        "--queries",
        multiple=True,
        type=_FOLDER,
        callback=_named,
        metavar="DIR",
        help="Folder with your own queries, used beside the shipped ones; may be repeated.",
    )


def parsers_option() -> Decorator:
    """Add `--parsers DIR`; the command gets `parsers: tuple[Path, ...]`."""
    return click.option(
        "--parsers",
        multiple=True,
        type=_FOLDER,
        callback=_named,
        metavar="DIR",
        help="Folder with your own log statements, used beside the shipped ones; may be repeated.",
    )


def fail_on_option() -> Decorator:
    """Add `--fail-on`; the command gets `fail_on: str`."""
    return click.option(
        "--fail-on",
        type=click.Choice(["act", "look", "never"]),
        default="never",
        help="Exit with 1 if there are findings at least this severe; default never.",
    )


def unsafe_option() -> Decorator:
    """Add `--unsafe`; the command gets `unsafe: bool`."""
    return click.option(
        "--unsafe",
        is_flag=True,
        help="Let SQL read and write files and reach the network (default: it cannot).",
    )


def failing(severities: list[str], fail_on: str) -> bool:
    """Tell whether findings of these severities make a command exit with 1."""
    return fail_on != "never" and any(at_least(severity, fail_on) for severity in severities)


def at_least(severity: str, threshold: str) -> bool:
    """Tell whether `severity` is at least `threshold` (`act` > `look` > `normal`)."""
    return SEVERITIES.index(severity) <= SEVERITIES.index(threshold)


_FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)
_FILE = click.Path(dir_okay=False, path_type=Path)


def gather(name: str, kind: type, *decorators: Callable[[Any], Any]) -> Decorator:
    """Make one decorator of several options, whose values reach the command as one `kind` named `name`."""

    def decorate(function: Command) -> Command:
        @wraps(function)
        def wrapper(**arguments: Any) -> Any:
            values = {field.name: arguments.pop(field.name) for field in fields(kind)}
            return function(**arguments, **{name: kind(**values)})

        wrapped: Command = wrapper
        for decorator in reversed(decorators):
            wrapped = decorator(wrapped)
        return wrapped

    return decorate


def _named(_ctx: click.Context, param: click.Parameter, folders: tuple[Path, ...]) -> tuple[Path, ...]:
    """Name the folders whose files this program is about to trust."""
    from loganalyst.cli.talk import say
    from loganalyst.report.visible import visible

    for folder in folders:
        say(f"with {param.name} of {visible(str(folder))}")
    return folders


def _zone(_ctx: click.Context, _param: click.Parameter, value: str | None) -> str | None:
    return None if value is None else _checked_zone(value)


def _zones(
    _ctx: click.Context, _param: click.Parameter, values: tuple[str, ...]
) -> tuple[tuple[str, str], ...]:
    pairs = []
    for value in values:
        glob, equals, zone = value.rpartition("=")
        if not equals or not glob:
            raise click.BadParameter(f"'{value}' is not GLOB=ZONE, as in 'eu-*.log=Europe/Berlin'")
        pairs.append((glob, _checked_zone(zone)))
    return tuple(pairs)


def _checked_zone(name: str) -> str:
    """Return a time zone's name, or say which one may have been meant."""
    import re
    from zoneinfo import ZoneInfo, available_timezones

    from loganalyst.suggest import did_you_mean

    if re.fullmatch(r"[+-]\d{2}:?\d{2}", name):
        return name
    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        known = {zone.lower(): zone for zone in available_timezones()}
        if name.lower() in known:
            return known[name.lower()]
        hint = did_you_mean(name, known.values()) or "Use a name such as Europe/Berlin or +02:00."
        raise click.BadParameter(f"no time zone '{name}'. {hint}") from None
    return name


def _date(_ctx: click.Context, _param: click.Parameter, value: str | None) -> date | None:
    if value is None:
        return None
    try:
        return date.fromisoformat(value)
    except ValueError:
        raise click.BadParameter(f"'{value}' is not a date such as 2026-12-01") from None


def _time(_ctx: click.Context, _param: click.Parameter, value: str | None) -> datetime | None:
    if value is None:
        return None
    try:
        return parse_time(value)
    except UsageError as error:
        raise click.BadParameter(str(error)) from None


def parse_time(value: str) -> datetime:
    """Read an ISO 8601 date or time; UTC where it names no zone. Raises `UsageError` for anything else."""
    try:
        moment = datetime.fromisoformat(value.strip())
    except ValueError:
        raise UsageError(f"'{value}' is not a time such as 2026-12-01T00:40:00Z or 2026-12-01") from None
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
