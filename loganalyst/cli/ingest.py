"""`loganalyst ingest`: read logs into a dataset."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from loganalyst.cli import options
from loganalyst.cli.options import Ingesting
from loganalyst.cli.talk import progress, say

if TYPE_CHECKING:
    from loganalyst.ingest.run import Progress, Summary


@click.command("ingest")
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE...")
@click.option(
    "--into",
    required=True,
    type=click.Path(),
    metavar="DATASET",
    help="The dataset: a folder, made if missing.",
)
@options.ingesting()
def command(sources: tuple[str, ...], into: str, ingesting: Ingesting) -> None:
    """Read logs and keep what they say about consumer groups in a dataset.

    A SOURCE is a file, a folder, an archive or - for stdin; gz, zst and the like are unpacked, the output of
    kafka-consumer-groups and kafka-topics counts too. Only what is new is added: run it again at any time.

    \b
    Examples:
      loganalyst ingest /var/log/kafka --into incident
      loganalyst ingest broker-*.log pods.tar.gz --into incident --tz Europe/Berlin
      kubectl logs -l app=orders --prefix | loganalyst ingest - --into incident
    """
    summary = read(sources, into, ingesting)
    tell(summary, into)
    if summary.problems:
        raise click.exceptions.Exit(3)


def read(
    sources: tuple[str, ...], into: str | Path, ingesting: Ingesting, *, publish: bool = True
) -> Summary:
    """Ingest, showing progress on a terminal; problems are in the summary.

    `publish` False is for a dataset that nobody else will open.
    """
    import pyarrow as pa

    from loganalyst import api

    pa.set_memory_pool(pa.system_memory_pool())  # the default pool keeps 50 MB more
    with progress("reading") as show:
        return api.ingest(
            sources,
            into=into,
            cluster=ingesting.cluster,
            tz=ingesting.tz,
            source_tz=ingesting.source_tz,
            date=ingesting.date,
            jobs=ingesting.jobs,
            engine=ingesting.engine,
            scheduler=ingesting.scheduler,
            parsers=ingesting.parsers,
            progress=lambda now: show(_line(now)),
            publish=publish,
            redact=ingesting.redact,
            redact_rules=ingesting.redact_rules,
            redact_key=ingesting.redact_key,
        )


def tell(summary: Summary, into: str | Path | None = None) -> None:
    """Say on stderr what was read, and what could not be."""
    from loganalyst.report.visible import visible

    for source, reason in summary.problems:
        say(f"loganalyst: {visible(source)}: {visible(reason)}", always=True)
    counts = {"source": summary.sources, "line": summary.lines, "event": summary.events}
    parts = [f"{count:,} {_plural(word, count)}" for word, count in counts.items()]
    known = f"; {summary.known:,} known already, nothing new" if summary.known else ""
    where = f" into {into}" if into is not None else ""
    say(f"read {', '.join(parts)}{where} in {summary.seconds:.1f} s{known}")


def _line(now: Progress) -> str:
    share = f" of about {now.total / 1e6:,.0f}" if now.total > now.bytes else ""
    return f"{now.bytes / 1e6:,.0f}{share} MB, {now.sources:,} of {now.of:,} sources, {now.events:,} events"


def _plural(word: str, count: int) -> str:
    return word if count == 1 else f"{word}s"
