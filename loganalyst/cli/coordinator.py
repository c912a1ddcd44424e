"""`loganalyst coordinator`: where groups live."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from loganalyst.cli import options
from loganalyst.cli.options import Output
from loganalyst.cli.talk import say

if TYPE_CHECKING:
    from loganalyst.analysis.placement import Placement

COLUMNS = ("group_id", "hash", "offsets_partition", "broker", "shares_partition_with")


@click.command("coordinator")
@click.argument("groups", nargs=-1, required=True, metavar="GROUP...")
@click.option(
    "--partitions",
    type=click.IntRange(min=1),
    metavar="N",
    help="Partitions of __consumer_offsets; default: as many as --dumps shows, else 50.",
)
@click.option(
    "--dumps",
    multiple=True,
    metavar="FILE",
    help="Output of `kafka-topics --describe --topic __consumer_offsets`, for the brokers; may be repeated.",
)
@options.output(text=False)
def command(groups: tuple[str, ...], partitions: int | None, dumps: tuple[str, ...], output: Output) -> None:
    """Compute hash, offsets partition and broker of each GROUP, as every broker computes them.

    The partition is Java's hashCode of the name, abs, modulo the partitions of __consumer_offsets; the
    coordinator is the leader of that partition. stderr says how the groups spread over brokers and which
    share a partition.

    \b
    Examples:
      loganalyst coordinator orders-service orders-service-v2
      loganalyst coordinator $(cat groups.txt) --dumps offsets-topic.txt --format csv
    """
    from loganalyst.analysis.dumped import dumped
    from loganalyst.analysis.placement import DEFAULT_PARTITIONS
    from loganalyst.analysis.placement import place as place_groups
    from loganalyst.dumps.files import read_dumps
    from loganalyst.report.formats import write_rows

    problems: list[str] = []
    found = dumped(read_dumps(dumps, problems))
    count = partitions or found.partition_count or DEFAULT_PARTITIONS
    placements = place_groups(groups, count, found.leaders())
    rows = [
        asdict(place) | {"shares_partition_with": list(place.shares_partition_with)} for place in placements
    ]
    guarded = output.spreadsheet is not False
    write_rows(rows, format=output.format, file=output.file, columns=COLUMNS, spreadsheet=guarded)
    _say_spread(placements, {leader for leader in found.leaders().values() if leader is not None})
    for problem in problems:
        say(problem, always=True)
    if problems:
        click.get_current_context().exit(3)


def _say_spread(placements: list[Placement], brokers: set[int]) -> None:
    from loganalyst.analysis.placement import skew

    spread = skew(placements, brokers)
    if spread.by_broker:
        say("groups a broker: " + ", ".join(f"{broker}: {count}" for broker, count in spread.by_broker))
    for partition, names in spread.collisions:
        say(f"partition {partition} is shared by {', '.join(names)}")
