"""`loganalyst simulate`: what a deploy or a lost broker will do."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from loganalyst.cli import options
from loganalyst.cli.options import Output
from loganalyst.cli.talk import say

if TYPE_CHECKING:
    from collections.abc import Sequence

STEPS = ("deploy", "step", "pods_rolled", "members", "refused", "assignor", "rebalance_protocol")
LOSSES = ("group_id", "offsets_partition", "broker", "new_broker", "outcome")


@click.group("simulate")
def command() -> None:
    """Play a deploy or a lost broker, step by step, by the rules of the coordinator."""


@command.command("rollout")
@click.option(
    "--members", type=click.IntRange(min=1), required=True, metavar="N", help="Members of the group."
)
@click.option("--from", "old", required=True, metavar="LIST", help="Assignors now, in order of preference.")
@click.option("--to", "new", required=True, metavar="LIST", help="Assignors of the new configuration.")
@click.option(
    "--plan",
    type=click.Choice(("one-step", "two-step")),
    default="one-step",
    show_default=True,
    help="`two-step` deploys a list with both in between.",
)
@click.option(
    "--via", multiple=True, metavar="LIST", help="A deploy of your own in between; may be repeated."
)
@click.option(
    "--compare", metavar="DATASET", help="Say how it compares with the shrinking episodes that DATASET saw."
)
@options.output(text=False)
def rollout(
    members: int, old: str, new: str, plan: str, via: tuple[str, ...], compare: str | None, output: Output
) -> None:
    """Roll a change of the assignor out, pod by pod.

    One row for each pod of each deploy, and one before it: how many members the group has, how many
    restarted pods are refused, and which assignor the vote chooses. A custom assignor says its rebalance
    protocol behind a colon: `team-sticky:cooperative`. While some members still list an assignor that is
    only eager, they give up all partitions at a rebalance, whatever is in force.

    \b
    Examples:
      loganalyst simulate rollout --members 6 --from range --to cooperative-sticky
      loganalyst simulate rollout --members 6 --from range --to cooperative-sticky --plan two-step
      loganalyst simulate rollout --members 4 --from range --to mine:cooperative,range --format json
    """
    from loganalyst.analysis.rollout import deploys, parse_assignors, simulate
    from loganalyst.errors import UsageError

    before, after = parse_assignors(old), parse_assignors(new)
    between = [parse_assignors(text) for text in via]
    if between and plan != "one-step":
        raise UsageError("--via is a plan of its own: leave --plan away")
    if between:
        lists = [before.names, *(step.names for step in between), after.names]
    else:
        lists = deploys(before.names, after.names, plan)
    protocols: dict[str, str] = {}
    for listed in (before, *between, after):
        protocols.update(listed.protocols)
    steps = list(simulate(members, lists, protocols))
    _write([asdict(step) for step in steps], STEPS, output)
    floor = min(step.members for step in steps)
    if floor < members:
        say(f"the group falls to {floor} of {members} members: restarted pods are refused meanwhile")
    if compare:
        _compare([step.members for step in steps], compare)


def _compare(counts: list[int], dataset: str) -> None:
    import loganalyst
    from loganalyst.report.rows import dicts

    sql = "SELECT group_id, member_counts, kind FROM shrinking_episodes ORDER BY started_at"
    episodes = dicts(loganalyst.open(dataset).sql(sql))
    if not episodes:
        say(f"{dataset} saw no group shrink")
    for episode in episodes:
        seen = list(episode["member_counts"])
        fall = seen[: seen.index(min(seen)) + 1]
        same = fall == counts[: len(fall)]
        verdict = "falls just so" if same else "falls otherwise"
        say(f"{episode['group_id']} {verdict}: {', '.join(str(count) for count in seen)} ({episode['kind']})")


@command.command("broker-loss")
@click.option("--group", "groups", multiple=True, metavar="G", help="A group; may be repeated.")
@click.option(
    "--groups-file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Groups, one a line.",
)
@click.option(
    "--brokers", type=click.IntRange(min=1), metavar="N", help="Brokers of the cluster, numbered from 0."
)
@click.option(
    "--replication-factor", type=click.IntRange(min=1), metavar="R", help="Replicas of an offsets partition."
)
@click.option("--lost", type=int, required=True, metavar="B", help="The broker that is lost.")
@click.option(
    "--partitions",
    type=click.IntRange(min=1),
    metavar="N",
    help="Partitions of __consumer_offsets; default 50, or as many as --dumps shows.",
)
@click.option(
    "--dumps",
    multiple=True,
    metavar="FILE",
    help="Real leaders and replicas: output of `kafka-topics --describe --topic __consumer_offsets`.",
)
@options.output(text=False)
def broker_loss(
    groups: tuple[str, ...],
    groups_file: Path | None,
    brokers: int | None,
    replication_factor: int | None,
    lost: int,
    partitions: int | None,
    dumps: tuple[str, ...],
    output: Output,
) -> None:
    """Take a broker away: which groups move to another coordinator, which have none.

    Without --dumps partition p is led by broker p % N and the R - 1 brokers after it follow, all in sync.
    `outcome` is unaffected, moves or unavailable (COORDINATOR_NOT_AVAILABLE until the broker is back).

    \b
    Examples:
      loganalyst simulate broker-loss --group orders-service --brokers 3 --replication-factor 1 --lost 2
      loganalyst simulate broker-loss --groups-file groups.txt --dumps offsets-topic.txt --lost 1
    """
    from loganalyst.analysis.broker_loss import lose, spread
    from loganalyst.analysis.dumped import dumped
    from loganalyst.analysis.placement import DEFAULT_PARTITIONS
    from loganalyst.dumps.files import read_dumps
    from loganalyst.errors import SourceError, UsageError

    names = [*groups, *_names(groups_file)]
    if not names:
        raise UsageError("no group to look at: give --group G or --groups-file FILE")
    if dumps:
        problems: list[str] = []
        layout = dumped(read_dumps(dumps, problems)).layout()
        if layout is None:
            raise SourceError("; ".join(problems) or "the dumps do not show all of __consumer_offsets")
    elif brokers is None or replication_factor is None:
        raise UsageError(
            "how does the offsets topic lie? --brokers N --replication-factor R, or --dumps FILE"
        )
    else:
        layout = spread(brokers, replication_factor, partitions or DEFAULT_PARTITIONS)
    losses = lose(names, layout, lost)
    _write([asdict(loss) for loss in losses], LOSSES, output)
    move, stay_away = (
        sum(loss.outcome == outcome for loss in losses) for outcome in ("moves", "unavailable")
    )
    say(f"of {len(losses)} groups {move} move and {stay_away} have no coordinator")


def _names(file: Path | None) -> list[str]:
    if file is None:
        return []
    return [line.strip() for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]


def _write(rows: list[dict[str, Any]], columns: Sequence[str], output: Output) -> None:
    from loganalyst.report.formats import write_rows

    write_rows(
        rows,
        format=output.format,
        file=output.file,
        columns=columns,
        spreadsheet=output.spreadsheet is not False,
    )
