"""A source's clock is known by causes and effects."""

from __future__ import annotations

import pytest

from tests.queries.session import Log


def rebalance(log: Log, pod: str, generation: int, seconds: float, ahead: float) -> None:
    """One generation that `pod` leads; its clock is `ahead` seconds ahead of the broker's."""
    group = {"group_id": "orders", "generation": generation}
    log.broker(1, seconds, "group_stabilized", **group)
    log.client(pod, seconds + 0.002 + ahead, "join_succeeded", generation=generation)
    log.client(pod, seconds + 0.004 + ahead, "assignment_computed", generation=generation)
    log.broker(1, seconds + 0.006, "assignment_received", **group)
    log.client(pod, seconds + 0.008 + ahead, "sync_succeeded", generation=generation)


@pytest.mark.parametrize("ahead", [0, 2.35, -40, 19800])
def test_the_offset_lies_between_cause_and_effect(ahead: float) -> None:
    log = Log()
    for generation in (1, 2, 3):
        rebalance(log, "orders-0", generation, generation * 10, ahead)
    (row,) = log.rows("clock_offsets")
    assert row["source"] == "orders-0.log"
    assert row["offset_ms"] == pytest.approx(ahead * 1000, abs=3)
    assert abs(row["offset_ms"] - ahead * 1000) <= row["bound_ms"]
    assert row["pairs"] >= 9
    assert len(row["evidence"]) == 4


def test_a_clock_that_is_right_is_not_corrected_and_not_reported() -> None:
    log = Log()
    for generation in (1, 2, 3):
        rebalance(log, "orders-0", generation, generation * 10, 0)
    assert log.rows("corrected_offsets") == []
    assert log.rows("finding_clock_skew") == []


def test_a_clock_that_is_wrong_is_corrected_and_reported_for_its_pod() -> None:
    log = Log()
    for generation in (1, 2, 3):
        rebalance(log, "orders-0", generation, generation * 10, 2.35)
        rebalance(log, "orders-1", generation + 10, generation * 10 + 5, 0)
    (corrected,) = log.rows("corrected_offsets")
    assert corrected["source"] == "orders-0.log"
    (finding,) = log.rows("finding_clock_skew")
    assert (finding["pod"], finding["severity"], finding["variant"]) == ("orders-0", "look", "default")


def test_hours_in_quarters_look_like_a_time_zone() -> None:
    log = Log()
    for generation in (1, 2, 3):
        rebalance(log, "orders-0", generation, generation * 10, 5.5 * 3600)
    (finding,) = log.rows("finding_clock_skew")
    assert finding["variant"] == "zone"


def test_a_clock_that_was_set_in_between_is_not_guessed_at() -> None:
    log = Log()
    rebalance(log, "orders-0", 1, 10, 0)
    rebalance(log, "orders-0", 2, 20, 60)
    (row,) = log.rows("clock_offsets")
    assert row["offset_ms"] is None
    assert log.rows("finding_clock_skew") == []


def test_times_of_whole_seconds_prove_no_skew_of_less_than_a_second() -> None:
    log = Log()
    for generation in (1, 2, 3):
        group = {"group_id": "orders", "generation": generation}
        log.broker(1, generation * 10 + 0.7, "group_stabilized", **group)
        log.client("orders-0", generation * 10, "join_succeeded", generation=generation)
        log.client("orders-0", generation * 10, "assignment_computed", generation=generation)
        log.broker(1, generation * 10 + 0.9, "assignment_received", **group)
    assert log.rows("finding_clock_skew") == []


def test_generations_that_occur_twice_pair_with_nothing() -> None:
    log = Log()
    for start in (0, 1000):
        rebalance(log, "orders-0", 1, start, 0)
    assert log.rows("clock_offsets") == []
