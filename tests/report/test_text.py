"""The report on a terminal: the cause first, everything on 80 columns, nothing from a log obeyed."""

from __future__ import annotations

from typing import Any

import pytest
from rich.cells import cell_len

from loganalyst.errors import UsageError
from loganalyst.report.collect import collect
from loganalyst.report.model import Unread
from loganalyst.report.page import Page
from loganalyst.report.text import text_lines
from tests.report.scenes import Scene, at, line, shrinking


def text(scene: Scene, *, detail: bool = False, width: int = 80, **filters: Any) -> str:
    report = collect(scene.fetch, dataset="incident", **filters)
    return "\n".join(text_lines(report, Page(width, detail=detail)))


def test_the_first_lines_say_what_happened_and_what_to_do() -> None:
    lines = text(shrinking()).splitlines()
    assert lines[0] == "ACT   orders-service shrank 4, 3, 2, 1 and came back: a deploy changed the"
    assert lines[1] == "      assignor in one step"
    assert "were refused" in lines[2]
    assert lines[3] == "      do: Roll it out in two deploys."


def test_the_story_names_who_held_everything_at_the_floor() -> None:
    shown = " ".join(text(shrinking()).split())
    assert "the floor: 1 of 4 members left; orders-7c9d8-ddddd has all 12 partitions" in shown


def test_the_story_draws_the_members_over_time() -> None:
    shown = text(shrinking()).splitlines()
    chart = [row for row in shown if "┤" in row]
    assert [row.split("┤")[0].split()[-1] for row in chart] == ["4", "3", "2", "1", "rebalancing", "joins"]
    assert chart[0].split("┤")[1].strip("█ ") == ""


@pytest.mark.parametrize("width", [64, 80, 120])
def test_no_line_is_wider_than_the_page(width: int) -> None:
    scene = shrinking("訂單服務-" + "x" * 70, "pod-" + "y" * 60)
    for detail in (False, True):
        assert max(cell_len(row) for row in text(scene, width=width, detail=detail).splitlines()) <= width


def test_evidence_is_three_lines_and_all_of_them_on_request() -> None:
    assert text(shrinking()).count("Preparing to rebalance") == 3
    assert "and 3 more lines of evidence: --detail" in text(shrinking())
    assert text(shrinking(), detail=True).count("Preparing to rebalance") == 6


def test_hostile_names_and_reasons_are_shown_not_obeyed() -> None:
    hostile = "orders\x1b]52;c;cm0=\x07\u202e\r\nACT forged"
    scene = shrinking(hostile, "pod\x1b[2J")
    for detail in (False, True):
        shown = text(scene, detail=detail)
        assert not [c for c in shown if c != "\n" and (ord(c) < 32 or 127 <= ord(c) < 160 or c == "\u202e")]
        assert not [row for row in shown.splitlines() if row.startswith("ACT forged")]


def test_a_quiet_dataset_says_so_and_what_was_looked_at() -> None:
    scene = Scene()
    scene.add("sources", source="a.log", lines=10, records=10, events=2, undated_lines=0, foreign_lines=0)
    scene.add("events", ts=at(0), group_id="orders", group_type="classic", role="broker", source="a.log")
    lines = text(scene).splitlines()
    assert lines[0] == "Nothing wrong found in 1 group."
    assert lines[1].startswith("Looked at 0 rebalances, 2026-12-01 00:23:00.000")
    assert "  1 source (1 broker), 10 lines, 2 events about groups, 2026-12-01 00:23:00.000" in lines


def test_logs_without_groups_are_not_called_healthy() -> None:
    scene = Scene().add(
        "sources", source="a.log", lines=10, records=0, events=0, undated_lines=0, foreign_lines=10
    )
    assert (
        text(scene).splitlines()[0]
        == "No consumer group is named in these logs, so there is nothing to judge."
    )


def test_what_is_normal_is_listed_apart() -> None:
    scene = shrinking().add(
        "findings", severity="normal", kind="rolling_restart", confidence="certain", title="A quiet restart"
    )
    shown = text(scene)
    assert shown.index("Looks bad and is not:\n  A quiet restart") > shown.index("ACT")


def test_what_cannot_be_told_is_said() -> None:
    scene = Scene()
    scene.add("sources", source="a.log", lines=10, records=8, events=2, undated_lines=2, foreign_lines=0)
    scene.add("events", ts=at(0), group_id="orders", role="client", source="a.log")
    scene.add("events", ts=None, group_id="orders", role="client", source="a.log")
    scene.add("clock_offsets", source="a.log", offset_ms=2350.0, bound_ms=20.0)
    scene.add("log_gaps", source="a.log", started_at=at(1), ended_at=at(50))
    shown = " ".join(text(scene).split())
    assert "No broker logs were read" in shown
    assert "1 event of a.log without a date that can be told" in shown
    assert "Clocks off: a.log by 2.4 s." in shown
    assert "Silence where lines were due: a.log from 00:23:01.000 to 00:23:50.000." in shown


def test_brokers_whose_log_is_missing_are_named() -> None:
    scene = shrinking().add(
        "events", ts=at(5), group_id="orders-service", role="client", broker_id=3, source="logs/a.log"
    )
    assert "No log of broker 3 was read" in text(scene)


def test_unread_sources_are_named() -> None:
    report = collect(shrinking().fetch, dataset="x", unread=[Unread("b.log.gz", "cut short")])
    assert "  could not read b.log.gz: cut short" in text_lines(report, Page())


def test_a_mistyped_group_is_answered_with_the_right_one() -> None:
    with pytest.raises(UsageError, match=r"no group 'order-service'\. Did you mean 'orders-service'\?"):
        text(shrinking(), groups=["order-service"])


def test_severity_and_time_choose_findings() -> None:
    from datetime import UTC, datetime

    scene = shrinking().add(
        "findings",
        severity="look",
        kind="slow_leader",
        confidence="likely",
        title="Slow leader",
        started_at=at(300),
        ended_at=at(310),
        evidence=[line("a.log", 1, "x")],
    )
    assert "Slow leader" in text(scene)
    assert "Slow leader" not in text(scene, severity="act")
    assert "Not shown, being below --severity: 1 look." in text(scene, severity="act")
    noon = datetime(2026, 12, 1, 0, 25, tzinfo=UTC)
    assert "Slow leader" in text(scene, since=noon) and "ACT" not in text(scene, since=noon)
    assert "Slow leader" not in text(scene, until=noon) and "ACT" in text(scene, until=noon)


def test_many_findings_of_a_kind_do_not_fill_the_screen() -> None:
    scene = Scene()
    for number in range(6):
        scene.add(
            "findings",
            severity="look",
            kind="fenced_commit",
            pod=f"pod-{number}",
            group_id="orders",
            title=f"A commit of pod-{number} was rejected",
            confidence="certain",
        )
    shown = text(scene)
    assert shown.count("was rejected") == 2
    assert "LOOK  4 more of this kind (fenced_commit): pod-2 in orders, pod-3 in orders," in shown
    assert text(scene, detail=True).count("was rejected") == 6


def test_what_was_left_out_is_not_called_healthy() -> None:
    scene = Scene().add("findings", severity="look", kind="crash", title="A crash", confidence="likely")
    assert text(scene, severity="act").splitlines()[0] == "No finding is as severe as asked for."


def test_colours_only_where_asked_for() -> None:
    report = collect(shrinking().fetch, dataset="x")
    assert "\x1b" not in "".join(text_lines(report, Page()))
    assert "\x1b[1;31mACT\x1b[0m" in "".join(text_lines(report, Page(colours=True)))
