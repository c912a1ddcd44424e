"""The report as Markdown, for tickets and chat. No markup, link or HTML that stands in a log is obeyed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from loganalyst.report.formats import markdown_text as escape
from loganalyst.report.model import Evidence, Finding, Report, Story
from loganalyst.report.text import alike_findings
from loganalyst.report.visible import visible
from loganalyst.report.words import clock, human_ms, period, plural

SHOWN_EVIDENCE, SHOWN_OF_A_KIND = 5, 3
WEIGHTY = ("rebalance", "epoch", "coordinator")
MOST_STORIES, MOST_MOMENTS, MOST_SOURCES = 5, 40, 50
"""A ticket holds about 65,000 characters, a chat message fewer."""


def markdown_lines(report: Report) -> Iterator[str]:
    """Yield the lines of the report: verdict, findings, what is normal in one line each, stories, sources."""
    grave = [finding for finding in report.findings if finding.severity != "normal"]
    calm = [finding for finding in report.findings if finding.severity == "normal"]
    groups = ", ".join(escape(group) for group in report.groups[:6])
    more = f" and {len(report.groups) - 6} more" if len(report.groups) > 6 else ""
    named = f"{groups}{more}: " if groups else ""
    yield f"# Consumer groups: {named}{_verdict(report, grave)}"
    yield ""
    yield escape(period(report.first_at, report.last_at))
    yield ""
    if asked := report.narrowed():
        yield f"Narrowed to {escape(asked)}."
        yield ""
    for alike in alike_findings(grave):
        for finding in alike[:SHOWN_OF_A_KIND]:
            yield from _finding(finding)
        if len(alike) > SHOWN_OF_A_KIND:
            yield from _more(alike[SHOWN_OF_A_KIND:])
    if calm:
        yield "## Looks bad and is not"
        yield ""
        yield from _titles(calm)
    yield from _stories(report)
    yield "## Read"
    yield ""
    for source in report.sources[:MOST_SOURCES]:
        events = plural(source.events, "event")
        yield f"- {escape(source.source)}: {plural(source.lines, 'line')}, {events}"
    if len(report.sources) > MOST_SOURCES:
        yield f"- and {plural(len(report.sources) - MOST_SOURCES, 'more source')}"
    for unread in report.unread:
        yield f"- could not read {escape(unread.source)}: {escape(unread.reason)}"
    for limit in report.limits:
        yield f"- {escape(limit)}"


def _more(findings: Sequence[Finding]) -> Iterator[str]:
    yield f"## {findings[0].severity.upper()}: {len(findings):,} more of this kind"
    yield ""
    yield from _titles(findings)


def _titles(findings: Sequence[Finding]) -> Iterator[str]:
    yield from (f"- {escape(finding.title)}" for finding in findings[:MOST_SOURCES])
    if len(findings) > MOST_SOURCES:
        yield f"- and {len(findings) - MOST_SOURCES:,} more"
    yield ""


def _verdict(report: Report, grave: Sequence[Finding]) -> str:
    if grave:
        act = sum(finding.severity == "act" for finding in grave)
        return f"{act} to act on, {len(grave) - act} to look at"
    return "nothing wrong found" if report.stories else "none is named in these logs"


def _stories(report: Report) -> Iterator[str]:
    """Tell the groups that a finding concerns, or all of a few; name the others."""
    concerned = [story for story in report.stories if story.severity in ("act", "look")]
    told = [story for story in concerned or report.stories if story.moments][:MOST_STORIES]
    for story in told:
        yield from _story(story)
    rest = [story for story in report.stories if not any(story is other for other in told)]
    if rest:
        named = ", ".join(escape(story.group_id) for story in rest[:MOST_SOURCES])
        yield f"{plural(len(rest), 'other group')}: {named}{', …' if len(rest) > MOST_SOURCES else ''}"
        yield ""


def _finding(finding: Finding) -> Iterator[str]:
    yield f"## {finding.severity.upper()}: {escape(finding.title)}"
    yield ""
    if finding.detail:
        yield escape(finding.detail)
        yield ""
    if finding.fix:
        yield f"**Do:** {escape(finding.fix)}"
        yield ""
    lasted = f" ({human_ms(finding.duration_ms)})" if finding.duration_ms else ""
    yield f"{period(finding.started_at, finding.ended_at)}{lasted}, {finding.confidence}"
    yield ""
    yield from _evidence(finding.evidence)


def _evidence(lines: Sequence[Evidence]) -> Iterator[str]:
    if not lines:
        return
    shown = [
        f"{visible(line.source)}:{line.line}  {visible(line.message)}" for line in lines[:SHOWN_EVIDENCE]
    ]
    fence = "```"
    while any(fence in line for line in shown):
        fence += "`"
    yield fence
    yield from shown
    yield fence
    if len(lines) > len(shown):
        yield f"and {plural(len(lines) - len(shown), 'more line')}"
    yield ""


def _story(story: Story) -> Iterator[str]:
    yield f"## {escape(story.group_id)}"
    yield ""
    yield "| time (UTC) | generation | members | took | what |"
    yield "| --- | ---: | --- | ---: | --- |"
    notable = [moment for moment in story.moments if moment.notable or moment.kind in WEIGHTY]
    shown = story.moments if len(story.moments) <= MOST_MOMENTS else notable[:MOST_MOMENTS]
    for moment in shown:
        number = moment.generation if moment.generation is not None else moment.epoch
        before = "" if moment.members_before is None else f"{moment.members_before} "
        members = "" if moment.members is None else f"{before}→ {moment.members}"
        took = "" if moment.duration_ms is None else human_ms(moment.duration_ms)
        cells = (clock(moment.at), "" if number is None else str(number), members, took, escape(moment.text))
        yield f"| {' | '.join(cells)} |"
    if len(shown) < len(story.moments):
        yield f"| | | | | {plural(len(story.moments) - len(shown), 'quieter line')} left out |"
    yield ""
