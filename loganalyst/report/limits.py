"""What the logs at hand cannot tell: sentences for the end of the report."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from loganalyst.report.model import Source
from loganalyst.report.words import clock, human_list, human_ms, plural

Fetch = Callable[[str], list[dict[str, Any]]]

_SILENT_BROKERS = """
SELECT DISTINCT broker_id FROM events
WHERE role = 'client' AND group_id IS NOT NULL AND broker_id IS NOT NULL
  AND broker_id NOT IN (SELECT broker_id FROM events WHERE role = 'broker' AND broker_id IS NOT NULL)
ORDER BY 1
"""
_CLOCKS = """
SELECT source, offset_ms FROM clock_offsets WHERE abs(offset_ms) > greatest(bound_ms, 100)
ORDER BY abs(offset_ms) DESC
"""


def limits_of(fetch: Fetch, sources: Sequence[Source]) -> list[str]:
    """Return the sentences, the weightiest first; none if nothing is missing."""
    roles = {source.role for source in sources}
    limits = []
    if "client" in roles and "broker" not in roles:
        limits.append(
            "No broker logs were read: why the coordinator acted is known only as far as clients were told."
        )
    if "broker" in roles and "client" not in roles:
        limits.append(
            "No client logs were read: pods and assignments are known only from the ids in broker lines, "
            "and a crash cannot be told from a frozen process."
        )
    if "broker" in roles:
        limits += _silent_brokers(fetch)
    return [*limits, *_undated(fetch), *_clocks(fetch), *_gaps(fetch)]


def _silent_brokers(fetch: Fetch) -> list[str]:
    """Name coordinators that clients name and whose own log was not read."""
    brokers = [str(row["broker_id"]) for row in fetch(_SILENT_BROKERS)]
    if not brokers:
        return []
    noun = "broker" if len(brokers) == 1 else "brokers"
    return [f"No log of {noun} {human_list(brokers)} was read, though clients had a coordinator there."]


def _undated(fetch: Fetch) -> list[str]:
    rows = fetch("SELECT source, count(*) AS n FROM events WHERE ts IS NULL GROUP BY source ORDER BY n DESC")
    if not rows:
        return []
    events = plural(sum(row["n"] for row in rows), "event")
    where = human_list([row["source"] for row in rows], 4)
    return [f"{events} of {where} without a date that can be told (--date D says when a source begins)."]


def _clocks(fetch: Fetch) -> list[str]:
    told = [f"{row['source']} by {human_ms(abs(row['offset_ms']))}" for row in fetch(_CLOCKS)]
    if not told:
        return []
    return [f"Clocks off: {human_list(told, 4)}. Times are shown as printed, durations are corrected."]


def _gaps(fetch: Fetch) -> list[str]:
    rows = fetch("SELECT * FROM log_gaps ORDER BY started_at")
    told = [f"{row['source']} from {clock(row['started_at'])} to {clock(row['ended_at'])}" for row in rows]
    return [f"Silence where lines were due: {human_list(told, 4)}."] if told else []
