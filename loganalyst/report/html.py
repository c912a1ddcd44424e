"""The report as one HTML file: offline, light and dark, for the screen and for paper, below 3 MB.

Everything that came from a log is data: it is escaped into text, or stands as JSON (with `<` escaped) in a
script element that no browser runs. A content-security policy lets run the two scripts of this page by their
hashes, and nothing else; nothing is loaded from anywhere. Each part of the page has a budget of bytes; what
does not fit is left out, and the page says how much and where to find it.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from importlib.resources import files
from typing import Any

from loganalyst.report.html_tables import (
    coordinators,
    evidence_text,
    groups,
    moments,
    rebalances,
    sources,
    text,
)
from loganalyst.report.model import Finding, Report, Story
from loganalyst.report.packed import packed
from loganalyst.report.story import Fetch
from loganalyst.report.text import SHOWN_ALIKE, alike_findings
from loganalyst.report.timeline import MOST_MARKS, Timeline, timelines_of
from loganalyst.report.vega import VEGA_LITE
from loganalyst.report.visible import visible
from loganalyst.report.words import human_list, human_ms, period, plural

FINDING_BYTES, LINE_BYTES, MOMENT_BYTES = 400_000, 250_000, 200_000
"""What findings, the log lines behind marks, and the stories line by line may take."""

MOST_EVIDENCE = 40
"""Log lines of one finding."""

_LIBRARY = "window.vegaEmbed = vegaEmbed;"


def html_lines(report: Report, fetch: Fetch) -> Iterator[str]:
    """Yield the lines of the page; `fetch` reads what the pictures and the tables need from the views."""
    import vl_convert

    timelines = {(t.cluster, t.group_id): t for t in timelines_of(report, fetch)}
    library = vl_convert.javascript_bundle(_LIBRARY, vl_version=VEGA_LITE) if timelines else ""
    own = _asset("report.js")
    yield from _head(report, [script for script in (library, own) if script])
    yield from _summary(report)
    yield from _findings(report.findings)
    yield from groups(report, timelines.keys())
    yield from _stories(report, timelines)
    yield from rebalances(report, fetch)
    yield from coordinators(report, fetch)
    yield from sources(report)
    yield '</main><aside id="behind" aria-label="What is behind the mark" aria-live="polite" hidden>'
    yield '<button type="button">Close</button><pre></pre></aside>'
    for script in (library, own):
        if script:
            yield f"<script>{script}</script>"
    yield "</body></html>"


def _head(report: Report, scripts: Sequence[str]) -> Iterator[str]:
    allowed = " ".join(f"'sha256-{_hash(script)}'" for script in scripts)
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
    if any(numbers.values()):
        verdict = f"{numbers['act']} to act on, {numbers['look']} to look at"
    elif report.stories:
        verdict = "nothing wrong was found"
    else:
        verdict = "no consumer group is named in these logs"
    yield f"<h1>{text(report.dataset)}: {verdict}</h1>"
    yield (
        f'<p class="soft">{plural(len(report.groups), "group")}, '
        f"{plural(len(report.sources), 'source')}, {period(report.first_at, report.last_at)}. "
        f"Made by loganalyst {text(report.loganalyst)}; times are UTC as the logs print them.</p>"
    )
    yield from _narrowed(report)
    yield (
        '<nav aria-label="Parts of this report"><a href="#groups">Groups</a> '
        '<a href="#all-rebalances">Rebalances</a> <a href="#coordinators">Coordinators</a> '
        '<a href="#read">What was read</a></nav>'
    )


def _narrowed(report: Report) -> Iterator[str]:
    """Say what the report was narrowed to, and what that left out."""
    unshown = [f"{number:,} {severity}" for severity, number in report.unshown.items()]
    if asked := report.narrowed():
        left_out = f"; findings below that severity: {', '.join(unshown)}" if unshown else ""
        yield f"<p>Narrowed to {text(asked)}{left_out}.</p>"


def _findings(findings: Sequence[Finding]) -> Iterator[str]:
    """Yield the findings; of one kind the first ones openly, more of it behind a click."""
    left, untold = FINDING_BYTES, 0
    if findings:
        yield '<h2 id="findings">Findings</h2>'
    for alike in alike_findings([finding for finding in findings if finding.severity != "normal"]):
        told, left = within(("".join(_finding(finding)) for finding in alike), left)
        yield from told[:SHOWN_ALIKE]
        if len(told) > SHOWN_ALIKE:
            kind = alike[0].kind.replace("_", " ")
            more = f"{len(told) - SHOWN_ALIKE:,} more of this kind: {kind}"
            yield f"<details class='more'><summary>{more}</summary>"
            yield from told[SHOWN_ALIKE:]
            yield "</details>"
        untold += len(alike) - len(told)
    if untold:
        more = plural(untold, "more finding")
        yield f"<p>{more}: <code>loganalyst query DATASET findings</code> has all.</p>"
    calm = [finding for finding in findings if finding.severity == "normal"]
    told, _ = within(("".join(_finding(finding)) for finding in calm), left)
    if told:
        yield f"<details class='more'><summary>Looks bad and is not: {plural(len(calm), 'finding')}</summary>"
        yield from told
        yield "</details>"


def _finding(finding: Finding) -> Iterator[str]:
    yield f'<article class="{finding.severity}" id="{text(finding.finding)}">'
    yield f'<h3><span class="badge">{finding.severity}</span>{text(finding.title)}</h3>'
    yield f"<p>{text(finding.detail)}</p>"
    if finding.fix:
        yield f"<p><strong>What to do:</strong> {text(finding.fix)}</p>"
    lasted = f" ({human_ms(finding.duration_ms)})" if finding.duration_ms else ""
    when = period(finding.started_at, finding.ended_at)
    cluster = f", cluster {text(finding.cluster)}" if finding.cluster else ""
    yield f'<p class="soft">{when}{lasted}, {finding.confidence}{cluster}</p>'
    lines = finding.evidence[:MOST_EVIDENCE]
    if lines:
        of = f"{len(lines)} of " if len(lines) < len(finding.evidence) else ""
        yield f"<details><summary>{of}{plural(len(finding.evidence), 'line')} of evidence</summary>"
        yield f'<div class="evidence" tabindex="0">{evidence_text(lines)}</div></details>'
    yield "</article>"


def _stories(report: Report, timelines: dict[tuple[str | None, str], Timeline]) -> Iterator[str]:
    """Tell the groups that are drawn; the table above names the others."""
    line_bytes, moment_bytes = LINE_BYTES, MOMENT_BYTES
    told = [story for story in report.stories if (story.cluster, story.group_id) in timelines]
    for number, story in enumerate(told, 1):
        yield from _story(story, number)
        timeline = timelines[story.cluster, story.group_id]
        picture, spent = packed(timeline, line_bytes)
        line_bytes -= spent
        yield from _picture(timeline, picture, number)
        rows, moment_bytes = within(moments(story), moment_bytes)
        shown = f"{len(rows):,} of " if len(rows) < len(story.moments) else ""
        yield f"<details><summary>{shown}{plural(len(story.moments), 'moment')}, line by line</summary>"
        yield "<div class='scroll' tabindex='0'><table><thead><tr>"
        titles = ("time (UTC)", "generation or epoch", "members", "took", "what")
        yield "".join(f"<th scope='col'>{title}</th>" for title in titles)
        yield f"</tr></thead><tbody>{''.join(rows)}</tbody></table></div></details>"
    if len(told) < len(report.stories):
        more = plural(len(report.stories) - len(told), "group")
        yield (
            f"<p>{more} not drawn, having graver or busier ones before them, or nothing to draw; "
            f"<code>loganalyst report DATASET --group GROUP --html FILE</code> draws any.</p>"
        )


def _story(story: Story, number: int) -> Iterator[str]:
    yield f'<h3 id="group-{number}">{text(story.group_id)}</h3>'
    brokers = human_list([f"broker {broker}" for broker in story.coordinators])
    facts = [
        f"{story.group_type or 'unknown'} group",
        f"cluster {story.cluster}" if story.cluster else "",
        f"coordinator {brokers}" if story.coordinators else "coordinator unknown",
        plural(story.rebalances, "rebalance"),
        f"the longest {human_ms(story.longest_ms)}" if story.longest_ms is not None else "",
    ]
    yield f'<p class="soft">{text(", ".join(fact for fact in facts if fact))}</p>'


def _picture(timeline: Timeline, picture: dict[str, Any], number: int) -> Iterator[str]:
    if timeline.thinned:
        yield (
            f"<p>Too much to draw: {timeline.thinned:,} marks of this group are left out "
            f"(every lane evenly; a report draws {MOST_MARKS:,} marks).</p>"
        )
    label = f"Members and states of {visible(timeline.group_id)} over time; the lines below tell the same"
    buttons = (
        ("in", "Zoom in"),
        ("out", "Zoom out"),
        ("earlier", "Earlier"),
        ("later", "Later"),
        ("all", "All"),
    )
    yield '<div class="picture"><div class="zoom">'
    yield "".join(f'<button type="button" data-act="{act}">{name}</button>' for act, name in buttons)
    yield "<span>or drag over the picture; double-click shows all. Click a mark for its log lines.</span>"
    yield f'</div><div class="chart" id="chart-{number}" role="group" tabindex="0" '
    yield f'aria-label="{escape(label)}"></div>'
    yield f'<script type="application/json">{_json(picture)}</script></div>'


def within(parts: Iterable[str], most: int) -> tuple[list[str], int]:
    """Return the first parts that fit into `most` bytes together, and how many bytes are left."""
    kept: list[str] = []
    for part in parts:
        size = len(part.encode())
        if size > most:
            break
        most -= size
        kept.append(part)
    return kept, most


def _json(document: Any) -> str:
    """Return JSON that cannot end the element it stands in."""
    dumped = json.dumps(document, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return dumped.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _hash(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


def _asset(name: str) -> str:
    return files("loganalyst.report").joinpath("assets", name).read_text(encoding="utf-8")
