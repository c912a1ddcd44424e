"""The stories of groups, as a document."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from loganalyst.report import story as module
from loganalyst.report.collect import collect
from loganalyst.report.model import Story
from tests.report.scenes import Scene, at, line, shrinking


def stories(scene: Scene, **filters: object) -> list[Story]:
    return list(collect(scene.fetch, dataset="x", **filters).stories)  # type: ignore[arg-type]


def kinds(story: Story) -> list[str]:
    return [moment.kind for moment in story.moments]


def test_the_refusals_of_a_deploy_are_one_moment() -> None:
    (story,) = stories(shrinking())
    (refused,) = [moment for moment in story.moments if moment.kind == "refused"]
    assert refused.text == (
        "refused until 00:23:50.000 with cooperative-sticky: orders-5f6b7-ppppp (3×) and "
        "orders-5f6b7-qqqqq (3×); INCONSISTENT_GROUP_PROTOCOL"
    )
    assert [source.source for source in refused.evidence] == [
        "logs/orders-5f6b7-ppppp.log",
        "logs/orders-5f6b7-qqqqq.log",
    ]


def test_a_generation_after_the_empty_one_comes_from_nobody() -> None:
    (story,) = stories(shrinking())
    assert [(m.members_before, m.members) for m in story.moments if m.kind == "rebalance"][-2:] == [
        (1, 0),
        (0, 4),
    ]


def test_counts_are_those_of_settled_generations_from_their_end_on() -> None:
    scene = shrinking().add(
        "rebalances",
        group_id="orders-service",
        incarnation=1,
        generation=7,
        started_at=at(70),
        stabilized_at=at(71),
        outcome="superseded",
        members=9,
        cause="member_joined",
    )
    (story,) = stories(scene)
    assert [count.members for count in story.counts] == [4, 3, 2, 1, 0, 4]
    assert story.counts[0].at == datetime(2026, 12, 1, 0, 23, 10, 500000, tzinfo=UTC)


def test_a_leader_is_named_when_it_changes() -> None:
    (story,) = stories(shrinking())
    assert ["leader" in m.text for m in story.moments if m.kind == "rebalance"] == [
        True,
        False,
        False,
        False,
        False,
        True,
    ]


def test_requests_fenced_in_a_row_are_one_moment() -> None:
    scene = shrinking()
    for second in (30, 31, 32, 300):
        scene.add(
            "fenced_requests",
            group_id="orders-service",
            ts=at(second),
            pod="orders-0",
            generation=2,
            error="ILLEGAL_GENERATION",
            operation="commit",
            evidence=[line("a.log", second, "no")],
        )
    (story,) = stories(scene)
    assert [m.text for m in story.moments if m.kind == "fenced"] == [
        "orders-0 fenced 3 times until 00:23:32.000: commit ILLEGAL_GENERATION",
        "orders-0 fenced once: commit ILLEGAL_GENERATION",
    ]


def test_every_view_has_its_words() -> None:
    scene = shrinking()
    group = {"group_id": "orders-service"}
    scene.add("member_exits", **group, ts=at(61), pod="p", kind="session_timeout", silent_ms=9000.0)
    scene.add("member_exits", **group, ts=at(62), pod="p", kind="left")
    scene.add(
        "coordinator_moves",
        **group,
        from_broker=1,
        to_broker=2,
        elected_at=at(63),
        loaded_at=at(64),
        stuck_pods=["q"],
    )
    scene.add("coordinator_outages", **group, started_at=at(65), ended_at=at(66), why="no_leader")
    scene.add("static_restarts", **group, instance_id="i", back_at=at(67), away_ms=1500.0, outcome="late")
    scene.add(
        "offset_resets",
        **group,
        ts=at(68),
        topic="t",
        partition=3,
        strategy="latest",
        why="no_committed_offset",
        skipped="yes",
        pod="p",
    )
    scene.add(
        "group_epochs",
        **group,
        epoch=4,
        bumped_at=at(69),
        duration_ms=6000.0,
        trigger="member_left",
        trigger_pod="p",
    )
    (story,) = stories(scene)
    assert [(m.kind, m.text, m.notable) for m in story.moments[-6:]] == [
        ("exit", "p out: session timeout after 9.0 s of silence", True),
        ("coordinator", "coordinator broker 1 → broker 2; loaded in 1.0 s; stuck on the old one: q", True),
        ("outage", "no coordinator for 1.0 s: no leader", True),
        ("static", "static member i came back after 1.5 s, too late to be quiet", True),
        ("offsets", "p: t-3 was reset to latest: no committed offset, records skipped", True),
        ("epoch", "member left: p", True),
    ]


def test_what_was_asked_for_is_told_and_nothing_else() -> None:
    scene = shrinking().add("events", ts=at(5), group_id="other", role="broker")
    assert {story.group_id for story in stories(scene)} == {"orders-service", "other"}
    assert [story.group_id for story in stories(scene, groups=["other"])] == ["other"]
    (late,) = stories(scene, groups=["orders-service"], since=datetime(2026, 12, 1, 0, 23, 55, tzinfo=UTC))
    assert kinds(late) == ["rebalance"] and late.rebalances == 1


def test_of_very_many_groups_the_worst_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_STORIES", 1)
    scene = shrinking("o'rders")
    scene.add("events", ts=at(5), group_id="other", role="broker")
    scene.add(
        "rebalances", group_id="other", generation=1, started_at=at(5), duration_ms=70.0, outcome="completed"
    )
    worst, other = stories(scene)
    assert worst.group_id == "o'rders" and worst.moments
    assert other.moments == () and (other.rebalances, other.longest_ms) == (1, 70.0)
