"""The report for programs: one JSON document, or the findings as rows."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from loganalyst.report.cells import escape_invisible
from loganalyst.report.model import Report

FINDING_COLUMNS = (
    "finding",
    "severity",
    "kind",
    "cluster",
    "group_id",
    "pod",
    "broker",
    "started_at",
    "ended_at",
    "duration_ms",
    "title",
    "detail",
    "fix",
    "confidence",
    "evidence",
)


def json_document(report: Report) -> Iterator[str]:
    """Yield the lines of the document that `docs/report.schema.json` describes."""
    yield escape_invisible(json.dumps(report.to_json(), ensure_ascii=False, allow_nan=False, indent=1))


def finding_rows(report: Report) -> list[dict[str, Any]]:
    """Return the findings as rows with `FINDING_COLUMNS`."""
    rows = []
    for finding in report.findings:
        values = {**asdict(finding), "duration_ms": finding.duration_ms}
        rows.append({name: values[name] for name in FINDING_COLUMNS})
    return rows
