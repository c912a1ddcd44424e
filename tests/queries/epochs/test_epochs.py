"""Groups with epochs: what began one, who had to change, when it was over."""

from __future__ import annotations

import pytest

from tests.queries.session import Log, moments

FIRST, SECOND = "Xj3KJh2MTCynUduJZpAd-g", "ztg7l6p0Q1Su4jbTAS6tqg"


def bump(log: Log, seconds: float, epoch: int) -> None:
    group = {"group_id": "orders", "epoch": epoch, "offsets_partition": 3, "group_type": "consumer"}
    log.broker(1, seconds, "group_epoch_bumped", **group)
    log.broker(1, seconds, "target_assignment_computed", assignor="uniform", **group)


def step(log: Log, pod: str, seconds: float, member: str, epoch: int, state: str) -> None:
    log.client(pod, seconds, "member_state_changed", member_id=member, epoch=epoch, state=state)


def grown() -> Log:
    log = Log()
    log.broker(1, 0, "member_joined", group_id="orders", member_id=FIRST)
    bump(log, 0, 1)
    step(log, "orders-0", 0.1, FIRST, 1, "RECONCILING")
    step(log, "orders-0", 0.2, FIRST, 1, "STABLE")
    log.broker(1, 20, "member_joined", group_id="orders", member_id=SECOND)
    bump(log, 20, 2)
    step(log, "orders-0", 21, FIRST, 1, "RECONCILING")
    log.client("orders-0", 21.5, "partitions_revoked", topic_partitions=["t-1"])
    step(log, "orders-0", 22, FIRST, 1, "STABLE")
    step(log, "orders-1", 25, SECOND, 2, "RECONCILING")
    log.client("orders-1", 25.1, "partitions_assigned", topic_partitions=["t-1"])
    step(log, "orders-1", 25.2, SECOND, 2, "STABLE")
    return log


def test_an_epoch_converges_when_the_last_member_is_stable() -> None:
    first, second = grown().rows("group_epochs", "epoch")
    assert (first["epoch"], first["trigger"], first["outcome"]) == (1, "member_joined", "converged")
    assert moments([first, second], "converged_at") == [0.2, 25.2]
    assert second["duration_ms"] == pytest.approx(5200)
    assert (second["reconciled"], second["trigger_pod"], second["assignor"]) == (2, "orders-1", "uniform")


def test_a_member_that_gives_partitions_up_reconciles_in_its_old_epoch() -> None:
    rows = {row["member_id"]: row for row in grown().rows("reconciliations") if row["epoch"] == 2}
    assert rows[FIRST]["revoked"] == ["t-1"]
    assert rows[FIRST]["duration_ms"] == pytest.approx(1000)
    assert (rows[SECOND]["assigned"], rows[SECOND]["outcome"]) == (["t-1"], "completed")


def test_the_next_epoch_may_come_first() -> None:
    log = grown()
    step(log, "orders-0", 29.5, FIRST, 2, "RECONCILING")
    bump(log, 30, 3)
    rows = log.rows("group_epochs", "epoch")
    assert [row["outcome"] for row in rows] == ["converged", "superseded", "unseen"]


def test_a_session_that_expired_begins_an_epoch() -> None:
    log = grown()
    log.broker(
        1, 60, "member_fenced", group_id="orders", member_id=SECOND, reason="the member session expired"
    )
    bump(log, 60, 3)
    row = log.rows("group_epochs", "epoch")[-1]
    assert row["trigger"] in ("session_timeout", "crash")
    assert row["trigger_pod"] == "orders-1"


def test_slow_members_are_named() -> None:
    log = Log()
    bump(log, 0, 1)
    step(log, "orders-0", 1, FIRST, 1, "RECONCILING")
    step(log, "orders-0", 2, FIRST, 1, "STABLE")
    step(log, "orders-1", 1, SECOND, 1, "RECONCILING")
    step(log, "orders-1", 50, SECOND, 1, "STABLE")
    (finding,) = log.rows("finding_slow_convergence")
    assert (finding["pod"], finding["severity"]) == ("orders-1", "look")


def test_an_upgrade_is_over_when_the_last_classic_member_is_gone() -> None:
    classic = "orders-a-5f1cb9d5-8a3f-4a9e-a9a2-7a6f2d2f9d11"
    log = Log()
    log.broker(1, 0, "group_stabilized", group_id="orders", generation=5, members=1)
    log.broker(
        1,
        10,
        "group_converted",
        group_id="orders",
        message="[GroupId orders] Converted the classic group to a consumer group.",
    )
    log.broker(1, 10, "member_joined", group_id="orders", member_id=FIRST)
    bump(log, 10, 6)
    log.broker(1, 10.5, "member_joined", group_id="orders", member_id=classic)
    log.broker(1, 30, "member_left", group_id="orders", member_id=classic)
    (row,) = log.rows("protocol_migrations")
    assert (row["direction"], row["online"]) == ("classic_to_consumer", True)
    assert (row["from_generation"], row["first_epoch"], row["old_pods"]) == (5, 6, ["orders-a"])
    assert moments([row], "completed_at") == [30]
    (finding,) = log.rows("finding_protocol_migration")
    assert finding["severity"] == "normal"
