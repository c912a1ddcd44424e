"""The outcome of the quality gate as text for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from loganalyst.quality.outcome import Outcome, gate_passes
from loganalyst.report.visible import visible

__all__ = ["text_lines"]


def text_lines(dataset: str, outcomes: Sequence[Outcome], *, by: str) -> Iterator[str]:
    """Yield the report: the verdict, what is broken with examples, what holds. `by`: who checked."""
    broken = [one for one in outcomes if not one.passed]
    failing = [one for one in broken if one.fails]
    verdict = "passes" if gate_passes(outcomes) else "FAILS"
    hold = f"{len(outcomes) - len(broken)} of {len(outcomes)} rules hold ({by})"
    yield f"{visible(dataset)} {verdict} the quality gate: {hold}"
    for outcome in sorted(broken, key=lambda one: not one.fails):
        yield ""
        yield from _broken(outcome)
    if failing:
        yield ""
        yield "--thresholds FILE sets what is tolerated; `loganalyst queries audit_<rule>` explains a rule."
    yield ""
    for outcome in outcomes:
        if outcome.passed:
            seen = f"{outcome.checked:,} checked{_tolerated(outcome)}"
            yield f"  ok    {outcome.title} ({outcome.rule}: {seen})"


def _broken(outcome: Outcome) -> Iterator[str]:
    mark = "FAIL" if outcome.fails else "warn"
    yield f"  {mark}  {outcome.title} ({outcome.rule})"
    yield (
        f"        {outcome.broken:,} of {outcome.checked:,} break it ({outcome.percent:.3g} %,"
        f" tolerated {outcome.max_percent:g} %)"
    )
    for example in outcome.examples:
        words = ": ".join(part for part in (example.subject, example.detail) if part)
        yield f"        {visible(example.place)}  {visible(words)}".rstrip()
    if outcome.broken > len(outcome.examples) > 0:
        more = outcome.broken - len(outcome.examples)
        yield f"        and {more:,} more: loganalyst query DATASET audit_{outcome.rule}"
    if outcome.disagreement:
        yield f"        {visible(outcome.disagreement)}"


def _tolerated(outcome: Outcome) -> str:
    return f", {outcome.broken:,} broken, within {outcome.max_percent:g} %" if outcome.broken else ""
