"""The stories of the text report: members over time as a chart, then what happened, line by line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from loganalyst.report.chart import chart_lines
from loganalyst.report.model import Moment, Report, Story
from loganalyst.report.page import Page, evidence_lines
from loganalyst.report.words import clock, human_ms, period, plural

SHOWN_MOMENTS = 18
ENOUGH_MOMENTS = 6
SHOWN_STORIES = 2
SHOWN_IN_SHORT = 12
QUIET = 2

_UUID = re.compile(r"\b([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b")


def story_lines(report: Report, page: Page) -> Iterator[str]:
    """Tell the stories that a finding concerns, the others in one line each."""
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
        number = "epoch" if any(moment.kind == "epoch" for moment in story.moments) else "gen"
        yield page.style(f"  {'time (UTC)':<12}{number:>5}  {'members':>7}  {'took':>7}  what", "dim")
    told = -1
    for at in shown:
        yield from _left_out(at - told - 1, page)
        yield from _moment(story.moments[at], page)
        told = at
    yield from _left_out(len(story.moments) - told - 1, page)


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


def _chosen(moments: Sequence[Moment], page: Page) -> list[int]:
    """Choose what fits one screen: notable lines first, then beginning and end; in the order of time."""
    if page.detail:
        return list(range(len(moments)))
    ends = [min(at, len(moments) - 1 - at) for at in range(len(moments))]
    ranked = sorted(range(len(moments)), key=lambda at: (_weight(moments[at]), ends[at]))
    weighty = [at for at in ranked if _weight(moments[at]) < QUIET]
    ranked = weighty if len(weighty) >= ENOUGH_MOMENTS else ranked
    return sorted(ranked[:SHOWN_MOMENTS])


def _weight(moment: Moment) -> int:
    """Rank a line for the short form: what went wrong, then what changed the group, then the rest."""
    if moment.notable:
        return 0
    return 1 if moment.kind in ("rebalance", "epoch", "coordinator") else QUIET


def _left_out(lines: int, page: Page) -> Iterator[str]:
    if lines:
        yield page.style(f"  {'…':>12} {plural(lines, 'quieter line')}: --detail", "dim")


def _moment(moment: Moment, page: Page) -> Iterator[str]:
    number = moment.generation if moment.generation is not None else moment.epoch
    generation = "" if number is None else str(number)
    before = "" if moment.members_before is None else f"{moment.members_before} "
    members = "" if moment.members is None or moment.kind == "floor" else f"{before}→ {moment.members}"
    took = "" if moment.duration_ms is None else human_ms(moment.duration_ms)
    head = f"  {clock(moment.at):<12} {generation:>4}  {members:>7}  {took:>7}  "
    yield from page.hang(moment.text if page.detail else short_ids(moment.text), len(head), head)
    if page.detail:
        yield from evidence_lines(moment.evidence, page)


def short_ids(text: str) -> str:
    """Shorten the UUIDs at the end of member ids to what tells them apart."""
    return _UUID.sub(r"\1…", text)


def _in_short(stories: Sequence[Story], page: Page) -> Iterator[str]:
    quiet = [story for story in stories if not story.rebalances]
    for story in [story for story in stories if story.rebalances][:SHOWN_IN_SHORT]:
        yield from page.hang(f"{story.group_id}: {_in_a_word(story)}", 2)
    if len(stories) - len(quiet) > SHOWN_IN_SHORT:
        more = plural(len(stories) - len(quiet) - SHOWN_IN_SHORT, "more group")
        yield f"  and {more}: --group G or --detail shows them"
    if quiet:
        yield from page.hang(f"without a rebalance: {', '.join(story.group_id for story in quiet[:20])}", 2)


def _in_a_word(story: Story) -> str:
    where = f"broker {story.coordinators[-1]}, " if story.coordinators else ""
    longest = f", longest {human_ms(story.longest_ms)}" if story.longest_ms is not None else ""
    return f"{where}{plural(story.rebalances, 'rebalance')}{longest}"
