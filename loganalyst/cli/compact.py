"""`loganalyst compact`: rewrite a dataset into fewer, larger files."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import click

from loganalyst.cli.talk import say

_AGE = re.compile(r"(\d+)\s*(h|d|w)")
_HOURS = {"h": 1, "d": 24, "w": 24 * 7}


def _moment(_ctx: click.Context, _param: click.Parameter, value: str | None) -> datetime | None:
    if value is None:
        return None
    if age := _AGE.fullmatch(value.strip()):
        return datetime.now(UTC) - timedelta(hours=int(age[1]) * _HOURS[age[2]])
    from loganalyst.cli.options import parse_time
    from loganalyst.errors import UsageError

    try:
        return parse_time(value)
    except UsageError:
        raise click.BadParameter(f"'{value}' is no age such as 90d and no time such as 2026-12-01") from None


@click.command("compact")
@click.argument("dataset")
@click.option(
    "--older-than",
    callback=_moment,
    metavar="AGE",
    help="Delete events older than this: 90d, 12w, 48h, or before a time such as 2026-12-01.",
)
@click.option(
    "--keep-hours",
    type=click.FloatRange(min=0),
    default=24.0,
    show_default=True,
    help="Keep replaced files so long on disk, for queries that still read them.",
)
def command(dataset: str, older_than: datetime | None, keep_hours: float) -> None:
    """Rewrite DATASET into fewer, larger files, and drop what no snapshot needs.

    Queries and ingests may run beside it. Sources stay accounted for when their events are deleted: their
    logs will not be read again.

    \b
    Examples:
      loganalyst compact nightly
      loganalyst compact nightly --older-than 90d
    """
    from loganalyst.dataset.compact import compact
    from loganalyst.dataset.dataset import Dataset

    done = compact(Dataset.open(dataset), older_than=older_than, retention=timedelta(hours=keep_hours))
    deleted = f", {done.rows_deleted:,} events deleted" if older_than is not None else ""
    say(
        f"{done.files_before:,} files are now {done.files_after:,}{deleted};"
        f" {done.files_removed:,} old files removed from the disk"
    )
