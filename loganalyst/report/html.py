"""The report as one HTML file: offline, light and dark, for the screen and for paper.

Everything that came from a log is data: it is escaped into text, or stands as JSON (with `<` escaped) in a
script element that no browser runs. A content-security policy lets run the two scripts of this page by their
hashes, and nothing else; nothing is loaded from anywhere.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterator, Sequence
from html import escape
from importlib.resources import files
from typing import Any

from loganalyst.report.html_tables import evidence_text, moments, rebalances, sources, text
from loganalyst.report.model import Finding, Report, Story
from loganalyst.report.timeline import MOST_MARKS, Fetch, Timeline, timelines_of
from loganalyst.report.vega import specification
from loganalyst.report.visible import visible
from loganalyst.report.words import human_list, human_ms, period, plural

_LIBRARY = "window.vegaEmbed = vegaEmbed;"


def html_lines(report: Report, fetch: Fetch) -> Iterator[str]:
    """Yield the lines of the page; `fetch` reads what the pictures and the table need from the views."""
    import vl_convert

    timelines = {(t.cluster, t.group_id): t for t in timelines_of(report, fetch)}
    library = vl_convert.javascript_bundle(_LIBRARY) if timelines else ""
    own = _asset("report.js") if timelines or report.stories else ""
    yield from _head(report, [script for script in (library, own) if script])
    yield from _summary(report)
    for finding in report.findings:
        yield from _finding(finding)
    for story in report.stories:
        yield from _story(story, timelines.get((story.cluster, story.group_id)))
    yield from rebalances(report, fetch)
    yield from sources(report)
    yield '<pre id="behind" hidden aria-live="polite"></pre></main>'
    for script in (library, own):
        if script:
            yield f"<script>{script}</script>"
    yield "</body></html>"


def _head(report: Report, scripts: Sequence[str]) -> Iterator[str]:
    allowed = " ".join(f"'sha256-{_hash(script)}'" for script in scripts) or "'none'"
    policy = (
        f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; "
        "base-uri 'none'; form-action 'none'"
    )
    yield "<!doctype html>"
    yield '<html lang="en"><head><meta charset="utf-8">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{escape(policy)}">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield '<meta name="referrer" content="no-referrer">'
    yield f"<title>{text('loganalyst: ' + report.dataset)}</title>"
    yield f"<style>{_asset('report.css')}</style></head><body><main>"


def _summary(report: Report) -> Iterator[str]:
    numbers = {severity: sum(f.severity == severity for f in report.findings) for severity in ("act", "look")}
    if report.findings:
        verdict = f"{numbers['act']} to act on, {numbers['look']} to look at"
    else:
        verdict = "Nothing wrong was found"
    yield f"<h1>{text(report.dataset)}: {verdict}</h1>"
    yield (
        f'<p class="soft">{plural(len(report.groups), "group")}, '
        f"{plural(len(report.sources), 'source')}, {period(report.first_at, report.last_at)}. "
        f"Made by loganalyst {text(report.loganalyst)}; times are UTC as the logs print them.</p>"
    )


def _finding(finding: Finding) -> Iterator[str]:
    yield f'<article class="{finding.severity}" id="{text(finding.finding)}">'
    yield f'<h3><span class="badge">{finding.severity}</span>{text(finding.title)}</h3>'
    yield f"<p>{text(finding.detail)}</p>"
    if finding.fix:
        yield f"<p><strong>What to do:</strong> {text(finding.fix)}</p>"
    lasted = f" ({human_ms(finding.duration_ms)})" if finding.duration_ms else ""
    when = period(finding.started_at, finding.ended_at)
    yield f'<p class="soft">{when}{lasted}, {finding.confidence}</p>'
    yield f"<details><summary>{plural(len(finding.evidence), 'line')} of evidence</summary>"
    yield f'<div class="evidence">{evidence_text(finding.evidence)}</div></details></article>'


def _story(story: Story, timeline: Timeline | None) -> Iterator[str]:
    yield f"<h2>{text(story.group_id)}</h2>"
    brokers = human_list([f"broker {broker}" for broker in story.coordinators])
    facts = [
        f"{story.group_type or 'unknown'} group",
        f"coordinator {brokers}" if story.coordinators else "coordinator unknown",
        plural(story.rebalances, "rebalance"),
        f"the longest {human_ms(story.longest_ms)}" if story.longest_ms is not None else "",
    ]
    yield f'<p class="soft">{text(", ".join(fact for fact in facts if fact))}</p>'
    if timeline is not None:
        if timeline.thinned:
            yield (
                f"<p>Too much to draw: {timeline.thinned:,} marks of this group are left out "
                f"(every lane evenly; {MOST_MARKS:,} marks are drawn).</p>"
            )
        label = f"Members and states of {visible(story.group_id)} over time; the table below tells the same"
        yield f'<div class="chart" role="img" aria-label="{escape(label)}"></div>'
        yield f'<script type="application/json">{_json(specification(timeline))}</script>'
    yield f"<details><summary>{plural(len(story.moments), 'moment')}, line by line</summary>"
    yield from moments(story)
    yield "</details>"


def _json(document: Any) -> str:
    """Return JSON that cannot end the element it stands in."""
    dumped = json.dumps(document, ensure_ascii=True, allow_nan=False)
    return dumped.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _hash(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


def _asset(name: str) -> str:
    return files("loganalyst.report").joinpath("assets", name).read_text(encoding="utf-8")
