"""When a group's coordinator moved, and when it only looks so."""

from __future__ import annotations

from tests.queries.session import Log, moments

ORDERS = 18  # the offsets partition of "orders" in these tests


def led(log: Log, broker: int, seconds: float) -> None:
    log.broker(broker, seconds, "offsets_partition_load_started", offsets_partition=ORDERS)
    log.broker(
        broker, seconds + 0.1, "offsets_partition_load_finished", offsets_partition=ORDERS, duration_ms=100
    )


def settle(log: Log, broker: int, seconds: float, generation: int = 1) -> None:
    group = {"group_id": "orders", "offsets_partition": ORDERS, "generation": generation, "members": 2}
    log.broker(broker, seconds, "group_stabilized", **group)


def found(log: Log, pod: str, seconds: float, broker: int) -> None:
    log.client(
        pod, seconds, "coordinator_discovered", fields={"coordinator_node_id": str(2147483647 - broker)}
    )


def refused(log: Log, pod: str, seconds: float) -> None:
    log.client(pod, seconds, "heartbeat_failed", error="NOT_COORDINATOR")


def moved() -> Log:
    log = Log()
    led(log, 1, 0)
    for pod in ("orders-0", "orders-1"):
        found(log, pod, 1, 1)
        log.client(pod, 2, "join_succeeded", generation=1)
    settle(log, 1, 2)
    log.broker(1, 60, "coordinator_resigned", offsets_partition=ORDERS)
    led(log, 2, 60.2)
    found(log, "orders-0", 60.5, 2)
    return log


def test_a_move_names_both_brokers_and_every_pod_that_found_the_new_one() -> None:
    log = moved()
    found(log, "orders-1", 61, 2)
    (move,) = log.rows("coordinator_moves")
    assert (move["from_broker"], move["to_broker"], move["offsets_partition"]) == (1, 2, ORDERS)
    assert moments([move], "resigned_at") == [60]
    assert moments([move], "elected_at") == [60.2]
    assert [entry["pod"] for entry in move["rediscovered"]] == ["orders-0", "orders-1"]
    assert moments([move], "last_rediscovered_at") == [61]
    assert move["stuck_pods"] is None
    (finding,) = log.rows("finding_coordinator_moved")
    assert (finding["severity"], finding["group_id"], finding["broker"]) == ("normal", "orders", 1)


def test_a_pod_that_goes_on_with_the_old_one_is_stuck() -> None:
    log = moved()
    for seconds in (62, 75, 90, 120):
        refused(log, "orders-1", seconds)
    (move,) = log.rows("coordinator_moves")
    assert move["stuck_pods"] == ["orders-1"]
    (finding,) = log.rows("finding_stuck_on_old_coordinator")
    assert (finding["pod"], finding["severity"], finding["confidence"]) == ("orders-1", "act", "certain")


def test_resignations_of_partitions_that_a_broker_never_led_are_noise() -> None:
    log = Log()
    led(log, 1, 0)
    settle(log, 1, 2)
    for broker in (2, 3):
        log.broker(broker, 30, "coordinator_resigned", offsets_partition=ORDERS)
        log.broker(broker, 30, "offsets_partition_unload_started", offsets_partition=ORDERS)
    assert log.rows("coordinator_moves") == []
    (leader,) = log.rows("offsets_leaders")
    assert leader["resigned_at"] is None


def test_finding_and_losing_the_same_coordinator_again_and_again_is_no_move() -> None:
    log = Log()
    found(log, "orders-0", 0, 1)
    log.client("orders-0", 1, "join_succeeded", generation=3)
    for round_trip in range(40):
        log.client("orders-0", 10 + round_trip * 0.1, "coordinator_unavailable", broker_id=1)
        found(log, "orders-0", 10.05 + round_trip * 0.1, round_trip % 3)
    assert log.rows("coordinator_moves") == []


def test_without_brokers_logs_consumers_show_the_move() -> None:
    log = Log()
    for pod in ("orders-0", "orders-1"):
        found(log, pod, 0, 1)
        log.client(pod, 1, "join_succeeded", generation=3)
    for number, pod in enumerate(("orders-0", "orders-1")):
        refused(log, pod, 60 + number)
        found(log, pod, 60.5 + number, 2)
    (move,) = log.rows("coordinator_moves")
    assert (move["from_broker"], move["to_broker"], move["elected_at"]) == (1, 2, None)
    assert [entry["pod"] for entry in move["rediscovered"]] == ["orders-0", "orders-1"]
    (finding,) = log.rows("finding_coordinator_moved")
    assert finding["confidence"] == "likely"


def test_the_first_discovery_of_a_group_is_no_move() -> None:
    log = Log()
    for seconds in (0, 0.1, 0.2):
        found(log, "orders-0", seconds, 1)
        refused(log, "orders-0", seconds + 0.05)
    found(log, "orders-0", 1, 1)
    log.client("orders-0", 3, "join_succeeded", generation=1)
    assert log.rows("coordinator_moves") == []
    assert [row["severity"] for row in log.rows("finding_coordinator_unavailable")] == ["normal"]


def test_a_member_thrown_out_after_not_coordinator_was_stuck() -> None:
    member = "orders-0-f1ae5a77-5639-413d-a06e-6c2a1ed9ec85"
    log = Log()
    log.client("orders-0", 0, "coordinator_unavailable", error="NOT_COORDINATOR", broker_id=0)
    found(log, "orders-0", 0.001, 0)
    log.broker(0, 30, "member_expired", group_id="orders", member_id=member, offsets_partition=ORDERS)
    (finding,) = log.rows("finding_stuck_on_old_coordinator")
    assert (finding["pod"], finding["variant"], finding["confidence"]) == ("orders-0", "expelled", "likely")
