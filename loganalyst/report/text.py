"""The report for a terminal or a pipe: the worst finding first, one screen for one incident.

Text from logs is made visible; nothing in it can colour, move or forge a line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rich.cells import cell_len, set_cell_size

from loganalyst.report.chart import chart_lines
from loganalyst.report.model import Evidence, Finding, Moment, Report, Story
from loganalyst.report.table import wrap
from loganalyst.report.visible import visible
from loganalyst.report.words import clock, human_ms, period, plural

MARGIN = 6
NARROWEST = 64
SHOWN_EVIDENCE = 3
SHOWN_MOMENTS = 14
ENOUGH_MOMENTS = 6
SHOWN_STORIES = 3
QUIET = 2

_UUID = re.compile(r"\b([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b")
_CONTEXT = re.compile(r"^(?:\[[^\]]{0,200}\]:? )+")  # what a logger puts before every message
_STYLES = {"act": "1;31", "look": "1;33", "normal": "32", "dim": "2", "bold": "1"}


class Page:
    """Where the report is written: its width, whether it takes colours, whether all details are wanted."""

    def __init__(self, width: int = 80, *, colours: bool = False, detail: bool = False) -> None:
        """`width` in terminal cells."""
        self.width, self.colours, self.detail = max(width, NARROWEST), colours, detail

    def style(self, text: str, style: str) -> str:
        """Colour `text`, which must be safe already."""
        return f"\x1b[{_STYLES[style]}m{text}\x1b[0m" if self.colours and text else text

    def hang(self, text: str, indent: int = MARGIN, first: str = "") -> Iterator[str]:
        """Wrap log text behind an indent; `first` stands in the indent of the first line."""
        for number, line in enumerate(wrap(visible(text), self.width - indent)):
            yield f"{first if number == 0 else '':<{indent}}{line}".rstrip()


def text_lines(report: Report, page: Page) -> Iterator[str]:
    """Yield the lines of the report."""
    grave = [finding for finding in report.findings if finding.severity != "normal"]
    calm = [finding for finding in report.findings if finding.severity == "normal"]
    if not grave:
        yield from _nothing_wrong(report, page)
    told: set[str] = set()
    for finding in grave:
        yield from _finding(finding, page, told)
        yield ""
    if calm:
        yield page.style("Looks bad and is not:", "bold")
        for finding in calm:
            yield from _finding(finding, page, told) if page.detail else page.hang(finding.title, 2)
        yield ""
    yield from _stories(report, page)
    yield from _account(report, page)


def _nothing_wrong(report: Report, page: Page) -> Iterator[str]:
    if report.stories:
        verdict = f"Nothing wrong found in {plural(len(report.stories), 'group')}."
    elif report.sources:
        verdict = "No consumer group is named in these logs, so there is nothing to judge."
    else:
        verdict = "No log was read, so there is nothing to judge."
    yield page.style(verdict, "bold")
    rebalances = sum(story.rebalances for story in report.stories)
    if report.stories:
        when = period(report.first_at, report.last_at)
        yield from page.hang(f"Looked at {plural(rebalances, 'rebalance')}, {when}.", 0)
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
    yield from _evidence(finding.evidence, page, SHOWN_EVIDENCE if full else 1)


def _evidence(lines: Sequence[Evidence], page: Page, most: int = SHOWN_EVIDENCE) -> Iterator[str]:
    """Show all lines on request, else a few from different sources, shortened to two lines each."""
    shown = lines if page.detail else _spread(lines, most)
    for line in shown:
        source = line.source if page.detail else re.split(r"[/!]", line.source)[-1]
        place = source if line.line is None else f"{source}:{line.line}"
        message = line.message.split("\n", 1)[0]
        if page.detail:
            yield from page.hang(f"{place}  {message}", MARGIN + 2)
        else:
            text = f"{place}  {_CONTEXT.sub('', message)}"
            for number, part in enumerate(_two_lines(visible(text), page.width - MARGIN - 2)):
                yield page.style(f"{'':<{MARGIN + 2 * number}}{part}", "dim")
    if len(lines) > len(shown):
        more = plural(len(lines) - len(shown), "more line")
        yield page.style(f"{'':<{MARGIN}}and {more} of evidence: --detail", "dim")


def _spread(lines: Sequence[Evidence], most: int) -> list[Evidence]:
    """Choose a few lines: the first of each source, then the next ones, in their order."""
    first = {line.source: at for at, line in reversed(list(enumerate(lines)))}.values()
    ranked = sorted(range(len(lines)), key=lambda at: (at not in first, at))
    return [lines[at] for at in sorted(ranked[:most])]


def _two_lines(text: str, width: int) -> list[str]:
    first, *rest = wrap(text, width)
    return [first, cut(" ".join(rest), width)] if rest else [first]


def cut(text: str, width: int) -> str:
    """Return `text` in at most `width` cells, with an ellipsis where something was left out."""
    return text if cell_len(text) <= width else set_cell_size(text, width - 1).rstrip() + "…"


def short_ids(text: str) -> str:
    """Shorten the UUIDs at the end of member ids to what tells them apart."""
    return _UUID.sub(r"\1…", text)


def _stories(report: Report, page: Page) -> Iterator[str]:
    told = [story for story in report.stories if story.severity in ("act", "look")]
    told = told or [story for story in report.stories if story.rebalances]
    most = len(report.stories) if page.detail else SHOWN_STORIES
    shown = report.stories if page.detail or report.filters.get("group") else told[:most]
    for story in shown:
        yield from _story(story, page)
        yield ""
    rest = [story for story in report.stories if story not in shown]
    if rest:
        yield page.style(f"{plural(len(rest), 'other group' if shown else 'group')}:", "bold")
        yield from _in_short(rest, page)
        yield ""


def _story(story: Story, page: Page) -> Iterator[str]:
    yield from (page.style(line, "bold") for line in page.hang(story.group_id, 0))
    yield from page.hang(", ".join(_facts(story)), 2)
    chart = list(chart_lines(story, page.width - 2))
    yield from (f"  {line}" for line in chart)
    shown = _chosen(story.moments, page)
    if shown:
        number = "epoch" if any(moment.kind == "epoch" for moment in shown) else "gen"
        yield page.style(f"  {'time (UTC)':<12}{number:>5}  {'members':>7}  {'took':>7}  what", "dim")
    for moment in shown:
        yield from _moment(moment, page)
    left = len(story.moments) - len(shown)
    if left:
        yield page.style(f"  and {plural(left, 'quieter line')}: --detail shows all", "dim")


def _facts(story: Story) -> Iterator[str]:
    yield f"{story.group_type or 'group'} group" if story.group_type else "group"
    if story.coordinators:
        brokers = " → ".join(f"broker {broker}" for broker in story.coordinators)
        yield f"coordinator {brokers}"
    if story.offsets_partition is not None:
        yield f"__consumer_offsets-{story.offsets_partition}"
    longest = f" (longest {human_ms(story.longest_ms)})" if story.longest_ms is not None else ""
    yield f"{plural(story.rebalances, 'rebalance')}{longest}"
    yield period(story.first_at, story.last_at)


def _chosen(moments: Sequence[Moment], page: Page) -> list[Moment]:
    """Choose what fits one screen: notable lines before quiet ones, in the order of time."""
    if page.detail:
        return list(moments)
    ranked = sorted(range(len(moments)), key=lambda at: (_weight(moments[at]), at))
    weighty = [at for at in ranked if _weight(moments[at]) < QUIET]
    ranked = weighty if len(weighty) >= ENOUGH_MOMENTS else ranked
    return [moments[at] for at in sorted(ranked[:SHOWN_MOMENTS])]


def _weight(moment: Moment) -> int:
    """Rank a line for the short form: what went wrong, then what changed the group, then the rest."""
    if moment.notable:
        return 0
    return 1 if moment.kind in ("rebalance", "epoch", "coordinator") else QUIET


def _moment(moment: Moment, page: Page) -> Iterator[str]:
    number = moment.generation if moment.generation is not None else moment.epoch
    generation = "" if number is None else str(number)
    before = "" if moment.members_before is None else f"{moment.members_before} "
    members = "" if moment.members is None or moment.kind == "floor" else f"{before}→ {moment.members}"
    took = "" if moment.duration_ms is None else human_ms(moment.duration_ms)
    head = f"  {clock(moment.at):<12} {generation:>4}  {members:>7}  {took:>7}  "
    yield from page.hang(moment.text if page.detail else short_ids(moment.text), len(head), head)
    if page.detail:
        yield from _evidence(moment.evidence, page)


def _in_short(stories: Sequence[Story], page: Page) -> Iterator[str]:
    quiet = [story for story in stories if not story.rebalances]
    for story in [story for story in stories if story.rebalances][:12]:
        yield from page.hang(f"{story.group_id}: {_in_a_word(story)}", 2)
    if len(stories) - len(quiet) > 12:
        more = plural(len(stories) - len(quiet) - 12, "more group")
        yield f"  and {more}: --group G or --detail shows them"
    if quiet:
        yield from page.hang(f"without a rebalance: {', '.join(story.group_id for story in quiet[:20])}", 2)


def _in_a_word(story: Story) -> str:
    where = f"broker {story.coordinators[-1]}, " if story.coordinators else ""
    longest = f", longest {human_ms(story.longest_ms)}" if story.longest_ms is not None else ""
    return f"{where}{plural(story.rebalances, 'rebalance')}{longest}"


def _account(report: Report, page: Page) -> Iterator[str]:
    lines = sum(source.lines for source in report.sources)
    events = sum(source.events for source in report.sources)
    roles = [source.role or "other" for source in report.sources]
    kinds = ", ".join(f"{roles.count(role)} {role}" for role in dict.fromkeys(sorted(roles)))
    read = f"{plural(len(report.sources), 'source')} ({kinds}), " if report.sources else ""
    yield page.style("Read", "bold")
    about = f"{plural(events, 'event')} about groups"
    yield from page.hang(
        f"{read}{plural(lines, 'line')}, {about}, {period(report.first_at, report.last_at)}.", 2
    )
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
