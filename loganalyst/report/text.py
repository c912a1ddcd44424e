"""The report for a terminal or a pipe: the worst finding first, one screen for one incident.

Text from logs is made visible; nothing in it can colour, move or forge a line.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from loganalyst.report.model import Finding, Report
from loganalyst.report.page import MARGIN, SHOWN_EVIDENCE, Page, evidence_lines
from loganalyst.report.text_story import story_lines
from loganalyst.report.words import human_list, human_ms, period, plural

SHOWN_ALIKE = 2


def text_lines(report: Report, page: Page) -> Iterator[str]:
    """Yield the lines of the report."""
    grave = [finding for finding in report.findings if finding.severity != "normal"]
    calm = [finding for finding in report.findings if finding.severity == "normal"]
    if not grave:
        yield from _nothing_wrong(report, page)
    told: set[str] = set()
    for alike in alike_findings(grave):
        shown = alike if page.detail or len(alike) == SHOWN_ALIKE + 1 else alike[:SHOWN_ALIKE]
        for finding in shown:
            yield from _finding(finding, page, told)
            yield ""
        if len(alike) > len(shown):
            yield from _more_alike(alike[len(shown) :], page)
            yield ""
    if calm:
        yield page.style("Looks bad and is not:", "bold")
        for finding in calm:
            yield from _finding(finding, page, told) if page.detail else page.hang(finding.title, 2)
        yield ""
    if report.unshown:
        left_out = ", ".join(f"{number:,} {severity}" for severity, number in report.unshown.items())
        yield from page.hang(f"Not shown, being below --severity: {left_out}.", 0)
        yield ""
    yield from story_lines(report, page)
    yield from _account(report, page)


def alike_findings(findings: Sequence[Finding]) -> list[list[Finding]]:
    """Gather findings of one severity and kind, in the order of the first of each."""
    kinds: dict[tuple[str, str], list[Finding]] = {}
    for finding in findings:
        kinds.setdefault((finding.severity, finding.kind), []).append(finding)
    return list(kinds.values())


def _more_alike(findings: Sequence[Finding], page: Page) -> Iterator[str]:
    """Name what more findings of a kind are about, without telling each."""
    about = dict.fromkeys(" in ".join(filter(None, (f.pod, f.group_id))) or str(f.broker) for f in findings)
    text = (
        f"{len(findings):,} more of this kind ({findings[0].kind}): {human_list(list(about), 12)}; --detail"
    )
    yield from page.hang(text, MARGIN, findings[0].severity.upper())


def _nothing_wrong(report: Report, page: Page) -> Iterator[str]:
    if report.worst() in ("act", "look"):
        verdict = "No finding is as severe as asked for."
    elif report.stories:
        verdict = f"Nothing wrong found in {plural(len(report.stories), 'group')}."
    elif report.sources:
        verdict = "No consumer group is named in these logs, so there is nothing to judge."
    else:
        verdict = "No log was read, so there is nothing to judge."
    yield page.style(verdict, "bold")
    rebalances = sum(story.rebalances for story in report.stories)
    if report.stories:
        when = period(report.first_at, report.last_at)
        asked = f", narrowed to {report.narrowed()}" if report.narrowed() else f", {when}"
        yield from page.hang(f"Looked at {plural(rebalances, 'rebalance')}{asked}.", 0)
    yield ""


def _finding(finding: Finding, page: Page, told: set[str]) -> Iterator[str]:
    """Show a finding: an `act` in full, others in short; what is in `told` already is not repeated."""
    full = page.detail or finding.severity == "act"
    label = finding.severity.upper()
    lines = list(page.hang(finding.title, MARGIN, label))
    yield page.style(label, finding.severity) + page.style(lines[0][len(label) :], "bold")
    yield from (page.style(line, "bold") for line in lines[1:])
    if finding.detail and full:
        yield from page.hang(finding.detail)
    if finding.fix:
        fix = "as above" if finding.fix in told and not page.detail else finding.fix
        told.add(finding.fix)
        yield from page.hang(fix, MARGIN + 4, f"{'':<{MARGIN}}do: ")
    lasted = f" ({human_ms(finding.duration_ms)})" if finding.duration_ms else ""
    cluster = f", cluster {finding.cluster}" if finding.cluster else ""
    facts = f"{period(finding.started_at, finding.ended_at)}{lasted}, {finding.confidence}{cluster}"
    yield from (page.style(line, "dim") for line in page.hang(facts))
    yield from evidence_lines(finding.evidence, page, SHOWN_EVIDENCE if full else 1)


def _account(report: Report, page: Page) -> Iterator[str]:
    lines = sum(source.lines for source in report.sources)
    events = sum(source.events for source in report.sources)
    roles = [source.role or "other" for source in report.sources]
    kinds = ", ".join(f"{roles.count(role)} {role}" for role in dict.fromkeys(sorted(roles)))
    read = f"{plural(len(report.sources), 'source')} ({kinds}), " if report.sources else ""
    yield page.style("Read", "bold")
    when = f", {period(report.first_at, report.last_at)}" if report.first_at else ""
    yield from page.hang(f"{read}{plural(lines, 'line')}, {plural(events, 'event')} about groups{when}.", 2)
    if report.narrowed():
        yield from page.hang(f"Narrowed to {report.narrowed()}.", 2)
    if page.detail:
        for source in report.sources:
            yield from page.hang(
                f"{source.source}: {plural(source.lines, 'line')}, {plural(source.events, 'event')}, "
                f"{source.layout or 'layout unknown'}, {source.timezone or 'zone unknown'}",
                4,
            )
    for unread in report.unread:
        yield from page.hang(f"could not read {unread.source}: {unread.reason}", 2)
    for limit in report.limits:
        yield from page.hang(limit, 2)
