"""Builds the report from the views of a dataset."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

from loganalyst import __version__
from loganalyst.errors import UsageError
from loganalyst.report.limits import limits_of
from loganalyst.report.model import Finding, Report, Source, Unread
from loganalyst.report.moments import evidence_of
from loganalyst.report.story import Fetch, stories_of
from loganalyst.report.window import Window
from loganalyst.suggest import did_you_mean

SEVERITIES = ("act", "look", "normal")

_GROUPS = """
SELECT cluster, group_id, arg_max(group_type, ts) AS group_type, min(ts) AS first_at, max(ts) AS last_at
FROM events WHERE group_id IS NOT NULL GROUP BY ALL ORDER BY cluster, group_id
"""
_SOURCES = """
SELECT s.*, e.role
FROM sources s LEFT JOIN (SELECT source, mode(role) AS role FROM events GROUP BY source) e USING (source)
ORDER BY s.source
"""


def collect(
    fetch: Fetch,
    *,
    dataset: str,
    groups: Collection[str] = (),
    since: datetime | None = None,
    until: datetime | None = None,
    severity: str = "normal",
    unread: Sequence[Unread] = (),
) -> Report:
    """Build the report of a dataset.

    `groups` (all if empty), `since` and `until` keep what concerns these groups and touches that time,
    `severity` the findings that are at least so severe. Raises `UsageError` for a group that no log names.
    """
    summaries = fetch(_GROUPS)
    _check_groups(groups, sorted({row["group_id"] for row in summaries}))
    chosen = [row for row in summaries if not groups or row["group_id"] in groups]
    within = Window(since, until)
    found = [
        finding
        for finding in map(_finding, fetch("SELECT * FROM findings"))
        if (not groups or finding.group_id in groups) and within.touches(finding.started_at, finding.ended_at)
    ]
    found.sort(key=lambda finding: SEVERITIES.index(finding.severity))
    findings = [f for f in found if SEVERITIES.index(f.severity) <= SEVERITIES.index(severity)]
    stories = stories_of(fetch, chosen, findings, within)
    sources = [_source(row) for row in fetch(_SOURCES)]
    times = [at for story in stories for at in (story.first_at, story.last_at) if at is not None]
    return Report(
        dataset=dataset,
        loganalyst=__version__,
        first_at=min(times, default=None),
        last_at=max(times, default=None),
        groups=tuple(dict.fromkeys(row["group_id"] for row in chosen)),
        filters={"group": list(groups), "since": since, "until": until, "severity": severity},
        findings=tuple(findings),
        unshown=dict(Counter(finding.severity for finding in found[len(findings) :])),
        stories=tuple(stories),
        sources=tuple(sources),
        unread=tuple(unread),
        limits=tuple(limits_of(fetch, sources)),
    )


def _check_groups(groups: Collection[str], known: Sequence[str]) -> None:
    for group in groups:
        if group not in known:
            named = ", ".join(known[:8]) or "no group at all"
            hint = did_you_mean(group, known) or f"The logs name {named}."
            raise UsageError(f"no group '{group}'. {hint}")


def _source(row: Mapping[str, Any]) -> Source:
    return Source(**{name: row[name] for name in Source.__dataclass_fields__})


def _finding(row: Mapping[str, Any]) -> Finding:
    values = {name: row.get(name) for name in Finding.__dataclass_fields__}
    return Finding(**{**values, "evidence": evidence_of(row)})  # type: ignore[arg-type]
