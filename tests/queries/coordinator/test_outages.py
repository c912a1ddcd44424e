"""When a group had no coordinator, and what only looks so."""

from __future__ import annotations

from tests.queries.coordinator.test_moves import ORDERS, found, led, settle
from tests.queries.session import Log, moments


def running(*pods: str) -> Log:
    log = Log()
    log.broker(1, -5, "broker_started")
    led(log, 1, 0)
    settle(log, 1, 2)
    for pod in pods:
        found(log, pod, 1, 1)
        log.client(pod, 2, "join_succeeded", generation=1)
    return log


def lose(log: Log, pod: str, seconds: float, until: float) -> None:
    log.client(pod, seconds, "coordinator_unavailable", broker_id=1)
    step = seconds + 0.2
    while step < until:
        log.client(pod, step, "coordinator_lookup_failed", error="COORDINATOR_NOT_AVAILABLE")
        step += 1
    found(log, pod, until, 1)
    log.client(pod, until + 1, "join_succeeded", generation=2)


def test_a_broker_that_nobody_can_stand_in_for_takes_the_coordinator_with_it() -> None:
    log = running("orders-0", "orders-1")
    for pod in ("orders-0", "orders-1"):
        log.client(pod, 60, "connection_lost", broker_id=1)
        lose(log, pod, 60.5, 91)
    log.controller(69, "broker_fenced", broker_id=1)
    log.broker(1, 89, "broker_started")
    led(log, 1, 90)
    (outage,) = log.rows("coordinator_outages")
    assert outage["why"] == "no_leader"
    assert outage["pods_hit"] == ["orders-0", "orders-1"]
    assert moments([outage], "started_at") == [60]
    assert moments([outage], "ended_at") == [90]
    (finding,) = log.rows("finding_coordinator_unavailable")
    assert (finding["severity"], finding["variant"], finding["broker"]) == ("act", "no_leader", 1)
    (risk,) = log.rows("finding_offsets_topic_at_risk")
    assert (risk["severity"], risk["variant"]) == ("act", "proved")


def test_another_replica_that_takes_over_late_is_a_failover() -> None:
    log = running("orders-0")
    log.client("orders-0", 60, "connection_lost", broker_id=1)
    log.client("orders-0", 60.1, "connection_lost", broker_id=1)
    log.controller(69, "broker_fenced", broker_id=1)
    led(log, 2, 69.2)
    (outage,) = log.rows("coordinator_outages")
    assert outage["why"] == "broker_down"
    assert log.rows("finding_offsets_topic_at_risk") == []


def test_an_orderly_restart_is_no_outage() -> None:
    log = running("orders-0")
    log.broker(1, 60, "broker_stopping")
    led(log, 2, 60.4)
    log.broker(1, 70, "broker_started")
    assert log.rows("coordinator_outages") == []


def test_one_pod_in_trouble_is_no_outage_of_the_group() -> None:
    log = running("orders-0", "orders-1")
    log.client("orders-1", 65, "offsets_committed", broker_id=1)
    lose(log, "orders-0", 60, 80)
    log.client("orders-1", 90, "offsets_committed", broker_id=1)
    assert log.rows("coordinator_outages") == []


def test_clients_alone_show_an_outage_and_say_how_sure_that_is() -> None:
    log = Log()
    for pod in ("orders-0", "orders-1"):
        found(log, pod, 0, 1)
        log.client(pod, 1, "join_succeeded", generation=1)
        lose(log, pod, 60, 80)
    (outage,) = log.rows("coordinator_outages")
    assert (outage["why"], outage["pods_hit"]) == ("not_available", ["orders-0", "orders-1"])
    (finding,) = log.rows("finding_coordinator_unavailable")
    assert finding["confidence"] == "likely"


def test_a_load_tells_who_was_turned_away() -> None:
    log = running("orders-0")
    log.broker(2, 60, "offsets_partition_load_started", offsets_partition=ORDERS)
    log.client("orders-0", 60.2, "offset_commit_failed", error="COORDINATOR_LOAD_IN_PROGRESS")
    log.client("orders-0", 60.4, "offset_commit_failed", error="COORDINATOR_LOAD_IN_PROGRESS")
    log.broker(
        2,
        60.9,
        "offsets_partition_load_finished",
        offsets_partition=ORDERS,
        duration_ms=900.0,
        fields={"records": "603002", "bytes": "157084755"},
    )
    load = log.rows("coordinator_loads", "started_at")[-1]
    assert (load["broker"], load["duration_ms"], load["records"], load["bytes"]) == (
        2,
        900,
        603002,
        157084755,
    )
    assert (load["groups"], load["pods_hit"], load["errors"]) == (["orders"], ["orders-0"], 2)
    (finding,) = log.rows("finding_coordinator_loading")
    assert (finding["severity"], finding["broker"]) == ("look", 2)


def test_a_single_replica_in_a_dump_is_a_risk() -> None:
    log = Log()
    for number in range(3):
        log.tool(
            "topic.txt",
            offsets_partition=number,
            broker_id=number,
            fields={"detail_event": "dump_partition", "replicas": str(number), "isr": str(number)},
        )
    (finding,) = log.rows("finding_offsets_topic_at_risk")
    assert (finding["severity"], finding["variant"], finding["confidence"]) == ("act", "single", "certain")


def test_replicas_in_sync_are_no_risk() -> None:
    log = Log()
    for number in range(3):
        log.tool(
            "topic.txt",
            offsets_partition=number,
            broker_id=1,
            fields={"detail_event": "dump_partition", "replicas": "1,2,3", "isr": "3,1,2"},
        )
    assert log.rows("finding_offsets_topic_at_risk") == []
