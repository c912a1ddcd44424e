"""Small logs in the words of real components, made line by line."""

from __future__ import annotations

from pathlib import Path

from loganalyst.ingest.run import Summary, run_ingest


def broker_line(generation: int, *, group: str = "orders", second: int | None = None, broker: int = 1) -> str:
    """One line of a broker's coordinator that becomes an event."""
    second = generation if second is None else second
    return (
        f"[2026-12-01 00:{second // 60:02}:{second % 60:02},123] INFO [GroupCoordinator {broker}]:"
        f" Stabilized group {group} generation {generation} (__consumer_offsets-17) with 3 members"
        " (kafka.coordinator.group.GroupCoordinator)\n"
    )


def other_line(number: int) -> str:
    """One line of a broker that is of no interest."""
    return (
        f"[2026-12-01 00:{number // 60:02}:{number % 60:02},500] INFO [LocalLog partition=payments-{number}]"
        " Rolled new log segment at offset 1 in 2 ms. (kafka.log.LocalLog)\n"
    )


def broker_log(generations: range, *, group: str = "orders") -> str:
    """A broker's log with one event a generation, noise between."""
    return "".join(broker_line(n, group=group) + other_line(n) for n in generations)


def consumer_line(
    second: int, client_id: str, text: str, *, group: str = "orders", thread: str = "main"
) -> str:
    """One line of a Java consumer in a Spring Boot layout."""
    return (
        f"2026-12-01T00:{second // 60:02}:{second % 60:02}.123Z  INFO 1 --- [orders] [{thread:>15}]"
        " o.a.k.c.c.internals.ConsumerCoordinator  :"
        f" [Consumer clientId={client_id}, groupId={group}] {text}\n"
    )


def ingest(into: Path, *sources: Path, jobs: int = 1) -> Summary:
    """Ingest files in this process."""
    return run_ingest([str(source) for source in sources], into, jobs=jobs, publish=False)
