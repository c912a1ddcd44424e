"""The forensic report as a document: what every renderer shows, and nothing of how.

Times are aware datetimes in UTC as their writers printed them, durations are milliseconds, unknown is None.
`docs/report.schema.json` describes the JSON form (`to_json`); `SCHEMA` changes when a field changes its
meaning.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, is_dataclass
from datetime import datetime
from typing import Any

from loganalyst.report.cells import time_text

SCHEMA = "loganalyst.report/1"


@dataclass(frozen=True)
class Evidence:
    """One log line: `line` is 1-based in the decompressed `source`."""

    source: str
    line: int | None
    ts: datetime | None
    message: str


@dataclass(frozen=True)
class Finding:
    """One verdict, as the view `findings` gives it."""

    finding: str
    kind: str
    severity: str
    confidence: str
    cluster: str | None
    group_id: str | None
    pod: str | None
    broker: int | None
    started_at: datetime | None
    ended_at: datetime | None
    title: str
    detail: str
    fix: str
    evidence: tuple[Evidence, ...]

    @property
    def duration_ms(self) -> float | None:
        """How long it lasted; None where start or end is unknown."""
        if self.started_at is None or self.ended_at is None:
            return None
        return (self.ended_at - self.started_at).total_seconds() * 1000


@dataclass(frozen=True)
class Count:
    """The number of members of a group from `at` on."""

    at: datetime
    members: int


@dataclass(frozen=True)
class Span:
    """A `rebalance`, `outage` (no coordinator) or run of `refused` joins; `ended_at` None: no end seen."""

    kind: str
    started_at: datetime
    ended_at: datetime | None


@dataclass(frozen=True)
class Moment:
    """One line of a group's story: what happened at `at` (None: the line bears no date)."""

    at: datetime | None
    kind: str
    text: str
    generation: int | None = None
    epoch: int | None = None
    members_before: int | None = None
    members: int | None = None
    duration_ms: float | None = None
    notable: bool = False
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True)
class Story:
    """What happened to one group. `notable` moments are those that a finding rests on or that went wrong."""

    cluster: str | None
    group_id: str
    group_type: str | None
    coordinators: tuple[int, ...]
    offsets_partition: int | None
    first_at: datetime | None
    last_at: datetime | None
    rebalances: int
    longest_ms: float | None
    severity: str | None
    counts: tuple[Count, ...]
    spans: tuple[Span, ...]
    moments: tuple[Moment, ...]


@dataclass(frozen=True)
class Source:
    """The account of one source; `role`: whose log it is (`broker`, `client`, …), None if it has no event."""

    source: str
    role: str | None
    lines: int
    records: int
    events: int
    undated_lines: int
    foreign_lines: int
    first_ts: datetime | None
    last_ts: datetime | None
    envelope: str | None
    layout: str | None
    timezone: str | None


@dataclass(frozen=True)
class Unread:
    """A source that could not be read, or not to its end, and why."""

    source: str
    reason: str


@dataclass(frozen=True)
class Report:
    """The whole report.

    `unshown` counts, by severity, the findings that `--severity` left out; `limits` are sentences about what
    these logs cannot tell.
    """

    dataset: str
    loganalyst: str
    first_at: datetime | None
    last_at: datetime | None
    groups: tuple[str, ...]
    filters: dict[str, Any]
    findings: tuple[Finding, ...]
    unshown: dict[str, int]
    stories: tuple[Story, ...]
    sources: tuple[Source, ...]
    unread: tuple[Unread, ...]
    limits: tuple[str, ...]

    def narrowed(self) -> str:
        """Return what the report was narrowed to, as its options; empty if to nothing."""
        asked = []
        for name, value in self.filters.items():
            if isinstance(value, datetime):
                asked.append(f"--{name} {time_text(value)}")
            elif value and value != "normal":
                asked.append(f"--{name} {', '.join(value) if isinstance(value, list) else value}")
        return ", ".join(asked)

    def worst(self) -> str | None:
        """Return the highest severity among the findings, shown or not, None without findings."""
        found = {finding.severity for finding in self.findings} | set(self.unshown)
        return next((severity for severity in ("act", "look", "normal") if severity in found), None)

    def to_json(self) -> dict[str, Any]:
        """Return the document as plain JSON values, `schema` first."""
        document = _plain(self)
        for finding, plain in zip(self.findings, document["findings"], strict=True):
            plain["duration_ms"] = finding.duration_ms
        return {"schema": SCHEMA, "verdict": self.worst(), **document}


def _plain(value: Any) -> Any:
    if is_dataclass(value):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, datetime):
        return time_text(value)
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    return value
