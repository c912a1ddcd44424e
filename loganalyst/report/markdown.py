"""The report as Markdown, for tickets and chat. No markup, link or HTML that stands in a log is obeyed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from loganalyst.report.formats import markdown_text as escape
from loganalyst.report.model import Evidence, Finding, Report, Story
from loganalyst.report.visible import visible
from loganalyst.report.words import clock, human_ms, period, plural

SHOWN_EVIDENCE = 5


def markdown_lines(report: Report) -> Iterator[str]:
    """Yield the lines of the report."""
    groups = ", ".join(escape(group) for group in report.groups[:6]) or "no group"
    yield f"# Consumer groups: {groups}"
    yield ""
    yield f"{escape(period(report.first_at, report.last_at))}, {plural(len(report.findings), 'finding')}"
    yield ""
    if not any(finding.severity != "normal" for finding in report.findings):
        yield (
            "**Nothing wrong found.**" if report.stories else "**No consumer group is named in these logs.**"
        )
        yield ""
    for finding in report.findings:
        yield from _finding(finding)
    for story in report.stories:
        if story.moments:
            yield from _story(story)
    yield "## Read"
    yield ""
    for source in report.sources:
        events = plural(source.events, "event")
        yield f"- {escape(source.source)}: {plural(source.lines, 'line')}, {events}"
    for unread in report.unread:
        yield f"- could not read {escape(unread.source)}: {escape(unread.reason)}"
    for limit in report.limits:
        yield f"- {escape(limit)}"


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
    for moment in story.moments:
        number = moment.generation if moment.generation is not None else moment.epoch
        before = "" if moment.members_before is None else f"{moment.members_before} "
        members = "" if moment.members is None else f"{before}→ {moment.members}"
        took = "" if moment.duration_ms is None else human_ms(moment.duration_ms)
        cells = (clock(moment.at), "" if number is None else str(number), members, took, escape(moment.text))
        yield f"| {' | '.join(cells)} |"
    yield ""
